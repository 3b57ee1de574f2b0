import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.automaton.writing import term
from dyverse.enclosure.interval import LINE, enclosure
from dyverse.expr.term import Term
from dyverse.expr.value import value
from tests.expr.strategies import terms

SHARES = (0.0, 0.1, 0.37, 0.5, 0.8, 1.0)
bounds = st.tuples(st.floats(-5, 5), st.floats(0, 3)).map(lambda pair: (pair[0], sum(pair)))


@given(terms, st.lists(bounds, min_size=6, max_size=6))
def test_an_enclosure_holds_every_value(
    expression: Term, places: list[tuple[float, float]]
) -> None:
    names = ("K", "mass", "t", "ball1.vx", "floor.y", "gap[ball1,floor]")
    box = dict(zip(names, places, strict=True))
    low, high = enclosure(expression, box)
    for n, share in enumerate(SHARES):
        shares = SHARES[n:] + SHARES[:n]
        known = {
            name: a + (b - a) * s for (name, (a, b)), s in zip(box.items(), shares, strict=True)
        }
        number = value(expression, known)
        assert math.isnan(number) or low <= number <= high, share


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^2", (0, 4)),
        ("x*x", (-2, 4)),
        ("abs(x)", (0, 2)),
        ("exp(x)", (math.exp(-1), math.exp(2))),
        ("sin(x)", (math.sin(-1), 1)),
        ("cos(3*x)", (-1, 1)),
        ("max(x, 0)", (0, 2)),
        ("1/(x + 2)", (0.25, 1)),
        ("x^3 - 1", (-2, 7)),
    ],
)
def test_enclosures_are_tight(text: str, expected: tuple[float, float]) -> None:
    assert enclosure(term(text), {"x": (-1.0, 2.0)}) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("text", ["1/x", "log(x)", "sqrt(x)", "tan(x)"])
def test_nothing_is_promised_where_a_term_is_undefined(text: str) -> None:
    assert enclosure(term(text), {"x": (-1.0, 2.0)}) == LINE
