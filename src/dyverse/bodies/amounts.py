"""Amounts in a model: whether a term, where it can be computed, has a value that can be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from dyverse.errors import Problem, Span
from dyverse.expr.printing import number_text
from dyverse.expr.term import Term, Vector
from dyverse.expr.value import value

LEAST, MOST = 1e-50, 1e50  # of sizes and amounts, in SI units: their products are numbers still

Known = Mapping[str, float]


def number(term: Term, known: Known) -> float | None:
    """The value of ``term``, or nothing where it has a name or function that is not known."""
    try:
        return value(term, known)
    except (KeyError, TypeError):
        return None


def amount_problem(amount: float) -> str:
    """What is wrong with an amount, behind "is", or nothing."""
    if not math.isfinite(amount):
        return "not a finite number"
    return f"{amount:.6g}; it may be {MOST:g} at most" if abs(amount) > MOST else ""


def unless_finite(term: Term, what: str, known: Known, span: Span | None) -> Iterator[Problem]:
    """A problem if the value of a term is no finite number, or too large a one."""
    amount = number(term, known)
    if amount is not None and (wrong := amount_problem(amount)):
        yield Problem(f"{what} is {wrong}", span_of(term, span))


def unless_positive(term: Term, what: str, known: Known, span: Span | None) -> Iterator[Problem]:
    """A problem if the value of a term is not positive."""
    amount = number(term, known)
    yield from unless_finite(term, what, known, span)
    if amount is None or not math.isfinite(amount):
        return
    if amount <= 0:
        yield Problem(f"{what} is {short_text(amount)}; it must be positive", span_of(term, span))
    elif amount < LEAST:
        yield Problem(
            f"{what} is {short_text(amount)}; it must be {LEAST:g} or more", span_of(term, span)
        )


def unless_not_negative(
    term: Term, what: str, known: Known, span: Span | None
) -> Iterator[Problem]:
    """A problem if the value of a term is negative."""
    amount = number(term, known)
    yield from unless_finite(term, what, known, span)
    if amount is not None and amount < 0:
        message = f"{what} is {short_text(amount)}; it must be zero or more"
        yield Problem(message, span_of(term, span))


def unless_vector(vector: Vector, what: str, known: Known) -> Iterator[Problem]:
    """A problem for each component that is no finite number."""
    for term in vector:
        yield from unless_finite(term, what, known, None)


def unless_direction(
    vector: Vector, what: str, known: Known, span: Span | None
) -> Iterator[Problem]:
    """A problem if a vector has no direction."""
    yield from unless_vector(vector, what, known)
    amounts = [number(term, known) for term in vector]
    sizes = [abs(amount) for amount in amounts if amount is not None]
    if len(sizes) == 3 and max(sizes) < LEAST:
        tiny = f"shorter than {LEAST:g}" if any(sizes) else "zero"
        hint = "give it a direction, such as (0, 1, 0)"
        yield Problem(f"{what} is {tiny}; {hint}", span_of(vector[0], span))


def span_of(term: Term, otherwise: Span | None) -> Span | None:
    """Where a term stands, or whatever it is part of."""
    return term.span or otherwise


def short_text(amount: float) -> str:
    """A number with six digits."""
    return number_text(float(f"{amount:.6g}"))
