"""Which attractor it is: names that tell several of one kind apart all over a map.

At each point of a map there may be several attractors that a verdict calls by one name: two
equilibria in one location, or orbits through the same ones. From point to point they move a little;
so an attractor has the number of the nearest one of its kind at the points next to it, and a new
number if there is none. In comes whoever does the work of a map, out goes one that does the same
and gives numbered names: ``equilibrium in here #2``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, tee
from typing import Any, Protocol

import numpy as np

from dyverse.abstraction.behaviours.behaviour import Cycle
from dyverse.abstraction.evidence.continuum import Continuum
from dyverse.abstraction.evidence.verdict import from_least
from dyverse.abstraction.language.word import primitive_root
from dyverse.abstraction.portrait.equilibria import Point
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.abstraction.survey.attractors import Search
from dyverse.automaton.interface import Array

NEIGHBOURS = 4  # points next to a point at which its attractors are looked for
FAR = 0.3  # of the box: what is further away is another attractor

Found = dict[str, Any]  # JSON: behaviour, low, high, period


class Work(Protocol):
    """Does rounds of tasks, as `dyverse.campaign.campaign.Campaign` does."""

    def stream(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The result of every task, in their order, as they become known."""


def attractors(search: Search) -> tuple[list[Found], int | None]:
    """What attracts, as JSON, and which of it the run from the start tends to.

    That is stable equilibria, sets of equilibria, orbits, and in any case where the run tends to.
    """
    own = search.place(search.verdict)
    every = [*map(_point, search.points), *map(_set, search.sets), *map(_orbit, search.orbits)]
    repels = [n for n, point in enumerate(search.points) if not point.is_stable and n != own]
    kept = [n for n in range(len(every)) if n not in repels]
    return [every[n] for n in kept], None if own is None else kept.index(own)


def _point(point: Point) -> Found:
    return _found(f"equilibrium in {point.location}", point.values, point.values)


def _set(held: Continuum) -> Found:
    low, high = np.array(held.bounds).T
    return _found(f"equilibrium in {held.location}", low, high)


def _found(name: str, low: Array, high: Array, period: float = 0.0) -> Found:
    return {"behaviour": name, "low": low.tolist(), "high": high.tolist(), "period": period}


def _orbit(orbit: Orbit) -> Found:
    rows = np.vstack([states for _, states in orbit.round.track])
    places = primitive_root(orbit.locations)
    name = str(Cycle(from_least(places))) if orbit.letters else f"orbit within {places[0]}"
    return _found(name, rows.min(axis=0), rows.max(axis=0), orbit.period)


@dataclass(slots=True)
class Identified:
    """Does the work of another, and numbers the attractors in its answers."""

    work: Work
    steps: Mapping[str, float]  # how far points of the map are apart, by parameter
    size: Array  # of the box, by variable
    _places: list[Array] = field(default_factory=list, init=False)
    _known: list[list[tuple[Found, int]]] = field(default_factory=list, init=False)
    _numbers: dict[str, Iterator[int]] = field(default_factory=dict, init=False)

    def results(self, tasks: Iterable[Any]) -> list[Any]:
        """The result of every task, in their order."""
        return list(self.stream(tasks))

    def stream(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The same, one by one, as they become known."""
        points, handed = tee(tasks)
        for point, answer in zip(points, self.work.stream(handed), strict=True):
            yield self._named(point, answer)

    def _named(self, point: Mapping[str, float], answer: dict[str, Any]) -> dict[str, Any]:
        place = np.array([point[name] / step for name, step in self.steps.items()])
        numbers = self._match(answer["attractors"], list(self._near(place)))
        found = [
            one | {"behaviour": f"{one['behaviour']} #{number}"}
            for one, number in zip(answer["attractors"], numbers, strict=True)
        ]
        self._places.append(place)
        self._known.append(list(zip(answer["attractors"], numbers, strict=True)))
        own = answer["attractor"]
        name = answer["behaviour"] if own is None else found[own]["behaviour"]
        return answer | {"attractors": found, "behaviour": name}

    def _near(self, place: Array) -> Iterator[tuple[Found, int]]:
        """The attractors at the points next to a place."""
        if self._places:
            away = np.abs(np.array(self._places) - place).sum(axis=1)
            for n in np.argsort(away, kind="stable")[:NEIGHBOURS]:
                yield from self._known[n]

    def _match(self, found: list[Found], near: list[tuple[Found, int]]) -> list[int]:
        """A number for each: that of the nearest of its kind, each once, or a new one."""
        costs = [
            (self._apart(one, other), n, number)
            for n, one in enumerate(found)
            for other, number in near
        ]
        taken: dict[int, int] = {}
        used: set[tuple[str, int]] = set()
        for cost, n, number in sorted(costs):
            name = found[n]["behaviour"]
            if cost <= FAR and n not in taken and (name, number) not in used:
                taken[n] = number
                used.add((name, number))
        return [taken[n] if n in taken else self._new(one) for n, one in enumerate(found)]

    def _new(self, one: Found) -> int:
        return next(self._numbers.setdefault(one["behaviour"], count(1)))

    def _apart(self, one: Found, other: Found) -> float:
        """How far apart two attractors are, of the box; they must be of one kind."""
        if one["behaviour"] != other["behaviour"]:
            return math.inf
        ends = (np.subtract(one[end], other[end]) / self.size for end in ("low", "high"))
        longer = max(one["period"], other["period"]) or 1.0
        return max(*(float(np.abs(e).max()) for e in ends), _change(one, other) / longer / 2)


def _change(one: Found, other: Found) -> float:
    return abs(float(one["period"]) - float(other["period"]))
