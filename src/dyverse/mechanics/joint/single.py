"""One joint of a kind as a function of its two bodies and of how it sits on them.

This is what C is made from: code grows with the kinds of joints of a model, not with their number.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import casadi as ca

from dyverse.bodies.joint.closing import CLOSINGS, Closing, Pose, Side
from dyverse.bodies.joint.joint import NUMBERS, fitting
from dyverse.contact.pair.kinematics import BODY, TURNED_BODY
from dyverse.expr import rotation
from dyverse.expr.symbolic import SX


@cache
def joint_rows(kind: str) -> Any:
    """The CasADi function (a, b, fitting) -> (value, bias, J) of a kind of joint.

    Of both bodies it takes position, velocity, spin in world axes, and orientation. Rows are the
    conditions, and behind them the coordinate, if the kind has one: with speeds u in world axes
    their rate is J u, and how that changes J u̇ + bias. J comes transposed: in memory its columns
    are the rows of J.
    """
    bodies = [ca.SX.sym(name, TURNED_BODY) for name in "ab"]
    numbers = ca.SX.sym("fitting", NUMBERS)
    places, rates, speeds = (
        ca.vertcat(*parts) for parts in zip(*map(_moving, bodies), strict=True)
    )
    closing = _closing(kind, bodies, numbers)
    found = closing.conditions
    if closing.coordinate is not None:
        found = ca.vertcat(found, closing.coordinate)
    rate = ca.jtimes(found, places, rates)
    results = [found, ca.jtimes(rate, places, rates), ca.jacobian(rate, speeds).T]
    return ca.Function(kind, [*bodies, numbers], [ca.densify(result) for result in results])


def condition_count(kind: str) -> int:
    """How many conditions a kind of joint has."""
    bodies = [ca.SX.sym(name, TURNED_BODY) for name in "ab"]
    count: int = _closing(kind, bodies, ca.SX.sym("fitting", NUMBERS)).conditions.numel()
    return count


def _closing(kind: str, bodies: list[SX], numbers: SX) -> Closing:
    a, b = (Side(body[:3], tuple(ca.vertsplit(body[BODY:]))) for body in bodies)
    return CLOSINGS[kind](Pose(a, b, fitting(ca.vertsplit(numbers))))


def _moving(body: SX) -> tuple[SX, SX, SX]:
    """Its coordinates, their rates, and its speeds."""
    place, velocity, spin = ca.vertsplit(body[:BODY], 3)
    lies = ca.vertsplit(body[BODY:])
    turning = [part / 2 for part in rotation.product((0, *ca.vertsplit(spin)), lies)]
    return ca.vertcat(place, *lies), ca.vertcat(velocity, *turning), ca.vertcat(velocity, spin)
