"""Corners that are one in a planar scene: seen along its normal they coincide.

Of a box that stands in its plane, four corners are in front of four others. Against a half-space
whose normal is in the plane both of such two have the same gap for good, so that one of them is
enough, put in the middle between its like. So it is against solids that are, like the box, the same
on both sides of the same plane through their middles: where such two come near each other, they do
so in that plane, corner by side. All of this is seen in terms, before any number is put in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dyverse.bodies.shape.interface import Feature, Ridges, Shape
from dyverse.contact.pair.kinematics import Hold
from dyverse.expr.term import Negate, Number, Term

HELD = (Hold.PLACED, Hold.TURNED)  # off the body's position, by three numbers


def is_upright(rotation: Sequence[Term], axis: int) -> bool:
    """Whether such angles keep an axis where it is."""
    return all(is_zero(term) for i, term in enumerate(rotation) if i != axis)


def is_zero(term: Term | float) -> bool:
    """Whether a term is the number zero."""
    return term.value == 0 if isinstance(term, Number) else term == 0.0


def merged(features: Iterable[Feature[Any]], axis: int) -> dict[str, str]:
    """Which features in terms are behind others along an axis, by name, and behind which."""
    first: dict[tuple[Any, ...], str] = {}
    found = [(feature.name, _seen(feature, axis)) for feature in features if feature.hold in HELD]
    return {name: own for name, seen in found if (own := first.setdefault(seen, name)) != name}


def _seen(feature: Feature[Any], axis: int) -> tuple[Any, ...]:
    """A feature as it is seen along an axis."""
    at = _place(feature, axis)
    return (feature.kind, *feature.numbers[:at], *feature.numbers[at + 1 :])


def _place(feature: Feature[Any], axis: int) -> int:
    """Where the numbers of a feature say how far along an axis it is."""
    return len(feature.numbers) - feature.hold.value + axis


def is_even(shape: Shape[Term], axis: int) -> bool:
    """Whether a shape with ends and lines is the same on both sides of its middle, with no more."""
    ridges = [feature.ridges for feature in shape.whole]
    if len(ridges) != 1 or ridges[0] is None:
        return False
    ends = {end.name: end.numbers[_place(end, axis)] for end in ridges[0].ends}
    behind = merged(ridges[0].ends, axis)
    alone = ends.keys() - behind.keys() - set(behind.values())
    return all(is_zero(ends[name]) for name in alone) and all(
        _opposite(ends[name], ends[other]) for name, other in behind.items()
    )


def _opposite(a: Any, b: Any) -> bool:
    """Whether two places are on both sides of the middle, as far from it."""
    if isinstance(a, Term) and isinstance(b, Term):
        return _sign_free(a) == _sign_free(b) and a != b
    return bool(a == -b) if not isinstance(a, Term) and not isinstance(b, Term) else False


def _sign_free(term: Term) -> Term:
    if isinstance(term, Number):
        return Number(abs(term.value))
    return term.operand if isinstance(term, Negate) else term


def without(
    features: Sequence[Feature[Any]], behind: Mapping[str, str], axis: int
) -> tuple[Feature[Any], ...]:
    """Those features that are behind no other; who has others behind it goes to the middle."""
    front = set(behind.values())
    kept = (feature for feature in features if feature.name not in behind)
    return tuple(_centred(f, axis) if f.name in front else f for f in kept)


def _centred(feature: Feature[Any], axis: int) -> Feature[Any]:
    at = _place(feature, axis)
    numbers = (*feature.numbers[:at], 0.0, *feature.numbers[at + 1 :])
    return replace(feature, numbers=numbers)


def in_middle(
    whole: Sequence[Feature[Any]], behind: Mapping[str, str], axis: int
) -> tuple[Feature[Any], ...]:
    """The same for what touches others that have ends and lines, too: ends alone do."""
    return tuple(
        replace(f, ridges=Ridges(f.ridges.whole, without(f.ridges.ends, behind, axis), ()))
        if f.ridges is not None
        else f
        for f in whole
    )
