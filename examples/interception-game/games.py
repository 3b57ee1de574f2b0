"""Games that were played, scanned and searched: what the report tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse import Run
from dyverse.falsification.question import Question
from dyverse.falsification.verdict import Unsafe, Verdict

KNOWN = {1.0: "1.06 s", 1.8: "never", 3.0: "1.03 s"}  # lost at, by independent simulation

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Played:
    """One game: the run, the lowest height of ball 1 (m), and when it was lost (s), if ever."""

    K: float
    run: Run
    lowest: float
    lost_at: float | None

    @property
    def impacts(self) -> list[float]:
        """When the balls met (s)."""
        return self.run.times("impact")

    @property
    def told(self) -> str:
        """A row of the table that is printed."""
        time = "never" if self.lost_at is None else f"{self.lost_at:.6f}"
        known = KNOWN.get(self.K, "")
        return f"{self.K:6.1f}{len(self.impacts):9}{self.lowest:15.6f}{time:>13}{known:>9}"

    @property
    def verdict(self) -> str:
        """What became of the property."""
        return "kept to 2 s" if self.lost_at is None else f"lost at {self.lost_at:.4f} s"


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Many values of K, the lowest height of ball 1 (m) for each, and when it was lost (s)."""

    K: Array
    lowest: Array
    lost_at: Array  # not a number where it was not

    def within(self, low: float, high: float) -> "Scan":
        """The values from ``low`` to ``high``."""
        rows = (low <= self.K) & (high >= self.K)
        return Scan(self.K[rows], self.lowest[rows], self.lost_at[rows])

    @property
    def lost(self) -> Array:
        """The values of K that lose."""
        return self.K[~np.isnan(self.lost_at)]

    @property
    def told(self) -> str:
        """How many lose, and how low ball 1 gets."""
        worst = self.K[self.lowest.argmin()]
        words = f"{len(self.lost)} of {len(self.K)} values lose, lowest y1 {self.lowest.min():.6f} "
        nearest = self.lost[np.abs(self.lost - 2).argmin()] if len(self.lost) else None
        return f"{words}at K = {worst:.6g}" + (f", nearest to 2: {nearest:.6f}" if nearest else "")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Search:
    """A range of K, what falsification says about it, and the part of the scan within."""

    question: Question
    verdict: Verdict
    scan: Scan

    @property
    def name(self) -> str:
        """The range."""
        (K,) = self.question.unknowns
        return f"K in [{K.low:g}, {K.high:g}]"

    @property
    def file(self) -> str:
        """The page of this search."""
        (K,) = self.question.unknowns
        return f"falsify-{K.low:g}-{K.high:g}.html"

    @property
    def told(self) -> str:
        """The verdict in a few words."""
        covered = self.verdict.covered
        if not isinstance(self.verdict, Unsafe):
            least = f"lowest y1 {covered.least_margin:.6f} at K = {covered.nearest['K']:.6g}"
            return f"not found in {covered.runs} runs, {least}"
        first, nearest = self.verdict.witness, self.verdict.nearest or self.verdict.witness
        words = f"UNSAFE, K = {first.settings['K']:g} loses at {first.time:.6f} s"
        return f"{words}, nearest to 2: {nearest.settings['K']:.6f}"
