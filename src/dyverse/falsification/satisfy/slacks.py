"""Constraints as one smooth program, ``min Σ s_i``: the sum-of-slacks problem.

``c_i(x) - s_i ≤ 0`` with ``s_i ≥ 0``; an equation has a slack on both sides. Slacks that cannot
be brought to zero name the constraints in conflict.  [navarro2018] supplement §6.2. How one curves
can be told where its Hessian is constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import MX, Relation, Variable
from dyverse.falsification.satisfy.elimination import Reduced
from dyverse.falsification.satisfy.minimiser import Functions, Program
from dyverse.falsification.satisfy.starts import bounded

Curvature = Literal["affine", "convex", "concave", "unknown"]

LARGE = 1_000_000  # operations: up to so many are put into one list, where constants fold away
FLAT = 1e-12  # eigenvalues below this share of the largest are zero


@dataclass(frozen=True, eq=False)  # without slots: programs are made once, when first needed
class SlackProblem:
    """Constraints that share variables, as one sum-of-slacks problem."""

    constraints: tuple[Reduced, ...]

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The unknowns, in the order in which the constraints name them."""
        named = (sorted(c.over, key=lambda v: v.name) for c in self.constraints)
        return tuple(dict.fromkeys(variable for names in named for variable in names))

    @cached_property
    def lower(self) -> Array:
        """The least value of each unknown."""
        return np.concatenate([np.zeros(0), *(v.lower for v in self.variables)])

    @cached_property
    def upper(self) -> Array:
        """The greatest value of each unknown."""
        return np.concatenate([np.zeros(0), *(v.upper for v in self.variables)])

    @cached_property
    def owners(self) -> tuple[Reduced, ...]:
        """The constraint of each row."""
        return tuple(c for c in self.constraints for _ in range(c.rows.numel()))

    @cached_property
    def equations(self) -> NDArray[np.bool_]:
        """Which rows are equations."""
        return np.array([owner.relation == "=" for owner in self.owners])

    @cached_property
    def rows(self) -> ca.Function:
        """c(x), all rows."""
        stacked = ca.vertcat(*(c.rows for c in self.constraints))
        symbols = [v.symbol for v in self.variables]
        of_parts = ca.Function("rows", symbols, [ca.densify(stacked)])
        x = ca.MX.sym("x", len(self.lower))
        ends = np.cumsum([0, *(v.symbol.numel() for v in self.variables)])
        parts = [x[int(a) : int(b)] for a, b in pairwise(ends)]
        c = ca.Function("c", [x], of_parts.call(parts, True, False))  # put in, not called
        return c.expand() if operations(c) <= LARGE else c

    @cached_property
    def kind(self) -> Curvature:
        """How the problem curves: unknown if a row is not quadratic, which is quickly told."""
        low, high = bounded(self.lower, self.upper)
        shares = np.random.default_rng(0).random(len(low)) * np.array([[0.0, 1, 2, 3]]).T / 4
        c = np.array(self.rows.map(4)((low + (0.1 + shares) * (high - low)).T))
        third = np.abs(c @ [1, -3, 3, -1])
        if not (third <= 1e-9 * (1 + np.abs(c).sum(axis=1))).all():  # or not a number
            return "unknown"
        return together(self.kinds)

    @cached_property
    def kinds(self) -> tuple[Curvature, ...]:
        """How each row curves."""
        x = ca.MX.sym("x", len(self.lower))
        (c,) = self.rows.call([x], True, False)
        return tuple(feasible_set(c[i], one.relation, x) for i, one in enumerate(self.owners))

    @cached_property
    def program(self) -> Program:
        """The least Σ s + Σ r with c - s ≤ 0 or c - s + r = 0."""
        n, m = len(self.lower), len(self.owners)
        both_sides = np.flatnonzero(self.equations)
        z = ca.MX.sym("z", n + m + len(both_sides))
        x, s, r = z[:n], z[n : n + m], z[n + m :]
        rest = self.rows(x) - s + ca.mtimes(ca.DM(np.eye(m)[:, both_sides]), r)
        slacks = np.zeros(m + len(both_sides))
        return Program(
            functions=Functions(symbols=z, objective=ca.sum1(s) + ca.sum1(r), constraints=rest),
            lower=np.concatenate([self.lower, slacks]),
            upper=np.concatenate([self.upper, np.full_like(slacks, np.inf)]),
            least=np.where(self.equations, 0.0, -np.inf),
            most=np.zeros(m),
        )

    def only(self, kept: NDArray[np.bool_]) -> Program:
        """The program without the other rows."""
        program = self.program
        least, most = (
            np.where(kept, a, b) for a, b in ((program.least, -np.inf), (program.most, np.inf))
        )
        return replace(program, least=least, most=most)

    def fixed(self, values: Mapping[Variable, Array]) -> Program:
        """The program with some variables given."""
        given = np.concatenate(
            [values.get(v, np.full(len(v.lower), np.nan)) for v in self.variables]
        )
        program, rest = self.program, np.full(len(self.program.lower) - len(given), np.nan)
        given = np.concatenate([given, rest])
        lower, upper = (np.where(np.isnan(given), a, given) for a in (program.lower, program.upper))
        return replace(program, lower=lower, upper=upper)

    def misses(self, points: Array) -> Array:
        """How far each row is from holding, (points, rows); infinite where it is undefined."""
        columns = self.rows.map(len(points))(points.T) if len(points) > 1 else self.rows(points.T)
        c = np.array(columns).T.reshape(len(points), len(self.owners))
        missed = np.where(self.equations, np.abs(c), np.maximum(c, 0.0))
        return np.where(np.isnan(missed), np.inf, missed)

    def lifted(self, point: Array) -> Array:
        """``point`` with the slacks that it needs: where the minimiser starts."""
        c = np.array(self.rows(point)).ravel()
        return np.concatenate([point, np.maximum(c, 0.0), np.maximum(-c, 0.0)[self.equations]])

    def named(self, point: Array) -> dict[Variable, Array]:
        """The values of the variables at ``point``."""
        ends = np.cumsum([len(v.lower) for v in self.variables])[:-1]
        return dict(zip(self.variables, np.split(point, ends), strict=True))


def operations(function: ca.Function) -> int:
    """How many operations a function has, with those of the functions that it calls."""
    if not function.is_a("MXFunction"):
        return int(function.n_instructions()) if function.is_a("SXFunction") else LARGE + 1
    count, known = 0, dict[str, int]()
    for k in range(function.n_instructions()):
        count += 1
        if function.instruction_id(k) == ca.OP_CALL:
            called = function.instruction_MX(k).which_function()
            if called.name() not in known:
                known[called.name()] = operations(called)
            count += known[called.name()]
    return count


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
