"""What can be wrong with joints: how they are written, and their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dyverse.bodies.amounts import (
    Known,
    number,
    short_text,
    span_of,
    unless_direction,
    unless_finite,
    unless_positive,
    unless_vector,
)
from dyverse.bodies.joint.joint import JOINT_KINDS, ONE_SIDED, Joint, JointKind
from dyverse.errors import Problem
from dyverse.text.syntax.statements import JointStatement, Name, Row, Value

EXAMPLES = {
    "at": "at (0, 1, 0)",
    "axis": "axis (0, 0, 1)",
    "gap": "gap arm.y - 0.2",
}


def joint_problems(statement: JointStatement) -> Iterator[Problem]:
    """A joint that joins nothing or too much, and entries that its kind does not know or lacks."""
    name = statement.name
    if not statement.joins:
        hint = "write which, such as 'revolute frame arm'"
        yield Problem(f"joint {name.text!r} joins no bodies; {hint}", name.span)
    for extra in statement.joins[1:]:
        yield Problem(f"joint {name.text!r} joins twice; keep one", extra.kind.span)
    if len(statement.joins) == 1:
        yield from _entry_problems(statement, JOINT_KINDS[statement.joins[0].kind.text])


def _entry_problems(statement: JointStatement, kind: JointKind) -> Iterator[Problem]:
    joins, given = statement.joins[0], {entry.keyword for entry in statement.entries}
    one = f"a {kind.word}" if kind.word in ONE_SIDED else f"a {kind.word} joint"
    for entry in statement.entries:
        if entry.keyword not in kind.entries:
            known = f"it takes {', '.join(kind.entries)}"
            yield Problem(f"{one} has no {entry.keyword!r}; {known}", entry.span)
        if (
            isinstance(entry.value, Row)
            and entry.keyword == "limits"
            and len(entry.value.items) != 2
        ):
            yield Problem("limits are two numbers: limits [-1, 1]", entry.span)
    for word in kind.needs:
        if word not in given:
            where = "what must not be negative" if word == "gap" else "where it is at the start"
            hint = f"write {where}: '{EXAMPLES[word]}'"
            yield Problem(f"{one} needs {word!r}; {hint}", joins.kind.span)
    if not isinstance(joins.b, Name):
        if kind.word not in ("distance", "rope"):
            hint = "only a distance or a rope may end at a point; name a fixed body"
            yield Problem(f"{one} joins two bodies; {hint}", joins.a.span)
        elif "to" in given:
            yield Problem(f"{one} to a point ends there; leave out 'to'", joins.a.span)


def drive_problems(word: str, joint: Name, value: Value, kind: JointKind) -> Iterator[Problem]:
    """A force or torque that cannot act along the coordinate of a joint."""
    if not kind.drive:
        hint = "only revolute and prismatic ones have a coordinate"
        yield Problem(f"a {word} cannot act on a {kind.word} joint; {hint}", joint.span)
    elif kind.drive != word:
        hint = f"write '{kind.drive} {joint.text} …'"
        yield Problem(
            f"along the {kind.coordinate} of {joint.text!r} acts no {word}; {hint}", joint.span
        )
    elif isinstance(value, Row):
        message = f"a {word} on joint {joint.text!r} is a single number, found a vector"
        yield Problem(message, value.span)


def joint_number_problems(joint: Joint, known: Known) -> Iterator[Problem]:
    """Numbers of a joint that cannot be."""
    owner = f" of joint {joint.name!r}"
    points = {"at": joint.at, "from": joint.start, "to": joint.end}
    points |= {} if isinstance(joint.b, str) else {"end": joint.b}
    for word, vector in points.items():
        if vector is not None:
            yield from unless_vector(vector, f"{word!r}{owner}", known)
    if joint.axis is not None:
        yield from unless_direction(joint.axis, f"the axis{owner}", known, joint.span)
    yield from unless_finite(joint.angle, f"the angle{owner}", known, joint.span)
    if joint.length is not None and joint.kind.word in ("distance", "rope"):
        yield from unless_positive(joint.length, f"the length{owner}", known, joint.span)
    elif joint.length is not None:
        yield from unless_finite(joint.length, f"the length{owner}", known, joint.span)
    yield from _limit_problems(joint, owner, known)
    e = number(joint.restitution, known)
    if e is not None and not 0 <= e <= 1:
        message = f"the restitution{owner} is {short_text(e)}; it must lie in [0, 1]"
        yield Problem(message, span_of(joint.restitution, joint.span))
    for word in ("damping", "friction"):
        term = getattr(joint, word)
        amount = number(term, known)
        if amount is not None and not 0 <= amount < math.inf:
            message = f"the {word}{owner} is {short_text(amount)}; it must be 0 or more"
            yield Problem(message, span_of(term, joint.span))


def _limit_problems(joint: Joint, owner: str, known: Known) -> Iterator[Problem]:
    if joint.limits is None:
        return
    low, high = (number(term, known) for term in joint.limits)
    if low is None or high is None:
        return
    place = span_of(joint.limits[0], joint.span)
    if not (math.isfinite(low) and math.isfinite(high)):
        yield Problem(f"the limits{owner} are not finite", place)
    elif not low < high:
        yield Problem(f"the limits{owner} are upside down; write the lower one first", place)
    elif joint.kind.coordinate == "angle" and high - low >= 2 * math.pi:
        hint = "they may be less than a turn apart, 2*pi"
        yield Problem(f"the limits{owner} are {short_text(high - low)} rad apart; {hint}", place)
