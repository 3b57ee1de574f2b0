"""A campaign: rounds of tasks, done by a crew, every result kept in a journal.

The same tasks get the same keys in every campaign of the same work, so a campaign that was killed
goes on where it stopped: what the journal holds is not done again. Another task in the same place,
say of a search with another limit of runs, is refused by the journal. Where a task was given up the
journal ends: it is done again next time, and so is what came after it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from dyverse.campaign.crew import Crew, Work
from dyverse.campaign.journal import MISSING, Journal

GIVEN_UP: Final = "given up"  # the result of a task that was not finished


class Campaign:
    """Does rounds of tasks; tasks and results are JSON."""

    def __init__(self, work: Work, crew: Crew, journal: Journal) -> None:
        self._work, self._crew, self._journal = work, crew, journal
        self._round = 0
        self._keeps = True  # whether nothing was given up so far
        self.recalled = 0  # results that the journal already held

    def results(self, tasks: Iterable[Any]) -> list[Any]:
        """One round: the result of every task, in their order."""
        return list(self.stream(tasks))

    def stream(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The same, one by one, as they become known; tasks are made when they are needed."""
        self._round += 1
        keyed = ((f"{self._round}.{i}", task) for i, task in enumerate(tasks))
        for key, task in keyed:
            kept = self._journal.recall(key, task)
            if kept is MISSING:
                yield from self._fresh(chain([(key, task)], keyed))
                return
            self.recalled += 1
            yield kept

    def _fresh(self, keyed: Iterator[tuple[str, Any]]) -> Iterator[Any]:
        """The results of these tasks, each in the journal before it is given."""
        handed: deque[tuple[str, Any]] = deque()  # to the crew, not yet back

        def tasks() -> Iterator[Any]:
            for key, task in keyed:
                handed.append((key, task))
                yield task

        for result in self._crew.results(self._work, tasks()):
            key, task = handed.popleft()
            self._keeps = self._keeps and result != GIVEN_UP
            if self._keeps:
                self._journal.put(key, task, result)
            yield result
