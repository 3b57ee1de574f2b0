"""Everything that a model does in the long run, as far as it can be found, with its languages.

In comes an automaton; out go its equilibria, the periodic orbits that runs lead to, the assumptions
that fail for them, the cut automaton for which none does, and one language per behaviour, derived
from its transition system and compared with what an automaton accepts. This is the way of
[carter2011] §4 and §7 from end to end.

Equilibria are all those in a box. Orbits are found by following runs: from the start of the model,
from both sides of each unstable equilibrium, and from random places in the box if that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dyverse.abstraction.assumptions import (
    Separated,
    Track,
    Violation,
    separate,
    track_of_orbit,
    track_of_point,
    violations,
)
from dyverse.abstraction.behaviour import Behaviour, Cycle, Equilibrium
from dyverse.abstraction.classify import classify
from dyverse.abstraction.equilibria import Equilibria, Point, equilibria
from dyverse.abstraction.field import Box, Fields
from dyverse.abstraction.initial import initial_abstraction
from dyverse.abstraction.lts import Lts
from dyverse.abstraction.orbits import Orbit
from dyverse.abstraction.verdict import Converges, Repeats, Verdict, from_least
from dyverse.abstraction.word import primitive_root
from dyverse.automaton.interface import Array, State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Run
from dyverse.automaton.written import WrittenAutomaton
from dyverse.simulation.simulate import DEFAULTS, Options

ROOM = 1.0  # of the extent of the first run, added on each side of the box
NUDGE = 1e-3  # of the box: how far from an unstable equilibrium runs are started
SAME = 1e-2  # of the box: orbits with equal periods that come as near as this are one


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What was found, before and after locations were cut."""

    automaton: WrittenAutomaton
    verdict: Verdict  # of the run from the start
    run: Run
    box: Box
    equilibria: tuple[tuple[str, Equilibria], ...]  # by location
    orbits: tuple[Orbit, ...]
    verdicts: tuple[Verdict, ...]  # of all runs
    violations: tuple[Violation, ...]
    separated: Separated
    behaviours: tuple[Behaviour, ...]  # on the cut automaton, in the order of its tracks

    @property
    def behaviour(self) -> Behaviour | None:
        """That of the run from the start, among all."""
        match self.verdict:
            case Converges(evidence=evidence):
                size = np.array([high - low for low, high in self.box])
                miss = [_miss(point, evidence.point, size) for point in self.points]
                number = int(np.argmin(miss)) if miss else -1
                return self.behaviours[number] if miss and miss[number] <= SAME else None
            case Repeats(evidence=evidence):
                same = [_same(orbit, evidence.orbit, self.box) for orbit in self.orbits]
                return self.behaviours[len(self.points) + same.index(True)]
            case _:
                return None

    @property
    def points(self) -> tuple[Point, ...]:
        """All equilibria."""
        return tuple(point for _, found in self.equilibria for point in found.points)

    @property
    def lts(self) -> Lts:
        """The transition system of the cut automaton."""
        return initial_abstraction(self.separated.automaton, letters="actions").lts


def survey(
    automaton: WrittenAutomaton,
    *,
    until: float,
    box: Box | None = None,
    starts: int = 0,
    options: Options = DEFAULTS,
) -> Survey:
    """Find equilibria and orbits, cut locations, and name the behaviours."""
    fields = Fields(automaton)
    verdict, run = classify(automaton, until=until, options=options, fields=fields)
    region = box or box_around(run)
    rests = tuple(
        (place.name, equilibria(fields[place.name], region, through=entry(automaton, place.name)))
        for place in automaton.locations
        if fields[place.name].is_autonomous
    )
    others = (
        classify(automaton, start, until=until, options=options, fields=fields)[0]
        for start in _starts(fields, rests, region, starts)
    )
    verdicts = [verdict, *others]
    orbits = tuple(_orbits(verdicts, region))
    tracks = _tracks([point for _, found in rests for point in found.points], orbits)
    separated = separate(automaton, tracks)
    return Survey(
        automaton=automaton,
        verdict=verdict,
        run=run,
        box=region,
        equilibria=rests,
        orbits=orbits,
        verdicts=tuple(verdicts),
        violations=violations(tracks),
        separated=separated,
        behaviours=tuple(map(_behaviour, separated.tracks)),
    )


def box_around(run: Run) -> Box:
    """The states of a run, with as much room on each side; a variable at rest gets a unit."""
    states = np.vstack([arc.states for arc in run.arcs])
    low, high = states.min(axis=0), states.max(axis=0)
    room = ROOM * (high - low) + np.where(high - low > 1e-9, 0.0, 1.0)
    return tuple(zip((low - room).tolist(), (high + room).tolist(), strict=True))


def entry(automaton: WrittenAutomaton, location: str) -> Array:
    """A state in which a run may enter ``location``: it says which leaf of the field counts."""
    start = automaton.start()
    if start.location == location:
        return start.values
    for edge in automaton.edges:
        if edge.target == location and edge.reset:
            return jump(automaton, edge, State(0.0, edge.source, start.values)).values
    return start.values


def _starts(
    fields: Fields, rests: tuple[tuple[str, Equilibria], ...], box: Box, number: int
) -> Iterator[State]:
    """Both sides of each unstable equilibrium, and random places in random locations."""
    size = np.array([high - low for low, high in box])
    for name, found in rests:
        for point in found.points:
            if point.is_stable is False:
                away = _unstable(fields[name].jacobian(point.values)) * size * NUDGE
                yield State(0.0, name, point.values + away)
                yield State(0.0, name, point.values - away)
    random = np.random.default_rng(0)
    names = [name for name, _ in rests]
    for _ in range(number if names else 0):
        values = np.array([random.uniform(low, high) for low, high in box])
        yield State(0.0, names[int(random.integers(len(names)))], values)


def _unstable(jacobian: Array) -> Array:
    """A direction in which differences grow, at most one in each variable."""
    values, vectors = np.linalg.eig(jacobian)
    direction = np.real(vectors[:, int(np.argmax(values.real))])
    return np.asarray(direction / max(float(np.abs(direction).max()), 1e-300))


def _orbits(verdicts: list[Verdict], box: Box) -> Iterator[Orbit]:
    """The orbits that runs tend to, each once."""
    seen: list[Orbit] = []
    for verdict in verdicts:
        if isinstance(verdict, Repeats):
            orbit = verdict.evidence.orbit
            if not any(_same(orbit, other, box) for other in seen):
                seen.append(orbit)
                yield orbit


def _same(one: Orbit, other: Orbit, box: Box) -> bool:
    """Whether the orbits have equal periods and meet."""
    if abs(one.period - other.period) > 1e-6 * one.period:
        return False
    size = np.array([high - low for low, high in box])
    rows = [states / size for _, states in other.round.track]
    return min(_distance(one.start.values / size, row) for row in rows) <= SAME


def _distance(place: Array, way: Array) -> float:
    """How far a place is from a way of straight lines."""
    steps = np.diff(way, axis=0) if len(way) > 1 else np.zeros_like(way)
    first = way[: len(steps)]
    lengths = np.maximum((steps**2).sum(axis=1), 1e-300)
    along = np.clip(((place - first) * steps).sum(axis=1) / lengths, 0, 1)
    return float(np.linalg.norm(first + along[:, None] * steps - place, axis=1).min())


def _tracks(points: list[Point], orbits: tuple[Orbit, ...]) -> tuple[Track, ...]:
    found = [track_of_point(point, _point_name(point)) for point in points]
    found += [track_of_orbit(orbit, _orbit_name(orbit)) for orbit in orbits]
    return tuple(_numbered(found))


def _numbered(tracks: list[Track]) -> Iterator[Track]:
    """The same, with numbers where names are equal."""
    names = [track.name for track in tracks]
    for n, track in enumerate(tracks):
        number = names[: n + 1].count(track.name)
        same = names.count(track.name) > 1
        yield replace(track, name=f"{track.name}, number {number}") if same else track


def _point_name(point: Point) -> str:
    kind = {True: "stable", False: "unstable", None: "undecided"}[point.is_stable]
    values = ", ".join(f"{number:.4g}" for number in point.values)
    return f"{kind} equilibrium ({values})"


def _orbit_name(orbit: Orbit) -> str:
    return f"orbit with period {orbit.period:.4g} s"


def _behaviour(track: Track) -> Behaviour:
    """A behaviour on the cut automaton."""
    places = primitive_root(tuple(place for place, _ in track.states))
    if track.is_orbit and track.jumps:
        return Cycle(from_least(places))
    name = f"orbit within {places[0]}" if track.is_orbit else ""
    return Equilibrium(places[0], name)


def _miss(one: Point, other: Point, size: Array) -> float:
    """How far apart two points are, as a share of the box."""
    if one.location != other.location:
        return np.inf
    return float((np.abs(one.values - other.values) / size).max())
