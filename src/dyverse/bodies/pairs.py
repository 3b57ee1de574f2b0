"""The contact list: which bodies can touch, and by which rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from dyverse.bodies.shapes import Meeting, Meetings
from dyverse.bodies.world import Body, ContactRule, Law, Offer, World
from dyverse.contact.pair.kinematics import Pair


class Neighbours(NamedTuple):
    """Two bodies that can touch, in the order of the world's bodies, and what their rule says."""

    a: Body
    b: Body
    law: Law
    offers: tuple[Offer, ...]


class TouchingPair(NamedTuple):
    """One contact: two bodies, what of them can touch, and what their rule says."""

    a: Body
    b: Body
    law: Law
    offers: tuple[Offer, ...]
    met: Meeting

    @property
    def name(self) -> str:
        """The contact as people write it, ``ball1-ball2`` or ``block.corner1-floor``."""
        return contact_name(self.a.name, self.b.name, self.met)

    @property
    def pair(self) -> Pair:
        """The pair of shapes."""
        return self.met.pair

    @property
    def ends(self) -> tuple[str, str]:
        """The names of the bodies in the order of that pair."""
        names = self.a.name, self.b.name
        return names[::-1] if self.met.swapped else names


def contact_name(a: str, b: str, met: Meeting) -> str:
    """The name of a contact of two bodies: whatever touches has its own name behind a dot."""
    ends = ((a, met.a.name), (b, met.b.name))
    return "-".join(f"{body}.{part}" if part else body for body, part in ends)


class Rules:
    """Which rule holds between two bodies of a world.

    Bodies that are joined do not touch, unless a rule of their own says that they do.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._own = {frozenset(rule.pair): rule for rule in world.contacts if rule.pair}
        joined = (
            frozenset(j.bodies) for j in world.joints if len(set(j.bodies)) == 2 and not j.is_rope
        )
        self._own |= {pair: ContactRule(law=None) for pair in joined if pair not in self._own}
        others = (rule for rule in world.contacts if rule.pair is None)
        self._others = next(others, ContactRule())

    def pair(self, a: Body, b: Body) -> Neighbours | None:
        """The two of them, if they can touch: not both are fixed, and it is not switched off."""
        own = self._own and self._own.get(frozenset((a.name, b.name)))
        rule = own or self._others
        if rule.law is None or (a.is_unmoved and b.is_unmoved):
            return None
        return Neighbours(a, b, rule.law, rule.offers)

    def count(self) -> int:
        """How many contacts there are, without looking at each if bodies have one shape each."""
        if any(body.shape.corner_names for body in self._world.bodies):
            return sum(1 for _ in touching_pairs(self._world))
        bodies = {body.name: body for body in self._world.bodies}
        named = [sorted(pair) for pair in self._own if len(pair) == 2 and pair <= bodies.keys()]
        own = sum(self.pair(bodies[a], bodies[b]) is not None for a, b in named)
        if self._others.law is None:
            return own
        fixed = sum(body.is_unmoved for body in bodies.values())
        free = math.comb(len(bodies), 2) - math.comb(fixed, 2)
        return (
            own + free - sum(not (bodies[a].is_unmoved and bodies[b].is_unmoved) for a, b in named)
        )


def neighbours(world: World) -> Iterator[Neighbours]:
    """Every two bodies that are not both fixed and not switched off."""
    rules = Rules(world)
    found = (rules.pair(a, b) for a, b in combinations(world.bodies, 2))
    return (pair for pair in found if pair is not None)


def touching_pairs(world: World) -> Iterator[TouchingPair]:
    """Every contact of these; checks have said so if it is not known how two shapes touch."""
    same = {body.shape: body.shape for body in world.bodies}
    known = Meetings({body.name: same[body.shape] for body in world.bodies})
    return (found for two in neighbours(world) for found in contacts(two, known))


def contacts(two: Neighbours, known: Meetings) -> Iterator[TouchingPair]:
    """The contacts of two bodies, whose shapes meet so."""
    a, b, law, offers = two
    for met in known.of(a.name, b.name):
        yield TouchingPair(a, b, law, offers, met)
