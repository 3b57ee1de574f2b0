"""Units behind numbers: ``10 cm``, ``30 deg``, ``90 km/h``; converted to SI when they are read.

What is read is a term: a number where the factor is a decimal, else a product with π or a fraction,
so that nothing is rounded that the text gives exactly: 30 deg is ``30*pi/180``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from dyverse.errors import Span
from dyverse.expr.term import Binary, Number, Symbol, Term

PI = Symbol("pi")


class Dimension(NamedTuple):
    """Powers of metre, kilogram, second and radian; any power of a radian where there is none."""

    length: int = 0
    mass: int = 0
    time: int = 0
    angle: int | None = 0

    def agrees(self, other: Dimension) -> bool:
        """Whether amounts of both can be added."""
        turns = None in (self.angle, other.angle) or self.angle == other.angle
        return self[:3] == other[:3] and turns

    def times(self, other: Dimension, sign: int = 1) -> Dimension:
        """That of a product, or of a quotient: an arc is an angle times a radius, in metres."""
        length, mass, time = (a + sign * b for a, b in zip(self[:3], other[:3], strict=True))
        return Dimension(length, mass, time, None)

    def __str__(self) -> str:
        if self[:3] in _NAMED:
            return _NAMED[self[:3]]
        powers = zip(("m", "kg", "s", "rad"), (*self[:3], self.angle or 0), strict=True)
        found = [(unit, power) for unit, power in powers if power]
        above = "*".join(_power(unit, power) for unit, power in found if power > 0)
        below = "".join(f"/{_power(unit, -power)}" for unit, power in found if power < 0)
        return f"{above or '1'}{below}"


_NAMED = {(1, 1, -2): "N", (2, 1, -2): "N*m", (0, 1, -2): "N/m", (0, 1, -1): "N*s/m"}


def _power(unit: str, power: int) -> str:
    return unit if power == 1 else f"{unit}^{power}"


@dataclass(frozen=True, slots=True)
class Unit:
    """``factor`` times a power of π, in SI."""

    factor: Fraction
    dimension: Dimension
    pi: int = 0


_LENGTH, _MASS, _TIME, _ANGLE = (
    Dimension(1),
    Dimension(0, 1),
    Dimension(0, 0, 1),
    Dimension(0, 0, 0, 1),
)
_FORCE = Dimension(1, 1, -2)


def _scaled(dimension: Dimension, **factors: str) -> dict[str, Unit]:
    return {name: Unit(Fraction(factor), dimension) for name, factor in factors.items()}


UNITS: dict[str, Unit] = {
    **_scaled(_LENGTH, m="1", km="1000", cm="0.01", mm="0.001", um="1e-6"),
    **_scaled(_TIME, s="1", ms="0.001", us="1e-6", min="60", h="3600"),
    **_scaled(_MASS, kg="1", g="0.001"),
    **_scaled(_FORCE, N="1", kN="1000", mN="0.001"),
    **_scaled(Dimension(2, 1, -2), J="1"),
    **_scaled(Dimension(2, 1, -3), W="1"),
    **_scaled(Dimension(0, 0, -1), Hz="1"),
    **_scaled(_ANGLE, rad="1"),
    "deg": Unit(Fraction(1, 180), _ANGLE, 1),
    "rev": Unit(Fraction(2), _ANGLE, 1),
    "rpm": Unit(Fraction(1, 30), Dimension(0, 0, -1, 1), 1),
}
_FACTOR = re.compile(r"([*/]?)([A-Za-z]+)(?:\^(-?[1-9]))?")


def unit(text: str) -> Unit:
    """``km/h``, ``kg*m^2``: units and their powers with * and / between them."""
    factor, dimension, pi = Fraction(1), Dimension(), 0
    parts = _FACTOR.findall(text)
    for sign, name, exponent in parts:
        power = int(exponent or 1) * (-1 if sign == "/" else 1)
        one = UNITS[name]
        factor *= one.factor**power
        pi += one.pi * power
        sums = (a + power * (b or 0) for a, b in zip(dimension, one.dimension, strict=True))  # type: ignore[operator]
        dimension = Dimension(*sums)
    return Unit(factor, dimension, pi)


def unit_names(text: str) -> tuple[str, ...]:
    """The units in ``kg*m^2``: ``kg`` and ``m``."""
    return tuple(name for _, name, _ in _FACTOR.findall(text))


def with_unit(number: str, text: str, span: Span) -> Term:
    """A number with a unit behind it; all parts of the term are at the same place."""
    found = unit(text)
    below = 1 if _is_decimal(found) else found.factor.denominator
    term: Term = Number(float(_above(number, found)), span, text)
    for _ in range(abs(found.pi)):
        term = Binary("*" if found.pi > 0 else "/", term, PI, span)
    return term if below == 1 else Binary("/", term, Number(float(below), span), span)


def written_decimal(number: str, text: str) -> Decimal:
    """The number that `with_unit` begins with, as exactly as it was written."""
    return _above(number, unit(text))


def _is_decimal(found: Unit) -> bool:
    """Whether a factor has finitely many digits, and is all there is."""
    below = found.factor.denominator
    return found.pi == 0 and 10**60 % below == 0


def _above(number: str, found: Unit) -> Decimal:
    exact = Decimal(number)
    with localcontext() as context:
        context.prec = len(number) + 100
        product = exact * found.factor.numerator
        return product / found.factor.denominator if _is_decimal(found) else product


def si_unit(term: Term) -> str:
    """The unit of the number that ``term`` was written as, once it is converted, or nothing."""
    written = quantity(term)
    return str(unit(written).dimension).replace("*", " ") if written else ""


def quantity(term: Term) -> str:
    """The unit behind the number that ``term`` was written as, or nothing."""
    while isinstance(term, Binary) and term.span is not None and term.left.span == term.span:
        term = term.left
    return term.unit if isinstance(term, Number) else ""
