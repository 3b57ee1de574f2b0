"""How a constraint curves, where that can be told: its Hessian is constant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import casadi as ca
import numpy as np

from dyverse.falsification.satisfy.cnf import MX, Relation

Curvature = Literal["affine", "convex", "concave", "unknown"]

FLAT = 1e-12  # eigenvalues below this share of the largest are zero


def curvature(expression: MX, symbols: MX) -> Curvature:
    """Of a number as a function of the symbols; unknown unless it is at most quadratic."""
    if ca.is_linear(expression, symbols):
        return "affine"
    if not ca.is_quadratic(expression, symbols):
        return "unknown"
    hessian = np.array(ca.evalf(ca.hessian(expression, symbols)[0]), dtype=float)
    eigenvalues = np.linalg.eigvalsh(hessian)
    level = FLAT * np.abs(eigenvalues).max(initial=0.0)
    if (eigenvalues >= -level).all():
        return "convex"
    return "concave" if (eigenvalues <= level).all() else "unknown"


def feasible_set(expression: MX, relation: Relation, symbols: MX) -> Curvature:
    """Of the set where ``expression relation 0``; an equation is affine or unknown."""
    found = curvature(expression, symbols)
    return found if relation == "<=" or found == "affine" else "unknown"


def together(kinds: Iterable[Curvature]) -> Curvature:
    """Of several constraints at once."""
    found = set(kinds) - {"affine"}
    if not found:
        return "affine"
    return found.pop() if len(found) == 1 else "unknown"
