"""What can be wrong with a model before any number is put in: dimensions, entries, names, cycles.

All checks look at the syntax tree, where every name has its place in the text. A world built in
Python is checked by the same functions, after it has been written as a syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple, assert_never

from dyverse.bodies.check.joints import drive_problems, joint_problems
from dyverse.bodies.check.names import (
    Names,
    Use,
    body_problem,
    definition_problems,
    is_fixed,
    names_of,
    term_problems,
    truth_problems,
)
from dyverse.bodies.check.stops import stop_problems
from dyverse.bodies.offers import offer_problems
from dyverse.bodies.shapes import SHAPES, STILL
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.errors import Problem, Span, did_you_mean
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import formulas, intervals
from dyverse.expr.switching import Separator
from dyverse.expr.term import Negate, Number, Term, symbols
from dyverse.text.syntax.automata import (
    AutomatonStatement,
    DiscontinuousStatement,
    SystemStatement,
)
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
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Statement,
    Value,
)
from dyverse.text.tree.depth import TOO_DEEP, is_too_deep

MAX_CYCLES = 20
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
DRIVES = ("moves", "turns", "drags")  # functions of time
INERTIAS = (3, 6)  # how many numbers there may be
_STILL = Row((Number(0.0),) * 3)


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
        elif any(is_too_deep(term) for slot in _slots(statement) for term in _items(slot.value)):
            yield Problem(TOO_DEEP)


def misplaced(model: Model) -> Iterator[Problem]:
    """Values of the wrong dimension, and entries that are missing, repeated or out of place."""
    for statement in model.statements:
        for slot in _slots(statement):
            yield from _dimension(slot)
        yield from _entries(statement)
        if isinstance(statement, InputStatement):
            yield from _pieces(statement)
    yield from _settings_twice(model)


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
    yield from _definitions(model)
    yield from _cycles(model)
    yield from _contacts_twice(model)
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
                terms = _items(value) if word == "limits" else (value,)
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
        return Slot(value, shape.measure, False, "constant", (len(_items(value)),))
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


def _items(value: Value) -> tuple[Term, ...]:
    return value.items if isinstance(value, Row) else (value,)


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
    for term in _items(slot.value):
        yield from term_problems(term, slot.use, slot.what, names)


def _entries(statement: Statement) -> Iterator[Problem]:
    if isinstance(statement, BodyStatement | SpringStatement | JointStatement | ContactStatement):
        seen: set[str] = set()
        for entry in statement.entries or ():
            if entry.keyword in seen:
                yield Problem(f"{entry.keyword!r} is given twice; keep one", entry.span)
            seen.add(entry.keyword)
    if isinstance(statement, BodyStatement):
        yield from _shape_problems(statement)
        yield from _motion_problems(statement)
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


def _shape_problems(body: BodyStatement) -> Iterator[Problem]:
    shapes = [entry for entry in body.entries if entry.keyword in SHAPES]
    if body.parts:
        yield from _part_problems(body, shapes)
        return
    if not shapes:
        hint = f"write {_either([repr(shape.example) for shape in SHAPES.values()])}"
        yield Problem(f"body {body.name.text!r} has no shape; {hint}", body.name.span)
    for extra in shapes[1:]:
        if extra.keyword != shapes[0].keyword:
            message = f"body {body.name.text!r} has two shapes; keep one"
            yield Problem(message, extra.span)


def _part_problems(body: BodyStatement, shapes: list[Entry]) -> Iterator[Problem]:
    """What is wrong with the parts of a body: each has a name and a shape of its own."""
    for extra in shapes:
        message = f"body {body.name.text!r} has parts; write this shape as one of them"
        yield Problem(message, extra.span)
    names: set[str] = set()
    for part in body.parts:
        name, own = part.name, [entry for entry in part.entries if entry.keyword in SHAPES]
        if name.text in names:
            yield Problem(f"the part {name.text!r} is given twice; choose another name", name.span)
        names.add(name.text)
        if len(own) != 1 or len({entry.keyword for entry in part.entries}) < len(part.entries):
            yield Problem(
                f"the part {name.text!r} needs one shape, and 'at' and 'rotation' once", name.span
            )
        elif own[0].keyword in STILL:
            yield Problem(f"a {own[0].keyword} has no end and cannot be a part", own[0].span)


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _motion_problems(body: BodyStatement) -> Iterator[Problem]:
    name, given = body.name.text, {entry.keyword: entry for entry in body.entries}
    shapes = [word for word in given if word in SHAPES]
    still = [word for word in shapes if word in STILL]
    if not is_fixed(body) and given.keys().isdisjoint(("mass", "density")):
        hint = "give it a mass, or write 'fixed'"
        yield Problem(f"body {name!r} moves and has no mass; {hint}", body.name.span)
    if "density" in given:
        yield from _density_problems(body, given)
    yield from _smooth_problems(name, given)
    if "drags" in given and shapes and not still:
        message = f"only the surface of a {STILL[0]} can drag, not that of a {shapes[0]}"
        yield Problem(f"{message}; let body {name!r} move instead", given["drags"].span)
    if "drags" in given and "turns" in given:
        message = f"body {name!r} turns, and where its surface runs to would turn as well"
        yield Problem(f"{message}; leave out 'drags'", given["drags"].span)
    if "moves" in given or "turns" in given:
        yield from _moved_problems(name, given)
        return
    for word in ("velocity", "spin"):
        if is_fixed(body) and word in given and given[word].value != _STILL:
            hint = f"leave out {word!r}" + ("" if still else " or 'fixed'")
            yield Problem(f"body {name!r} is fixed and cannot move; {hint}", given[word].span)
    for word in ("mass", "density", "inertia", "rotation"):
        if still and still == shapes and word in given and given[word].value != _STILL:
            turn = f"turn its {SHAPES[still[0]].measure} instead"
            hint = turn if word == "rotation" else "leave it out"
            yield Problem(f"a {still[0]} is fixed and has no {word}; {hint}", given[word].span)


def _density_problems(body: BodyStatement, given: dict[str, Entry]) -> Iterator[Problem]:
    """A density beside a mass, or of what has no volume."""
    name, span = body.name.text, given["density"].span
    if "mass" in given:
        yield Problem(f"body {name!r} has a mass and a density; leave out one of them", span)
    solid = [entry for part in body.parts for entry in part.entries if entry.keyword != "point"]
    if "point" in given or (body.parts and not any(e.keyword in SHAPES for e in solid)):
        yield Problem(f"a point has no volume; give body {name!r} a mass instead", span)


def _moved_problems(name: str, given: dict[str, Entry]) -> Iterator[Problem]:
    """What a body that is moved cannot have."""
    words = ["mass", "density", "inertia", "velocity", "spin", "fixed"]
    words += ["position"] * ("moves" in given) + ["rotation"] * ("turns" in given)
    for word in words:
        if word in given:
            message = f"body {name!r} is moved, whatever its {word}; leave out {word!r}"
            yield Problem(message, given[word].span)


def _smooth_problems(name: str, given: dict[str, Entry]) -> Iterator[Problem]:
    """Motions that jump or have a kink."""
    for word in (word for word in DRIVES if word in given):
        separate = Separator(lambda symbol: symbol != "t")
        for term in _items(given[word].value or Number(0.0)):
            separate(term)
        for switch in separate.switches:
            message = f"the motion of body {name!r} has a kink or a jump, in {switch.text}"
            yield Problem(f"{message}; it must be smooth", given[word].span)


def _settings_twice(model: Model) -> Iterator[Problem]:
    seen: set[str] = set()
    for statement in model.statements:
        if isinstance(statement, SettingStatement | ImpactStatement):
            if statement.keyword in seen:
                yield Problem(f"{statement.keyword!r} is given twice; keep one", statement.span)
            seen.add(statement.keyword)


def _definitions(model: Model) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    for name, kind in _defined(model):
        yield from definition_problems(name, kind, taken)
        where = f", line {name.span.line}" if name.span else ""
        taken.setdefault(name.text, f"{'an' if kind[0] in 'ai' else 'a'} {kind}{where}")


def _defined(model: Model) -> Iterator[tuple[Name, str]]:
    for statement in model.statements:
        match statement:
            case ParameterStatement(name=name):
                yield name, "parameter"
            case BodyStatement(name=name):
                yield name, "body"
            case JointStatement(name=name):
                yield name, "joint"
            case PropertyStatement(name=name):
                yield name, "property"
            case InputStatement(definitions=definitions):
                yield from ((definition.name, "input") for definition in definitions)
            case AutomatonStatement(name=name) | DiscontinuousStatement(name=name):
                yield name, "automaton"
            case SystemStatement(instances=instances):
                yield from ((item.alias, "instance") for item in instances if item.alias)
            case _:
                pass


def _cycles(model: Model) -> Iterator[Problem]:
    """Parameters and inputs that are defined by themselves, one problem for each circle."""
    graph, places = _dependencies(model)
    for _ in range(MAX_CYCLES):
        try:
            return TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1][:0:-1]
        first = min(circle, key=list(graph).index)
        turn = circle.index(first)
        path = " -> ".join([*circle[turn:], *circle[:turn], first])
        yield Problem(f"{first!r} is defined by itself: {path}", places[first])
        graph = {name: needs for name, needs in graph.items() if name not in circle}


def _dependencies(model: Model) -> tuple[dict[str, set[str]], dict[str, Span | None]]:
    graph: dict[str, set[str]] = {}
    places: dict[str, Span | None] = {}
    for statement in model.statements:
        if isinstance(statement, ParameterStatement):
            _depend(graph, places, statement.name, [statement.value, *(statement.limits or ())])
        if isinstance(statement, InputStatement):
            for d in statement.definitions:
                _depend(
                    graph, places, d.name, [*(d.limits or ()), *([d.formula] if d.formula else [])]
                )
    return {name: needs & graph.keys() for name, needs in graph.items()}, places


def _depend(
    graph: dict[str, set[str]], places: dict[str, Span | None], name: Name, values: list[Value]
) -> None:
    terms = [term for value in values for term in _items(value)]
    graph.setdefault(name.text, set()).update(s.name for term in terms for s in symbols(term))
    places.setdefault(name.text, name.span)


def _contacts_twice(model: Model) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for statement in model.statements:
        if isinstance(statement, ContactStatement):
            pair = frozenset(name.text for name in statement.pair or ())
            if pair in seen:
                who = " and ".join(repr(name.text) for name in statement.pair or ()) or "'all'"
                yield Problem(f"the contact of {who} is given twice; keep one", statement.span)
            seen.add(pair)


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
