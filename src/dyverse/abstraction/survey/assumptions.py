"""Which of the behaviours found cannot be told apart by their languages, and where to cut.

The languages of [carter2011] §5 need at most one equilibrium in a location, periodic orbits through
more than one location, and no two orbits through the same locations. Section 7 lists the four ways
in which that fails; here they are named for the equilibria and orbits of a model, and planes are
chosen that remove them, in the order of the paper: each cut is the one, among the middles of all
gaps between behaviours along each variable, that leaves the fewest failures, then the fewest edges,
then the widest gap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from dyverse.abstraction.portrait.cutting import Cut, cut_automaton, part_of
from dyverse.abstraction.portrait.equilibria import Point
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.automaton.interface import Array
from dyverse.automaton.written.written import WrittenAutomaton

CASES = {
    1: "several equilibria in one location",
    2: "an equilibrium and a periodic orbit in one location",
    3: "several periodic orbits in one location",
    4: "several periodic orbits through the same locations",
}
MOST_CUTS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """Where a behaviour is: states by location, in order; one state for an equilibrium."""

    name: str
    is_orbit: bool
    states: tuple[tuple[str, Array], ...]  # (location, rows), with a jump after each
    jumps: bool = True  # not so for an orbit within one location

    def places(self) -> frozenset[str]:
        """The locations in which it is."""
        return frozenset(location for location, _ in self.states)

    def within(self, location: str) -> Array:
        """Its states in a location."""
        rows = [states for place, states in self.states if place == location]
        return np.vstack(rows) if rows else np.zeros((0, self.states[0][1].shape[1]))

    def after(self, cut: Cut, variables: tuple[str, ...]) -> Track:
        """The same where the location of ``cut`` is two."""
        pieces = [
            (name, np.array([row for _, row in rows]))
            for location, states in self.states
            for name, rows in groupby(
                ((part_of(cut, location, row, variables), row) for row in states),
                key=lambda pair: pair[0],
            )
        ]
        if self.jumps or len(pieces) == 1:
            return replace(self, states=tuple(pieces))
        if pieces[0][0] == pieces[-1][0]:  # the round began within a part
            pieces = [(pieces[0][0], np.vstack((pieces[-1][1], pieces[0][1]))), *pieces[1:-1]]
        return replace(self, states=tuple(pieces), jumps=True)


def track_of_point(point: Point, name: str) -> Track:
    """An equilibrium as a track."""
    return Track(name, False, ((point.location, point.values[None, :]),))


def track_of_orbit(orbit: Orbit, name: str) -> Track:
    """A periodic orbit as a track."""
    return Track(name, True, orbit.round.track, jumps=bool(orbit.letters))


@dataclass(frozen=True, slots=True)
class Violation:
    """Behaviours that have one language, and the case of Section 7 that they are."""

    case: int
    locations: tuple[str, ...]
    behaviours: tuple[str, ...]

    def __str__(self) -> str:
        where, which = ", ".join(self.locations), "; ".join(self.behaviours)
        return f"case {self.case}, {CASES[self.case]} ({where}): {which}"


def violations(tracks: Sequence[Track]) -> tuple[Violation, ...]:
    """The assumptions that fail, in the order of [carter2011] §7."""
    return tuple(sorted(_violations(tracks), key=lambda found: (found.case, found.locations)))


def _violations(tracks: Sequence[Track]) -> Iterator[Violation]:
    groups: dict[tuple[bool, bool, frozenset[str]], list[str]] = {}
    for track in tracks:
        key = track.is_orbit, track.jumps, track.places()
        groups.setdefault(key, []).append(track.name)
    for (is_orbit, jumps, places), names in groups.items():
        where = tuple(sorted(places))
        if not is_orbit and len(names) > 1:
            yield Violation(1, where, tuple(names))
        if is_orbit and not jumps:
            yield Violation(2, where, (*groups.get((False, True, places), ()), *names))
        if is_orbit and len(names) > 1:
            yield Violation(4 if jumps else 3, where, tuple(names))


@dataclass(frozen=True, slots=True, eq=False)
class Separated:
    """An automaton whose locations tell the behaviours apart, the cuts made, and what is left."""

    automaton: WrittenAutomaton
    cuts: tuple[Cut, ...]
    tracks: tuple[Track, ...]
    left: tuple[Violation, ...]


def separate(automaton: WrittenAutomaton, tracks: Iterable[Track]) -> Separated:
    """Cut locations of ``automaton`` until no assumption fails, or no cut helps."""
    tracks, left = tuple(tracks), violations(tuple(tracks))
    cuts: list[Cut] = []
    while left and len(cuts) < MOST_CUTS:
        cut = _best(automaton, tracks, left)
        if cut is None:
            break
        automaton = cut_automaton(automaton, cut)
        cuts.append(cut)
        tracks = tuple(track.after(cut, automaton.variables) for track in tracks)
        left = violations(tracks)
    return Separated(automaton, tuple(cuts), tracks, left)


def _best(
    automaton: WrittenAutomaton, tracks: tuple[Track, ...], left: tuple[Violation, ...]
) -> Cut | None:
    """The cut that helps most, if any does."""
    weight, scored = _weight(left), []
    for location in dict.fromkeys(place for found in left for place in found.locations):
        for share, cut in _candidates(automaton.variables, tracks, location):
            after = [track.after(cut, automaton.variables) for track in tracks]
            scored.append((_weight(violations(after)), share, cut))
    helpful = [item for item in scored if item[0] < weight]
    if not helpful:
        return None
    least = min(item[0] for item in helpful)
    best = [item for item in helpful if item[0] == least]
    return min(best, key=lambda i: (len(cut_automaton(automaton, i[2]).edges), -i[1]))[2]


def _weight(found: Iterable[Violation]) -> int:
    """How much there is to tell apart."""
    sizes = Counter({item.case: 0 for item in found})
    for item in found:
        sizes[item.case] += len(item.behaviours)
    return sum(sizes.values())


def _candidates(
    variables: tuple[str, ...], tracks: tuple[Track, ...], location: str
) -> Iterator[tuple[float, Cut]]:
    """The middles of the gaps between the ends of behaviours, each with its share of the whole."""
    for number, name in enumerate(variables):
        ends: set[float] = set()
        for track in tracks:
            rows = track.within(location)[:, number]
            if len(rows):
                ends |= {float(rows.min()), float(rows.max())}
        levels, whole = sorted(ends), max(ends) - min(ends)
        for low, high in pairwise(levels):
            if high - low > 1e-6 * max(whole, 1e-300):
                yield (high - low) / whole, Cut(location, name, (low + high) / 2)
