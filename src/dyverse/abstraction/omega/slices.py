"""Büchi automata made deterministic: sets of states in an order, with ranks. [loeding2019]

After a word, the states it leads to lie in disjoint *slices*, first those whose runs were marked
first. A slice of rank r stands for a node of Safra's tree: its descendants are the slices just
before it of higher rank, and the node holds its own slice, of runs that were not marked yet, and
those of its descendants, of runs that were. With each letter one rank may have something happen:

- its slice is empty and it has no descendants: the rank is *lost*, and higher ones move up;
- its slice is empty and it has descendants: all its runs were *marked*, and begin again in it.

The word is accepted if and only if the least rank to which something happens for ever is marked for
ever. An event is a number, the least is what counts, and odd ones are good.

A state is left out if one that simulates it directly is in its slice or in one before: that one is
as good, and as far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dyverse.abstraction.omega.machine import Machine, bits, joined
from dyverse.abstraction.omega.similarity import Above

Slices = tuple[tuple[int, ...], tuple[int, ...]]  # sets of states, and their ranks

NOTHING = 1 << 30  # the event of a letter with which nothing happens


@dataclass(frozen=True)
class Determined:
    """The deterministic automaton of ``machine``, made as it is asked for."""

    machine: Machine
    above: Above  # for each state, those that simulate it directly

    @property
    def start(self) -> Slices:
        """Before the first letter: one slice."""
        states = self.machine.start & ~self._worse(self.machine.start)
        return ((states,), (0,)) if states else ((), ())

    def step(self, here: Slices, number: int) -> tuple[Slices, int]:
        """Where the letter of that number leads, and the event."""
        known = self._steps[number]
        if here not in known:
            known[here] = self._step(here, number)
        return known[here]

    def _step(self, here: Slices, number: int) -> tuple[Slices, int]:
        event, fresh, taken = NOTHING, len(here[0]), 0
        found: list[tuple[int, int]] = []
        for states, rank in zip(*here, strict=True):
            there = self.machine.image(number, states)
            marked, taken = self._fresh(there & self.machine.marked, taken)
            plain, taken = self._fresh(there & ~self.machine.marked, taken)
            if marked:
                found.append((marked, fresh))
                fresh += 1
            if plain:
                found.append((plain, rank))
            else:
                event = min(event, _emptied(found, rank))
        return _numbered(found), event

    def _fresh(self, states: int, taken: int) -> tuple[int, int]:
        """Those not taken before and worse than none, and what is taken with them."""
        taken |= self._worse(states & ~taken)
        return states & ~taken, taken | states

    def _worse(self, states: int) -> int:
        """Those that others, in ``states``, simulate."""
        known = self._dominated
        if states not in known:
            known[states] = joined(self._below, states)
        return known[states]

    @cached_property
    def _below(self) -> list[int]:
        below = [0] * len(self.above)
        for state, better in enumerate(self.above):
            for other in bits(better & ~(1 << state)):
                below[other] |= 1 << state
        return below

    @cached_property
    def _dominated(self) -> dict[int, int]:
        return {}

    @cached_property
    def _steps(self) -> list[dict[Slices, tuple[Slices, int]]]:
        return [{} for _ in self.machine.letters]


def _emptied(found: list[tuple[int, int]], rank: int) -> int:
    """The event of an empty slice; its descendants, if any, become it."""
    descendants = 0
    while found and found[-1][1] > rank:
        descendants |= found.pop()[0]
    if descendants:
        found.append((descendants, rank))
    return 2 * rank + bool(descendants)


def _numbered(found: list[tuple[int, int]]) -> Slices:
    """Ranks without gaps, in the same order."""
    ranks = {rank: n for n, rank in enumerate(sorted(rank for _, rank in found))}
    return tuple(states for states, _ in found), tuple(ranks[rank] for _, rank in found)


def union(slices: Slices) -> int:
    """All states of all slices."""
    every = 0
    for states in slices[0]:
        every |= states
    return every
