"""How a search is measured: runs and processor time until it sees a violation."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.peers.falsify.task import PROBLEMS
from benchmarks.peers.measure import Answer, say
from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe


@dataclass(frozen=True, slots=True)
class Search:
    """What became of one search: runs and processor time (s) to a violation, or to its end."""

    runs: int
    seconds: float
    found: bool


class Ended(Exception):  # noqa: N818 - an outcome, not an error
    """A search asks for a run after its violation or its budget."""


class Counted:
    """The margin of one point after another; the clock stops at the first that is negative."""

    def __init__(self, question: Question, budget: int) -> None:
        self._question, self._budget = question, budget
        self._runs, self._found = 0, False
        self._began = self._last = time.process_time()

    def __call__(self, point: Array) -> float:
        """One run; a search that does not stop by itself is stopped at the next one."""
        if self._found or self._runs >= self._budget:
            raise Ended
        margin = float(probe(self._question, np.asarray(point)[None, :]).margins[0])
        self._runs, self._found = self._runs + 1, margin < 0
        self._last = time.process_time()
        return margin

    @property
    def search(self) -> Search:
        """What became of it."""
        return Search(self._runs, self._last - self._began, self._found)


def asked() -> tuple[str, Question, range]:
    """The arguments of a script, ``PROBLEM SEEDS``: its name, its question and the seeds.

    The model is compiled here, before any clock starts.
    """
    name, question = sys.argv[1], PROBLEMS[sys.argv[1]].question()
    probe(question, question.nominal[None, :])
    return name, question, range(int(sys.argv[2]))


def run(version: str, searches: dict[str, Callable[[Question, int], Search]]) -> None:
    """The script of a peer: every search with every seed, said as answers."""
    name, question, seeds = asked()
    say(
        *(
            answer(peer, version, name, [search(question, seed) for seed in seeds])
            for peer, search in searches.items()
        )
    )


def answer(peer: str, version: str, problem: str, searches: list[Search]) -> Answer:
    """The searches of all seeds, as columns."""
    return {
        "peer": peer,
        "version": version,
        "problem": problem,
        "found": [search.found for search in searches],
        "runs": [search.runs for search in searches],
        "seconds": [round(search.seconds, 4) for search in searches],
    }
