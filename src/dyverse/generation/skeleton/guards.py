"""Guards of the edges between locations and computation nodes: G of [navarro2018] §3.5.

With ``paper`` they are the printed ones, tildes restored, "every other contact" ranging over the
whole contact list. With ``complete`` they differ in five ways, so that at every state of a location
without trans exactly one of its domain and its guards holds (a test shows it):

- an open contact is read as in `dyverse.generation.skeleton.domain`;
- a contact without friction has nothing to stick with: it is always in slip mode;
- an impact needs some new contact that is closing, not merely touching;
- contacts are lost (s_k,i to 𝓒_j or S0) only if nothing collides at the same time;
- an edge between sets of which neither contains the other is never enabled: its guard is ``false``
  (`dyverse.contact.graph.FeasibleGraph` proves that it could not be met).
"""

from __future__ import annotations

from typing import assert_never

from dyverse.expr.formula import FALSE, Formula, both, either
from dyverse.generation.skeleton.conditions import (
    APART,
    APPROACHING,
    PARTING,
    PULLING,
    PUSHING,
    SLIPPING,
    STARTING,
    STAYING,
    STEADY,
    TORN,
    TOUCHING,
)
from dyverse.generation.skeleton.domain import Reading
from dyverse.generation.skeleton.location import Mode, Modes, Node, RigidLocation


def guard(source: RigidLocation, target: RigidLocation, reading: Reading) -> Formula:
    """G(source, target) for an edge that does not lie inside a computation node."""
    if isinstance(source, Node):
        return _leaving_node(source, target, reading)
    match target:
        case Modes(closed=()):
            return lose(source, (), reading)
        case Modes():
            return start_slipping(source, reading)
        case Node(kind="impact"):
            return collide(source, target.contacts, reading)
        case Node() if target.contacts == source.contacts:
            return update_forces(source, reading)
        case Node():
            return lose(source, target.contacts, reading)
        case _:
            assert_never(target)


def _leaving_node(source: Node, target: RigidLocation, reading: Reading) -> Formula:
    if source.kind == "impact":
        return keep(source.contacts, target.contacts, reading)
    assert isinstance(target, Modes)
    return resume(target, reading)


def keep(impacting: tuple[str, ...], kept: tuple[str, ...], reading: Reading) -> Formula:
    """G(𝓘_k,ex, 𝓒_j,en) and, with nothing kept, G(𝓘_k,ex, S0): who stays, who leaves."""
    if reading.rules == "complete" and not set(kept) <= set(impacting):
        return FALSE
    return both(
        *map(STAYING.at, kept),
        *(PARTING.at(n) for n in impacting if n not in kept),
    )


def resume(target: Modes, reading: Reading) -> Formula:
    """G(𝓒_k,ex, s_k,i): the word that the slip speeds and accelerations spell."""
    return both(*(_spells(contact, mode, reading) for contact, mode in target.closed))


def _spells(contact: str, mode: Mode, reading: Reading) -> Formula:
    if mode == "slip":
        return reading.slips(contact)
    return both(reading.rests(contact), (STEADY if mode == "stick" else STARTING).at(contact))


def update_forces(source: Modes, reading: Reading) -> Formula:
    """G(s_k,i, 𝓒_k,en): nothing opens or impacts, and a stick gives way or a slip comes to rest."""
    gives_way = map(TORN.at, source.having("stick"))
    comes_to_rest = map(reading.rests, source.having("slip"))
    return both(
        *map(PUSHING.at, source.contacts),
        *reading.outside(source.contacts),
        either(*gives_way, *comes_to_rest),
    )


def start_slipping(source: Modes, reading: Reading) -> Formula:
    """G(s_k,i, s_k,j): every trans contact slips, nothing opens, nothing impacts."""
    return both(
        *map(SLIPPING.at, source.having("trans")),
        *reading.outside(source.contacts),
        *map(PUSHING.at, source.contacts),
    )


def collide(source: Modes, target: tuple[str, ...], reading: Reading) -> Formula:
    """G(s_k,i, 𝓘_j,en): the contacts of I_j touch, every other one is open."""
    apart = (APART.at(n) for n in reading.contacts if n not in target)
    touch = map(TOUCHING.at, target)
    if reading.rules == "paper":
        return both(*touch, *apart)
    if not set(source.contacts) < set(target):
        return FALSE
    new = (n for n in target if n not in source.contacts)
    return both(either(*map(APPROACHING.at, new)), *touch, *apart)


def lose(source: Modes, kept: tuple[str, ...], reading: Reading) -> Formula:
    """G(s_k,i, 𝓒_j,en) and, with nothing kept, G(s_k,i, S0): the others would have to pull."""
    pulled = (
        *map(PUSHING.at, kept),
        *(PULLING.at(n) for n in source.contacts if n not in kept),
    )
    if reading.rules == "paper":
        return both(*pulled)
    if not set(kept) < set(source.contacts):
        return FALSE
    return both(*pulled, *reading.outside(source.contacts))
