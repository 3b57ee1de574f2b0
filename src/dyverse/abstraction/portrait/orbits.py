"""Periodic orbits through several locations.

The return map takes a state right after a jump to the state after one more round. An orbit is a
fixed point of it, found by Newton's method with the exact derivative; its multipliers are the
eigenvalues of that derivative. [dibernardo2008] §2.5
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dyverse.abstraction.language.word import Word
from dyverse.abstraction.portrait.field import Fields, Matrix
from dyverse.abstraction.portrait.passage import Passage, passage
from dyverse.automaton.interface import Array, State
from dyverse.simulation.simulate import DEFAULTS, Options

ROUNDS = 12  # of Newton's method
CLOSE = 1e-9  # how well an orbit must close, relatively
SURE = 1e-6  # derivatives are not known better: a factor must be less than 1 by this
LONGER = 4.0  # a round may take so many times as long as the one seen


@dataclass(frozen=True, slots=True, eq=False)
class Orbit:
    """A periodic orbit: a round that ends where it began."""

    letters: Word
    round: Passage

    @property
    def period(self) -> float:
        """How long it takes (s)."""
        return self.round.time

    @property
    def start(self) -> State:
        """Where the round begins, right after a jump."""
        return self.round.start

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations on the way, in order, from ``start`` on."""
        return self.round.places

    def within(self, location: str) -> Orbit:
        """The same orbit where all its locations are one, and there are no jumps."""
        states = np.vstack([rows for _, rows in self.round.track])
        return Orbit((), replace(self.round, track=((location, states),)))

    @property
    def multipliers(self) -> tuple[complex, ...]:
        """How differences grow from round to round, along the section; largest first."""
        found = np.linalg.eigvals(within_section(self.round))
        return tuple(sorted(map(complex, found), key=lambda m: (-abs(m), m.real, m.imag)))

    @property
    def is_stable(self) -> bool:
        """Whether it attracts what is near."""
        return all(abs(multiplier) < 1 - SURE for multiplier in self.multipliers)


def orbit(
    fields: Fields, start: State, letters: Word, *, time: float, options: Options = DEFAULTS
) -> Orbit | None:
    """The orbit with ``letters`` near ``start``, a state after a jump; ``time``: about its period.

    Nothing if Newton's method does not get nearer to it.
    """
    state, worst = start, np.inf
    for _ in range(ROUNDS):
        found = round_from(fields, state, letters, time, options)
        if found is None:
            return None
        miss = found.end.values - state.values
        if _closes(found, CLOSE):
            return _shortest(fields, Orbit(letters, found), options)
        if not np.abs(miss).max() <= worst / 2:
            return None
        state, worst = moved(state, _newton(fields, found, miss)), np.abs(miss).max()
    return None


def _shortest(fields: Fields, found: Orbit, options: Options) -> Orbit:
    """The same orbit, once round: the shortest part of its letters after which the flow is back.

    Letters alone do not tell: a ball that bounces high and low in turn has one letter.
    """
    for size in _parts(found.letters):
        letters = found.letters[:size]
        once = round_from(fields, found.start, letters, found.period, options)
        if once is not None and _closes(once, CLOSE * 10):
            return Orbit(letters, once)
    return found


def _parts(letters: Word) -> Iterator[int]:
    """The lengths, short ones first, of which the letters are a repetition."""
    sizes = (n for n in range(1, len(letters)) if len(letters) % n == 0)
    return (n for n in sizes if letters[n:] == letters[:-n])


def _closes(found: Passage, share: float) -> bool:
    """Whether a round ends where it began."""
    miss = np.abs(found.end.values - found.start.values).max()
    return bool(miss <= share * (1 + np.abs(found.start.values).max()))


def round_from(
    fields: Fields, state: State, letters: Word, time: float, options: Options
) -> Passage | None:
    """One round with ``letters``, in not much more than ``time``."""
    if not np.isfinite(state.values).all():
        return None
    until = state.time + LONGER * time
    return passage(fields, state, letters, until=until, options=options)


def moved(state: State, by: Array) -> State:
    """The state with other values."""
    return State(state.time, state.location, state.values + by, state.held)


def _newton(fields: Fields, found: Passage, miss: Array) -> Array:
    """The change of the start for which, linearly, start and end agree."""
    change, moving = np.zeros(len(miss)), list(fields.moving)
    slope = np.eye(len(miss))[:, moving] - found.derivative[:, moving]
    change[moving] = np.linalg.lstsq(slope, miss, rcond=None)[0]
    return change


def within_section(found: Passage) -> Matrix:
    """The derivative of a round, along the section in which rounds begin and end."""
    return found.tangent.T @ found.derivative @ found.tangent
