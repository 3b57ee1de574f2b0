"""Equilibria, proved: exactly one near a point, in which a run can stay, and whether it attracts.

By Krawczyk's operator on f(x) = 0, for the states that the field of the location moves; the others
keep their values. That the linear part attracts is said within these, as by `dyverse abstract`.
"""

from __future__ import annotations

import numpy as np
from flint import acb, arb, arb_mat

from dyverse.automaton.interface import Array
from dyverse.automaton.network.moves import Places
from dyverse.certificate.automata import Here
from dyverse.certificate.file import Unproved
from dyverse.certificate.place import Place
from dyverse.certificate.system import System
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import rough
from dyverse.enclosure.interval import Interval
from dyverse.enclosure.matrix import around, ball, by_columns, column
from dyverse.enclosure.program import Undecided
from dyverse.expr.symbolic import split
from dyverse.proving.lasting import (
    SIZES,
    Outcome,
    Sure,
    Unsure,
    automata_of,
    check_timeless,
    contracted,
    listed,
    part,
    spectrum_of,
    within,
)

ROUNDS = 5  # of Newton's method


def equilibrium(system: System, location: str, values: dict[str, float]) -> Outcome:
    """What is proved of the equilibrium near ``values``."""
    try:
        automata_of(system)
        place = system.place((), Here(Places([location]), ()))
        check_timeless(system, [place])
        return _Equilibrium(system, place, values).outcome()
    except (Unproved, Undecided) as error:
        return Unsure(str(error))


class _Equilibrium:
    def __init__(self, system: System, place: Place, values: dict[str, float]) -> None:
        self._place, self._numbers, self._names = place, list(system.numbers), system.frame.names
        self._middle = np.array([values[name] for name in self._names])
        rates = split(place.rate)[:-1]
        self._free = [i for i, rate in enumerate(rates) if not rate.is_zero()]

    def outcome(self) -> Outcome:
        """Try boxes of several sizes, the largest first."""
        free, nothing = self._free, np.zeros(len(self._names))
        for _ in range(ROUNDS):
            value, slope = self._field(nothing)
            step = np.linalg.lstsq(rough(slope), rough(value)[:, 0], rcond=None)[0]
            self._middle[free] -= step
        scale = np.maximum(np.abs(self._middle), 1e-3)
        room: Array | None = None
        found: tuple[Interval, ...] | None = None
        for share in SIZES:
            size = nothing.copy()
            size[free] = share * scale[free]
            closer = self._near(size)
            if closer is not None:
                room, found = size if room is None else room, closer
        if room is None or found is None:
            return Unsure("too wide: the derivative of the field may be singular")
        return self._told(room, found)

    def _near(self, size: Array) -> tuple[Interval, ...] | None:
        """Where the only zero of the field in a box is, if there surely is one."""
        try:
            value, slope = self._field(np.zeros(len(size)))[0], self._field(size)[1]
        except Undecided:
            return None
        return contracted(self._middle[self._free], size[self._free], value, slope)

    def _states(self, size: Array) -> list[arb]:
        pairs = zip(self._middle, size, strict=True)
        return [*(arb(float(m)) + around(arb(float(r))) for m, r in pairs), arb(0)]

    def _field(self, size: Array) -> tuple[arb_mat, arb_mat]:
        """The field and its derivative by what moves, in a box about the middle."""
        states, n = self._states(size), len(self._names) + 1
        rates = self._place.field.rate.run(BALLS, states, self._numbers)[0]
        slopes = self._place.field.jacobian.run(BALLS, states, self._numbers)[0]
        return column(rates[i] for i in self._free), part(by_columns(slopes, n, n), self._free)

    def _told(self, size: Array, found: tuple[Interval, ...]) -> Outcome:
        states = self._states(np.zeros(len(size)))
        for i, own in zip(self._free, found, strict=True):
            states[i] = ball(own)
        if wrong := self._place.conditions[True].failing(states, self._numbers):
            return Unsure(f"{wrong} is not sure at the equilibrium")
        n = len(states)
        slopes = self._place.field.jacobian.run(BALLS, states, self._numbers)[0]
        spectrum = spectrum_of(part(by_columns(slopes, n, n), self._free))
        inside = dict(zip(self._free, found, strict=True))
        at = {
            name: inside.get(i, (float(x), float(x)))
            for i, (name, x) in enumerate(zip(self._names, self._middle, strict=True))
        }
        ends = zip(self._names, self._middle, size, strict=True)
        room = {name: within(m, r) for name, m, r in ends}
        return Sure(at, room, _attracts(spectrum), listed(spectrum))


def _attracts(spectrum: list[acb] | None) -> bool | None:
    if spectrum is None:
        return None
    if all(x.real < 0 for x in spectrum):
        return True
    return False if any(x.real > 0 for x in spectrum) else None
