"""Where time may pass in a dynamical location: Dom(s_k,i) of [navarro2018] §3.6.

`Reading` also says what the two sets of rules mean by an open contact. ``paper``: g_N > 0 or
ġ_N > 0. ``complete`` reads it lexicographically, g_N > 0 or ġ_N > 0 or (ġ_N = 0 and g̈_N > 0), so
that a contact that has just opened with a positive acceleration does not close again in the same
instant. Its negation, `CLOSING`, enables an impact: exactly one of the two holds at every state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dyverse.expr.formula import FALSE, TRUE, Formula, both
from dyverse.generation.skeleton.conditions import (
    APART,
    HELD,
    OPEN,
    PUSHING,
    RESTING,
    SLIPPING,
    STARTING,
)
from dyverse.generation.skeleton.location import Mode, Modes
from dyverse.generation.skeleton.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Reading:
    """The contact list, and how a set of rules reads ``open`` and ``closing`` in it."""

    contacts: tuple[str, ...]
    rules: RuleSet
    smooth: tuple[str, ...] = ()  # contacts without friction, which have nothing to stick with

    def slips(self, contact: str) -> Formula:
        """The contact is in slip mode: always, if it has no friction and ``complete`` reads it."""
        return TRUE if self._is_smooth(contact) else SLIPPING.at(contact)

    def rests(self, contact: str) -> Formula:
        """The contact does not slip, so that friction may hold it: the negation of `slips`."""
        return FALSE if self._is_smooth(contact) else RESTING.at(contact)

    def _is_smooth(self, contact: str) -> bool:
        return self.rules == "complete" and contact in self.smooth

    def opened(self, contact: str) -> Formula:
        """The contact is open: apart, or about to be."""
        return (APART if self.rules == "paper" else OPEN).at(contact)

    def outside(self, closed: Iterable[str]) -> Iterator[Formula]:
        """Every contact that is not in ``closed`` is open, one formula each."""
        inside = set(closed)
        return (self.opened(contact) for contact in self.contacts if contact not in inside)


def domain(location: Modes, reading: Reading) -> Formula:
    """Dom(s_k,i): nothing pulls, nothing closes, and each closed contact keeps its mode."""
    return both(
        *map(PUSHING.at, location.contacts),
        *reading.outside(location.contacts),
        *(_keeps(contact, mode, reading) for contact, mode in location.closed),
    )


def _keeps(contact: str, mode: Mode, reading: Reading) -> Formula:
    at_rest = reading.rests(contact)
    match mode:
        case "stick":
            return both(at_rest, HELD.at(contact))
        case "trans":
            return both(at_rest, STARTING.at(contact))
        case "slip":
            return reading.slips(contact)
        case _:
            assert_never(mode)
