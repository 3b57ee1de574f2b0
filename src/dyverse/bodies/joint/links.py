"""Ropes, stops and limits of joints as contacts: which there are, and their numbers.

They are on the contact list behind the contacts of shapes, have no friction, and are named after
their joint: ``ball.line-hook`` for a rope or stop called line, ``frame.elbow_lower-arm`` for a
limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dyverse.bodies.joint.joint import UNTURNED, Joint, PlacedJoint
from dyverse.bodies.joint.stop import stop_numbers, stop_pair
from dyverse.bodies.pairs import TouchingPair
from dyverse.bodies.shape.interface import Feature
from dyverse.bodies.shapes import Meeting
from dyverse.bodies.world import Law, World
from dyverse.contact.link.limits import LIMITS
from dyverse.contact.link.rope import ROPE
from dyverse.contact.pair.kinematics import Hold, Pair
from dyverse.contact.pair.planar import in_plane
from dyverse.expr.rotation import Amount

SIDES = ("lower", "upper")


def links(world: World) -> Iterator[TouchingPair]:
    """The contacts that joints of a world make, without numbers."""
    return (pair for joint in world.joints for pair in joint_links(world, joint))


def joint_links(world: World, joint: Joint) -> Iterator[TouchingPair]:
    """Those of one joint."""
    law = Law(restitution=joint.restitution)
    for name, pair in _made(world, joint):
        kept = pair if world.planar is None else in_plane(pair, world.planar)
        yield _touching(world, joint, law, kept, name)


def _made(world: World, joint: Joint) -> Iterator[tuple[str, Pair]]:
    """The name of each contact that a joint makes, and its pair."""
    if joint.kind.word == "rope":
        holds = (Hold.CENTRED if p is None else Hold.PLACED for p in (joint.start, joint.end))
        yield joint.name, ROPE.held(*holds)
    if joint.kind.word == "stop":
        yield joint.name, stop_pair(world, joint)
    if joint.limits is not None:
        for side, pair in zip(SIDES, LIMITS[joint.kind.coordinate], strict=True):
            yield f"{joint.name}_{side}", pair.held(Hold.TURNED, Hold.TURNED)


def _touching(world: World, joint: Joint, law: Law, pair: Pair, name: str) -> TouchingPair:
    """One contact, its bodies in the order of the world's; it is named at the joint's first."""
    assert isinstance(joint.b, str)
    first, second = world.body(joint.a), world.body(joint.b)
    own: Feature[Any] = Feature(pair.name, (), pair.holds[0], name)
    other: Feature[Any] = Feature(pair.name, ())
    if world.bodies.index(first) < world.bodies.index(second):
        return TouchingPair(first, second, law, (), Meeting(pair, own, other, False, ()))
    return TouchingPair(second, first, law, (), Meeting(pair, other, own, True, ()))


def link_numbers(
    placed: PlacedJoint, pair: Pair, known: Mapping[str, Amount]
) -> tuple[Amount, ...]:
    """What the pair of a contact takes of both of its sides; stops take what is ``known``."""
    if placed.joint.kind.word == "stop":
        return stop_numbers(pair, known)
    fit, (low, high) = placed.fitting, placed.limits or (0.0, 0.0)
    if placed.joint.kind.word == "rope":
        ends = zip(fit.anchors, pair.holds, ((), (fit.length,)), strict=True)
        return tuple(x for anchor, hold, own in ends for x in (*own, *anchor[: hold.value]))
    middle, half = (low + high) / 2, (high - low) / 2
    first = (*fit.anchors[0], *UNTURNED)
    if placed.joint.kind.coordinate == "angle":
        return (*fit.axis, half, *first, *fit.anchors[1], *placed.middle)
    return (*fit.axis, half, middle - fit.length, *first, *fit.anchors[1], *UNTURNED)
