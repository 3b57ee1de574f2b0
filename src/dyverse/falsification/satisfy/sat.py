"""Boolean satisfiability: clauses of signed whole numbers, solved again and again as they grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pysolvers

from dyverse.native.owning import Owned


class SatSolver(Protocol):
    """Clauses are only ever added; what holds for one question alone is assumed for it."""

    def add(self, clause: Sequence[int]) -> None:
        """From now on one of these literals holds: n for variable n, -n for its negation."""

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """The literals of a solution in which the assumptions hold; nothing if there is none."""


class Cadical:
    """CaDiCaL by python-sat, without its class: that has a destructor, which can lose a Ctrl-C."""

    def __init__(self) -> None:
        self._solver = pysolvers.cadical195_new()
        for abandoned in _SOLVERS.put(self, self._solver):
            pysolvers.cadical195_del(abandoned, None)

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        pysolvers.cadical195_add_cl(self._solver, list(clause))

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """Solve under assumptions."""
        # 0: the library is not to jump out of the solver on Ctrl-C; it takes microseconds
        if not pysolvers.cadical195_solve(self._solver, list(assumptions), 0):
            return None
        return frozenset(pysolvers.cadical195_model(self._solver))


_SOLVERS: Owned[Cadical, Any] = Owned()  # solvers of C++
