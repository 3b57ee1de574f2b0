"""Locations and edges of a process as places and edges of a network component.

A select becomes one edge per value, and so does a channel with a variable index. Conditions over
clocks are formulas; others too if they can be, else they run as code, like updates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import cast

from dyverse.automaton.component import Action, NetworkEdge, Place
from dyverse.automaton.interface import Assignment
from dyverse.errors import Span, did_you_mean
from dyverse.expr.formula import FALSE, TRUE, Formula, both
from dyverse.expr.term import Term
from dyverse.uppaal.code import Code
from dyverse.uppaal.declare import span_of_range
from dyverse.uppaal.document import Arrow, Label
from dyverse.uppaal.document import Place as Drawn
from dyverse.uppaal.expression import Constant, Element, Expression, Infix, Suffix
from dyverse.uppaal.instances import Process
from dyverse.uppaal.interpret import Machine, bound
from dyverse.uppaal.kinds import ArrayOf, Scalar
from dyverse.uppaal.memory import Memory
from dyverse.uppaal.scope import Scope, mistake
from dyverse.uppaal.symbolic import NotSymbolic, Symbolic
from dyverse.uppaal.syntax import Selection, Synchronisation
from dyverse.uppaal.touching import known_number, places, touched
from dyverse.uppaal.updates import terms_of

MAX_EDGES = 20_000


@dataclass(frozen=True, slots=True)
class _Chosen:
    """One value for each name of a select."""

    scope: Scope
    values: tuple[tuple[str, float], ...]


def place_of(drawn: Drawn, name: str, scope: Scope) -> Place:
    """A location with its rates and invariant."""
    label = drawn.label("invariant")
    rates: list[Assignment] = []
    parts: list[Formula] = []
    for conjunct in conjuncts(cast(Expression, label.value)) if label else ():
        if (rate := _rate(conjunct, scope)) is not None:
            rates.append(rate)
        else:
            parts.append(_formula(conjunct, scope, "an invariant"))
    return Place(
        name=name,
        rates=tuple(rates),
        invariant=_all(parts),
        urgent=drawn.urgent,
        committed=drawn.committed,
    )


def edges_of(arrow: Arrow, process: Process, names: dict[str, str]) -> Iterator[NetworkEdge]:
    """The edges that an arrow stands for."""
    _check_ends(arrow, names)
    count = 0
    for chosen in _chosen(arrow.label("select"), process.scope):
        for action, conditions in _actions(arrow.label("synchronisation"), chosen.scope):
            edge = _edge(arrow, process, names, chosen, action, conditions)
            count += 1
            if count > MAX_EDGES:
                raise mistake(f"this edge stands for more than {MAX_EDGES:,}", arrow.span)
            if edge.guard != FALSE:
                yield edge


def _check_ends(arrow: Arrow, names: dict[str, str]) -> None:
    for end in (arrow.source, arrow.target):
        if end not in names:
            hint = did_you_mean(end, names)
            message = f"{end!r} is no location{hint}; branchpoints are not supported in a run"
            raise mistake(message, arrow.span)
    if (label := arrow.label("probability")) is not None:
        raise mistake("probabilities are not supported in a run", label.span)


def _chosen(label: Label | None, scope: Scope) -> Iterator[_Chosen]:
    selections = cast(tuple[Selection, ...], label.value) if label else ()
    machine = Machine(Memory({}))
    ranges = [span_of_range(selection.type, scope, machine) for selection in selections]
    for values in product(*ranges):
        inner = scope
        for selection, value in zip(selections, values, strict=True):
            inner = bound(inner, selection.name, value)
        pairs = zip((selection.name for selection in selections), values, strict=True)
        yield _Chosen(inner, tuple(pairs))


def _actions(
    label: Label | None, scope: Scope
) -> Iterator[tuple[Action | None, tuple[Expression, ...]]]:
    """The channel, with the conditions under which it is this one."""
    if label is None:
        yield None, ()
        return
    sync = cast(Synchronisation, label.value)
    for path, conditions in _channels(sync.channel, scope):
        yield Action(path, sync.direction == "!"), conditions


def _channels(channel: Expression, scope: Scope) -> Iterator[tuple[str, tuple[Expression, ...]]]:
    found = list(_elements(channel, scope))
    for path, kind, conditions in found:
        if not isinstance(kind, Scalar) or kind.kind != "chan":
            raise mistake("this is no channel", channel.span)
        yield path, conditions


def _elements(
    channel: Expression, scope: Scope
) -> Iterator[tuple[str, object, tuple[Expression, ...]]]:
    if isinstance(channel, Element) and known_number(channel.index, scope) is None:
        for path, kind, conditions in _elements(channel.base, scope):
            if not isinstance(kind, ArrayOf):
                raise mistake("only an array has elements", channel.span)
            for i in range(kind.low, kind.low + kind.size):
                here = Infix("==", channel.index, Constant(str(i)), channel.index.span)
                yield f"{path}[{i}]", kind.item, (*conditions, here)
    elif isinstance(channel, Element):
        number = known_number(channel.index, scope)
        for path, kind, conditions in _elements(channel.base, scope):
            if not isinstance(kind, ArrayOf) or number is None:
                raise mistake("only an array has elements", channel.span)
            if kind.low <= number < kind.low + kind.size:
                yield f"{path}[{int(number)}]", kind.item, conditions
    else:
        yield from ((path, kind, ()) for path, kind, _ in places(channel, scope))


def _edge(
    arrow: Arrow,
    process: Process,
    names: dict[str, str],
    chosen: _Chosen,
    action: Action | None,
    conditions: tuple[Expression, ...],
) -> NetworkEdge:
    label = arrow.label("guard")
    written = conjuncts(cast(Expression, label.value)) if label else ()
    guard, left = _guard((*conditions, *written), chosen.scope)
    label = arrow.label("assignment")
    updates = cast(tuple[Expression, ...], label.value) if label else ()
    touched(updates, chosen.scope)  # finds names without a meaning
    terms = terms_of(updates, chosen.scope)
    reset = tuple(Assignment(path, term) for path, term in (terms or {}).items())
    rest = updates if terms is None else ()
    procedure = _code(left, rest, process.name, chosen) if left or rest else None
    return NetworkEdge(
        source=names[arrow.source],
        target=names[arrow.target],
        guard=guard,
        reset=reset,
        action=action,
        procedure=procedure,
    )


def _code(
    conditions: tuple[Expression, ...],
    updates: tuple[Expression, ...],
    process: str,
    chosen: _Chosen,
) -> Code:
    found = touched((*conditions, *updates), chosen.scope)
    return Code(
        conditions,
        updates,
        tuple(found.reads),
        tuple(found.writes),
        process,
        chosen.values,
        chosen.scope,
    )


def _guard(
    conditions: tuple[Expression, ...], scope: Scope
) -> tuple[Formula, tuple[Expression, ...]]:
    """The formula, and the conditions that are none but can run as code."""
    parts: list[Formula] = []
    left: list[Expression] = []
    for condition in conditions:
        found = touched([condition], scope)
        if found.writes:
            raise mistake("a guard must not change anything", condition.span)
        if found.reads_clocks:
            parts.append(_formula(condition, scope, "a guard over clocks"))
            continue
        try:
            parts.append(Symbolic(scope).formula(condition))
        except NotSymbolic:
            left.append(condition)
    return _all(parts), tuple(left)


def _formula(condition: Expression, scope: Scope, what: str) -> Formula:
    touched([condition], scope)
    try:
        return Symbolic(scope).formula(condition)
    except NotSymbolic as reason:
        message = f"this cannot be part of {what} in a run: {reason.why}"
        raise mistake(message, reason.span or condition.span) from None


def _all(parts: list[Formula]) -> Formula:
    return both(*(part for part in parts if part != TRUE)) if parts else TRUE


def _rate(condition: Expression, scope: Scope) -> Assignment | None:
    """``x' == e`` as the rate of ``x``."""
    match condition:
        case Infix(operator="==", left=Suffix(operator="'", operand=clock), right=value):
            return Assignment(*_driven(clock, value, scope, condition.span))
        case Infix(operator="==", left=value, right=Suffix(operator="'", operand=clock)):
            return Assignment(*_driven(clock, value, scope, condition.span))
    return None


def _driven(
    clock: Expression, value: Expression, scope: Scope, span: Span | None
) -> tuple[str, Term]:
    found = places(clock, scope)
    kind = found[0][1]
    if len(found) != 1 or not isinstance(kind, Scalar) or kind.kind != "clock":
        raise mistake("only a clock has a rate", span)
    touched([value], scope)
    try:
        return found[0][0], Symbolic(scope).term(value).term
    except NotSymbolic as reason:
        raise mistake(f"this cannot be a rate in a run: {reason.why}", reason.span) from None


def conjuncts(expression: Expression) -> Iterator[Expression]:
    """The parts of ``a && b && c``."""
    if isinstance(expression, Infix) and expression.operator == "&&":
        yield from conjuncts(expression.left)
        yield from conjuncts(expression.right)
    else:
        yield expression
