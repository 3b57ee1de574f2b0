"""Locations of a process as places of a component, and conditions as formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Place
from dyverse.errors import Span
from dyverse.expr.formula import TRUE, Formula, both
from dyverse.expr.term import Term
from dyverse.uppaal.language.document import Place as Drawn
from dyverse.uppaal.language.expression import Expression, Infix, Quantifier, Suffix
from dyverse.uppaal.loading.derived import Derivations
from dyverse.uppaal.loading.to_terms import NotSymbolic, Symbolic
from dyverse.uppaal.meaning.declare import span_of_range
from dyverse.uppaal.meaning.interpret import Machine, bound
from dyverse.uppaal.meaning.kinds import Scalar
from dyverse.uppaal.meaning.scope import Scope, mistake
from dyverse.uppaal.meaning.touching import places, touched
from dyverse.uppaal.meaning.variables import Memory


def place_of(drawn: Drawn, name: str, scope: Scope, derived: Derivations) -> Place:
    """A location with its rates and invariant."""
    label = drawn.label("invariant")
    rates: dict[str, Term] = {}
    parts: list[Formula] = []
    for conjunct, inner in _parts(cast(Expression, label.value), scope) if label else ():
        symbolic = Symbolic(inner, derived=derived)
        if (rate := _rate(conjunct)) is not None:
            path, term = _driven(*rate, symbolic, conjunct.span)
            rates[path] = term
        else:
            parts.append(formula_of(conjunct, symbolic, "an invariant"))
    return Place(
        name=name,
        rates=tuple(Assignment(path, term) for path, term in rates.items()),
        invariant=all_of(parts),
        urgent=drawn.urgent,
        committed=drawn.committed,
    )


def formula_of(condition: Expression, symbolic: Symbolic, what: str) -> Formula:
    """A condition as a formula, or what it cannot be part of."""
    touched([condition], symbolic.scope)
    try:
        return symbolic.formula(condition)
    except NotSymbolic as reason:
        message = f"this cannot be part of {what} in a run: {reason.why}"
        raise mistake(message, reason.span or condition.span) from None


def all_of(parts: list[Formula]) -> Formula:
    """All of them at once; none is true."""
    return both(*(part for part in parts if part != TRUE)) if parts else TRUE


def _rate(condition: Expression) -> tuple[Expression, Expression] | None:
    """The clock and the rate of ``x' == e``."""
    match condition:
        case Infix(operator="==", left=Suffix(operator="'", operand=clock), right=value):
            return clock, value
        case Infix(operator="==", left=value, right=Suffix(operator="'", operand=clock)):
            return clock, value
    return None


def _driven(
    clock: Expression, value: Expression, symbolic: Symbolic, span: Span | None
) -> tuple[str, Term]:
    found = places(clock, symbolic.scope)
    kind = found[0][1]
    if len(found) != 1 or not isinstance(kind, Scalar) or kind.kind != "clock":
        raise mistake("only a clock has a rate", span)
    touched([value], symbolic.scope)
    try:
        return found[0][0], symbolic.blended(value)
    except NotSymbolic as reason:
        raise mistake(f"this cannot be a rate in a run: {reason.why}", reason.span) from None


def _parts(expression: Expression, scope: Scope) -> Iterator[tuple[Expression, Scope]]:
    """The parts of ``a && b && forall (i : T) x[i]' == 0``: rates stand alone."""
    for part in conjuncts(expression):
        if isinstance(part, Quantifier) and part.kind == "forall" and _has_rate(part.body):
            for number in span_of_range(part.type, scope, Machine(Memory({}))):
                yield from _parts(part.body, bound(scope, part.variable, number))
        else:
            yield part, scope


def _has_rate(expression: Expression) -> bool:
    return any(
        _rate(part) is not None or (isinstance(part, Quantifier) and _has_rate(part.body))
        for part in conjuncts(expression)
    )


def conjuncts(expression: Expression) -> Iterator[Expression]:
    """The parts of ``a && b && c``."""
    if isinstance(expression, Infix) and expression.operator == "&&":
        yield from conjuncts(expression.left)
        yield from conjuncts(expression.right)
    else:
        yield expression
