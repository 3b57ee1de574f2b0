"""The rates of all places of an automaton, with functions that switch taken out.

Every place sees those functions that its own rates use, in one order for the whole automaton: so
all engines agree on what the sides of a state mean.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dyverse.automaton.interface import Assignment
from dyverse.expr.switching import Separator, Switch
from dyverse.expr.term import Term

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Smoothed(Generic[Key]):
    """Rates without jumps, by place and variable, and the functions that jumped or have a kink."""

    rates: dict[Key, dict[str, Term]]
    switches: tuple[Switch, ...]
    active: dict[Key, tuple[int, ...]]  # of each place: the numbers of its functions


def smoothed(
    places: Iterable[tuple[Key, tuple[Assignment, ...]]], moving: Iterable[str]
) -> Smoothed[Key]:
    """Take functions of what is ``moving`` out of the rates of each place."""
    moves = frozenset((*moving, "t"))
    separate = Separator(lambda name: name not in moves)
    rates: dict[Key, dict[str, Term]] = {}
    met: dict[Key, set[str]] = {}
    for key, assignments in places:
        separate.met.clear()
        rates[key] = {rate.target: separate(rate.value) for rate in assignments}
        met[key] = set(separate.met)
    switches = separate.switches
    active = {
        key: tuple(i for i, switch in enumerate(switches) if switch.name in names)
        for key, names in met.items()
    }
    return Smoothed(rates, switches, active)
