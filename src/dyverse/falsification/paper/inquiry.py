"""One search's questions to the lazy solver, and the record that it leaves.

The record has what [navarro2018] prints in the supplement's Figures 11 to 13: simulated time
against solver calls, clauses by their number of literals, and rounds of the solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from dyverse.falsification.satisfy.cnf import Cnf, Sizes
from dyverse.falsification.satisfy.satisfy import Answer, LazySolver, Satisfied
from dyverse.falsification.search.shooting import LimitReached, Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question: what was asked about where, of which size, and what it took."""

    asked: str  # guards, domain, unsafe, error, converged, exits
    location: str
    time: float  # simulated so far (s)
    found: bool
    clauses: Sizes
    rounds: int  # SAT solutions looked at
    minimisations: int
    calls: int  # questions so far
    seconds: float  # since the search began


Tell = Callable[[Row], None]


class Inquiry:
    """Asks, records, and stops when a limit is reached."""

    def __init__(self, limits: Limits, tell: Tell, solver: LazySolver | None = None) -> None:
        self.solver = solver or LazySolver()
        self.rows: list[Row] = []
        self._limits, self._tell, self._began = limits, tell, monotonic()

    def satisfy(self, formula: Cnf, asked: str, location: object, time: float) -> Answer:
        """One question."""
        seconds = monotonic() - self._began
        if seconds > self._limits.seconds:
            raise LimitReached(f"the time limit of {self._limits.seconds:g} s was reached")
        counted = self.solver.statistics
        if counted.questions >= self._limits.runs:
            raise LimitReached(f"the limit of {self._limits.runs:g} questions was reached")
        rounds, before = counted.sat_calls, counted.minimisations
        answer = self.solver.satisfy(formula)
        row = Row(
            asked=asked,
            location=str(location),
            time=time,
            found=isinstance(answer, Satisfied),
            clauses=formula.sizes,
            rounds=counted.sat_calls - rounds,
            minimisations=counted.minimisations - before,
            calls=counted.questions,
            seconds=monotonic() - self._began,
        )
        self.rows.append(row)
        self._tell(row)
        return answer
