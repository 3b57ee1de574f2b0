"""A campaign: rounds of tasks, done by a crew, every result kept in a journal.

The same tasks get the same keys in every campaign of the same work, so a campaign that was killed
goes on where it stopped: what the journal holds is not done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dyverse.campaign.crew import Crew, Work
from dyverse.campaign.journal import Journal


class Campaign:
    """Does rounds of tasks; tasks and results are JSON."""

    def __init__(self, work: Work, crew: Crew, journal: Journal) -> None:
        self._work, self._crew, self._journal = work, crew, journal
        self._round = 0
        self.recalled = 0  # results that the journal already held

    def results(self, tasks: Sequence[Any]) -> list[Any]:
        """One round: the result of every task, in their order."""
        self._round += 1
        keys = [f"{self._round}.{i}" for i in range(len(tasks))]
        known = {key: self._journal.get(key) for key in keys}
        missing = [i for i, key in enumerate(keys) if known[key] is None]
        self.recalled += len(tasks) - len(missing)
        results = self._crew.results(self._work, [tasks[i] for i in missing])
        for i, result in zip(missing, results, strict=True):
            known[keys[i]] = result
            self._journal.put(keys[i], result)
        return [known[key] for key in keys]
