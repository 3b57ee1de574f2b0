"""The ways to break a property: a disjunction of branches, each a conjunction of smooth depths.

The property fails where, for some branch, all depths are positive. Absolute values, minima and
maxima are split into branches as well, so that every depth is as smooth as its signals and a
linear model of it is worth something.
"""

from __future__ import annotations

import math
from itertools import product

from dyverse.automaton.guard.robustness import fold, normal, staying
from dyverse.expr.formula import Compare, Formula
from dyverse.expr.term import Binary, Call, Negate, Number, Term

Branch = tuple[Term, ...]
Branches = tuple[Branch, ...]
MOST = 64  # branches; of a property with more, the comparisons are kept whole


def violations(formula: Formula, *, margin: float = 0.0) -> Branches:
    """The branches of the negation of ``formula``."""
    broken = normal(formula, negated=True)

    def whole(comparison: Compare) -> Branches:
        return ((staying(comparison, margin=margin).depth,),)

    def split(comparison: Compare) -> Branches:
        return smooth(staying(comparison, margin=margin).depth)

    found = fold(broken, split, _every, _some)
    return found if len(found) <= MOST else fold(broken, whole, _every, _some)


def smooth(depth: Term) -> Branches:
    """``depth > 0`` without absolute values, minima and maxima where signs allow.

    A sum of n absolute values has 2ⁿ branches: where there would be too many it stays whole.
    """
    return ((depth,),) if _count(depth) > MOST else _smooth(depth)


def _count(depth: Term) -> int:
    """No fewer than the depths in all branches of ``depth > 0``, and of its opposite."""
    match depth:
        case Call(function="abs", arguments=(inner,)):
            return 2 * _count(inner) ** 2
        case Call(function="min" | "max", arguments=parts):
            return len(parts) * math.prod(map(_count, parts))
        case Negate(operand=inner):
            return _count(inner)
        case Binary(operator="+" | "-", left=left, right=right):
            return _count(left) * _count(right)
        case _:
            return 1


def _smooth(depth: Term) -> Branches:
    match depth:
        case Call(function="abs", arguments=(inner,)):
            return _some([_smooth(inner), _smooth(Negate(inner))])
        case Negate(operand=Call(function="abs", arguments=(inner,))):
            return _every([_smooth(Negate(inner)), _smooth(inner)])
        case Call(function="min", arguments=parts):
            return _every([_smooth(part) for part in parts])
        case Call(function="max", arguments=parts):
            return _some([_smooth(part) for part in parts])
        case Negate(operand=Call(function="min" | "max" as name, arguments=parts)):
            opposite = _some if name == "min" else _every
            return opposite([_smooth(Negate(part)) for part in parts])
        case Negate(operand=Negate(operand=inner)):
            return _smooth(inner)
        case Negate(operand=Binary(operator="+" | "-" as sign, left=left, right=right)):
            return _sum(Negate(left), right if sign == "-" else Negate(right))
        case Binary(operator="+" | "-" as sign, left=left, right=right):
            return _sum(left, Negate(right) if sign == "-" else right)
        case _:
            return ((depth,),)


def _sum(left: Term, right: Term) -> Branches:
    """``left + right > 0``: split the summands and add every alternative to every other."""
    parts = [_alternatives(left), _alternatives(right)]
    return tuple(
        tuple(a + b for a, b in product(first, second)) for first, second in product(*parts)
    )


def _alternatives(term: Term) -> Branches:
    return ((term,),) if isinstance(term, Number) else _smooth(term)


def _every(parts: list[Branches]) -> Branches:
    combined = (tuple(term for branch in choice for term in branch) for choice in product(*parts))
    return tuple(dict.fromkeys(combined))


def _some(parts: list[Branches]) -> Branches:
    return tuple(dict.fromkeys(branch for part in parts for branch in part))
