"""What sensitivities need to know of an automaton: its field and its jumps, linearised.

A *variation* answers for one run: `dyverse.simulation.variation.rigid_variation` for rigid bodies,
`dyverse.simulation.variation.written_variation` for hand-written automata. Derivatives are columns,
one per setting. At an instant whose time depends on the settings, two kinds are kept apart: S =
∂x(t)/∂p at a fixed time, and X = S + f dt/dp, the derivative of the state *at the instant*, as it
moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dyverse.automaton.interface import Array, State, Visit
from dyverse.automaton.run import Arc
from dyverse.expr.formula import Formula

GRAZING = 5e-7  # cosine between flow and event surface below which they do not cross
NEAR = 1e-4  # s: a signal that has so far to go to zero has not caused the event
TOGETHER = 1e-6  # share by which event times of signals that cross as one may move apart


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """A vector, and its derivatives by time, state and settings."""

    value: Array  # (m,)
    by_time: Array  # (m,)
    by_state: Array  # (m, n)
    by_values: Array  # (m, k)

    def moved(self, state: Array, time: Array) -> Array:
        """The change (m, k) as the state moves by X and the time by dt."""
        return np.outer(self.by_time, time) + self.by_state @ state + self.by_values


def linear(value: Array, slopes: Array, size: int) -> Linear:
    """From one matrix of derivatives by (time, state, settings) with ``size`` states."""
    return Linear(value, slopes[:, 0], slopes[:, 1 : 1 + size], slopes[:, 1 + size :])


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """A named signal that becomes zero at the event."""

    name: str
    signal: Linear  # of one row


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """What an instant does to derivatives; with ``remarks`` it is not differentiable there."""

    time: Array  # dt/dp, (k,)
    before: Array  # X before the jumps, (n, k)
    after: Array  # X after them
    remarks: tuple[str, ...] = ()


Field = Callable[[float, Array], Linear]


class Variation(Protocol):
    """How one run changes with its settings."""

    def start(self) -> Array:
        """∂x(0)/∂p, (n, k)."""

    def field(self, state: State) -> Field:
        """The vector field of the visit that begins at ``state``, linearised."""

    def beginning(self, arc: Arc) -> Array:
        """Times from the start of an arc on, close enough for a stiff method; mostly none."""

    def ending(self, arc: Arc, after: State | None) -> Array:
        """Times up to where the field of an arc still has derivatives, the same; mostly none."""

    def begin(self, X: Array, visits: tuple[Visit, ...], after: State) -> Passage:
        """The jumps at the start of a run."""

    def passage(
        self,
        arc: Arc,
        S: Array,
        visits: tuple[Visit, ...],
        after: State,
        *,
        fixed: Array | None,
    ) -> Passage:
        """The jumps from the end of ``arc`` to ``after``; ``fixed`` is dt/dp, where it is known."""

    def depth(self, formula: Formula, state: State) -> Linear:
        """How deep inside ``formula`` a state is, in one row."""


def event_time(
    causes: Iterable[Cause], rate: Array, S: Array, fixed: Array | None
) -> tuple[Array, list[str]]:
    """dt/dp = -(g_x S + g_p)/(g_x f + g_t) of the signals that cross, and why it may be wrong.

    Where several cross at once, their times must move together. ``fixed`` is the answer at an
    instant that goes on after an arc without length. With no cause the instant stays where it is.
    """
    known = [] if fixed is None else [fixed]
    remarks: list[str] = []
    for cause in causes:
        signal = cause.signal
        speed = float(signal.by_time[0] + signal.by_state[0] @ rate)
        if abs(signal.value[0]) > NEAR * abs(speed) and abs(signal.value[0]) > 1e-9:
            continue
        size = float(np.linalg.norm(signal.by_state[0]) * np.linalg.norm(rate))
        if abs(speed) <= GRAZING * (size + abs(signal.by_time[0])):
            remarks.append(f"{cause.name} only grazes zero")
        if speed:
            known.append(-(signal.by_state[0] @ S + signal.by_values[0]) / speed)
    if not known:
        return np.zeros(S.shape[1]), remarks
    apart = max(float(np.abs(other - known[0]).max(initial=0.0)) for other in known)
    if apart > TOGETHER * (1e-3 + max(float(np.abs(time).max(initial=0.0)) for time in known)):
        remarks.append("two events at once, whose times move apart")
    return known[0], remarks
