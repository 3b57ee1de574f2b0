"""How near numbers are to the edge of where a term is defined: ``sqrt(h)`` at 0, ``1/x`` at 0."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from dyverse.expr.term import Binary, Call, Number, Term, children
from dyverse.expr.value import value

NEAR = 1e-3  # of the size of what is compared: so near to its edge a term is taken to be there


def at_edge(terms: Iterable[Term], known: Mapping[str, float]) -> Term | None:
    """The part of some terms that is nearest to where it is no longer defined, if one is near."""
    found = min(
        (pair for term in terms for pair in _edges(term, known)),
        key=lambda pair: pair[0],
        default=(math.inf, None),
    )
    return found[1] if found[0] <= NEAR else None


def _edges(term: Term, known: Mapping[str, float]) -> Iterator[tuple[float, Term]]:
    """Each part that is not defined everywhere, with its distance from the edge."""
    for child in _used(term, known):
        yield from _edges(child, known)
    distance = _distance(term, known)
    if distance is not None:
        yield (distance if math.isfinite(distance) else 0.0), term


def _used(term: Term, known: Mapping[str, float]) -> tuple[Term, ...]:
    """The parts of a term, without what a choice does not choose here."""
    match term:
        case Call(function="if", arguments=(test, then, otherwise)):
            return test, then if value(test, known) else otherwise
        case _:
            return children(term)


def _distance(term: Term, known: Mapping[str, float]) -> float | None:
    match term:
        case Call(function="sqrt" | "log", arguments=(x,)):
            return max(value(x, known), 0.0)
        case Call(function="asin" | "acos", arguments=(x,)):
            return max(1 - abs(value(x, known)), 0.0)
        case Binary(operator="/", left=above, right=below) if not isinstance(below, Number):
            return abs(value(below, known)) / (1 + abs(value(above, known)))
        case Binary(operator="^", left=base, right=exponent):
            whole = isinstance(exponent, Number) and exponent.value.is_integer()
            return None if whole and value(exponent, known) >= 0 else abs(value(base, known))
        case _:
            return None
