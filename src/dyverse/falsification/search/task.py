"""The pieces of work of a search, as JSON: they go to other processes and into the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dyverse.automaton.branches import violations
from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.approach import approach
from dyverse.falsification.search.cells import bisect
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.descent import descend, nearest_arcs
from dyverse.falsification.search.groping import grope
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.search.sprint import sprint
from dyverse.falsification.system import Probes, formula_of, joined, path_of

Task = dict[str, Any]  # JSON
Result = dict[str, Any]  # JSON
ARCS = 4  # of a run, in which to descend


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Points and what became of their runs."""

    points: Array
    probes: Probes
    runs: int


def probing(points: Array) -> Task:
    """Simulate these points."""
    return {"do": "probe", "points": points.tolist()}


def bisecting(first: Array, second: Array) -> Task:
    """Look between these points for further cells; three runs for each pair at least."""
    return {"do": "bisect", "first": first.tolist(), "second": second.tolist()}


def sprinting(starts: Array) -> Task:
    """Follow the margin down from these points; two runs for each at least."""
    return {"do": "sprint", "starts": starts.tolist()}


def ranking(start: Array) -> Task:
    """Say in which arcs of this point's run to descend."""
    return {"do": "rank", "start": start.tolist()}


def descending(start: Array, arcs: list[int]) -> Task:
    """Go down from this point, in these arcs of its run; two runs for each at least."""
    return {"do": "descend", "start": start.tolist(), "arcs": arcs}


def approaching(starts: Array) -> Task:
    """Go from the best of these points to a location; one run for each at least, and one more."""
    return {"do": "approach", "starts": starts.tolist()}


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
            case {"do": "sprint", "starts": starts}:
                places = self._points(starts)
                ends, runs = sprint(self.question, places, most=most - len(places))
                return _result(Seen(ends, probe(self.question, ends), runs + len(ends)))
            case {"do": "approach", "starts": starts}:
                ends, runs = approach(self.question, self._points(starts), most=most - 1)
                return _result(Seen(ends, probe(self.question, ends), runs + len(ends)))
            case {"do": "rank", "start": start}:
                return {"arcs": self._ranked(np.array(start))}
            case {"do": "descend", "start": start, "arcs": arcs}:
                ends, runs = self._descents(np.array(start), arcs, most)
                return _result(Seen(ends, probe(self.question, ends), runs + len(ends)))
            case _:
                raise ValueError(f"no such task: {task.get('do')}")

    def _ranked(self, start: Array) -> list[tuple[int, str]]:
        """The arcs nearest to a violation, each with a name for the events before it."""
        reader = Reader(violations(formula_of(self.question.system.claim)))
        run = run_at(self.question, start)
        arcs = nearest_arcs(self.question, reader, run, ARCS)
        return [(arc, path_of(run, float(run.arcs[arc].times[0]))) for arc in arcs]

    def _descents(self, start: Array, arcs: list[int], most: float) -> tuple[Array, int]:
        """Where descents in several arcs end, and the runs they took; each end is run once more."""
        if self.question.system.descent == "simplex":
            end, runs = grope(self.question, start, most=most - 1)
            return end[None, :], runs
        reader = Reader(violations(formula_of(self.question.system.claim)))
        each = most / len(arcs) - 1
        ends = [descend(self.question, reader, start, arc=arc, most=each) for arc in arcs]
        return np.array([end.point for end in ends]), sum(end.runs for end in ends)

    def _points(self, rows: list[list[float]]) -> Array:
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.question.unknowns))


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
    return Seen(points, probes, int(result["runs"]))


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
