"""Boolean satisfiability: clauses of signed whole numbers, solved again and again as they grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pysolvers
from pysat.solvers import Cadical195


class SatSolver(Protocol):
    """Clauses are only ever added; what holds for one question alone is assumed for it."""

    def add(self, clause: Sequence[int]) -> None:
        """From now on one of these literals holds: n for variable n, -n for its negation."""

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """The literals of a solution in which the assumptions hold; nothing if there is none."""


class Cadical:
    """CaDiCaL by python-sat."""

    def __init__(self) -> None:
        self._solver = Cadical195()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """Solve under assumptions."""
        # 0: the library is not to jump out of the solver on Ctrl-C; it takes microseconds
        if not pysolvers.cadical195_solve(self._solver.cadical, list(assumptions), 0):
            return None
        return frozenset(pysolvers.cadical195_model(self._solver.cadical))
