"""What is done to a run by hand: jumps from outside, and variables that are put somewhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from dyverse.automaton.guard.waiting import Delay
from dyverse.automaton.interface import Edge, HybridAutomaton, Jump, State
from dyverse.automaton.jump import jump
from dyverse.automaton.memory import Memory
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.given import number_problem
from dyverse.simulation.choice import Choice, Chooser


@runtime_checkable
class Hears(Protocol):
    """An automaton with channels on which something outside may take part."""

    def called(self, state: State, channel: str) -> tuple[Edge, ...]:
        """The jumps that may be taken then."""


@runtime_checkable
class Arranges(Protocol):
    """An automaton in which not every state is one that a run could be in."""

    def arranged(self, state: State) -> State:
        """A state whose values were set by hand, as a run may begin there, or a `ModelError`."""

    def fits(self, state: State) -> bool:
        """Whether a run may go on at a state of an automaton with other numbers as it is."""


def anew(state: State) -> State:
    """The same state, from which the jumps of its instant are to be taken again."""
    memory = state.memory
    if memory is None:
        return state
    kept = Memory(settled=False, ticks=memory.ticks, draw=memory.draw, recent=memory.recent)
    return replace(state, memory=kept, reached=frozenset(), sides=())


def carried(automaton: HybridAutomaton, state: State) -> State:
    """The state of an automaton with other numbers, about to begin in this one."""
    begun = anew(state)
    if isinstance(automaton, Arranges) and not automaton.fits(begun):
        return automaton.arranged(begun)
    return begun


def jumped(automaton: HybridAutomaton, state: State, edges: tuple[Edge, ...], rule: Choice) -> Jump:
    """One of ``edges``, chosen by the rule of the run, taken from ``state``."""
    chooser = Chooser(rule, state.memory)
    edge, chosen = chooser(state, edges, Delay.NEVER)
    assert edge is not None  # nobody waits where there is no delay
    memory = anew(state).memory or Memory(settled=False)
    memory = replace(memory, draw=chooser.drawn() or memory.draw)
    after = replace(jump(automaton, edge, state), memory=memory)
    return Jump(edge, state, after, chosen)


def placed(automaton: HybridAutomaton, state: State, values: Mapping[str, float]) -> State:
    """The state with some variables set, about to begin."""
    known = automaton.variables
    if unknown := [name for name in values if name not in known]:
        raise ModelError(
            Problem(f"there is no variable {name!r}{did_you_mean(name, known)}") for name in unknown
        )
    wrong = [(name, why) for name, number in values.items() if (why := number_problem(number))]
    if wrong:
        raise ModelError(
            Problem(f"cannot put {name!r} to {values[name]!r}: {why}") for name, why in wrong
        )
    numbers = state.values.copy()
    for name, number in values.items():
        numbers[known.index(name)] = number
    changed = replace(anew(state), values=numbers)
    return automaton.arranged(changed) if isinstance(automaton, Arranges) else changed
