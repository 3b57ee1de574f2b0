"""Worlds written in Python, with the words of the model language.

Numbers, terms and strings mean the same; a string is read as in the text::

    model = world(
        parameter("K", 2, limits=(1, 3)),
        sphere("ball", radius=0.5, mass=1, position=(0, 3, 0)),
        plane("floor", normal=(0, 1, 0)),
        define("u", "-K*ball.x"),
        force("ball", ("u", 0, 0)),
        contact("ball", "floor", restitution=0.8, friction="0.3 + 0.2*exp(-slip_speed)"),
        always("up", "ball.y > 0", until=2),
        gravity=(0, -9.81, 0),
    )
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from dyverse.bodies.check.normal import planar_axis
from dyverse.bodies.check.world import check
from dyverse.bodies.gather import PARTS, Part, gather
from dyverse.bodies.hooks import with_hooks
from dyverse.bodies.joint.joint import JOINT_KINDS, Drive, DriveKind, Joint
from dyverse.bodies.offers import Offers, offers_given
from dyverse.bodies.pieces import Pieces
from dyverse.bodies.quantity import (
    Quantities,
    Quantity,
    as_formula,
    as_limits,
    as_optional,
    as_quantity,
    as_vector,
)
from dyverse.bodies.shape.compound import compound as compound
from dyverse.bodies.shape.compound import part as part
from dyverse.bodies.shape.mesh import hull_of as hull_of
from dyverse.bodies.shapes import *  # noqa: F403  a new shape is listed there alone
from dyverse.bodies.signals import in_body_order
from dyverse.bodies.world import (
    ORIGIN,
    ZERO,
    ContactRule,
    Input,
    Law,
    Load,
    Parameter,
    Property,
    Spring,
    World,
)
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr import requirement as stl
from dyverse.expr.formula import Formula
from dyverse.expr.requirement import Requirement
from dyverse.expr.term import Vector
from dyverse.given import check_kind
from dyverse.text.parse import parse_formula, parse_requirement


def world(
    *parts: Part,
    gravity: Quantities = ORIGIN,
    impact: str = "newton",
    without_collision: bool = False,
    planar: bool | Sequence[float] = False,
    horizon: Quantity | None = None,
) -> World:
    """A world of these parts, checked; `ModelError` lists all that is wrong with it.

    ``planar`` keeps bodies in planes across z, or across another axis: ``planar=(0, 1, 0)``.
    """
    for given in parts:
        hint = "parts follow each other, and a list of them has a star: world(*parts)"
        check_kind(given, PARTS, "a part of a world", hint)
    down, end = as_vector(gravity, "gravity"), as_optional(horizon)
    laws = {"impact": impact, "without_collision": without_collision}
    across = planar_axis(planar)
    made = gather([*with_hooks(parts)], gravity=down, horizon=end, planar=across, **laws)  # type: ignore[arg-type]
    if problems := check(made):
        raise ModelError(problems)
    return in_body_order(made)


def parameter(
    name: str, value: Quantity, *, limits: tuple[Quantity, Quantity] | None = None
) -> Parameter:
    """A constant, perhaps uncertain within ``limits``: ``parameter K = 2 in [1, 3]``."""
    return Parameter(name=name, value=as_quantity(value), limits=as_limits(limits, name))


def define(name: str, formula: Quantity) -> Input:
    """An input with a formula: ``input u1 = -K*ball.x``."""
    return Input(name=name, formula=as_quantity(formula))


def port(
    name: str,
    *,
    limits: tuple[Quantity, Quantity] | None = None,
    pieces: int | Pieces | None = None,
) -> Input:
    """An input that is set from outside: ``input u1``, ``input u2 in [0, 1] pieces 5``."""
    bounds = as_limits(limits, name)
    own = Pieces(pieces) if isinstance(pieces, int) else pieces
    if own and not bounds:
        raise ModelError([Problem(f"input {name!r} is in pieces, but has no range")])
    return Input(name=name, limits=bounds, pieces=own)


def force(
    body: str, amount: Quantities | Quantity, *, at: Quantities | None = None
) -> Load | Drive:
    """A force through the centre of a body (N): ``force ball (u1, 0, 0)``.

    With ``at`` it acts at a point of the body, in the body's axes (m). A single number acts along
    the coordinate of a joint: ``force slide -10*slide.length``.
    """
    load = _load("force", body, amount)
    if at is None:
        return load
    if isinstance(load, Drive):
        raise ModelError([Problem("a force at a point needs three components (x, y, z)")])
    return replace(load, at=as_vector(at, "the point of a force"))


def torque(body: str, amount: Quantities | Quantity) -> Load | Drive:
    """A torque on a body (N m): ``torque ball (0, 0, 1)``, or about the axis of a joint."""
    return _load("torque", body, amount)


def _load(kind: DriveKind, name: str, amount: Quantities | Quantity) -> Load | Drive:
    if isinstance(amount, Sequence) and not isinstance(amount, str):
        return Load(kind=kind, body=name, vector=as_vector(amount, kind))
    return Drive(kind=kind, joint=name, amount=as_quantity(amount))


def spring(
    body: str,
    other: str | Quantities,
    *,
    stiffness: Quantity,
    length: Quantity = ZERO,
    damping: Quantity = ZERO,
) -> Spring:
    """A spring to another body or to a point: ``spring ball1 ball2 { stiffness 10 }``."""
    return Spring(
        body=body,
        other=other if isinstance(other, str) else as_vector(other, "the end of a spring"),
        stiffness=as_quantity(stiffness),
        length=as_quantity(length),
        damping=as_quantity(damping),
    )


def damper(body: str, other: str | Quantities, *, damping: Quantity) -> Spring:
    """A damper to another body or to a point: ``damper ball1 ball2 { damping 1 }``."""
    return spring(body, other, stiffness=ZERO, damping=damping)


def joint(
    name: str,
    kind: str,
    a: str,
    b: str | Quantities,
    *,
    at: Quantities | None = None,
    axis: Quantities | None = None,
    start: Quantities | None = None,
    end: Quantities | None = None,
    angle: Quantity = ZERO,
    length: Quantity | None = None,
    damping: Quantity = ZERO,
    friction: Quantity = ZERO,
    limits: tuple[Quantity, Quantity] | None = None,
    restitution: Quantity = 1.0,
    gap: Quantity | None = None,
) -> Joint:
    """What keeps two bodies together: ``joint hang { spherical frame bob  at (0, 2, 0) }``.

    ``start`` and ``end`` are what the text calls ``from`` and ``to``.
    """
    if kind not in JOINT_KINDS:
        meant = did_you_mean(kind, JOINT_KINDS) or f"; there are {', '.join(JOINT_KINDS)}"
        raise ModelError([Problem(f"unknown kind of joint {kind!r}{meant}")])
    return Joint(
        name=name,
        kind=JOINT_KINDS[kind],
        a=a,
        b=b if isinstance(b, str) else as_vector(b, "the end of a joint"),
        at=_place(at, "at"),
        axis=_place(axis, "axis"),
        start=_place(start, "start"),
        end=_place(end, "end"),
        angle=as_quantity(angle),
        length=as_optional(length),
        damping=as_quantity(damping),
        friction=as_quantity(friction),
        limits=None if limits is None else (as_quantity(limits[0]), as_quantity(limits[1])),
        restitution=as_quantity(restitution),
        gap=as_optional(gap),
    )


def _place(point: Quantities | None, what: str) -> Vector | None:
    return None if point is None else as_vector(point, what)


def contact(
    a: str,
    b: str,
    *,
    restitution: Quantity = 1.0,
    tangential_restitution: Quantity = ZERO,
    friction: Quantity = ZERO,
    rolling: Quantity = ZERO,
    spinning: Quantity = ZERO,
    offers: Offers = (),
    when: Formula | str | None = None,
) -> ContactRule:
    """The law between two bodies: ``contact ball floor { restitution 0.8  offers hit }``."""
    law = _law(restitution, tangential_restitution, friction, rolling, spinning)
    only = parse_formula(when) if isinstance(when, str) else when
    return ContactRule(pair=(a, b), law=law, offers=offers_given(offers), when=only)


def contact_all(
    *,
    restitution: Quantity = 1.0,
    tangential_restitution: Quantity = ZERO,
    friction: Quantity = ZERO,
    rolling: Quantity = ZERO,
    spinning: Quantity = ZERO,
    offers: Offers = (),
    when: Formula | str | None = None,
) -> ContactRule:
    """The law between all bodies without their own: ``contact all { restitution 0.8 }``."""
    law = _law(restitution, tangential_restitution, friction, rolling, spinning)
    only = parse_formula(when) if isinstance(when, str) else when
    return ContactRule(law=law, offers=offers_given(offers), when=only)


def no_contact(a: str, b: str) -> ContactRule:
    """Two bodies that pass through each other: ``contact ball1 ball2 off``."""
    return ContactRule(pair=(a, b), law=None)


def no_contacts() -> ContactRule:
    """No bodies touch but those with a law of their own: ``contact all off``."""
    return ContactRule(law=None)


def always(
    name: str,
    formula: Formula | str,
    *,
    before: Formula | str | None = None,
    until: Quantity | None = None,
) -> Property:
    """``property up: always ball.y > 0 until 2``, or only ``before`` something that does happen."""
    first = as_formula(formula)
    claim = stl.always(first) if before is None else stl.before(first, as_formula(before))
    return Property(name=name, requirement=claim, until=as_optional(until))


def eventually(name: str, formula: Formula | str, *, until: Quantity | None = None) -> Property:
    """``property home: eventually ball.x > 3 until 2``."""
    claim = stl.eventually(as_formula(formula))
    return Property(name=name, requirement=claim, until=as_optional(until))


def requires(
    name: str, requirement: Requirement | str, *, until: Quantity | None = None
) -> Property:
    """``property calm: always impact[ball,floor] implies eventually[0, 2] ball.vy < 1 until 9``.

    Requirements are made with the words of `dyverse.expr.requirement`, or read from a string.
    """
    claim = parse_requirement(requirement) if isinstance(requirement, str) else requirement
    check_kind(claim, get_args(Requirement), "a requirement", "such as 'always ball.y > 0'")
    return Property(name=name, requirement=claim, until=as_optional(until))


def _law(
    restitution: Quantity,
    tangential: Quantity,
    friction: Quantity,
    rolling: Quantity,
    spinning: Quantity,
) -> Law:
    return Law(
        restitution=as_quantity(restitution),
        tangential_restitution=as_quantity(tangential),
        friction=as_quantity(friction),
        rolling=as_quantity(rolling),
        spinning=as_quantity(spinning),
    )
