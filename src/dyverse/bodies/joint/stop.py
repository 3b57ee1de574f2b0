"""Stops: contacts whose gap is a formula, of where two bodies are and how they lie.

The formula may name positions and orientations of both, those of fixed bodies, parameters, and the
coordinates of joints between any of these. Where a number is needed that does not change, it is one
of the numbers of the pair, so that code depends on what is written and on no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import casadi as ca

from dyverse.bodies.joint.closing import CLOSINGS, Pose, Side
from dyverse.bodies.joint.joint import NUMBERS, UNTURNED, Joint, fitting
from dyverse.bodies.world import AXES, ORIENTED, World
from dyverse.contact.pair.kinematics import SX, Hold, Pair, Slope
from dyverse.expr.rotation import Amount
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import CONSTANTS, Term, Vector, symbols

PLACE = tuple(AXES)
LIES = ("qw", "qx", "qy", "qz")
BEGIN = "begin"  # what a joint's coordinate is at the start
LISTED = ("gap[α,β] is as it is written", "normal[α,β]: along its derivative by position[B]")


class Coordinate(NamedTuple):
    """The coordinate of a joint that a gap names."""

    joint: str
    kind: str
    sides: tuple[str, str]  # "" for the world itself
    lying: tuple[bool, bool]  # whether each has an orientation


@dataclass(frozen=True, slots=True)
class Gap:
    """The gap of a stop as the geometry of a pair: its bodies, and what its numbers are."""

    term: Term
    ends: tuple[str, str]
    lying: tuple[bool, bool]  # of which of them it matters how they lie
    coordinates: tuple[Coordinate, ...]
    numbers: tuple[str, ...]

    def __call__(self, r_a: SX, r_b: SX, first: SX, second: SX) -> Slope:
        """The gap, where the two bodies are at ``r_a`` and ``r_b``."""
        known = {name: first[i] for i, name in enumerate(self.numbers)}
        for body, place, shape, lies in zip(
            self.ends, (r_a, r_b), (first, second), self.lying, strict=True
        ):
            turned = shape[-4:] if lies else ca.SX(UNTURNED)
            known |= _named(body, PLACE, place) | _named(body, LIES, turned)
        for each in self.coordinates:
            known[f"{each.joint}.{_word(each.kind)}"] = _coordinate(each, known)
        return Slope(symbolic(self.term, known))


def _named(body: str, names: tuple[str, ...], amounts: SX) -> dict[str, SX]:
    return {f"{body}.{name}": amounts[i] for i, name in enumerate(names)}


def _word(kind: str) -> str:
    return "angle" if kind == "revolute" else "length"


def _coordinate(each: Coordinate, known: Mapping[str, SX]) -> SX:
    """Its angle or length; angles are within a turn of what they were at the start, either way."""
    a, b = (_side(*side, known) for side in zip(each.sides, each.lying, strict=True))
    pose = Pose(a, b, fitting([known[f"{each.joint}.joint{i}"] for i in range(NUMBERS)]))
    if each.kind != "revolute":
        return CLOSINGS[each.kind](pose).coordinate
    begin = known[f"{each.joint}.{BEGIN}"]
    along, whole = ca.dot(pose.axis, pose.turned) / 2, pose.turn[0]
    sine, cosine = ca.sin(begin / 2), ca.cos(begin / 2)
    return begin + 2 * ca.atan2(along * cosine - whole * sine, whole * cosine + along * sine)


def _side(body: str, lies: bool, known: Mapping[str, SX]) -> Side:
    if not body:
        return Side(ca.SX.zeros(3))
    place = ca.vertcat(*(known[f"{body}.{axis}"] for axis in PLACE))
    if not lies:
        return Side(place)
    w, x, y, z = (known[f"{body}.{part}"] for part in LIES)
    return Side(place, (w, x, y, z))


@lru_cache(maxsize=256)
def stop_pair(world: World, joint: Joint) -> Pair:
    """The pair of a stop."""
    if joint.gap is None or not isinstance(joint.b, str):
        raise KeyError(joint.name)  # a world that no one has checked: see `dyverse.bodies.scene`
    names = list(dict.fromkeys(symbol.name for symbol in symbols(joint.gap)))
    ends, joints = (joint.a, joint.b), {one.name: one for one in world.joints}
    found = tuple(
        _of_joint(world, joints[owner])
        for owner in dict.fromkeys(name.partition(".")[0] for name in names)
        if owner in joints
    )
    told = {name for name in names if "." in name} | {
        f"{body}.{part}"
        for each in found
        for body, lies in zip(each.sides, each.lying, strict=True)
        for part in (*PLACE, *(LIES if lies else ()))
        if body
    }
    lying = [any(f"{end}.{part}" in told for part in LIES) for end in ends]
    numbers = (
        *(name for name in names if "." not in name and name not in CONSTANTS),
        *sorted(name for name in told if name.partition(".")[0] not in {*ends, *joints}),
        *(name for each in found for name in _numbers(each)),
    )
    gap = Gap(joint.gap, ends, (lying[0], lying[1]), found, numbers)
    holds = (Hold.LYING if lies else Hold.CENTRED for lies in lying)
    return Pair("stop", gap, (len(numbers), 0), LISTED).held(*holds)


def _of_joint(world: World, joint: Joint) -> Coordinate:
    a, b = _end(world, joint.a), _end(world, joint.b)
    return Coordinate(joint.name, joint.kind.word, (a[0], b[0]), (a[1], b[1]))


def _end(world: World, end: str | Vector) -> tuple[str, bool]:
    if not isinstance(end, str):
        return "", False
    return end, world.body(end).motion == ORIENTED


def _numbers(each: Coordinate) -> Iterator[str]:
    yield from (f"{each.joint}.joint{i}" for i in range(NUMBERS))
    yield f"{each.joint}.{BEGIN}"


def stop_numbers(pair: Pair, known: Mapping[str, Amount]) -> tuple[Amount, ...]:
    """What such a pair takes of its numbers by name."""
    gap = pair.touch
    assert isinstance(gap, Gap)
    own = [known[name] for name in gap.numbers]
    first, second = (UNTURNED if lies else () for lies in gap.lying)
    return (*own, *first, *second)
