"""Periodic orbits, proved: exactly one near a state, and whether it attracts.

A section is laid through a state in the middle of a stretch, across the flow. The return map P
takes all states near it once round, through all jumps, back to the section. It is enclosed together
with its derivative by the checker of certificates; by Krawczyk's operator on P(x) = x there is
exactly one fixed point. If all eigenvalues of the derivative are less than one the orbit attracts;
if one is greater it does not.  [moore2009] ch. 8, [dibernardo2008] §2.5

How a round goes is found by a `Tour`, in floats.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from flint import acb, arb, arb_mat, arb_poly

from dyverse.automaton.interface import Array, HybridAutomaton
from dyverse.certificate.file import Box, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.enclosure.front import Front, rough
from dyverse.enclosure.interval import Interval, hull_of
from dyverse.enclosure.matrix import ball, column, exact
from dyverse.enclosure.program import Undecided
from dyverse.enclosure.slope import product_of
from dyverse.proving.bounces import BodyTour
from dyverse.proving.course import Undrafted
from dyverse.proving.lasting import (
    SIZES,
    Outcome,
    Sure,
    Unsure,
    contracted,
    is_contraction,
    listed,
    part,
    spectrum_of,
    within,
)
from dyverse.proving.tours import SECTION, AutomatonTour, Guess, Round, Tour

ROUNDS = 4  # of Newton's method
NOWHERE = Box((), ())  # there are no unknowns


def orbit(system: System, automaton: HybridAutomaton, guess: Guess) -> Outcome:
    """What is proved of the orbit near a guess."""
    try:
        made = AutomatonTour if system.bodies is None else BodyTour
        return _Orbit(system, made(system, automaton, guess)).outcome()
    except (Unproved, Undecided, Undrafted) as error:
        return Unsure(str(error))


class _Orbit:
    def __init__(self, system: System, tour: Tour) -> None:
        self._system, self._tour = system, tour
        self._names, self._middle = system.frame.names, tour.first.copy()

    def outcome(self) -> Outcome:
        """Try boxes of several sizes, the largest first."""
        nothing, found = np.zeros(len(self._names)), self._tour.round(self._middle)
        for _ in range(ROUNDS):
            step = self._newton(found)
            found = self._tour.round(self._middle)
            if np.abs(step).max(initial=0.0) < 1e-13 * found.scale.max():
                break
        there, _ = self._returned(found, nothing)
        why = "too wide: the derivative of the return map cannot be enclosed"
        first: Sure | None = None
        for share in SIZES:
            size = nothing.copy()
            size[found.free] = share * found.scale[found.free]
            try:
                _, slope = self._returned(found, size)
            except (Unproved, Undecided) as error:
                why = str(error)
                continue
            sure = self._sure(found, there, slope, size)
            if sure is not None and sure.stable is not None:
                return sure if first is None else replace(sure, room=first.room)
            first = first or sure
        return first or Unsure(why)

    def _newton(self, found: Round) -> Array:
        """Move the middle by one step of Newton's method."""
        free, (there, slope) = found.free, self._returned(found, np.zeros(len(self._names)))
        off = np.array([float(x.mid()) for x in there])[free] - self._middle[free]
        try:
            step = np.linalg.solve(rough(part(slope, free)) - np.eye(len(free)), off)
        except np.linalg.LinAlgError:
            raise Unproved("border: the orbit is not alone") from None
        self._middle[free] -= step
        return np.asarray(step)

    def _sure(self, round_: Round, there: list[arb], slope: arb_mat, size: Array) -> Sure | None:
        """Krawczyk's operator on P(x) - x."""
        free, middle = round_.free, self._middle
        value = column(there[i] - arb(float(middle[i])) for i in free)
        inner = part(slope, free)
        found = contracted(middle[free], size[free], value, inner - exact(np.eye(len(free))))
        if found is None:
            return None
        spectrum, last = spectrum_of(inner), len(there) - 1
        period = there[last] - arb(self._tour.time)
        for i, own in zip(free, found, strict=True):
            period += slope[last, i] * (ball(own) - arb(float(middle[i])))
        inside = dict(zip(free, found, strict=True))
        at: dict[str, Interval] = {}
        room: dict[str, Interval] = {}
        known = {i: hull_of(x) for i, x in self._tour.known.items()}
        for i, (name, m, r) in enumerate(zip(self._names, middle, size, strict=True)):
            at[name] = inside.get(i) or known.get(i, (float(m), float(m)))
            room[name] = known[i] if i in known else within(m, r)
        stable, time = _contracts(inner, spectrum), self._tour.time or None
        return Sure(at, room, stable, listed(spectrum), hull_of(period), time)

    def _returned(self, found: Round, size: Array) -> tuple[list[arb], arb_mat]:
        """Where all states of a box come back to, and when; and the derivative of that."""
        states = np.append(self._middle, self._tour.time)
        known = self._tour.known
        center = tuple(
            arb_poly([known[i] if i in known else arb(float(x))]) for i, x in enumerate(states)
        )
        sizes = column(arb(float(x)) for x in np.append(size, 0.0))
        front = Front(center, exact(np.eye(len(states))), sizes, np.ones(len(states)))
        walk = Walk(self._system, NOWHERE, start=(front, self._tour.here))
        for leg in found.legs:
            try:
                walk.along(leg)
            except Undecided as error:
                where = ", ".join(word for _, word in leg.place) or "free flight"
                raise Unproved(f"{error} in {where}") from None
        walk.reach(found.last, found.steps, SECTION)
        there = [model[0] for model in walk.front.models()]
        return there, product_of(walk.passed, len(states))


def _contracts(slope: arb_mat, spectrum: list[acb] | None) -> bool | None:
    """Whether all multipliers are less than one, or one is greater."""
    sizes = [abs(x) for x in spectrum or ()]
    if any(size > 1 for size in sizes):
        return False
    return True if (sizes and all(size < 1 for size in sizes)) or is_contraction(slope) else None
