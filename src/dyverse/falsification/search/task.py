"""The pieces of work of a search, as JSON: they go to other processes and into the journal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dyverse.automaton.guard.branches import violations
from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.cells import bisect
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.descent import descend_nearest
from dyverse.falsification.search.groping import approach, bend, grope
from dyverse.falsification.search.nearness import distance
from dyverse.falsification.system import Probes, formula_of, joined

Task = dict[str, Any]  # JSON
Result = dict[str, Any]  # JSON


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Points and what became of their runs; of all that were looked at, or of the best."""

    points: Array
    probes: Probes
    runs: int
    amounts: Array = field(default_factory=lambda: np.empty(0))  # distances, if there are


def probing(points: Array) -> Task:
    """Simulate these points."""
    return {"do": "probe", "points": points.tolist()}


def bisecting(first: Array, second: Array) -> Task:
    """Look between these points for further cells; three runs for each pair at least."""
    return {"do": "bisect", "first": first.tolist(), "second": second.tolist()}


def descending(start: Array, rank: int) -> Task:
    """Go down from this point, in the nearest arc of its run or one behind; two runs or more."""
    return {"do": "descend", "start": start.tolist(), "rank": rank}


def measuring(points: Array) -> Task:
    """Say how far these points are from breaking the property; a run for each, and one more."""
    return {"do": "measure", "points": points.tolist()}


def approaching(start: Array) -> Task:
    """Go from this point to where the property is broken; two runs or more."""
    return {"do": "approach", "start": start.tolist()}


def is_measured(task: Task) -> bool:
    """Whether it tells distances."""
    return task["do"] in ("measure", "approach")


def least_runs(task: Task) -> int:
    """With fewer a task cannot begin."""
    match task:
        case {"do": "probe", "points": points}:
            return len(points)
        case {"do": "measure", "points": points}:
            return len(points) + 1
        case {"do": "bisect", "first": first}:
            return 3 * len(first)
        case _:
            return 2


def limited(task: Task, most: float) -> Task:
    """The same task with so many runs at most."""
    return task if most == np.inf else {**task, "most": int(most)}


@dataclass(frozen=True)
class Worker:
    """Does tasks of one question; travels to other processes."""

    question: Question

    def __call__(self, task: Task) -> Result:
        """The result of one task."""
        most = task.get("most", np.inf)
        match task:
            case {"do": "probe", "points": points}:
                places = self._points(points)
                return _result(Seen(places, probe(self.question, places), len(places)))
            case {"do": "bisect", "first": first, "second": second}:
                pairs = self._points(first), self._points(second)
                found = bisect(self.question, *pairs, most=most)
                return _result(Seen(found.points, found.seen, found.runs))
            case {"do": "measure", "points": points}:
                places = self._points(points)
                amounts = np.array([distance(self.question, place) for place in places])
                return self._nearest(places, amounts, len(places))
            case {"do": "approach", "start": start}:
                end, amount, runs = approach(self.question, np.array(start), most=most - 1)
                return self._nearest(end[None, :], np.array([amount]), runs)
            case {"do": "descend", "start": start, "rank": rank}:
                end, runs = self._descent(self._points([start])[0], rank, most - 1)
                return _result(Seen(end, probe(self.question, end), runs + 1))
            case _:
                raise ValueError(f"no such task: {task.get('do')}")

    def _nearest(self, places: Array, amounts: Array, runs: int) -> Result:
        """All amounts, and what became of the nearest: the first that breaks the property."""
        best = places[[int(np.argmin(amounts))]]
        return _result(Seen(best, probe(self.question, best), runs + 1, amounts))

    def _descent(self, start: Array, rank: int, most: float) -> tuple[Array, int]:
        """Where a descent ends, and the runs it took; the end is run once more."""
        if self.question.system.descent == "simplex":
            end, runs = grope(self.question, start, most=most)
            return end[None, :], runs
        reader = Reader(violations(formula_of(self.question.system.claim)))
        found = descend_nearest(self.question, reader, start, rank=rank, most=most)
        if not found.creeps or found.runs >= most:
            return found.point[None, :], found.runs
        end, runs = bend(self.question, found.point, most=most - found.runs)
        return end[None, :], found.runs + runs

    def _points(self, rows: list[list[float]]) -> Array:
        count = len(self.question.unknowns)
        return self.question.placed(np.array(rows, dtype=np.float64).reshape(len(rows), count))


def _result(seen: Seen) -> Result:
    return {
        "points": seen.points.tolist(),
        "margins": seen.probes.margins.tolist(),
        "times": seen.probes.times.tolist(),
        "paths": list(seen.probes.paths),
        "stops": list(seen.probes.stops),
        "decided": seen.probes.decided.tolist(),
        "events": seen.probes.events.tolist(),
        "runs": seen.runs,
        "amounts": seen.amounts.tolist(),
    }


def seen(result: Result, unknowns: int) -> Seen:
    """A result read back."""
    probes = Probes(
        margins=np.array(result["margins"], dtype=np.float64),
        times=np.array(result["times"], dtype=np.float64),
        paths=tuple(result["paths"]),
        stops=tuple(result["stops"]),
        decided=np.array(result["decided"], dtype=bool),
        events=np.array(result["events"], dtype=np.int64),
    )
    rows = result["points"]
    points = np.array(rows, dtype=np.float64).reshape(len(rows), unknowns)
    amounts = np.array(result["amounts"], dtype=np.float64)
    return Seen(points, probes, int(result["runs"]), amounts)


def made(parts: list[Seen]) -> Array:
    """How many runs had been made at each point; those of a part are spread over its points."""
    ends = np.cumsum([part.runs for part in parts]).tolist()
    steps = (
        np.linspace(end - part.runs, end, len(part.points) + 1)[1:]
        for part, end in zip(parts, ends, strict=True)
    )
    return np.concatenate(list(steps))


def together(parts: list[Seen]) -> Seen:
    """All of them as one."""
    return Seen(
        np.vstack([part.points for part in parts]),
        joined([part.probes for part in parts]),
        sum(part.runs for part in parts),
    )
