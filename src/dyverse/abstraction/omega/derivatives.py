"""Expressions to automata, by what is left of an expression after each letter.

The locations are expressions: from ``e`` the letter ``a`` leads to the partial derivatives of e by
a, of which there are at most as many as letters in e [antimirov1996]. A finite word belongs to the
language if it can lead to an expression with ε in it.

For infinite words the derivatives are ``p V^ω``: a word of V has been begun and p is left of it.
Where p may be empty, V^ω itself is a second derivative; a run that passes through it completes a
word of V, and a run that does so for ever reads a word of the language (Büchi acceptance).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dyverse.abstraction.language.expression import (
    EPSILON,
    Concat,
    Empty,
    Epsilon,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
    concat,
    is_nullable,
    letters_of,
)
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.omega.lts import Lts, Step


def derivatives(expression: Expression, letter: str) -> tuple[Expression, ...]:
    """What can be left of ``expression`` after ``letter``, without repetitions."""
    partial = (left for raw in _partial(expression, letter) for left in _completed(raw))
    return tuple(dict.fromkeys(partial))


def _partial(expression: Expression, letter: str) -> Iterator[Expression]:
    match expression:
        case Empty() | Epsilon():
            pass
        case Letter(name=name):
            yield from (EPSILON,) if name == letter else ()
        case Union(parts=parts):
            for part in parts:
                yield from _partial(part, letter)
        case Concat(parts=(head, *tail)):
            for left in _partial(head, letter):
                yield concat(left, *tail)
            if is_nullable(head):
                yield from _partial(concat(*tail), letter)
        case Star(part=part) | Omega(part=part):
            for left in _partial(part, letter):
                yield concat(left, expression)
        case Concat():  # pragma: no cover - a concatenation has a head
            raise AssertionError(expression)
        case _:
            assert_never(expression)


def _completed(left: Expression) -> Iterator[Expression]:
    """``left``, and V^ω too if it is ``p V^ω`` where p may be empty."""
    yield left
    parts = left.parts if isinstance(left, Concat) else ()
    if parts and isinstance(parts[-1], Omega) and all(map(is_nullable, parts[:-1])):
        yield parts[-1]


def followed(expression: Expression) -> tuple[Lts, dict[str, Expression]]:
    """The system of all derivatives, and the expression that each of its locations stands for."""
    alphabet = letters_of(expression)
    found, steps, queue = {expression_text(expression): expression}, [], [expression]
    for here in queue:  # grows while it is read
        for letter in alphabet:
            for there in derivatives(here, letter):
                name = expression_text(there)
                steps.append(Step(expression_text(here), letter, name))
                if name not in found:
                    found[name] = there
                    queue.append(there)
    start = (expression_text(expression),)
    return Lts(tuple(found), alphabet, tuple(steps), start), found
