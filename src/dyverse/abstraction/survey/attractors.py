"""Where runs lead: the equilibria of a box, whole sets of them, and the orbits that runs tend to.

Equilibria are all those in the box, on the leaf of the run where it has been in the location. Where
they form a continuum (`continuum`) the set stands for them. Orbits are found by following runs:
from the start of the model, from both sides of each unstable equilibrium, and from random places
in the box if that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.continuum import Continuum, continuum
from dyverse.abstraction.evidence.rest import rests
from dyverse.abstraction.evidence.verdict import Converges, Repeats, Verdict
from dyverse.abstraction.portrait.equilibria import Equilibria, Point, equilibria
from dyverse.abstraction.portrait.field import Box, Fields
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.automaton.interface import Array, State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Run
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.expr.value import holds
from dyverse.simulation.simulate import DEFAULTS, Options

ROOM = 1.0  # of the extent of the first run, added on each side of the box
LARGEST = 1e9  # a box around a run that escapes ends here
NUDGE = 1e-3  # of the box: how far from an unstable equilibrium runs are started
SAME = 1e-2  # of the box: orbits with equal periods that come as near as this are one
TINY = 1e-4  # of the box: a set that is no longer than this is a point
TRIES = 200  # to find a random place at which a location may be


@dataclass(frozen=True, slots=True, eq=False)
class Resting:
    """What can rest in one location: points, or one set of them."""

    location: str
    found: Equilibria
    sets: tuple[Continuum, ...] = ()

    @property
    def remark(self) -> str:
        """How sure the list is."""
        if not self.found.complete and not self.found.starts:
            return "depends on time: only what the run leads to"
        return str(self.sets[0]) if self.sets else self.found.remark


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What was found in a box: what can rest, and the orbits that runs tend to."""

    verdict: Verdict  # of the run from the start
    run: Run
    box: Box
    resting: tuple[Resting, ...]  # by location
    orbits: tuple[Orbit, ...]
    scattered: tuple[Verdict, ...]  # of the runs from random places

    @property
    def points(self) -> tuple[Point, ...]:
        """All equilibria that are points."""
        return tuple(point for rest in self.resting for point in rest.found.points)

    @property
    def sets(self) -> tuple[Continuum, ...]:
        """All continua of equilibria."""
        return tuple(held for rest in self.resting for held in rest.sets)

    def place(self, verdict: Verdict) -> int | None:
        """Which of all points, sets and orbits, in this order, a verdict speaks of."""
        match verdict:
            case Converges(evidence=evidence):
                return self._resting_at(evidence.point)
            case Repeats(evidence=evidence):
                same = [is_same_orbit(orbit, evidence.orbit, self.box) for orbit in self.orbits]
                return len(self.points) + len(self.sets) + same.index(True)
            case _:
                return None

    def _resting_at(self, limit: Point) -> int | None:
        away = [miss(point, limit, sizes(self.box)) for point in self.points]
        if away and min(away) <= SAME:
            return int(np.argmin(away))
        held = [n for n, some in enumerate(self.sets) if some.location == limit.location]
        return len(self.points) + held[0] if held else None


def search(
    automaton: WrittenAutomaton,
    *,
    until: float,
    box: Box | None = None,
    starts: int = 0,
    options: Options = DEFAULTS,
) -> Search:
    """Follow runs, and look for what can rest, in ``box`` or around the run from the start."""
    fields = Fields(automaton)

    def followed(start: State | None) -> tuple[Verdict, Run]:
        return classify(automaton, start, until=until, options=options, fields=fields)

    verdict, run = followed(None)
    region = box or box_around(run, verdict)
    rest = tuple(resting(fields, region, run, verdict))
    pushed = [followed(start)[0] for start in nudged(fields, rest, region)]
    others = [followed(start)[0] for start in scattered(automaton, region, starts)]
    orbits = tuple(orbits_of([verdict, *pushed, *others], region))
    return Search(verdict, run, region, rest, orbits, tuple(others))


def box_around(run: Run, verdict: Verdict) -> Box:
    """The states of a run and its limit, with as much room on each side; at least a unit."""
    rows = [arc.states for arc in run.arcs]
    if isinstance(verdict, Converges):
        rows.append(verdict.evidence.point.values[None, :])
    states = np.clip(np.vstack(rows), -LARGEST, LARGEST)
    low, high = states.min(axis=0), states.max(axis=0)
    room = ROOM * (high - low) + np.where(high - low > 1e-9, 0.0, 1.0)
    return tuple(zip((low - room).tolist(), (high + room).tolist(), strict=True))


def resting(fields: Fields, box: Box, run: Run, verdict: Verdict) -> Iterator[Resting]:
    """What can rest, location by location; the point that the run tends to is among it."""
    last = {str(arc.location): arc.states[-1] for arc in run.arcs}
    for place in fields.automaton.locations:
        field = fields[place.name]
        if not field.is_autonomous:
            unsearched = Equilibria((), False, 0)
            yield Resting(place.name, _with_limit(unsearched, verdict, place.name, box))
            continue
        through = last.get(place.name, entry(fields.automaton, place.name))
        held = continuum(field, box, through)
        if held is not None and not _is_tiny(held, box):
            yield Resting(place.name, Equilibria((), True, 0), (held,))
            continue
        there = rests(field, through) if held is not None else None
        if there is not None:
            yield Resting(place.name, Equilibria((there.point,), True, 0))
        else:
            found = equilibria(field, box, through=through)
            yield Resting(place.name, _with_limit(found, verdict, place.name, box))


def _is_tiny(held: Continuum, box: Box) -> bool:
    pairs = zip(held.bounds, box, strict=True)
    return all(high - low <= TINY * (b - a) for (low, high), (a, b) in pairs)


def _with_limit(found: Equilibria, verdict: Verdict, location: str, box: Box) -> Equilibria:
    """The same with the point that a verdict speaks of, if the search has missed it."""
    if not isinstance(verdict, Converges) or verdict.evidence.point.location != location:
        return found
    limit, size = verdict.evidence.point, sizes(box)
    if any(miss(point, limit, size) <= SAME for point in found.points):
        return found
    return Equilibria((*found.points, limit), found.complete, found.boxes, found.starts)


def entry(automaton: WrittenAutomaton, location: str) -> Array:
    """A state in which a run may enter ``location``: it says which leaf of the field counts."""
    start = automaton.start()
    if start.location == location:
        return start.values
    for edge in automaton.edges:
        if edge.target == location and edge.reset:
            return jump(automaton, edge, State(0.0, edge.source, start.values)).values
    return start.values


def nudged(fields: Fields, rest: Iterable[Resting], box: Box) -> Iterator[State]:
    """Both sides of each unstable equilibrium."""
    for found in rest:
        for point in found.found.points:
            if point.is_stable is False:
                slope = fields[found.location].jacobian(point.values)
                away = _unstable(slope) * sizes(box) * NUDGE
                yield State(0.0, found.location, point.values + away)
                yield State(0.0, found.location, point.values - away)


def scattered(automaton: WrittenAutomaton, box: Box, number: int) -> Iterator[State]:
    """Random places in random locations, where their invariants hold."""
    random = np.random.default_rng(0)
    names = [place.name for place in automaton.locations]
    for _ in range(number):
        for _ in range(TRIES):
            values = np.array([random.uniform(low, high) for low, high in box])
            state = State(0.0, names[int(random.integers(len(names)))], values)
            if holds(automaton.domain(state.location), automaton.observe(state)):
                yield state
                break


def _unstable(jacobian: Array) -> Array:
    """A direction in which differences grow, at most one in each variable."""
    values, vectors = np.linalg.eig(jacobian)
    direction = np.real(vectors[:, int(np.argmax(values.real))])
    return np.asarray(direction / max(float(np.abs(direction).max()), 1e-300))


def orbits_of(verdicts: Iterable[Verdict], box: Box) -> Iterator[Orbit]:
    """The orbits that runs tend to, each once."""
    seen: list[Orbit] = []
    for verdict in verdicts:
        if isinstance(verdict, Repeats):
            orbit = verdict.evidence.orbit
            if not any(is_same_orbit(orbit, other, box) for other in seen):
                seen.append(orbit)
                yield orbit


def is_same_orbit(one: Orbit, other: Orbit, box: Box) -> bool:
    """Whether the orbits have equal periods and meet."""
    if abs(one.period - other.period) > 1e-6 * one.period:
        return False
    size = sizes(box)
    rows = [states / size for _, states in other.round.track]
    return min(_distance(one.start.values / size, row) for row in rows) <= SAME


def _distance(place: Array, way: Array) -> float:
    """How far a place is from a way of straight lines."""
    steps = np.diff(way, axis=0) if len(way) > 1 else np.zeros_like(way)
    first = way[: len(steps)]
    lengths = np.maximum((steps**2).sum(axis=1), 1e-300)
    along = np.clip(((place - first) * steps).sum(axis=1) / lengths, 0, 1)
    return float(np.linalg.norm(first + along[:, None] * steps - place, axis=1).min())


def sizes(box: Box) -> Array:
    """How wide a box is along each variable."""
    return np.array([high - low for low, high in box])


def miss(one: Point, other: Point, size: Array) -> float:
    """How far apart two points are, as a share of the box."""
    if one.location != other.location:
        return np.inf
    return float((np.abs(one.values - other.values) / size).max())
