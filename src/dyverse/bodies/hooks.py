"""Ropes that end at a point in space: the point becomes a fixed body that touches nothing.

A rope is a contact, and a contact is between two bodies. So ``rope line { ball (0, 3, 0) }`` is
short for a rope to the body ``line_end``, a point that is fixed there; the contact is then called
``ball.line-line_end``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dyverse.bodies.gather import Part
from dyverse.bodies.joint.joint import Joint
from dyverse.bodies.shape.point import Point
from dyverse.bodies.world import Body, ContactRule
from dyverse.text.syntax.statements import (
    ROPE,
    BodyStatement,
    ContactStatement,
    Entry,
    JointStatement,
    Model,
    Name,
    Row,
    Statement,
)


def hook_name(joint: str) -> str:
    """What the body is called that a rope to a point ends at."""
    return f"{joint}_end"


def hooked(model: Model) -> Model:
    """A model as it is written, with a body at the end of each rope that has none."""
    if not any(isinstance(s, JointStatement) and _place(s) for s in model.statements):
        return model
    bodies = [s for s in model.statements if isinstance(s, BodyStatement)]
    movers = [body.name.text for body in bodies if _words(body.entries) & {"mass", "density"}]
    return Model(tuple(made for s in model.statements for made in _hung(s, movers)))


def _words(entries: Iterable[Entry]) -> set[str]:
    return {entry.keyword for entry in entries}


def _place(statement: JointStatement) -> Row | None:
    """Where a rope ends, if that is a point in space that can be one."""
    ends = [joins.b for joins in statement.joins if joins.kind.text == ROPE]
    if len(statement.joins) != 1 or not ends or "to" in _words(statement.entries):
        return None
    return ends[0] if isinstance(ends[0], Row) and len(ends[0].items) == 3 else None


def _hung(statement: Statement, movers: list[str]) -> Iterator[Statement]:
    place = _place(statement) if isinstance(statement, JointStatement) else None
    if place is None or not isinstance(statement, JointStatement):
        yield statement
        return
    hook = Name(hook_name(statement.name.text), statement.name.span)
    yield BodyStatement(hook, (Entry("point"), Entry("position", place), Entry("fixed")), ())
    yield replace(statement, joins=(replace(statement.joins[0], b=hook),))
    for mover in movers:
        yield ContactStatement((hook, Name(mover, hook.span)), None, span=hook.span)


def with_hooks(parts: Iterable[Part]) -> Iterator[Part]:
    """The same for parts of a world in Python."""
    given = list(parts)
    movers = [part.name for part in given if isinstance(part, Body) and not part.is_unmoved]
    for part in given:
        if not isinstance(part, Joint) or isinstance(part.b, str) or part.kind.word != ROPE:
            yield part
        elif part.end is not None:
            yield part  # which is an error
        else:
            hook = hook_name(part.name)
            yield Body(name=hook, shape=Point.read((), None), position=part.b, fixed=True)
            yield replace(part, b=hook)
            yield from (ContactRule(pair=(hook, mover), law=None) for mover in movers)
