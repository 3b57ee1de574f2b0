"""Which of several searches goes on: each gets runs by what it has brought so far.

A share of the runs is sure for everyone, so that none starves: whatever one search finds alone, all
together find with a bounded multiple of its runs. The rest goes to those that brought amounts down
of late. There is no chance in it.
"""

from __future__ import annotations

from dataclasses import dataclass

SURE = 0.15  # what counts for a search that brings nothing, where one that always does has one more
MEMORY = 0.7  # of what was before, in what a search is trusted to bring


@dataclass(slots=True)
class Account:
    """What one search may expect: its weight among all, what it took and what it brought."""

    weight: float
    spent: float = 0.0
    trust: float = 0.5

    def claim(self, cost: float) -> float:
        """How much it would have had after its next pull, for its weight: the least comes next."""
        return (self.spent + cost) / (self.weight * (SURE + self.trust))

    def settle(self, runs: int, before: float, after: float) -> None:
        """Book a pull, by which the least amount went from ``before`` to ``after``."""
        gain = 1.0 if before == float("inf") > after else _share(before, after)
        self.spent += runs
        self.trust = MEMORY * self.trust + (1 - MEMORY) * gain


def _share(before: float, after: float) -> float:
    """How much of an amount has gone."""
    return min(1.0, (before - after) / before) if 0 < before < float("inf") else 0.0
