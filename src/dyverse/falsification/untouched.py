"""Contacts that no run of a search closed: what a property says about them was hardly tried.

In comes what a search covered, out go names. Runs of one path close the same contacts, so one run
of every path tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.system import Bodies
from dyverse.falsification.verdict import Coverage, Sampled

MOST = 200  # paths; with more, nothing is said
SHOWN = 5
CLOSING = ("impact", "accumulation", "touch")


def untouched(question: Question, covered: Coverage) -> tuple[str, ...]:
    """The contacts that stayed open in all runs; none if there are too many paths to tell."""
    system, sampled = question.system, covered.sampled
    if sampled is None or not isinstance(system, Bodies) or covered.paths > MOST:
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
