"""Units in their places: a radius is a length, and nobody adds metres to seconds.

Numbers without a unit are in SI, so nothing is known of them, nor of what they are multiplied by: a
stiffness may be ``100*x``. What has a unit, or is a parameter that was given with one, is checked
where the dimension of an entry is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dyverse.errors import Problem, Span
from dyverse.expr.requirement import intervals
from dyverse.expr.term import CONDITIONS, Binary, Call, Negate, Number, Symbol, Term, children
from dyverse.text.comments import SKIPPED
from dyverse.text.functions import terms
from dyverse.text.syntax.automata import (
    AutomatonStatement,
    Declarations,
    DiscontinuousStatement,
    FmuPart,
    FunctionStatement,
)
from dyverse.text.syntax.drawings import DrawingEntry, SceneStatement
from dyverse.text.syntax.elements import Entry, Name, Row
from dyverse.text.syntax.statements import (
    SHAPES,
    BodyStatement,
    ContactStatement,
    InputStatement,
    JointStatement,
    LoadStatement,
    ParameterStatement,
    PropertyStatement,
    SettingStatement,
    SpringStatement,
    Statement,
)
from dyverse.text.units import UNITS, Dimension, quantity, unit, unit_names

PLAIN = Dimension()
LENGTH, TIME, ANGLE, MASS = Dimension(1), Dimension(0, 0, 1), Dimension(0, 0, 0, 1), Dimension(0, 1)
SPEED, TURNING = Dimension(1, 0, -1), Dimension(0, 0, -1, 1)
FORCE, TORQUE = Dimension(1, 1, -2), Dimension(2, 1, -2, None)
SETTINGS = {"gravity": Dimension(1, 0, -2), "horizon": TIME}
NO_LENGTHS = ("plane", "point")  # the one has a direction, the other nothing
BODY = {
    **dict.fromkeys((shape for shape in SHAPES if shape not in NO_LENGTHS), LENGTH),
    **dict.fromkeys(("position", "moves", "at"), LENGTH),
    "mass": MASS,
    "density": Dimension(-3, 1),
    "inertia": Dimension(2, 1),
    **dict.fromkeys(("rotation", "turns"), ANGLE),
    **dict.fromkeys(("velocity", "drags"), SPEED),
    "spin": TURNING,
}
SPRING = {"stiffness": Dimension(0, 1, -2), "length": LENGTH, "damping": Dimension(0, 1, -1)}
JOINT = {**dict.fromkeys(("at", "from", "to", "length"), LENGTH), "angle": ANGLE}
LIMITS = {"revolute": ANGLE, "prismatic": LENGTH}
CONTACT = {
    **dict.fromkeys(("restitution", "tangential_restitution", "friction"), PLAIN),
    **dict.fromkeys(("rolling", "spinning"), LENGTH),
}
DISCONTINUOUS = {"period": TIME}
SCENE = {**dict.fromkeys(("at", "from", "to", "size", "radius", "width"), LENGTH), "turn": ANGLE}
_BEHIND_NUMBER = re.compile(rf"{SKIPPED}|([\d.]\s*(?:{'|'.join(UNITS)})\b)")
_OF_ANGLES = ("sin", "cos", "tan")

Field = tuple[str, Term | Row, Dimension]


def unit_problems(
    statements: Iterable[Statement], source: str, names: Iterable[str] = ()
) -> list[Problem]:
    """What is wrong with the units of a text; ``names`` are those of its repeats."""
    if not any(found[1] for found in _BEHIND_NUMBER.finditer(source)):
        return []
    statements = tuple(statements)
    problems = list(_taken_names(statements, names))
    check = _Check({s.name.text: s for s in statements if isinstance(s, ParameterStatement)})
    for statement in statements:
        check.enter(statement)
        for what, value, wanted in _fields(statement):
            check.needs(what, value, wanted)
        if isinstance(statement, ParameterStatement):
            check.alike((statement.value, *(statement.limits or ())))
        for term in terms(statement):
            check.of(term)
    found = dict.fromkeys((*problems, *check.problems))
    return sorted(found, key=lambda p: (p.span.line, p.span.column) if p.span else (0, 0))


class _Check:
    """What is known of terms, and what is wrong with them."""

    def __init__(self, parameters: Mapping[str, ParameterStatement]) -> None:
        self.problems: list[Problem] = []
        self._parameters = parameters
        self._known: dict[str, Dimension | None] = {}  # of parameters, once they were asked for
        self._own: set[str] = set()
        for name in parameters:
            self._of_parameter(name)

    def enter(self, statement: Statement) -> None:
        """From here on, arguments and variables of ``statement`` hide parameters of their names."""
        shared = isinstance(statement, ParameterStatement | InputStatement)
        self._own = set() if shared else set(defined_numbers(statement))

    def needs(self, what: str, value: Term | Row, wanted: Dimension) -> None:
        """Find a problem unless ``value`` can be of that dimension."""
        for term in value.items if isinstance(value, Row) else (value,):
            found = self.of(term)
            if found is not None and not found.agrees(wanted):
                given = quantity(term) or str(found)
                needed = "a plain number" if wanted == PLAIN else f"in {wanted}"
                self._add(f"{what} is {needed}, not in {given}", term.span)

    def alike(self, values: tuple[Term | Row, ...]) -> None:
        """Find a problem unless all values can be of one dimension."""
        terms = [value for value in values if not isinstance(value, Row)]
        self._one_of([self.of(term) for term in terms], terms[-1].span if terms else None)

    def of(self, term: Term) -> Dimension | None:
        """The dimension of a term, if it is known; what is wrong in it is found."""
        if written := quantity(term):
            return unit(written).dimension
        below = [self.of(child) for child in children(term)]
        match term:
            case Symbol(name=name):
                return None if name in self._own else self._of_parameter(name)
            case Negate():
                return below[0]
            case Binary(operator="+" | "-") | Call(function="abs" | "min" | "max"):
                return self._one_of(below, term.span)
            case Call(function="if"):
                return self._one_of(below[1:], term.span)
            case Call(function=function) if function in CONDITIONS:
                self._one_of(below, term.span)
                return None
            case Binary(operator="*" | "/" as sign):
                left, right = below
                if left is None or right is None:
                    return None
                return left.times(right, 1 if sign == "*" else -1)
            case Call(function=function) if function in _OF_ANGLES:
                angle = below[0] if below else None
                if angle is not None and not (angle.agrees(ANGLE) or angle.agrees(PLAIN)):
                    self._add(f"{function} is of an angle in rad, not in {angle}", term.span)
                return None
            case _:
                return None

    def _one_of(self, parts: list[Dimension | None], span: Span | None) -> Dimension | None:
        known = [part for part in parts if part is not None]
        if any(not part.agrees(known[0]) for part in known):
            self._add(f"{known[0]} and {known[-1]} cannot be put together", span)
        return known[0] if known else None

    def _of_parameter(self, name: str) -> Dimension | None:
        statement = self._parameters.get(name)
        if name not in self._known:
            self._known[name] = None  # it may be defined by itself, which is an error elsewhere
            if statement is not None and not isinstance(statement.value, Row):
                self._known[name] = self.of(statement.value)
        return self._known[name]

    def _add(self, message: str, span: Span | None) -> None:
        self.problems.append(Problem(message, span))


def _fields(statement: Statement) -> Iterator[Field]:
    """The values of a statement whose dimensions are known."""
    match statement:
        case SettingStatement(keyword=keyword, value=value):
            yield keyword, value, SETTINGS[keyword]
        case BodyStatement(entries=entries, parts=parts):
            for some in (entries, *(part.entries for part in parts)):
                yield from _entries(some, BODY)
        case LoadStatement(kind=kind, value=value, at=point):
            yield f"a {kind}", value, FORCE if kind == "force" else TORQUE
            if point is not None:
                yield "a point", point, LENGTH
        case SpringStatement(entries=entries, other=other):
            yield from _entries(entries, SPRING)
            if not isinstance(other, Name):
                yield "a point", other, LENGTH
        case JointStatement(joins=joins, entries=entries):
            yield from _entries(entries, JOINT)
            for one in joins:
                if one.kind.text in LIMITS:
                    yield from _entries(entries, {"limits": LIMITS[one.kind.text]})
        case ContactStatement(entries=entries):
            yield from _entries(entries or (), CONTACT)
        case PropertyStatement():
            yield from _times(statement)
        case AutomatonStatement(fmu=FmuPart(step=step)):
            yield "'step'", step, TIME
        case DiscontinuousStatement(entries=said):
            yield from _entries((part for part in said if isinstance(part, Entry)), DISCONTINUOUS)
        case SceneStatement(drawings=drawings):
            for drawing in drawings:
                yield from _entries(drawing.entries, SCENE)
        case _:
            pass


def _entries(
    entries: Iterable[Entry | DrawingEntry], wanted: Mapping[str, Dimension]
) -> Iterator[Field]:
    for entry in entries:
        if entry.keyword in wanted and isinstance(entry.value, Row | Term):
            word = " and ".join(SHAPES.get(entry.keyword, ())) or entry.keyword
            yield f"{word!r}", entry.value, wanted[entry.keyword]


def _times(statement: PropertyStatement) -> Iterator[Field]:
    if statement.until is not None:
        yield "'until'", statement.until, TIME
    for interval in intervals(statement.requirement):
        yield "an interval", Row((interval.low, interval.high)), TIME


def _taken_names(statements: Iterable[Statement], more: Iterable[str]) -> Iterator[Problem]:
    """Units that are names of this model, too: ``2 m`` could be twice the mass m."""
    names = set(more)
    for statement in statements:
        names.update(defined_numbers(statement))
    for number in _numbers(statements):
        for name in names.intersection(unit_names(number.unit)):
            told = f"{name!r} is a unit here, and a name in this model"
            yield Problem(f"{told}; write '*' to multiply, or the amount in SI", number.span)


def defined_numbers(statement: Statement) -> Iterator[str]:
    """Names of numbers."""
    match statement:
        case ParameterStatement(name=name):
            yield name.text
        case InputStatement(definitions=definitions):
            yield from (item.name.text for item in definitions)
        case FunctionStatement(arguments=arguments):
            yield from (argument.text for argument in arguments)
        case AutomatonStatement() | DiscontinuousStatement():
            if isinstance(statement, AutomatonStatement):
                yield from (formal.name.text for formal in statement.formals)
            for entry in statement.entries:
                if isinstance(entry, Declarations):
                    yield from (item.name.text for item in entry.items)
        case _:
            pass


def _numbers(statements: Iterable[Statement]) -> list[Number]:
    """All numbers that have a unit."""
    found: list[Number] = []
    left = [term for statement in statements for term in terms(statement)][::-1]
    while left:
        term = left.pop()
        if isinstance(term, Number) and term.unit:
            found.append(term)
        left += reversed(children(term))
    return found
