"""Terms and formulas as UPPAAL's expressions."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import assert_never

from dyverse.errors import ExportError
from dyverse.expr.choice import condition
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.printing import number_text, term_text
from dyverse.expr.term import CONDITIONS, CONSTANTS, Binary, Call, Negate, Number, Symbol, Term
from dyverse.uppaal.language.expression import (
    Application,
    Choice,
    Constant,
    Expression,
    Infix,
    Prefix,
    Reference,
)

Named = Callable[[str], str]
_CALLS = {"abs": "fabs", "log": "ln", "min": "fmin", "max": "fmax"}
LARGEST = 2**30 - 1  # the most that checkers compare clocks with


def number(value: float, *, exact: bool) -> Expression:
    """A number: ``3`` if it is to be ``exact``, else ``3.0``, as UPPAAL divides integers."""
    text = number_text(abs(float(value)))
    if not exact and text.isdigit():
        text += ".0"
    return Prefix("-", Constant(text)) if value < 0 else Constant(text)


def term_expression(term: Term, named: Named, *, exact: bool) -> Expression:
    """A term, with its names as ``named`` says; ``exact`` ones are over integers."""
    match term:
        case Number(value=value):
            return number(value, exact=exact)
        case Symbol(name=name):
            return (
                number(CONSTANTS[name], exact=exact)
                if name in CONSTANTS
                else Reference(named(name))
            )
        case Negate(operand=operand):
            return Prefix("-", term_expression(operand, named, exact=exact))
        case Binary(operator="^", left=left, right=right):
            return _call("pow", left, right, named=named, exact=exact)
        case Binary(operator="/") if exact:
            raise ExportError(f"{term_text(term)}: checkers divide integers without a rest")
        case Binary(operator=sign, left=left, right=right):
            first, second = (term_expression(side, named, exact=exact) for side in (left, right))
            return Infix(sign, first, second)
        case Call(function="sign", arguments=(argument,)):
            inner, zero = term_expression(argument, named, exact=exact), Constant("0")
            down = Choice(Infix("<", inner, zero), Prefix("-", Constant("1")), zero)
            return Choice(Infix(">", inner, zero), Constant("1"), down)
        case Call(function="if", arguments=(test, then, otherwise)):
            yes, no = (term_expression(side, named, exact=exact) for side in (then, otherwise))
            return Choice(formula_expression(condition(test), named, exact=exact), yes, no)
        case Call(function=function) if function in CONDITIONS:
            return formula_expression(condition(term), named, exact=exact)
        case Call(function=function, arguments=arguments):
            return _call(_CALLS.get(function, function), *arguments, named=named, exact=exact)
        case _:
            assert_never(term)


def _call(function: str, *arguments: Term, named: Named, exact: bool) -> Expression:
    passed = tuple(term_expression(argument, named, exact=exact) for argument in arguments)
    return Application(Reference(function), passed)


def formula_expression(formula: Formula, named: Named, *, exact: bool) -> Expression:
    """A formula, with its names as ``named`` says."""
    match formula:
        case Compare(relation=sign, left=left, right=right):
            first, second = (term_expression(side, named, exact=exact) for side in (left, right))
            return Infix(sign, first, second)
        case And(parts=parts):
            found = [formula_expression(part, named, exact=exact) for part in parts]
            return joined("&&", found, "true")
        case Or(parts=parts):
            found = [formula_expression(part, named, exact=exact) for part in parts]
            return joined("||", found, "false")
        case Not(part=part):
            return Prefix("!", formula_expression(part, named, exact=exact))
        case _:
            assert_never(formula)


def joined(sign: str, parts: list[Expression], empty: str) -> Expression:
    """``a && b && c``, or ``empty`` if there is none."""
    if not parts:
        return Constant(empty)
    return reduce(lambda a, b: Infix(sign, a, b), parts)


def whole_numbers(term: Term) -> Term:
    """``term`` if all its numbers are whole, else an `ExportError` that says what to do."""
    match term:
        case Number(value=value):
            if abs(value - round(value)) > 1e-9 * max(1.0, abs(value)):
                raise ExportError(
                    f"{value:.9g} time units: checkers of timed automata need whole numbers; "
                    "choose a smaller unit"
                )
            if abs(value) > LARGEST:
                raise ExportError(
                    f"{value:.9g} time units are more than checkers count; choose a larger unit"
                )
            return Number(float(round(value)))
        case Binary(operator=sign, left=left, right=right):
            return Binary(sign, whole_numbers(left), whole_numbers(right))
        case Negate(operand=operand):
            return Negate(whole_numbers(operand))
    return term
