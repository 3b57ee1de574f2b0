"""Everything that a model does in the long run, as far as it can be found, with its languages.

In comes an automaton; out go its equilibria, the periodic orbits that runs lead to, the assumptions
that fail for them, the cut automaton for which none does, and one language per behaviour, derived
from its transition system and compared with what an automaton accepts. This is the way of
[carter2011] §4 and §7 from end to end. How behaviours are looked for is in `attractors`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dyverse.abstraction.behaviours.behaviour import Behaviour, Cycle, Equilibrium
from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.abstraction.evidence.continuum import Continuum
from dyverse.abstraction.evidence.verdict import Verdict, from_least, verdict_name
from dyverse.abstraction.language.word import primitive_root
from dyverse.abstraction.omega.lts import Lts
from dyverse.abstraction.portrait.equilibria import Point
from dyverse.abstraction.portrait.field import Box
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.abstraction.survey.assumptions import (
    Separated,
    Track,
    Violation,
    separate,
    track_of_orbit,
    track_of_point,
    violations,
)
from dyverse.abstraction.survey.attractors import Search, search
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.simulation.simulate import DEFAULTS, Options


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What was found, before and after locations were cut."""

    automaton: WrittenAutomaton
    found: Search
    violations: tuple[Violation, ...]
    separated: Separated
    behaviours: tuple[Behaviour, ...]  # on the cut automaton: of points, sets and orbits

    @property
    def verdict(self) -> Verdict:
        """That of the run from the start."""
        return self.found.verdict

    @property
    def points(self) -> tuple[Point, ...]:
        """All equilibria that are points."""
        return self.found.points

    @property
    def sets(self) -> tuple[Continuum, ...]:
        """All continua of equilibria."""
        return self.found.sets

    @property
    def orbits(self) -> tuple[Orbit, ...]:
        """The periodic orbits."""
        return self.found.orbits

    @property
    def behaviour(self) -> Behaviour | None:
        """That of the run from the start, among all."""
        return self.behaviour_of(self.verdict)

    def behaviour_of(self, verdict: Verdict) -> Behaviour | None:
        """The behaviour on the cut automaton that a verdict speaks of."""
        place = self.found.place(verdict)
        return None if place is None else self.behaviours[place]

    @property
    def shares(self) -> dict[str, float]:
        """Of the runs from random places, how many behave how."""
        verdicts = self.found.scattered
        found = ((self.behaviour_of(verdict), verdict) for verdict in verdicts)
        names = Counter(str(b) if b is not None else verdict_name(v) for b, v in found)
        return {name: count / len(verdicts) for name, count in names.most_common()}

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
    found = search(automaton, until=until, box=box, starts=starts, options=options)
    tracks = tuple(_tracks(found))
    separated = separate(automaton, tracks)
    return Survey(
        automaton=automaton,
        found=found,
        violations=violations(tracks),
        separated=separated,
        behaviours=tuple(map(_behaviour, separated.tracks)),
    )


def _tracks(found: Search) -> Iterator[Track]:
    named = [track_of_point(point, _point_name(point)) for point in found.points]
    named += map(_track_of_set, found.sets)
    named += (track_of_orbit(orbit, _orbit_name(orbit)) for orbit in found.orbits)
    return _numbered(named)


def _track_of_set(held: Continuum) -> Track:
    return Track(str(held), False, ((held.location, np.array(held.bounds).T),))


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
