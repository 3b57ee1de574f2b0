"""Clocks as UPPAAL reads them: exactly, at the point, with strict bounds kept by a grain of time.

A network with a ``grain`` follows UPPAAL's rules for clocks that run at rate 1 or stand still. All
its times are multiples of the grain: whole numbers, and a grain more for each strict bound that a
run has waited for. On such times ``x > 5`` means the same as ``x >= 5 + grain``, and ``x < 5`` the
same as ``x <= 5 - grain``. So there is a first and a last instant at which a guard holds, each run
is one that UPPAAL allows, and a guard holds at the point or it does not, whatever comes after.

A grain is a power of two, so that its multiples are numbers without error up to 2³³ s; what
computation adds to them is taken off at the end of each stretch of time. Quantities with other
rates are read as in every network: see `dyverse.automaton.guard.truth`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dyverse.automaton.guard.robustness import Atom
from dyverse.automaton.interface import Array
from dyverse.automaton.network.component import Component, Kind
from dyverse.expr.term import Number, symbols

GRAIN = 2.0**-20  # s
MARGIN = 2.0**-23  # of a network whose clocks are all timed
DIGITS = 1e-12  # what computation may add to a multiple of the grain, as a share of it
STEADY = (Number(0.0), Number(1.0))  # the rates of a timed clock


def timed_clocks(kinds: Mapping[str, Kind], components: Iterable[Component]) -> frozenset[str]:
    """The clocks that always run at rate 1 or stand still."""
    places = (place for item in components for place in item.places)
    driven = {r.target for place in places for r in place.rates if r.value not in STEADY}
    return frozenset(name for name, kind in kinds.items() if kind == "clock") - driven


def moving_names(kinds: Mapping[str, Kind], components: Iterable[Component]) -> frozenset[str]:
    """The variables that change while time passes."""
    places = (place for item in components for place in item.places)
    driven = (rate.target for place in places for rate in place.rates)
    return frozenset((*(name for name, kind in kinds.items() if kind == "clock"), *driven))


def on_grain(numbers: Array, grain: float) -> Array:
    """Numbers that are multiples of the grain but for their last digits, without these."""
    whole = np.rint(numbers / grain) * grain
    near = np.abs(numbers - whole) <= DIGITS * np.maximum(1.0, np.abs(numbers))
    return np.where(near, whole, numbers)


def exact(
    atom: Atom, *, grain: float, timed: frozenset[str], moving: frozenset[str], is_guard: bool
) -> Atom:
    """``atom`` as it is read with a grain; unchanged if it is not about timed clocks alone."""
    names = {symbol.name for symbol in symbols(atom.depth)} & moving
    if not grain or not names or not names <= timed or atom.sense == "reached":
        return atom
    depth = atom.depth - grain if atom.sense == "strict" else atom.depth
    return Atom(depth, "closed" if is_guard else "weak")
