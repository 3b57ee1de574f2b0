"""The contact list: which bodies can touch, and by which law."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from dyverse.bodies.world import Body, Law, World


class TouchingPair(NamedTuple):
    """Two bodies that can touch, in the order of the world's bodies, and the law between them."""

    a: Body
    b: Body
    law: Law


def touching_pairs(world: World) -> Iterator[TouchingPair]:
    """Every two bodies that are not both fixed and not switched off."""
    own = {frozenset(rule.pair): rule.law for rule in world.contacts if rule.pair}
    others = next((rule.law for rule in world.contacts if rule.pair is None), Law())
    for a, b in combinations(world.bodies, 2):
        law = own.get(frozenset((a.name, b.name)), others)
        if law is not None and not (a.fixed and b.fixed):
            yield TouchingPair(a, b, law)
