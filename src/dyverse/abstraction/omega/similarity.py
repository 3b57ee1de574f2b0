"""Which states can do all that others can: simulation, and machines made smaller by it.

A state simulates another *directly* if it can answer every step of the other by the same letter,
for ever, and is marked whenever the other is. In *delayed* simulation it may be marked later, but
not never; then it accepts every infinite word that the other does. [etessami2005]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dyverse.abstraction.omega.machine import Machine, bits, joined, kept, set_of, trimmed

Above = list[int]  # for each state, the set of those that simulate it


def simulated_directly(machine: Machine) -> Above:
    """For each state, those that simulate it directly: the greatest such relation."""
    every = (1 << machine.size) - 1
    above = [machine.marked if machine.marked >> n & 1 else every for n in range(machine.size)]
    backwards = [_reversed(rows) for rows in machine.moves]
    changed = True
    while changed:
        narrower = _answering(machine, backwards, above, above)
        changed, above = narrower != above, narrower
    return above


def simulated_later(smaller: Machine, larger: Machine) -> Above:
    """For each state of ``smaller``, those of ``larger`` that simulate it with delay."""
    every = (1 << larger.size) - 1
    backwards = [_reversed(rows) for rows in larger.moves]
    above = [every] * smaller.size
    while True:
        paying = _paying(smaller, larger, backwards, above)
        owed = [
            states & paying[n] if smaller.marked >> n & 1 else states
            for n, states in enumerate(above)
        ]
        narrower = _answering(smaller, backwards, owed, above)
        if narrower == above:
            return above
        above = narrower


def _paying(smaller: Machine, larger: Machine, backwards: list[list[int]], above: Above) -> Above:
    """Those of ``above`` that can reach a marked state while they answer: the least fixed point."""
    paying = [states & larger.marked for states in above]
    while True:
        wider = _answering(smaller, backwards, above, paying)
        wider = [one | other for one, other in zip(wider, paying, strict=True)]
        if wider == paying:
            return paying
        paying = wider


def _answering(machine: Machine, backwards: list[list[int]], among: Above, after: Above) -> Above:
    """For each state, those of ``among`` that answer all its steps so as to be in ``after``."""
    found = list(among)
    for rows, back in zip(machine.moves, backwards, strict=True):
        answers = [joined(back, states) for states in after]
        for state, row in enumerate(rows):
            for there in bits(row):
                found[state] &= answers[there]
    return found


def _reversed(rows: Sequence[int]) -> list[int]:
    back = [0] * len(rows)
    for state, row in enumerate(rows):
        for there in bits(row):
            back[there] |= 1 << state
    return back


def reduced(machine: Machine, *, infinite: bool) -> tuple[Machine, Above]:
    """The same language with fewer states and steps, and who simulates whom directly in it.

    States that simulate each other are merged, and of two steps by one letter from one state only
    that to a better target is kept [etessami2005]; until nothing changes.
    """
    machine = trimmed(machine, infinite=infinite)
    while True:
        above = simulated_directly(machine)
        smaller = trimmed(_merged(machine, above), infinite=infinite)
        if smaller == machine:
            return machine, above
        machine = smaller


def _merged(machine: Machine, above: Above) -> Machine:
    equal = [
        set_of(n for n in bits(row) if above[n] >> state & 1) for state, row in enumerate(above)
    ]
    first = [next(bits(states)) for states in equal]

    def best(states: int) -> int:
        left = set_of(first[state] for state in bits(states))
        for state in bits(left):
            if left & above[state] & ~(1 << state):
                left ^= 1 << state
        return left

    moves = tuple(tuple(map(best, rows)) for rows in machine.moves)
    pruned = replace(machine, moves=moves, start=best(machine.start))
    return kept(pruned, sorted(set(first)), machine.marked)
