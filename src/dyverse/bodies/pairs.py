"""The contact list: which bodies can touch, and by which rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from dyverse.bodies.shapes import Meeting, meeting
from dyverse.bodies.world import Body, ContactRule, Law, Offer, World
from dyverse.contact.pair.kinematics import Pair


class TouchingPair(NamedTuple):
    """Two bodies that can touch, in the order of the world's bodies, and what their rule says."""

    a: Body
    b: Body
    law: Law
    offers: tuple[Offer, ...]

    @property
    def name(self) -> str:
        """The contact as people write it, ``ball1-ball2``."""
        return f"{self.a.name}-{self.b.name}"

    @property
    def pair(self) -> Pair:
        """Their pair of shapes; checks have said so if there is none."""
        return self._met.pair

    @property
    def ends(self) -> tuple[str, str]:
        """The names of the two in the order of that pair."""
        names = self.a.name, self.b.name
        return names[::-1] if self._met.swapped else names

    @property
    def _met(self) -> Meeting:
        met = meeting(self.a.shape, self.b.shape)
        assert met is not None
        return met


class Rules:
    """Which rule holds between two bodies of a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._own = {frozenset(rule.pair): rule for rule in world.contacts if rule.pair}
        others = (rule for rule in world.contacts if rule.pair is None)
        self._others = next(others, ContactRule())

    def pair(self, a: Body, b: Body) -> TouchingPair | None:
        """The two of them, if they can touch: not both are fixed, and it is not switched off."""
        rule = self._own.get(frozenset((a.name, b.name)), self._others)
        if rule.law is None or (a.fixed and b.fixed):
            return None
        return TouchingPair(a, b, rule.law, rule.offers)

    def count(self) -> int:
        """How many pairs can touch, without looking at each of them."""
        bodies = {body.name: body for body in self._world.bodies}
        named = [sorted(pair) for pair in self._own if len(pair) == 2 and pair <= bodies.keys()]
        own = sum(self.pair(bodies[a], bodies[b]) is not None for a, b in named)
        if self._others.law is None:
            return own
        fixed = sum(body.fixed for body in bodies.values())
        free = math.comb(len(bodies), 2) - math.comb(fixed, 2)
        return own + free - sum(not (bodies[a].fixed and bodies[b].fixed) for a, b in named)


def touching_pairs(world: World) -> Iterator[TouchingPair]:
    """Every two bodies that are not both fixed and not switched off."""
    rules = Rules(world)
    found = (rules.pair(a, b) for a, b in combinations(world.bodies, 2))
    return (pair for pair in found if pair is not None)
