"""Model text to a world, with everything that is wrong in one error.

`parse_world` checks syntax first; a text that parses is then checked for names, dimensions and,
at the model's own parameter values, for numbers that cannot be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from dyverse.bodies.check.normal import planar_axis_of
from dyverse.bodies.check.structure import INERTIAS, misplaced, misused, whole_count
from dyverse.bodies.gather import Part, gather
from dyverse.bodies.hooks import hooked
from dyverse.bodies.joint.joint import JOINT_KINDS, Drive, Joint
from dyverse.bodies.offers import offers_of
from dyverse.bodies.pieces import Pieces
from dyverse.bodies.scene import scene_problems
from dyverse.bodies.shape.compound import Compound, turned_part
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.shapes import SHAPES
from dyverse.bodies.signals import in_body_order
from dyverse.bodies.world import (
    ORIGIN,
    Body,
    ContactRule,
    Inertia,
    Input,
    Law,
    Load,
    Parameter,
    Property,
    Spring,
    World,
)
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.errors import ModelError, Problem, Span
from dyverse.expr.term import Term, Vector
from dyverse.text.file import model_file_text
from dyverse.text.functions import without_functions
from dyverse.text.instances import automata
from dyverse.text.parse import parse
from dyverse.text.syntax.elements import Definition
from dyverse.text.syntax.statements import (
    CONTACT_ENTRIES,
    BodyStatement,
    ContactStatement,
    Entry,
    ImpactStatement,
    InputStatement,
    JointStatement,
    LoadStatement,
    Model,
    Name,
    ParameterStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Statement,
    Value,
)

MAX_PROBLEMS = 100
WORDS = {"from": "start", "to": "end"}  # what words of the text are called in Python


def parse_world(text: str, *, file: str = "<model>") -> World:
    """The world that ``text`` describes, or a `ModelError` with all its problems."""
    written, wrong = without_functions(parse(text, file=file))
    model = hooked(written)
    world = read(model)
    found = chain(wrong, world_problems(model, world), _automata(model))
    raise_problems(found, text, file)
    return in_body_order(world)


def world_problems(model: Model, world: World) -> Iterator[Problem]:
    """Everything wrong with the bodies of ``model``, read as ``world``, and what is about them."""
    return chain(misplaced(model), misused(model), scene_problems(world))


def raise_problems(problems: Iterable[Problem], text: str, file: str) -> None:
    """Raise a `ModelError` with the problems in the order of the text, if there are any."""
    if found := list(islice(problems, MAX_PROBLEMS)):
        source = "\n".join(text.splitlines())
        raise ModelError(sorted(found, key=_place), source=source, file=file)


def _automata(model: Model) -> Iterator[Problem]:
    for item in automata(model):
        yield Problem("a world has bodies only; read this text with 'parse_model'", item.name.span)


def load_world(path: str | Path) -> World:
    """The world in a file of model text, UTF-8."""
    return parse_world(model_file_text(path), file=str(path))


def _place(problem: Problem) -> tuple[int, int]:
    span = problem.span or Span(0, 0, 0)
    return (span.line, span.column)


class UnreadableError(Exception):
    """A statement with a wrong dimension or no shape: it is left out, `misplaced` says why."""


def read(model: Model) -> World:
    """The world of a syntax tree; statements that make no sense are left out."""
    parts = [part for statement in model.statements for part in _parts(statement)]
    gravity, horizon = _setting(model, "gravity"), _setting(model, "horizon")
    return gather(
        parts,
        gravity=_vector(gravity) if _is_vector(gravity) else ORIGIN,
        impact=_impact(model),
        without_collision=any(
            s.without_collision for s in model.statements if isinstance(s, ImpactStatement)
        ),
        planar=planar_axis_of(model),
        horizon=None if isinstance(horizon, Row) else horizon,
    )


def _setting(model: Model, keyword: str) -> Value | None:
    found = [s for s in model.statements if isinstance(s, SettingStatement)]
    return next((s.value for s in found if s.keyword == keyword), None)


def _impact(model: Model) -> str:
    """The law of impact that is written; one that there is not is left out."""
    written = [s.law.text for s in model.statements if isinstance(s, ImpactStatement)]
    return next((law for law in IMPACT_LAWS if law in written[:1]), "newton")


def _parts(statement: Statement) -> list[Part]:
    try:
        return _read(statement)
    except UnreadableError:
        return []


def _input(item: Definition) -> Input:
    limits = item.limits and (_number(item.limits[0]), _number(item.limits[1]))
    own, pieces = item.pieces, None
    if own is not None:
        pieces = Pieces(whole_count(own.count) or 1, own.linear, own.switching)
    return Input(
        name=item.name.text,
        formula=_optional(item.formula),
        limits=limits,
        pieces=pieces,
        span=item.name.span,
    )


def _read(statement: Statement) -> list[Part]:
    match statement:
        case ParameterStatement():
            return [_parameter(statement)]
        case BodyStatement():
            return [_body(statement)]
        case InputStatement(definitions=definitions):
            return list(map(_input, definitions))
        case LoadStatement(kind=kind, body=body, value=value) if not isinstance(value, Row):
            return [Drive(kind=kind, joint=body.text, amount=value, span=body.span)]
        case LoadStatement(kind=kind, body=body, value=value, at=at):
            point = None if at is None else _vector(at)
            vector = _vector(value)
            return [Load(kind=kind, body=body.text, vector=vector, at=point, span=body.span)]
        case SpringStatement():
            return [_spring(statement)]
        case JointStatement():
            return [_joint(statement)]
        case ContactStatement():
            return [_contact(statement)]
        case PropertyStatement():
            return [_property(statement)]
        case _:  # settings, and what is about automata
            return []


def _property(statement: PropertyStatement) -> Property:
    return Property(
        name=statement.name.text,
        requirement=statement.requirement,
        until=_optional(statement.until),
        span=statement.name.span,
    )


def _parameter(statement: ParameterStatement) -> Parameter:
    name, limits = statement.name, statement.limits
    bounds = (_number(limits[0]), _number(limits[1])) if limits else None
    return Parameter(name=name.text, value=_number(statement.value), limits=bounds, span=name.span)


def _body(statement: BodyStatement) -> Body:
    entries, name = statement.entries, statement.name
    shape = _assembled(statement) if statement.parts else _only_shape(entries)
    return Body(
        name=name.text,
        shape=shape,
        fixed=any(entry.keyword == "fixed" for entry in entries),
        span=name.span,
        inertia=_inertia(entries),
        **_numbers(entries, ("mass", "density")),  # type: ignore[arg-type]
        **_vectors(
            entries, ("position", "rotation", "velocity", "spin", "moves", "turns", "drags")
        ),  # type: ignore[arg-type]
    )


def _only_shape(entries: tuple[Entry, ...]) -> Shape[Term]:
    shapes = [_shape(entry) for entry in entries if entry.keyword in SHAPES]
    if len(shapes) != 1:
        raise UnreadableError
    return shapes[0]


def _assembled(statement: BodyStatement) -> Shape[Term]:
    if any(entry.keyword in SHAPES for entry in statement.entries):
        raise UnreadableError
    parts = (
        turned_part(item.name.text, _only_shape(item.entries), **_placing(item.entries))
        for item in statement.parts
    )
    return Compound(tuple(parts), statement.name.span)


def _placing(entries: tuple[Entry, ...]) -> dict[str, Vector]:
    return {"at": ORIGIN, **_vectors(entries, ("at", "rotation"))}


def _inertia(entries: tuple[Entry, ...]) -> Inertia | None:
    value = next((entry.value for entry in entries if entry.keyword == "inertia"), None)
    if isinstance(value, Row):
        if len(value.items) not in INERTIAS:
            raise UnreadableError
        return value.items
    return value


def _shape(entry: Entry) -> Shape[Term]:
    shape = SHAPES[entry.keyword]
    terms = _items(entry.value)
    if len(terms) % shape.count if shape.many else len(terms) != shape.count:
        raise UnreadableError
    made: Shape[Term] = shape.read(terms, entry.span)
    return made


def _items(value: Value | None) -> tuple[Term, ...]:
    if value is None:
        return ()
    return value.items if isinstance(value, Row) else (value,)


def _spring(statement: SpringStatement) -> Spring:
    end, entries = statement.other, statement.entries
    return Spring(
        body=statement.body.text,
        other=end.text if isinstance(end, Name) else _vector(end),
        span=statement.body.span,
        **_numbers(entries, ("stiffness", "length", "damping")),
    )


def _joint(statement: JointStatement) -> Joint:
    if len(statement.joins) != 1:
        raise UnreadableError
    joins, entries = statement.joins[0], statement.entries
    points = {
        WORDS.get(w, w): v for w, v in _vectors(entries, ("at", "axis", "from", "to")).items()
    }
    return Joint(
        name=statement.name.text,
        kind=JOINT_KINDS[joins.kind.text],
        a=joins.a.text,
        b=joins.b.text if isinstance(joins.b, Name) else _vector(joins.b),
        span=statement.name.span,
        **points,  # type: ignore[arg-type]
        limits=_limits(entries),
        **_numbers(entries, ("angle", "length", "damping", "friction", "restitution", "gap")),  # type: ignore[arg-type]
    )


def _limits(entries: tuple[Entry, ...]) -> tuple[Term, Term] | None:
    found = [_items(entry.value) for entry in entries if entry.keyword == "limits"]
    if not found:
        return None
    if len(found[0]) != 2:
        raise UnreadableError
    return found[0][0], found[0][1]


def _contact(statement: ContactStatement) -> ContactRule:
    pair, entries = statement.pair, statement.entries
    return ContactRule(
        pair=(pair[0].text, pair[1].text) if pair else None,
        law=None if entries is None else Law(**_numbers(entries, CONTACT_ENTRIES)),
        offers=offers_of(statement),
        when=next(iter(statement.whens), None),
        span=statement.span,
    )


def _numbers(entries: tuple[Entry, ...], names: tuple[str, ...]) -> dict[str, Term]:
    return {e.keyword: _number(e.value) for e in entries if e.keyword in names}


def _vectors(entries: tuple[Entry, ...], names: tuple[str, ...]) -> dict[str, Vector]:
    return {e.keyword: _vector(e.value) for e in entries if e.keyword in names}


def _number(value: Value | None) -> Term:
    if value is None or isinstance(value, Row):
        raise UnreadableError
    return value


def _optional(value: Value | None) -> Term | None:
    return None if value is None else _number(value)


def _vector(value: Value | None) -> Vector:
    if not isinstance(value, Row) or len(value.items) != 3:
        raise UnreadableError
    x, y, z = value.items
    return (x, y, z)


def _is_vector(value: Value | None) -> bool:
    return isinstance(value, Row) and len(value.items) == 3
