"""Fractions: what decimals come to."""

from collections.abc import Callable
from fractions import Fraction

import casadi as ca
import pytest

from dyverse.enclosure.program import program
from dyverse.enclosure.rational import FRACTIONS, Known
from dyverse.expr.symbolic import SX

TENTH, THIRD = Fraction("0.1"), Fraction(1, 3)
CASES: dict[str, tuple[Callable[[SX, SX], SX], Known]] = {
    "three tenths": (lambda a, b: 3 * a - a * a / b, Fraction(27, 100)),
    "a length": (lambda a, b: ca.sqrt((6 * a) ** 2 + (8 * a) ** 2 + 1e-40), Fraction(1)),
    "no square": (lambda a, b: ca.sqrt(a), None),
    "less than nothing": (lambda a, b: ca.sqrt(-a), None),
    "over nothing": (lambda a, b: 1 / (a - a * (3 * b)), None),
    "two fifths": (lambda a, b: -0.4 * b, Fraction(-2, 15)),
    "not a fraction": (lambda a, b: ca.sin(a), None),
    "at zero": (lambda a, b: ca.cos(a - a * (3 * b)), Fraction(1)),
    "pi": (lambda a, b: ca.pi * a, None),
    "powers": (lambda a, b: a**3 - ca.fabs(-b), Fraction(1, 1000) - THIRD),
    "huge powers": (lambda a, b: (a + b) ** 900, None),
}


@pytest.mark.parametrize("name", CASES)
def test_fractions_are_exact_or_not_known(name: str) -> None:
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    made, value = CASES[name]
    assert program([a, b], [made(a, b)]).run(FRACTIONS, [TENTH], [THIRD]) == [[value]]


def test_what_is_made_of_something_unknown_is_not_known() -> None:
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    assert program([a, b], [ca.vertcat(a * b, a)]).run(FRACTIONS, [TENTH], [None]) == [
        [None, TENTH]
    ]
