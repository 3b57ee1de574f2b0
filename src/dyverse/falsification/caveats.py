"""What *not found* cannot say: runs that ended too early, and contacts that no run closed.

In come the points of a search and what became of their runs, out go sentences. Runs that ended
before the property did and kept it until then leave it open; those cut off by the bound on events
are followed further, to name a bound that would do. What a property says about contacts that stayed
open was hardly tried; runs of one path close the same contacts, so one run of every path tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dyverse.automaton.endings import WORDS
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Stop
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.system import Bodies, Probes
from dyverse.falsification.verdict import Coverage, Sampled

FEW = 16  # runs that are followed further first
DEEPER = 4  # times as many events, again and again
MOST = 20_000  # events
WORK = 200_000  # events of all runs together; with more, only the first few are followed
PATHS = 200  # paths; with more, nothing is said
SHOWN = 5
CLOSING = ("impact", "accumulation", "touch")


def undecided(question: Question, points: Array, probes: Probes) -> Iterator[str]:
    """One sentence for each way in which runs ended too early."""
    counts = Counter(
        stop for stop, done in zip(probes.stops, probes.decided.tolist(), strict=True) if not done
    )
    if count := counts.pop(Stop.MAX_EVENTS, 0):
        cut = f"{_runs(count)} cut off by --depth {question.depth} before the property ends"
        yield f"{cut}; {_would_do(question, _cut_off(points, probes))}"
    for stop, count in counts.items():
        why = WORDS[Stop(stop)] if stop else "the engine failed"
        yield f"{_runs(count)} undecided at the end: {why}"


def _runs(count: int) -> str:
    return "1 run was" if count == 1 else f"{count} runs were"


def _cut_off(points: Array, probes: Probes) -> Array:
    """The points whose runs were cut off."""
    at_depth = np.array([stop == Stop.MAX_EVENTS for stop in probes.stops], dtype=bool)
    return np.asarray(points[at_depth & ~probes.decided])


def _would_do(question: Question, points: Array) -> str:
    """The depth at which these runs would not be cut off."""
    few = points[np.linspace(0, len(points) - 1, min(FEW, len(points))).astype(int)]
    enough = _enough(question, few)
    if enough is not None and len(points) * enough <= WORK and question.system.is_quick:
        enough, few = _enough(question, points), points
    if enough is None:
        return f"not even --depth {MOST} would do"
    return f"--depth {enough} would do{'' if len(few) == len(points) else ' for some of them'}"


def _enough(question: Question, points: Array) -> int | None:
    """The least depth at which none of these runs is cut off; None if it is too great."""
    depth, most = question.depth, 0
    while depth < MOST:
        depth = min(DEEPER * depth, MOST)
        seen = probe(replace(question, depth=depth), points)
        points = points[[stop == Stop.MAX_EVENTS for stop in seen.stops]]
        most = max(most, int(seen.events.max()))
        if not len(points):
            return most + 1
    return None


def untouched(question: Question, covered: Coverage) -> tuple[str, ...]:
    """The contacts that stayed open in all runs; none if there are too many paths to tell."""
    system, sampled = question.system, covered.sampled
    if sampled is None or not isinstance(system, Bodies) or covered.paths > PATHS:
        return ()
    left = dict.fromkeys(system.automaton(question.at(question.nominal)).contacts)
    for point in _one_of_each(sampled):
        for contact in _closed(question, point):
            left.pop(contact, None)
        if not left:
            break
    return tuple(left)


def remark(contacts: tuple[str, ...]) -> tuple[str, ...]:
    """The same for people: one sentence, or none."""
    if not contacts:
        return ()
    more = f" and {len(contacts) - SHOWN} more" if len(contacts) > SHOWN else ""
    return (f"never closed in any run: {', '.join(contacts[:SHOWN])}{more}",)


def _one_of_each(sampled: Sampled) -> Iterator[Array]:
    return iter(dict(zip(sampled.paths, sampled.points, strict=True)).values())


def _closed(question: Question, point: Array) -> set[str]:
    events = run_at(question, point).events
    return {name for event in events if event.kind in CLOSING for name in event.contacts}
