"""A world as a syntax tree and as model text; reading the text gives an equal world."""

from __future__ import annotations

from typing import Literal

from dyverse.bodies.joint.joint import Drive, Joint
from dyverse.bodies.offers import offering
from dyverse.bodies.pieces import Pieces
from dyverse.bodies.shape.compound import BodyPart, Compound
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.world import (
    ONE,
    ORIGIN,
    USUAL_AXIS,
    ZERO,
    Body,
    ContactRule,
    Input,
    Law,
    Load,
    Parameter,
    Property,
    Spring,
    World,
)
from dyverse.expr.printing import requirement_text
from dyverse.expr.term import Number, Term, Vector
from dyverse.given import check_kind
from dyverse.text.printing.model import model_text
from dyverse.text.syntax.elements import InPieces
from dyverse.text.syntax.statements import (
    CONTACT_ENTRIES,
    SPRING_ENTRIES,
    BodyStatement,
    ContactStatement,
    Definition,
    Entry,
    ImpactStatement,
    InputStatement,
    Joining,
    JointStatement,
    LoadStatement,
    Model,
    Name,
    ParameterStatement,
    PartEntry,
    PlanarStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Statement,
)


def world_text(world: World) -> str:
    """The world as model text, one statement a line."""
    check_kind(world, World, "a world", "that of a model is model.world")
    return model_text(describe(world))


def describe(world: World) -> Model:
    """The world as a syntax tree; what has its default value is left out."""
    statements: list[Statement] = [*map(_parameter, world.parameters)]
    if world.gravity != ORIGIN:
        statements.append(SettingStatement("gravity", Row(world.gravity)))
    if world.impact != "newton" or world.without_collision:
        option = (Name("without"), Name("collision")) if world.without_collision else ()
        statements.append(ImpactStatement(Name(world.impact), option))
    if world.planar is not None:
        statements.append(PlanarStatement(_normal(world.planar)))
    statements += map(_body, world.bodies)
    statements += map(_input, world.inputs)
    statements += map(_load, world.loads)
    statements += map(_spring, world.springs)
    statements += map(joint_statement, world.joints)
    statements += map(_drive, world.drives)
    statements += map(_contact, world.contacts)
    statements += map(_property, world.properties)
    if world.horizon is not None:
        statements.append(SettingStatement("horizon", world.horizon))
    return Model(tuple(statements))


def _normal(axis: int) -> Row | None:
    """The normal of planes, which need not be written if it is z."""
    return None if axis == USUAL_AXIS else Row(tuple(ONE if i == axis else ZERO for i in range(3)))


def _parameter(parameter: Parameter) -> ParameterStatement:
    name = Name(parameter.name, parameter.span)
    return ParameterStatement(name, parameter.value, parameter.limits)


def _body(body: Body) -> BodyStatement:
    entries, name = tuple(_body_entries(body)), Name(body.name, body.span)
    if isinstance(body.shape, Compound):
        return BodyStatement(name, entries, tuple(map(_part, body.shape.parts)))
    return BodyStatement(name, (_shape(body.shape), *entries))


def _part(part: BodyPart[Term]) -> PartEntry:
    place = [Entry("at", Row(part.at))] if part.at != ORIGIN else []
    turn = [Entry("rotation", Row(part.rotation))] if part.rotation is not None else []
    return PartEntry(Name(part.name), (_shape(part.shape), *place, *turn))


def _body_entries(body: Body) -> list[Entry]:
    inertia = Row(body.inertia) if isinstance(body.inertia, tuple) else body.inertia
    given = {"mass": body.mass} if body.density is None else {"density": body.density}
    numbers = {**given, "inertia": inertia}
    words = ("position", "rotation", "velocity", "spin", "moves", "turns", "drags")
    vectors = {word: vector for word in words if (vector := getattr(body, word)) is not None}
    return [
        *(Entry(word, term) for word, term in numbers.items() if term is not None),
        *(Entry(word, Row(vector)) for word, vector in vectors.items() if vector != ORIGIN),
        *([Entry("fixed")] if body.fixed and not body.shape.never_moves else []),
    ]


def _shape(shape: Shape[Term]) -> Entry:
    if shape.count == 0:
        return Entry(shape.word)
    return Entry(shape.word, Row(shape.numbers) if shape.count > 1 else shape.numbers[0])


def _input(item: Input) -> InputStatement:
    name, pieces = Name(item.name, item.span), _pieces(item.pieces)
    return InputStatement((Definition(name, item.formula, item.limits, pieces),))


def _pieces(own: Pieces | None) -> InPieces | None:
    return None if own is None else InPieces(Number(float(own.count)), own.linear, own.switching)


def _load(load: Load) -> LoadStatement:
    at = None if load.at is None else Row(load.at)
    return LoadStatement(load.kind, Name(load.body, load.span), Row(load.vector), at)


def _drive(drive: Drive) -> LoadStatement:
    return LoadStatement(drive.kind, Name(drive.joint, drive.span), drive.amount)


def _spring(spring: Spring) -> SpringStatement:
    only_damping = spring.stiffness == ZERO and spring.length == ZERO
    kind: Literal["spring", "damper"] = "damper" if only_damping else "spring"
    needed = "damping" if only_damping else "stiffness"
    entries = _given(spring, SPRING_ENTRIES, Spring(body="", other=""), needed)
    return SpringStatement(kind, Name(spring.body, spring.span), _end(spring.other), entries)


def _end(other: str | Vector) -> Name | Row:
    return Name(other) if isinstance(other, str) else Row(other)


def joint_statement(joint: Joint) -> JointStatement:
    """A joint as it is written."""
    joins = Joining(Name(joint.kind.word), Name(joint.a, joint.span), _end(joint.b))
    points = {"at": joint.at, "from": joint.start, "to": joint.end, "axis": joint.axis}
    numbers = {"angle": joint.angle, "damping": joint.damping, "friction": joint.friction}
    entries = [
        *(Entry(word, Row(vector)) for word, vector in points.items() if vector is not None),
        *([Entry("length", joint.length)] if joint.length is not None else []),
        *(Entry(word, term) for word, term in numbers.items() if term != ZERO),
        *([Entry("gap", joint.gap)] if joint.gap is not None else []),
        *([Entry("limits", Row(joint.limits))] if joint.limits is not None else []),
        *([Entry("restitution", joint.restitution)] if joint.restitution != ONE else []),
    ]
    return JointStatement(Name(joint.name, joint.span), (joins,), tuple(entries))


def _contact(rule: ContactRule) -> ContactStatement:
    pair = None if rule.pair is None else (Name(rule.pair[0]), Name(rule.pair[1]))
    entries = None if rule.law is None else _given(rule.law, CONTACT_ENTRIES, Law())
    offers = tuple(map(offering, rule.offers))
    whens = () if rule.when is None else (rule.when,)
    return ContactStatement(pair, entries, offers, whens, rule.span)


def _given(
    item: Spring | Law, words: tuple[str, ...], default: Spring | Law, needed: str = ""
) -> tuple[Entry, ...]:
    """The entries whose values are not those by default, and one that is needed."""
    values: list[tuple[str, Term]] = [(word, getattr(item, word)) for word in words]
    return tuple(
        Entry(word, term)
        for word, term in values
        if word == needed or term != getattr(default, word)
    )


def _property(item: Property) -> PropertyStatement:
    return PropertyStatement(Name(item.name, item.span), item.requirement, item.until)


def claim_text(claim: Property) -> str:
    """A property without its name and its end: ``always ball.y > 0``."""
    return requirement_text(claim.requirement)
