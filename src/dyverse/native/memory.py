"""Where a run of the engine of bodies can go on, as all engines write it down, and back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.automaton.memory import AHEAD, Flags, Memory, Stretch
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.skeleton.location import Modes
from dyverse.native.library import Ints, Point, Remembered


def memory_of(found: Remembered, automaton: RigidBodyAutomaton, location: Modes) -> Memory:
    """What a run remembers in ``location``."""
    if found.point is not Point.FLOWING:
        return Memory(settled=found.point is Point.SETTLED)
    if location.closed:
        resting = resting_signals(found.resting, automaton, location)
        kept = {AHEAD: directions(found.ahead, automaton, location)}
    else:
        resting, kept = found.resting != 0, {AHEAD: found.ahead[:0]}
    return Memory(stretch=Stretch(since=found.since, resting=resting, kept=kept))


def remembered(automaton: RigidBodyAutomaton, state: State) -> Remembered:
    """The same as the runtime takes it, from the memory of ``state``."""
    assert isinstance(state.location, Modes)
    count, stretch = len(automaton.contacts), state.stretch
    resting, ahead = np.zeros(count, dtype=np.int32), np.zeros((count, 3))
    if stretch is None:
        settled = state.memory is not None and state.memory.settled
        return Remembered(Point.SETTLED if settled else Point.ARRIVED, state.time, resting, ahead)
    is_open = open_contacts(automaton, state.location)
    resting[is_open] = stretch.resting[: int(is_open.sum())]
    ahead[list(_places(automaton, state.location))] = stretch.kept[AHEAD]
    return Remembered(Point.FLOWING, stretch.since, resting, ahead)


def open_contacts(automaton: RigidBodyAutomaton, location: Modes) -> Flags:
    """Which contacts are open: the first signals that are watched are their gaps."""
    found = np.ones(len(automaton.contacts), dtype=bool)
    found[list(_places(automaton, location))] = False
    return found


def resting_signals(resting: Ints, automaton: RigidBodyAutomaton, location: Modes) -> Flags:
    """Flags of contacts as flags of the signals that are watched: only gaps rest."""
    gaps = resting[open_contacts(automaton, location)] != 0
    smooth, number = automaton.dynamics.is_frictionless, automaton.dynamics.contacts.index
    with_mode = sum(m == "stick" or not smooth(number[name]) for name, m in location.closed)
    return np.concatenate([gaps, np.zeros(len(location.closed) + with_mode, dtype=bool)])


def directions(ahead: Array, automaton: RigidBodyAutomaton, location: Modes) -> Array:
    """Where the closed contacts are heading, in their order in ``location``."""
    return ahead[list(_places(automaton, location))].reshape(-1, 3)


def _places(automaton: RigidBodyAutomaton, location: Modes) -> Iterator[int]:
    """The numbers of the closed contacts."""
    number = automaton.dynamics.contacts.index
    return (number[name] for name, _ in location.closed)
