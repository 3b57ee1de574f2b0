"""In which order joints are eliminated, and what that changes: as little as possible.

Joints of one body that moves are neighbours: S = Wᵀ M⁻¹ W has a block for every two of them. To
eliminate a joint makes its neighbours neighbours of one another, so those with few come first
[tinney1967]. Along a chain that is from an end to the other, and each joint has one neighbour left:
the cost grows with the number of links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Order:
    """Joints in the order of elimination; for each the places of later ones that it changes."""

    joints: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]


def elimination_order(bodies: Sequence[Iterable[str]]) -> Order:
    """An order for joints that hold these bodies; of those that do not move nothing is said."""
    near = _neighbours(bodies)
    order: list[int] = []
    changed: list[set[int]] = []
    while near:
        joint = min(near, key=lambda j: (len(near[j]), j))
        others = near.pop(joint)
        for other in others:
            near[other] = (near[other] | others) - {joint, other}
        order.append(joint)
        changed.append(others)
    place = {joint: i for i, joint in enumerate(order)}
    return Order(tuple(order), tuple(tuple(sorted(place[j] for j in others)) for others in changed))


def _neighbours(bodies: Sequence[Iterable[str]]) -> dict[int, set[int]]:
    holds: dict[str, set[int]] = {}
    for joint, held in enumerate(bodies):
        for body in held:
            holds.setdefault(body, set()).add(joint)
    return {
        joint: set().union(*(holds[body] for body in held)) - {joint}
        for joint, held in enumerate(bodies)
    }
