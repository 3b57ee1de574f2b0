import math
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.automaton.written.writing import term
from dyverse.enclosure.interval import LINE, enclosure
from dyverse.expr.term import Term
from dyverse.expr.value import value
from tests.expr.strategies import UNKNOWN, exact_value, plain_terms, terms

SHARES = (0.0, 0.1, 0.37, 0.5, 0.8, 1.0)
bounds = st.tuples(st.floats(-5, 5), st.floats(0, 3)).map(lambda pair: (pair[0], sum(pair)))


@given(terms, st.tuples(*[bounds] * len(UNKNOWN)))
def test_an_enclosure_holds_every_value(
    expression: Term, places: tuple[tuple[float, float], ...]
) -> None:
    box = dict(zip(UNKNOWN, places, strict=True))
    low, high = enclosure(expression, box)
    for n, share in enumerate(SHARES):
        shares = cycle(SHARES[n:] + SHARES[:n])
        known = {name: a + (b - a) * next(shares) for name, (a, b) in box.items()}
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


@pytest.mark.parametrize("text", ["1/x", "log(x)", "sqrt(x)", "tan(x)", "(-1)^x"])
def test_nothing_is_promised_where_a_term_is_undefined(text: str) -> None:
    assert enclosure(term(text), {"x": (-1.0, 2.0)}) == LINE


@given(plain_terms, st.floats(-5, 5), st.floats(-5, 5))
def test_no_rounding_leads_inwards(expression: Term, x: float, y: float) -> None:
    """Against fractions: at a point an enclosure is a few roundings wide, and it holds."""
    try:
        exact = exact_value(expression, {"x": Fraction(x), "y": Fraction(y)})
    except ZeroDivisionError:
        return
    low, high = enclosure(expression, {"x": (x, x), "y": (y, y)})
    assert low == -math.inf or Fraction(low) <= exact
    assert high == math.inf or exact <= Fraction(high)


@pytest.mark.parametrize("text", ["1/3", "x + 1e-30", "x - 1e-30", "0.1*0.1", "x*x", "x^7"])
def test_what_is_no_float_lies_strictly_between_the_ends(text: str) -> None:
    low, high = enclosure(term(text), {"x": (1.1, 1.1)})
    exact = exact_value(term(text), {"x": Fraction(1.1)})
    assert Fraction(low) < exact < Fraction(high)
    assert high <= math.nextafter(low, math.inf) + 8 * math.ulp(low)


@given(st.floats(1e-3, 300))
def test_functions_are_rounded_outwards(x: float) -> None:
    """The second road: fifty decimals."""
    with localcontext(prec=50):
        number = Decimal(x)
        for text, exact in (("exp", number.exp()), ("log", number.ln()), ("sqrt", number.sqrt())):
            low, high = enclosure(term(f"{text}(x)"), {"x": (x, x)})
            assert Decimal(low) <= exact <= Decimal(high)
            assert exact in (Decimal(low), Decimal(high)) or low < high


@given(st.floats(-40, 40), st.floats(0, 10))
def test_waves_hold_their_crests(x: float, width: float) -> None:
    for name, function in (("sin", math.sin), ("cos", math.cos)):
        low, high = enclosure(term(f"{name}(x)"), {"x": (x, x + width)})
        seen = [function(min(x + width * n / 50, x + width)) for n in range(51)]
        assert low <= min(seen) + 1e-16  # seen is rounded to the nearest
        assert max(seen) <= high + 1e-16
        assert -1 <= low <= min(seen) + width / 40 + 1e-12
        assert 1 >= high >= max(seen) - width / 40 - 1e-12


def test_ends_beyond_the_floats_are_kept() -> None:
    assert enclosure(term("x*x"), {"x": (1e308, 1e308)}) == (sys.float_info.max, math.inf)
    assert enclosure(term("x/2"), {"x": (5e-324, 5e-324)}) == (0, 5e-324)
    assert enclosure(term("x + x"), {"x": (-math.inf, 1.0)}) == (-math.inf, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("atan2(y, x)", (math.atan2(-1, 2), math.atan2(2, 2))),
        ("atan2(y, x - 3)", (-math.pi, math.pi)),
        ("x^y", (1 / 3, 9)),
        ("x^(1 + 1)", (4, 9)),
        ("floor(x)", (2, 3)),
    ],
)
def test_other_enclosures(text: str, expected: tuple[float, float]) -> None:
    found = enclosure(term(text), {"x": (2.0, 3.0), "y": (-1.0, 2.0)})
    assert found == pytest.approx(expected, abs=1e-14)
