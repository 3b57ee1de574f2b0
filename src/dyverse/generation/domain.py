"""Where time may pass in a dynamical location: Dom(s_k,i) of [navarro2018] §3.6.

`Reading` also says what the two sets of rules mean by an open contact. ``paper``: g_N > 0 or
ġ_N > 0. ``complete`` reads it lexicographically, g_N > 0 or ġ_N > 0 or (ġ_N = 0 and g̈_N > 0), so
that a contact that has just opened with a positive acceleration does not close again in the same
instant. Its negation, `closing`, enables an impact: exactly one of the two holds at every state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dyverse.expr.formula import FALSE, TRUE, Compare, Formula, Relation, both, compare, either
from dyverse.generation.location import Mode, Modes
from dyverse.generation.names import signal
from dyverse.generation.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Reading:
    """The contact list, and how a set of rules reads ``open`` and ``closing`` in it."""

    contacts: tuple[str, ...]
    rules: RuleSet
    smooth: tuple[str, ...] = ()  # contacts without friction, which have nothing to stick with

    def slips(self, contact: str) -> Formula:
        """The contact is in slip mode: always, if it has no friction and ``complete`` reads it."""
        if self.rules == "complete" and contact in self.smooth:
            return TRUE
        return sign("slip_speed", contact, ">")

    def rests(self, contact: str) -> Formula:
        """The contact does not slip, so that friction may hold it: the negation of `slips`."""
        if self.rules == "complete" and contact in self.smooth:
            return FALSE
        return sign("slip_speed", contact, "==")

    def opened(self, contact: str) -> Formula:
        """The contact is open: apart, or about to be."""
        apart, leaving = sign("gap", contact, ">"), sign("normal_speed", contact, ">")
        if self.rules == "paper":
            return either(apart, leaving)
        still = sign("normal_speed", contact, "==")
        return either(apart, leaving, both(still, sign("normal_acceleration", contact, ">")))

    def outside(self, closed: Iterable[str]) -> Iterator[Formula]:
        """Every contact that is not in ``closed`` is open, one formula each."""
        inside = set(closed)
        return (self.opened(contact) for contact in self.contacts if contact not in inside)


def sign(quantity: str, contact: str, relation: Relation) -> Compare:
    """A contact's signal compared with zero."""
    return compare(signal(quantity, contact), relation, 0)


def touching(contact: str) -> Formula:
    """g_N ≤ 0 and ġ_N ≤ 0."""
    return both(sign("gap", contact, "<="), sign("normal_speed", contact, "<="))


def approaching(contact: str) -> Formula:
    """ġ_N < 0, or ġ_N = 0 and g̈_N ≤ 0."""
    still = both(sign("normal_speed", contact, "=="), sign("normal_acceleration", contact, "<="))
    return either(sign("normal_speed", contact, "<"), still)


def closing(contact: str) -> Formula:
    """g_N ≤ 0 and approaching: the negation of open, as ``complete`` reads it."""
    return both(sign("gap", contact, "<="), approaching(contact))


def domain(location: Modes, reading: Reading) -> Formula:
    """Dom(s_k,i): nothing pulls, nothing closes, and each closed contact keeps its mode."""
    return both(
        *(sign("normal_force", contact, ">=") for contact in location.contacts),
        *reading.outside(location.contacts),
        *(_keeps(contact, mode, reading) for contact, mode in location.closed),
    )


def _keeps(contact: str, mode: Mode, reading: Reading) -> Formula:
    at_rest = reading.rests(contact)
    match mode:
        case "stick":
            force, limit = signal("friction_force", contact), signal("friction_limit", contact)
            return both(at_rest, compare(force, "<=", limit))
        case "trans":
            return both(at_rest, sign("slip_acceleration", contact, ">"))
        case "slip":
            return reading.slips(contact)
        case _:
            assert_never(mode)
