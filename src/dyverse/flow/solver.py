"""Solvers by name."""

from __future__ import annotations

from dyverse.errors import SolverError, did_you_mean
from dyverse.flow.cvode import Cvode
from dyverse.flow.reference import Reference
from dyverse.flow.step import Solver

SOLVERS: dict[str, type[Solver]] = {"reference": Reference, "cvode": Cvode}


def solver(name: str) -> Solver:
    """The solver called ``name``."""
    if name not in SOLVERS:
        known = ", ".join(SOLVERS)
        hint = did_you_mean(name, SOLVERS)
        raise SolverError(f"unknown solver {name!r}{hint} (known: {known})")
    return SOLVERS[name]()
