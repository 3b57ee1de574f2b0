"""Expressions made shorter without changing their language.

Words of a union that begin or end alike are factored, which is how Table 1 of [carter2011] writes
``(b+c)(ε+d)a``; closures swallow what they repeat. The result is short, not shortest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dyverse.abstraction.language.expression import (
    EPSILON,
    Concat,
    Epsilon,
    Expression,
    Omega,
    Star,
    Union,
    concat,
    is_nullable,
    omega,
    star,
    union,
)
from dyverse.abstraction.language.printing import expression_text

Factors = tuple[Expression, ...]


def simplify(expression: Expression) -> Expression:
    """The same language in fewer symbols, and equal unions in the same order."""
    simpler = _once(expression)
    while simpler != expression:
        expression, simpler = simpler, _once(simpler)
    return simpler


def _once(expression: Expression) -> Expression:
    match expression:
        case Union(parts=parts):
            return _union(union(*map(_once, parts)))
        case Concat(parts=parts):
            return _concat(concat(*map(_once, parts)))
        case Star(part=part):
            return star(_repeatable(_once(part)))
        case Omega(part=part):
            inner = _repeatable(_once(part))
            return omega(inner.part if isinstance(inner, Star) else inner)
        case _:
            return expression


def _repeatable(part: Expression) -> Expression:
    """``part`` where it is repeated: ε is no use, and a closure in a union is as good as open."""
    if not isinstance(part, Union):
        return part
    opened = (p.part if isinstance(p, Star) else p for p in part.parts)
    return union(*(p for p in opened if p != EPSILON))


def _factors(expression: Expression) -> Factors:
    match expression:
        case Epsilon():
            return ()
        case Concat(parts=parts):
            return parts
        case _:
            return (expression,)


def _concat(expression: Expression) -> Expression:
    """``p* p* = p*``, and what only leads into its own repetition for ever goes: ``p p^ω``."""
    kept: list[Expression] = []
    for part in _factors(expression):
        kept.append(part)
        while len(kept) > 1 and kept[-1] == kept[-2] and isinstance(part, Star):
            kept.pop()
    if kept and isinstance(kept[-1], Omega):
        kept = [*_before(tuple(kept[:-1]), kept[-1].part), kept[-1]]
    return concat(*kept)


def _before(prefix: Factors, repeated: Expression) -> Factors:
    """``prefix`` without what repeats ``repeated`` at its end."""
    word = _factors(repeated)
    while prefix:
        if prefix[-1] == Star(repeated):
            prefix = prefix[:-1]
        elif len(prefix) >= len(word) and prefix[-len(word) :] == word:
            prefix = prefix[: -len(word)]
        else:
            break
    return prefix


def _union(expression: Expression) -> Expression:
    if not isinstance(expression, Union):
        return expression
    parts = [_closure(part, expression.parts) for part in expression.parts]
    absorbed = {part.part for part in parts if isinstance(part, Star)}
    absorbed |= {EPSILON} if any(is_nullable(p) for p in parts if p != EPSILON) else set()
    kept = sorted((part for part in parts if part not in absorbed), key=_order)
    return _factored(tuple(kept), _first) or _factored(tuple(kept), _last) or union(*kept)


def _closure(part: Expression, beside: Factors) -> Expression:
    """``p(vp)*v`` beside ε is ``(pv)*``; p or v may be empty."""
    factors = _factors(part) if EPSILON in beside else ()
    for n, repeated in enumerate(factors):
        before, after = factors[:n], factors[n + 1 :]
        if isinstance(repeated, Star) and _factors(repeated.part) == after + before:
            return star(concat(*before, *after))
    return part


def _order(part: Expression) -> tuple[bool, str]:
    return (part != EPSILON, expression_text(part))


def _first(factors: Factors) -> tuple[Expression, Factors]:
    return factors[0], factors[1:]


def _last(factors: Factors) -> tuple[Expression, Factors]:
    return factors[-1], factors[:-1]


def _factored(
    parts: Factors, end: Callable[[Factors], tuple[Expression, Factors]]
) -> Expression | None:
    """The first parts that share their first (or last) factor, joined: ``ab + ac = a(b+c)``."""
    groups: dict[Expression, list[Factors]] = {}
    for part in parts:
        if factors := _factors(part):
            common, rest = end(factors)
            groups.setdefault(common, []).append(rest)
    for common, rests in groups.items():
        if len(rests) > 1:
            inside = union(*(concat(*rest) for rest in rests))
            joined = concat(common, inside) if end is _first else concat(inside, common)
            return union(*_replaced(parts, common, joined, end))
    return None


def _replaced(
    parts: Factors,
    common: Expression,
    joined: Expression,
    end: Callable[[Factors], tuple[Expression, Factors]],
) -> Iterator[Expression]:
    yield joined
    for part in parts:
        factors = _factors(part)
        if not factors or end(factors)[0] != common:
            yield part
