"""Expressions as text that parses back to themselves, in the notation of [carter2011] Table 1."""

from __future__ import annotations

from typing import assert_never

from dyverse.abstraction.language.expression import (
    Concat,
    Empty,
    Epsilon,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
)
from dyverse.abstraction.language.word import letter_text

_CONCAT, _REPEATED = 2, 3


def expression_text(expression: Expression) -> str:
    """An expression with as few brackets as it needs; square ones around round ones."""
    match expression:
        case Empty():
            return "∅"
        case Epsilon():
            return "ε"
        case Letter(name=name):
            return letter_text(name)
        case Union(parts=parts):
            return "+".join(_wrapped(part, _CONCAT) for part in parts)
        case Concat(parts=parts):
            return "".join(_wrapped(part, _REPEATED) for part in parts)
        case Star(part=part):
            return _wrapped(part, _REPEATED) + "*"
        case Omega(part=part):
            return _wrapped(part, _REPEATED) + "^ω"
        case _:
            assert_never(expression)


def _wrapped(expression: Expression, at_least: int) -> str:
    text = expression_text(expression)
    if _strength(expression) >= at_least:
        return text
    return f"[{text}]" if "(" in text else f"({text})"


def _strength(expression: Expression) -> int:
    match expression:
        case Union():
            return 1
        case Concat():
            return _CONCAT
        case _:
            return _REPEATED
