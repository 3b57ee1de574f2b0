"""Which rounds a run seems to make: candidates for periodic orbits, and what drifts meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.abstraction.evidence.course import Course, Hit
from dyverse.abstraction.portrait.orbits import Orbit, orbit
from dyverse.automaton.interface import State

MOST_LETTERS = 60  # of a round
CANDIDATES = 3  # rounds of different length that are tried at a time
SEEN = 1e-9  # relative: a change from round to round that is one


def nearest_orbit(course: Course) -> Orbit | None:
    """A stable orbit that the last letters and states point to; a longer one if it repels."""
    last = course.hits[-1]
    if not all(course.fields[hit.state.location].is_autonomous for hit in course.hits[-9:]):
        return None
    for before in sorted(_rounds(course), key=lambda hit: _gap(hit, last))[:CANDIDATES]:
        letters = course.letters[before.letters : last.letters]
        time = last.state.time - before.state.time
        found = orbit(course.fields, last.state, letters, time=time, options=course.options)
        if found is not None and found.is_stable:
            return found
    return None


def drifting(course: Course) -> list[str]:
    """The variables that change from the last round to the one before, in a run that goes round."""
    if not course.hits:
        return []
    last = course.hits[-1]
    before = min(_rounds(course), key=lambda hit: _gap(hit, last), default=None)
    if before is None:
        return []
    change = np.abs(last.state.values - before.state.values)
    size = SEEN * (np.abs(last.state.values) + course.range)
    names = course.fields.automaton.variables
    return [name for name, moves in zip(names, change > size, strict=True) if moves]


def _rounds(course: Course) -> Iterator[Hit]:
    """Earlier hits from which the same letters led, twice, to the last one, ever nearer."""
    last, letters = course.hits[-1], course.letters
    by_letters = {hit.letters: hit for hit in course.hits}
    for before in reversed(course.hits[:-1]):
        length = last.letters - before.letters
        earlier = by_letters.get(before.letters - length)
        if length > MOST_LETTERS:
            return
        if earlier is None or length == 0:
            continue
        same = letters[earlier.letters : before.letters]
        if same == letters[before.letters : last.letters] and _nearer(
            earlier.state, before.state, last.state
        ):
            yield before


def _gap(one: Hit, other: Hit) -> float:
    return float(np.abs(one.state.values - other.state.values).max())


def _nearer(one: State, two: State, three: State) -> bool:
    """Whether the second step is shorter than the first, or both are nothing."""
    first = float(np.abs(two.values - one.values).max())
    second = float(np.abs(three.values - two.values).max())
    small = 1e-7 * (1 + float(np.abs(three.values).max()))
    return one.location == two.location == three.location and second < max(first, small)
