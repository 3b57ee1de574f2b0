"""Short steps in a row, looked at as one: what a solver yields in, fewer and longer steps out.

A multistep method takes many short steps, and looking for events on a step costs more than the step
itself. On a chain they are looked for on all its steps at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.errors import DyverseError
from dyverse.flow.step import Step

LINKS = 8  # steps per chain; more would go further beyond an event in vain
# A solver that cannot go on, and a rate that has no number: written in the language or in Python.
FAILURES = (DyverseError, ArithmeticError, ValueError)


@dataclass(frozen=True, eq=False)
class Chain:
    """Steps that follow one another; between two of its knots the dense output is smooth."""

    links: tuple[Step, ...]

    @property
    def start(self) -> float:
        """Where the first step starts (s)."""
        return self.links[0].start

    @property
    def end(self) -> float:
        """Where the last step ends (s)."""
        return self.links[-1].end

    @property
    def first(self) -> Array:
        """The state at ``start``."""
        return self.links[0].first

    @property
    def last(self) -> Array:
        """The state at ``end``."""
        return self.links[-1].last

    @property
    def proposal(self) -> float | None:
        """What the last step proposes."""
        return self.links[-1].proposal

    @cached_property
    def knots(self) -> Array:
        """The ends of the steps, (links + 1,)."""
        return np.array([self.start, *(link.end for link in self.links)])

    def at(self, times: Array) -> Array:
        """The states at ``times``, in increasing order, one row per time."""
        cuts = [0, *np.searchsorted(times, self.knots[1:-1], side="right").tolist(), len(times)]
        rows = zip(self.links, cuts, cuts[1:], strict=False)
        return np.concatenate([link.at(times[a:b]) for link, a, b in rows if b > a])


def chained(steps: Iterator[Step]) -> Iterator[Step]:
    """The same steps, those of a multistep method in chains.

    A step that fails behind others is heard of only after these have been looked at: an event on
    them may lead elsewhere. What is no failure of numbers is a bug, which nobody waits for.
    """
    links: list[Step] = []
    try:
        for step in steps:
            links.append(step)
            if step.proposal is not None or len(links) == LINKS:
                yield _joined(links)
                links = []
    except FAILURES:
        if links:
            yield _joined(links)
        raise
    if links:
        yield _joined(links)


def _joined(links: list[Step]) -> Step:
    return links[0] if len(links) == 1 else Chain(tuple(links))
