"""Assignments that UPPAAL makes one after the other, as assignments that happen all at once."""

from __future__ import annotations

from dyverse.expr.term import Number, Term
from dyverse.uppaal.language.expression import Constant as Literal
from dyverse.uppaal.language.expression import Expression, Infix, Prefix, Suffix, Update
from dyverse.uppaal.loading.to_terms import Case, NotSymbolic, Symbolic
from dyverse.uppaal.meaning.kinds import Scalar
from dyverse.uppaal.meaning.scope import Scope
from dyverse.uppaal.meaning.touching import places

ONE = Literal("1")


def terms_of(updates: tuple[Expression, ...], scope: Scope) -> dict[str, Term] | None:
    """The new terms of variables over their values before, or nothing if terms cannot say it.

    Each later assignment has the earlier ones put in. An integer that is assigned twice might leave
    its range in between, which only code notices.
    """
    now: dict[str, Term] = {}
    for update in updates:
        target, value = _assignment(update)
        if target is None or value is None:
            return None
        try:
            found = places(target, scope)
            case = Symbolic(scope, now).term(value)
        except NotSymbolic:
            return None
        if len(found) != 1 or not _fits(found[0][1], case, again=found[0][0] in now):
            return None
        now[found[0][0]] = _truth(case.term) if _is_bool(found[0][1]) else case.term
    return now


def _assignment(update: Expression) -> tuple[Expression | None, Expression | None]:
    match update:
        case Update(operator="=", target=target, value=value):
            return target, value
        case Update(operator=sign, target=target, value=value):
            return target, Infix(sign[:-1], target, value, update.span)
        case Prefix(operator="++" | "--" as sign, operand=target):
            return target, Infix(sign[0], target, ONE, update.span)
        case Suffix(operator="++" | "--" as sign, operand=target):
            return target, Infix(sign[0], target, ONE, update.span)
    return None, None


def _fits(kind: object, case: Case, *, again: bool) -> bool:
    if not isinstance(kind, Scalar) or kind.kind in ("chan", "void"):
        return False
    if kind.kind == "bool":
        return isinstance(case.term, Number)  # any number but 0 is true
    return not kind.is_whole or (case.whole and not again)


def _is_bool(kind: object) -> bool:
    return isinstance(kind, Scalar) and kind.kind == "bool"


def _truth(term: Term) -> Term:
    assert isinstance(term, Number)
    return Number(float(term.value != 0))
