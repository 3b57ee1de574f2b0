"""What can be wrong with a model before any number is put in: dimensions, entries, names, cycles.

All checks look at the syntax tree, where every name has its place in the text. A world built in
Python is checked by the same functions, after it has been written as a syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, assert_never

from dyverse.bodies.check.definitions import contacts_twice, cycles, definitions, settings_twice
from dyverse.bodies.check.entries import DRIVES, items, motion_problems, shape_problems
from dyverse.bodies.check.joints import drive_problems, joint_problems
from dyverse.bodies.check.names import (
    Names,
    Use,
    body_problem,
    names_of,
    term_problems,
    truth_problems,
)
from dyverse.bodies.check.normal import normal_problems
from dyverse.bodies.check.stops import stop_problems
from dyverse.bodies.offers import offer_problems
from dyverse.bodies.shapes import SHAPES
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import formulas, intervals
from dyverse.expr.term import Negate, Number, Term
from dyverse.text.syntax.statements import SHAPES as MEASURED_BY
from dyverse.text.syntax.statements import (
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
    PlanarStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Statement,
    Value,
)
from dyverse.text.tree.depth import TOO_DEEP, is_too_deep

_VECTORS = (
    "gravity",
    "at",
    "from",
    "to",
    "axis",
    "moves",
    "turns",
    "drags",
    "position",
    "rotation",
    "velocity",
    "spin",
)
INERTIAS = (3, 6)  # how many numbers there may be


class Slot(NamedTuple):
    """A place for a value: what it is called, whether it is a vector, which names it may use."""

    value: Value
    what: str
    vector: bool
    use: Use
    sizes: tuple[int, ...] = ()  # of a row that may stand for a single number
    other: str = ""  # what the second of two numbers is called


def nested(model: Model) -> Iterator[Problem]:
    """Expressions too deep for recursive functions; the parser lets none of them through."""
    for statement in model.statements:
        if isinstance(statement, PropertyStatement) and is_too_deep(statement.requirement):
            yield Problem(TOO_DEEP, statement.name.span)
        elif any(is_too_deep(term) for slot in _slots(statement) for term in items(slot.value)):
            yield Problem(TOO_DEEP)


def misplaced(model: Model) -> Iterator[Problem]:
    """Values of the wrong dimension, and entries that are missing, repeated or out of place."""
    for statement in model.statements:
        for slot in _slots(statement):
            yield from _dimension(slot)
        yield from _entries(statement)
        if isinstance(statement, InputStatement):
            yield from _pieces(statement)
    yield from settings_twice(model)


def _pieces(statement: InputStatement) -> Iterator[Problem]:
    for item in statement.definitions:
        if item.pieces is None:
            continue
        count, place = whole_count(item.pieces.count), item.pieces.count.span or item.name.span
        least = 2 if item.pieces.switching else 1
        if count is None or count < least:
            wish = f"a whole number, {least} or more" + (" to switch" if least > 1 else "")
            yield Problem(f"the pieces of input {item.name.text!r} must be {wish}", place)


def whole_count(value: Value) -> int | None:
    """A whole number as it is written; None if it is something else."""
    fine = isinstance(value, Number) and value.value.is_integer()
    return int(value.value) if fine and isinstance(value, Number) else None


def misused(model: Model) -> Iterator[Problem]:
    """Names that are unknown, taken, defined in a circle, or used where they have no meaning."""
    names = names_of(model)
    yield from definitions(model)
    yield from cycles(model)
    yield from contacts_twice(model)
    for statement in model.statements:
        for slot in _slots(statement):
            yield from _slot_names(slot, names)
        if isinstance(statement, PropertyStatement):
            for formula in formulas(statement.requirement):
                yield from truth_problems(formula, names)
        if isinstance(statement, ContactStatement):
            for formula in statement.whens:
                yield from truth_problems(formula, names)
        yield from _mentions(statement, names)


def _slots(statement: Statement) -> Iterator[Slot]:
    match statement:
        case ParameterStatement(name=name, value=value, limits=limits):
            for bound in (value, *(limits or ())):
                yield Slot(bound, f"parameter {name.text!r}", False, "constant")
        case SettingStatement(keyword=keyword, value=value):
            yield Slot(value, keyword, keyword in _VECTORS, "constant")
        case PlanarStatement(normal=normal) if normal is not None:
            yield Slot(normal, "planar", True, "constant")
        case BodyStatement(entries=entries, parts=parts):
            for each in (entries, *(part.entries for part in parts)):
                yield from map(_entry_slot, _with_value(each))
        case InputStatement(definitions=definitions):
            for d in definitions:
                if d.formula is not None:
                    yield Slot(d.formula, f"input {d.name.text!r}", False, "motion")
                for bound in d.limits or ():
                    yield Slot(bound, f"the range of input {d.name.text!r}", False, "constant")
        case LoadStatement(kind=kind, value=value, at=at):
            yield Slot(value, kind, isinstance(value, Row), "motion")
            if at is not None:
                yield Slot(at, "the point of a force", True, "motion")
        case SpringStatement(other=other, entries=entries):
            if not isinstance(other, Name):
                yield Slot(other, "the end of a spring", True, "constant")
            yield from map(_entry_slot, _with_value(entries))
        case JointStatement(joins=joins, entries=entries):
            ends = (each.b for each in joins if not isinstance(each.b, Name))
            yield from (Slot(end, "the end of a joint", True, "constant") for end in ends)
            for word, value in _with_value(entries):
                if word == "gap":
                    yield Slot(value, "the gap of a stop", False, "place")
                    continue
                terms = items(value) if word == "limits" else (value,)
                yield from (Slot(term, word, word in _VECTORS, "constant") for term in terms)
        case ContactStatement(entries=entries, whens=whens):
            yield from map(_entry_slot, _with_value(entries or ()))
            for term in (term for when in whens for term in _terms(when)):
                yield Slot(term, "the condition of a contact", False, "motion")
        case PropertyStatement(requirement=requirement, until=until):
            for term in (term for formula in formulas(requirement) for term in _terms(formula)):
                yield Slot(term, "a property", False, "property")
            for interval in intervals(requirement):
                for bound in (interval.low, interval.high):
                    yield Slot(bound, "an interval", False, "constant")
            if until is not None:
                yield Slot(until, "until", False, "constant")
        case _:  # about automata
            pass


def _with_value(entries: tuple[Entry, ...]) -> list[tuple[str, Value]]:
    return [(e.keyword, e.value) for e in entries if e.value is not None]


def _entry_slot(entry: tuple[str, Value]) -> Slot:
    keyword, value = entry
    if (shape := SHAPES.get(keyword)) and shape.many:
        return Slot(value, shape.measure, False, "constant", (len(items(value)),))
    if shape := SHAPES.get(keyword):
        two, other = shape.count == 2, MEASURED_BY[keyword][-1:]
        return Slot(value, shape.measure, shape.count == 3, "constant", (2,) * two, "".join(other))
    use: Use = "friction" if keyword == "friction" else "constant"
    use = "time" if keyword in DRIVES else use
    sizes = INERTIAS if keyword == "inertia" else ()
    return Slot(value, keyword, keyword in _VECTORS, use, sizes)


def _terms(formula: Formula) -> Iterator[Term]:
    match formula:
        case Compare(left=left, right=right):
            yield from (left, right)
        case _:
            for part in _formula_parts(formula):
                yield from _terms(part)


def _formula_parts(formula: Formula) -> tuple[Formula, ...]:
    match formula:
        case Compare():
            return ()
        case Not(part=part):
            return (part,)
        case And(parts=parts) | Or(parts=parts):
            return parts
        case _:
            assert_never(formula)


def _dimension(slot: Slot) -> Iterator[Problem]:
    found = len(slot.value.items) if isinstance(slot.value, Row) else 1
    if slot.vector and found != 3:
        count = "a single number" if found == 1 else f"{found} components"
        message = f"{slot.what} needs three components (x, y, z), found {count}"
        yield Problem(f"{message}{_components(slot.value)}", slot.value.span)
    if slot.sizes and isinstance(slot.value, Row) and found not in slot.sizes:
        many = "one number, three moments or six numbers (xx, yy, zz, xy, xz, yz)"
        many = many if slot.sizes == INERTIAS else f"a single number, and so does {slot.other}"
        yield Problem(f"{slot.what} needs {many}, found {found}", slot.value.span)
    if not slot.vector and not slot.sizes and isinstance(slot.value, Row):
        message = f"{slot.what} needs a single number, found a vector of {found}"
        yield Problem(message, slot.value.span)


def _components(value: Value) -> str:
    """What was perhaps meant by too few or too many components."""
    if not isinstance(value, Row):
        return "; downwards is (0, -9.81, 0)" if _is_number(value, -9.81) else ""
    if len(value.items) == 2:
        return "; in a plane the third is 0"
    ends = [item.span for item in value.items if isinstance(item, Number) and item.span]
    touching = any(b.column - a.end == 1 for a, b in pairwise(ends) if a.line == b.line)
    return "; a number has a decimal point, not a comma" if touching else ""


def _is_number(value: Value, number: float) -> bool:
    match value:
        case Negate(operand=Number(value=amount)):
            return -amount == number
        case Number(value=amount):
            return amount == number
        case _:
            return False


def _slot_names(slot: Slot, names: Names) -> Iterator[Problem]:
    for term in items(slot.value):
        yield from term_problems(term, slot.use, slot.what, names)


def _entries(statement: Statement) -> Iterator[Problem]:
    if isinstance(statement, BodyStatement | SpringStatement | JointStatement | ContactStatement):
        seen: set[str] = set()
        for entry in statement.entries or ():
            if entry.keyword in seen:
                yield Problem(f"{entry.keyword!r} is given twice; keep one", entry.span)
            seen.add(entry.keyword)
    if isinstance(statement, BodyStatement):
        yield from shape_problems(statement)
        yield from motion_problems(statement)
    if isinstance(statement, JointStatement):
        yield from joint_problems(statement)
    if isinstance(statement, SpringStatement):
        yield from _spring_problems(statement)
    if isinstance(statement, ImpactStatement) and statement.law.text not in IMPACT_LAWS:
        word = statement.law.text
        meant = did_you_mean(word, IMPACT_LAWS) or f"; there are {', '.join(IMPACT_LAWS)}"
        yield Problem(f"there is no law of impact {word!r}{meant}", statement.law.span)
    if (
        isinstance(statement, ImpactStatement)
        and statement.option[statement.without_collision * 2 :]
    ):
        message = "behind the law of impact there can only be: without collision"
        yield Problem(message, statement.option[0].span)
    if isinstance(statement, PlanarStatement):
        yield from normal_problems(statement)


def _spring_problems(spring: SpringStatement) -> Iterator[Problem]:
    """A spring without stiffness, a damper without damping: they would do nothing."""
    given = {entry.keyword for entry in spring.entries}
    if spring.kind == "damper" and "damping" not in given:
        hint = "write how much, such as 'damping 1' (N s/m)"
        yield Problem(f"this damper has no damping; {hint}", spring.body.span)
    elif spring.kind == "spring" and "stiffness" not in given:
        damper = "; without one, write 'damper'" if "damping" in given else ""
        hint = f"write how much, such as 'stiffness 10' (N/m){damper}"
        yield Problem(f"this spring has no stiffness; {hint}", spring.body.span)


def _mentions(statement: Statement, names: Names) -> Iterator[Problem]:
    """Bodies that a statement mentions, unknown or unfit for it."""
    match statement:
        case LoadStatement(kind=kind, body=body, value=value) if body.text in names.joints:
            yield from drive_problems(kind, body, value, names.joints[body.text])
            yield from _point_problems(statement, "joint")
        case LoadStatement(kind=kind, body=body, value=value):
            yield from body_problem(body, names)
            if not isinstance(value, Row):
                yield from _dimension(Slot(value, kind, True, "motion"))
            yield from _point_problems(statement, "body")
            if names.bodies.get(body.text):
                message = f"a {kind} on the fixed body {body.text!r} does nothing; leave it out"
                yield Problem(message, body.span)
        case SpringStatement(kind=kind, body=body, other=other):
            yield from _pair_problems(kind, body, other if isinstance(other, Name) else None, names)
        case JointStatement(joins=joins, entries=entries):
            for each in joins:
                end = each.b if isinstance(each.b, Name) else None
                yield from _pair_problems("joint", each.a, end, names)
                if each.kind.text == "stop":
                    yield from stop_problems(each, entries, names)
        case ContactStatement(pair=pair):
            yield from offer_problems(statement)
            if len(statement.whens) > 1:
                hint = "join them by 'and'"
                yield Problem(f"this contact has two conditions; {hint}", statement.span)
            if pair is not None:
                yield from _pair_problems("contact", *pair, names)
        case _:
            pass


def _point_problems(load: LoadStatement, on: str) -> Iterator[Problem]:
    """A point where none belongs: a torque is the same at all points, a joint has none."""
    if load.at is not None and (load.kind == "torque" or on == "joint"):
        what = "a torque acts on the whole body" if on == "body" else "this acts along a joint"
        yield Problem(f"{what}; leave out 'at'", load.at.span)


def _pair_problems(kind: str, a: Name, b: Name | None, names: Names) -> Iterator[Problem]:
    ends = [a] if b is None else [a, b]
    for end in ends:
        yield from body_problem(end, names)
    if b and a.text == b.text:
        yield Problem(f"a {kind} of {a.text!r} with itself; name two bodies", b.span)
    elif all(names.bodies.get(end.text) for end in ends):
        message = f"a {kind} between fixed bodies does nothing; leave it out"
        yield Problem(message, ends[-1].span)
