"""Which sets of locations a run can visit for ever. [carter2011] Def. 5

These are the sets that a closed walk can cover: the vertex sets of simple cycles, joined one by one
where they overlap.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from dyverse.abstraction.language.word import Lasso
from dyverse.abstraction.omega.lts import Lts, Step, word_of
from dyverse.errors import SolverError

LIMIT = 100_000
Item = TypeVar("Item")


def simple_cycles(system: Lts) -> Iterator[tuple[str, ...]]:
    """Every cycle that meets no location twice, once, from its first location on."""
    rank = {location: n for n, location in enumerate(system.locations)}
    following = {
        location: tuple(dict.fromkeys(step.target for step in system.outgoing(location)))
        for location in system.locations
    }
    for start in system.locations:
        ways: list[tuple[str, ...]] = [(start,)]
        while ways:
            way = ways.pop()
            for there in following[way[-1]]:
                if there == start:
                    yield way
                elif rank[there] > rank[start] and there not in way:
                    ways.append((*way, there))


def infinity_sets(system: Lts, *, limit: int = LIMIT) -> tuple[frozenset[str], ...]:
    """Every possible infinity set of a run, small ones first."""
    every = dict.fromkeys(map(frozenset, _limited(simple_cycles(system), limit)))
    cycles = [cycle for cycle in every if cycle <= system.reachable]
    found, queue = set(cycles), list(cycles)
    for states in _limited(queue, limit):  # grows while it is read
        for cycle in cycles:
            joined = states | cycle
            if states & cycle and joined not in found:
                found.add(joined)
                queue.append(joined)
    return tuple(sorted(found, key=lambda states: (len(states), sorted(states))))


def _limited(items: Iterable[Item], limit: int) -> Iterator[Item]:
    for count, item in enumerate(items):
        if count == limit:
            raise SolverError(f"more than {limit} cycles or infinity sets; raise the limit")
        yield item


def tour(system: Lts, states: frozenset[str]) -> Lasso:
    """A word whose run visits exactly ``states`` for ever; they must be an infinity set."""
    starts = ((system.path(system.initial, state), state) for state in sorted(states))
    found = [(way, state) for way, state in starts if way is not None]
    start, first = min(found, key=lambda pair: len(pair[0]))
    way: list[Step] = []
    while left := states - {step.target for step in way}:
        here = way[-1].target if way else first
        way += _leg(system, here, left - {first} or {first}, states)
    way += _leg(system, way[-1].target, {first}, states) if way[-1].target != first else ()
    return Lasso(word_of(start), word_of(way)).reduced()


def _leg(
    system: Lts, here: str, goals: Collection[str], states: frozenset[str]
) -> tuple[Step, ...]:
    """A short way of at least one step from ``here`` to one of ``goals`` inside ``states``."""
    leaving = (step for step in system.outgoing(here) if step.target in states)
    ways = (
        (step, system.path([step.target], goal, within=states))
        for step in leaving
        for goal in sorted(goals)
    )
    return min(((step, *way) for step, way in ways if way is not None), key=len)
