"""Words of rigid bodies in contact: the same letters as for a surface of discontinuity.

The modes of a contact, stick, trans and slip, are those of [carter2011] Fig. 2, and its surface is
the slip speed along one direction. In comes a run of a rigid-body automaton, a contact and a signal
that is that speed; out go the locations slip⁺, slip⁻, stick, trans⁻ and trans⁺ on the way and the
letters between them, so that a model made of bodies can be compared with one made of two fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from dyverse.abstraction.language.word import Word
from dyverse.automaton.run import Arc, Run
from dyverse.automaton.surface.discontinuous import (
    SLIP_MINUS,
    SLIP_PLUS,
    STICK,
    TRANS_MINUS,
    TRANS_PLUS,
)
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.generation.skeleton.location import Modes

_SIDES = {"slip": (SLIP_PLUS, SLIP_MINUS), "trans": (TRANS_PLUS, TRANS_MINUS)}
_LETTERS = {
    **{(place, STICK): "a" for place in (SLIP_PLUS, SLIP_MINUS, TRANS_PLUS, TRANS_MINUS)},
    (STICK, TRANS_PLUS): "b",
    (SLIP_MINUS, TRANS_PLUS): "b",
    (STICK, TRANS_MINUS): "c",
    (SLIP_PLUS, TRANS_MINUS): "c",
    (TRANS_PLUS, SLIP_PLUS): "d",
    (TRANS_MINUS, SLIP_MINUS): "d",
    (SLIP_PLUS, SLIP_MINUS): "cd",  # straight through the surface
    (SLIP_MINUS, SLIP_PLUS): "bd",
}


def contact_places(run: Run, contact: str, speed: str) -> tuple[str, ...]:
    """The locations on the way, while the contact is closed."""
    return tuple(place for place, _ in groupby(_places(run, contact, speed)))


def contact_word(run: Run, contact: str, speed: str) -> Word:
    """The letters between the locations; a contact that opens has none."""
    moves = pairwise(contact_places(run, contact, speed))
    return tuple(letter for move in moves for letter in _LETTERS.get(move, ""))


def _places(run: Run, contact: str, speed: str) -> Iterator[str]:
    for arc in run.arcs:
        assert isinstance(arc.location, Modes)
        mode = dict(arc.location.closed).get(contact)
        if mode == "stick":
            yield STICK
        elif mode is not None and arc.times[-1] > arc.times[0]:
            yield _SIDES[mode][_signed(run, arc, speed) < 0]


def _signed(run: Run, arc: Arc, speed: str) -> float:
    """The speed where it is furthest from zero on the arc, of its middle and its ends."""
    rows = (0, len(arc.times) // 2, len(arc.times) - 1)
    seen = [run.automaton.observe(arc.state(row)) for row in rows]
    if speed not in seen[0]:
        hint = did_you_mean(speed, seen[0])
        raise ModelError([Problem(f"unknown signal {speed!r}{hint}")], file="<run>")
    return max((known[speed] for known in seen), key=abs)
