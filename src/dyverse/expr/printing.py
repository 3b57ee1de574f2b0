"""Terms, formulas and requirements as text that parses back to themselves."""

from __future__ import annotations

from typing import assert_never

from dyverse.expr.choice import condition
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import Interval, Joined, Ordered, Quantified, Requirement
from dyverse.expr.term import CONDITIONS, Binary, Call, Negate, Number, Symbol, Term

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_SIDE = 1  # of a comparison
_NEGATE = 3  # -a*b is (-a)*b, -a^b is -(a^b)
_ATOM = 5
_CHOICE = 0  # its last part takes all that follows


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
        case Call(function="if", arguments=(test, then, otherwise)):
            then_text, else_text = term_text(then), term_text(otherwise)
            return f"if {formula_text(condition(test))} then {then_text} else {else_text}"
        case Call(function=function) if function in CONDITIONS:
            return f"({formula_text(condition(term))})"
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
        case Call(function="if"):
            return _CHOICE
        case _:
            return _ATOM


def formula_text(formula: Formula) -> str:
    """A formula in the notation of the model language."""
    match formula:
        case Compare(relation=relation, left=left, right=right):
            return f"{_wrapped(left, _SIDE)} {relation} {_wrapped(right, _SIDE)}"
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


def requirement_text(requirement: Requirement) -> str:
    """A requirement in the notation of the model language."""
    match requirement:
        case Compare() | And() | Or() | Not():
            return formula_text(requirement)
        case Joined(word="not", parts=(part,)):
            return f"not ({requirement_text(part)})"
        case Joined(word="implies", parts=(first, then)):
            text = _operand(then, loosest=_IMPLIES)
            return f"{_operand(first, loosest=_ORDER)} implies {text}"
        case Joined(word="and" | "or" as word, parts=parts):
            loosest = _AND + 1 if word == "and" else _AND
            return f" {word} ".join(_operand(part, loosest=loosest) for part in parts)
        case Quantified(word=word, part=part, during=during):
            text = requirement_text(part)
            text = f"({text})" if text.startswith("-") else text  # or it might be a difference
            return f"{word}{interval_text(during)} {text}"
        case Ordered(word="before", left=left, right=right, during=during):
            sides = (_operand(side, loosest=_OR) for side in (left, right))
            return f"always{interval_text(during)} {' before '.join(sides)}"
        case Ordered(word=word, left=left, right=right, during=during):
            sides = (_operand(side, loosest=_OR) for side in (left, right))
            return f" {word}{interval_text(during)} ".join(sides)
        case _:
            raise ValueError(f"no requirement: {requirement!r}")


def interval_text(interval: Interval | None) -> str:
    """``[0, 2]``, or nothing."""
    if interval is None:
        return ""
    return f"[{term_text(interval.low)}, {term_text(interval.high)}]"


_IMPLIES, _ORDER, _OR, _AND = range(4)  # what binds more loosely comes first


def _operand(requirement: Requirement, *, loosest: int) -> str:
    """A part, in brackets if it binds more loosely than that."""
    text = requirement_text(requirement)
    return text if _binding(requirement, loosest) >= loosest else f"({text})"


def _binding(requirement: Requirement, loosest: int) -> int:
    match requirement:
        case Joined(word="implies"):
            return _IMPLIES
        case Ordered(word="until" | "since"):
            return _ORDER
        case Ordered() | Quantified():  # takes all that follows, so only the last part may be one
            return _IMPLIES if loosest == _IMPLIES else -1
        case Joined(word="or") | Or(parts=(_, *_)):
            return _OR
        case Joined(word="and") | And(parts=(_, *_)):
            return _AND
        case _:
            return _AND + 1
