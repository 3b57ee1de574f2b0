"""Terms and formulas as text that parses back to themselves."""

from __future__ import annotations

from typing import assert_never

from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_NEGATE = 3  # -a*b is (-a)*b, -a^b is -(a^b)
_ATOM = 5


def number_text(number: float) -> str:
    """The shortest text for a number: ``3`` for 3.0, else the digits that give it back exactly."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def term_text(term: Term) -> str:
    """A term in the notation of the model language, with as few brackets as it needs."""
    match term:
        case Number(value=number):
            return number_text(number)
        case Symbol(name=name):
            return name
        case Negate(operand=operand):
            return "-" + _wrapped(operand, _NEGATE)
        case Binary(operator=operator, left=left, right=right):
            strength = _STRENGTH[operator]
            power = operator == "^"  # groups to the right, all others to the left
            a, b = _wrapped(left, strength + power), _wrapped(right, strength + (not power))
            return f"{a}^{b}" if power else f"{a} {operator} {b}"
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(map(term_text, arguments))})"
        case _:
            assert_never(term)


def _wrapped(term: Term, at_least: int) -> str:
    text = term_text(term)
    return text if _strength(term) >= at_least else f"({text})"


def _strength(term: Term) -> int:
    match term:
        case Number(value=number):
            return _ATOM if not str(number).startswith("-") else _NEGATE
        case Negate():
            return _NEGATE
        case Binary(operator=operator):
            return _STRENGTH[operator]
        case _:
            return _ATOM


def formula_text(formula: Formula) -> str:
    """A formula in the notation of the model language."""
    match formula:
        case Compare(relation=relation, left=left, right=right):
            return f"{term_text(left)} {relation} {term_text(right)}"
        case And(parts=()):
            return "true"
        case Or(parts=()):
            return "false"
        case And(parts=parts):
            return " and ".join(_bracketed(part, And | Or) for part in parts)
        case Or(parts=parts):
            return " or ".join(_bracketed(part, Or) for part in parts)
        case Not(part=part):
            return f"not ({formula_text(part)})"
        case _:
            assert_never(formula)


def _bracketed(formula: Formula, kinds: object) -> str:
    text = formula_text(formula)
    joined = isinstance(formula, And | Or) and len(formula.parts) > 0
    return f"({text})" if joined and isinstance(formula, kinds) else text  # type: ignore[arg-type]
