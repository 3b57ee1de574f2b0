"""The ways to break a property: a disjunction of branches, each a conjunction of smooth depths.

The property fails where, for some branch, all depths are positive. Absolute values, minima and
maxima are split into branches as well, so that every depth is as smooth as its signals and a
linear model of it is worth something.
"""

from __future__ import annotations

from itertools import product

from dyverse.automaton.robustness import fold, normal, staying
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
    """``depth > 0`` without absolute values, minima and maxima where signs allow."""
    match depth:
        case Call(function="abs", arguments=(inner,)):
            return _some([smooth(inner), smooth(Negate(inner))])
        case Negate(operand=Call(function="abs", arguments=(inner,))):
            return _every([smooth(Negate(inner)), smooth(inner)])
        case Call(function="min", arguments=parts):
            return _every([smooth(part) for part in parts])
        case Call(function="max", arguments=parts):
            return _some([smooth(part) for part in parts])
        case Negate(operand=Call(function="min" | "max" as name, arguments=parts)):
            opposite = _some if name == "min" else _every
            return opposite([smooth(Negate(part)) for part in parts])
        case Negate(operand=Negate(operand=inner)):
            return smooth(inner)
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
    return ((term,),) if isinstance(term, Number) else smooth(term)


def _every(parts: list[Branches]) -> Branches:
    combined = (tuple(term for branch in choice for term in branch) for choice in product(*parts))
    return tuple(dict.fromkeys(combined))


def _some(parts: list[Branches]) -> Branches:
    return tuple(dict.fromkeys(branch for part in parts for branch in part))
