"""What automata answer whose edges *may* be taken: how time brings a run to guards, and waiting.

An edge that is enabled may be left alone as long as time may pass. Who leaves it alone wants to
hear when something changes: a guard begins or ceases to hold, or an invariant ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Flow, HybridAutomaton, Location, State
from dyverse.automaton.offering import offers
from dyverse.automaton.run import Arc
from dyverse.expr.formula import Formula
from dyverse.expr.value import holds

MARGIN = 1e-9  # how far outside an invariant its end points may lie, if not told otherwise


class Delay(IntEnum):
    """Whether time may pass while edges are enabled; the numbers are those of the C runtime."""

    NEVER = 0  # an invariant ends, or something urgent is enabled: an edge must be taken
    LAST = 1  # it may, but right after no edge will be enabled
    FREE = 2  # it may, and some edge stays enabled


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A location in which edges are left alone: what to watch, signal by signal."""

    flow: Flow
    names: tuple[str, ...]
    holding: NDArray[np.bool_]  # signals of guards that hold from now on
    here: NDArray[np.bool_]  # those of guards that hold at the point itself
    guards: NDArray[np.bool_]  # those of guards; the others forbid time to pass
    lasting: bool  # whether some edge is enabled from now on
    hurried: bool = False  # whether an urgent edge is enabled


@runtime_checkable
class Waits(Protocol):
    """An automaton whose edges may be left alone."""

    def waiting(self, state: State) -> Waiting:
        """What to watch from ``state`` on, while its enabled edges are left alone."""


@runtime_checkable
class HoldsBack(Protocol):
    """An automaton with guards that may hold while their edges must not be taken."""

    def held_back(self, state: State) -> bool:
        """Whether there is such an edge at ``state``: it is left alone."""


@runtime_checkable
class Arrives(Protocol):
    """An automaton with guards that can be met in one point only."""

    def arrive(self, arc: Arc) -> State:
        """The end of ``arc``, with the edges that it has reached for that instant."""

    def left_behind(self, arc: Arc) -> frozenset[int]:
        """Where time goes on after ``arc``: the edges that it has not been away from yet."""


@runtime_checkable
class Reads(Protocol):
    """An automaton that says how closely its guards are read."""

    @property
    def margin(self) -> float:
        """How close to its boundary a guard counts as there, in the units of its signal."""


@runtime_checkable
class Constrained(Protocol):
    """An automaton whose domains say more than the invariants that were written down."""

    def invariant(self, location: Location) -> Formula:
        """The invariants alone."""


def arrived(automaton: HybridAutomaton, arc: Arc) -> State:
    """The end of ``arc``, with what it has reached there for an instant."""
    return automaton.arrive(arc) if offers(automaton, Arrives) else arc.end


def left_behind(automaton: HybridAutomaton, arc: Arc) -> frozenset[int]:
    """The edges left behind where the stretch of ``arc`` began, if it goes on."""
    return automaton.left_behind(arc) if offers(automaton, Arrives) else frozenset()


def margin_of(automaton: HybridAutomaton) -> float:
    """How close to their boundary its guards are there, in the units of the signals."""
    return automaton.margin if offers(automaton, Reads) else MARGIN


def keeps_invariant(automaton: HybridAutomaton, state: State) -> bool:
    """Whether time may start or stop to pass in ``state``."""
    written = automaton.invariant if offers(automaton, Constrained) else automaton.domain
    return holds(written(state.location), automaton.observe(state), margin=MARGIN)
