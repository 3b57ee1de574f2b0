"""A smooth program, and who minimises it: IPOPT, behind a seam of one method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import MX
from dyverse.interrupts import Held


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Functions:
    """What is minimised, and what is bounded; compiled once for all bounds."""

    symbols: MX  # z
    objective: MX  # f
    constraints: MX  # g


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Program:
    """min f(z) with ``least ≤ g(z) ≤ most`` and ``lower ≤ z ≤ upper``."""

    functions: Functions
    lower: Array
    upper: Array
    least: Array
    most: Array


@dataclass(frozen=True, slots=True, eq=False)
class Minimum:
    """A point that could not be bettered nearby, and how hard each constraint presses on it."""

    point: Array
    multipliers: Array
    settled: bool  # whether the solver says so itself


class Minimiser(Protocol):
    """Finds local minima."""

    def minimise(self, program: Program, start: Array) -> Minimum:
        """A local minimum, sought from ``start``."""


class Ipopt:
    """IPOPT with exact first and second derivatives by CasADi."""

    def __init__(self, *, tolerance: float = 1e-8, iterations: int = 100) -> None:
        self._options: dict[str, Any] = {  # as CasADi names them
            "error_on_fail": False,
            "print_time": False,
            "ipopt.print_level": 0,
            "ipopt.sb": "yes",
            "ipopt.tol": tolerance,
            "ipopt.max_iter": iterations,
            "ipopt.bound_relax_factor": 0.0,
            "show_eval_warnings": False,
        }
        self._compiled = lru_cache(maxsize=256)(self._compile)

    def minimise(self, program: Program, start: Array) -> Minimum:
        """A local minimum, sought from ``start``."""
        solver = self._compiled(program.functions)
        with Held():  # IPOPT would answer Ctrl-C with some point
            found = solver(
                x0=start, lbx=program.lower, ubx=program.upper, lbg=program.least, ubg=program.most
            )
        point, multipliers = (np.array(found[key]).ravel() for key in ("x", "lam_g"))
        return Minimum(point, multipliers, bool(solver.stats()["success"]))

    def _compile(self, functions: Functions) -> Any:
        parts = {"x": functions.symbols, "f": functions.objective, "g": functions.constraints}
        return ca.nlpsol("minimise", "ipopt", parts, self._options)
