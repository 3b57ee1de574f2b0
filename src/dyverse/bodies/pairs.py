"""The contact list: which bodies can touch, and by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from dyverse.bodies.world import Body, ContactRule, Law, Offer, World


class TouchingPair(NamedTuple):
    """Two bodies that can touch, in the order of the world's bodies, and what their rule says."""

    a: Body
    b: Body
    law: Law
    offers: tuple[Offer, ...]


def touching_pairs(world: World) -> Iterator[TouchingPair]:
    """Every two bodies that are not both fixed and not switched off."""
    own = {frozenset(rule.pair): rule for rule in world.contacts if rule.pair}
    others = next((rule for rule in world.contacts if rule.pair is None), ContactRule())
    for a, b in combinations(world.bodies, 2):
        rule = own.get(frozenset((a.name, b.name)), others)
        if rule.law is not None and not (a.fixed and b.fixed):
            yield TouchingPair(a, b, rule.law, rule.offers)
