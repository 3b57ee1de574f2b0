"""Units behind numbers: what they are in SI, where they may stand, and where they are wrong."""

import math
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dyverse
from dyverse.bodies.build import force, sphere, world
from dyverse.bodies.read import parse_world
from dyverse.errors import ParseError
from dyverse.expr.printing import term_text
from dyverse.expr.term import Number
from dyverse.expr.value import value
from dyverse.text.literals import with_literals
from dyverse.text.parse import parse, parse_term
from dyverse.text.printing.model import model_text
from dyverse.text.syntax.statements import ENTRIES, RESERVED
from dyverse.text.units import UNITS

GRAMMAR = (Path(dyverse.__file__).parent / "text" / "grammar.lark").read_text("utf-8")
PAGE = (Path(__file__).parents[2] / "docs/reference/language.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("10 cm", 0.1),
        ("5mm", 0.005),
        ("3 min", 180),
        ("30 deg", math.pi / 6),
        ("-0.5 rev", -math.pi),
        ("60 rpm", 2 * math.pi),
        ("90 km/h", 25),
        ("9.81 m/s^2", 9.81),
        ("2 kg*m^2", 2),
        ("4 s^-1", 4),
        ("180 N/deg", 180 * 180 / math.pi),
        ("2 m^2*2 cm", 0.04),
        ("1/2 s", 0.5),
        ("2^1000 mm", 2),
        ("min(7 ms, 1 s)", 0.007),
    ],
)
def test_a_unit_is_converted_when_it_is_read(text: str, amount: float) -> None:
    assert value(parse_term(text), {}) == pytest.approx(amount, rel=1e-15)


@given(st.decimals(0, 10**6, allow_nan=False, places=5), st.sampled_from(sorted(UNITS)))
def test_a_unit_is_its_factor_of_si(number: Decimal, name: str) -> None:
    found = UNITS[name]
    exact = float(number) * float(found.factor) * math.pi**found.pi
    term = parse_term(f"{number:f} {name}")
    assert value(term, {}) == pytest.approx(exact, rel=1e-14)
    assert parse_term(term_text(term)) == term


def test_what_is_a_decimal_is_read_as_if_it_stood_there() -> None:
    assert parse_term("0.3 mm") == Number(0.0003)
    assert parse_term("123 us") == parse_term("0.000123")


def test_a_name_behind_a_number_is_no_unit_where_it_has_a_rate() -> None:
    text = "automaton a { real h, s location l { h' = 2 s' = 3 m # comment\n h' = 1 } initial l }"
    assert "h' = 2  s' = 3  h' = 1" in model_text(parse(text)).replace("\n", " ").replace(
        "    ", ""
    )


def test_a_comment_behind_a_unit_may_have_an_apostrophe() -> None:
    text = "parameter a = 3 mm  # the sleeve's hole\nparameter b = 2 m // 'tis long\n"
    assert " ".join(model_text(parse(text)).split()) == "parameter a = 0.003 parameter b = 2"


def test_a_unit_ends_where_a_longer_name_goes_on() -> None:
    assert term_text(parse_term("2 m/speed")) == "2 / speed"
    assert term_text(parse_term("2 km*k")) == "2000 * k"


def test_the_grammar_and_the_page_have_the_units_of_the_table() -> None:
    written = re.search(r"^IN_UNIT\.2: /\(\?:([A-Za-z|]+)\)", GRAMMAR, re.M)
    assert written is not None
    assert sorted(written[1].split("|")) == sorted(UNITS)
    for name in UNITS:
        assert re.search(rf"`{name}`", PAGE), name


def test_no_unit_is_a_word_that_could_follow_a_number() -> None:
    assert not set(UNITS) & {*RESERVED, *ENTRIES, "turn", "t"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("body b { mass 2 kilograms }", "unexpected 'kilograms'; write 2 kg"),
        ("body b { rotation (0, 30°, 0) }", "unexpected '°'; write 30 deg"),
        ("body b { mass (1 + 2) kg }", "a unit stands behind a number; write '*1 kg'"),
        ("parameter k = 2 t", "unexpected 't'; write '*' to multiply"),
        ("parameter k = 1e999 m", "the number 1e999 is too large"),
    ],
)
def test_units_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_proofs_see_the_digits_that_were_written() -> None:
    text = "parameter a = 0.1000000000000000000001 cm\nparameter b = 30 deg\nparameter c = 5 m/s^2"
    _, names = with_literals(parse(text), text)
    digits = {Decimal(text) for text in names.values() if text != "pi"}
    assert digits == {Decimal("0.001000000000000000000001"), 30, 180, 5}
    assert "pi" in names.values()


def test_strings_in_python_have_units_and_choices_too() -> None:
    built = world(
        sphere("ball", radius="10 cm", mass="500 g", position=(0, "1 m", 0)),
        force("ball", ("if t > 100 ms then 2 N else 0", 0, 0)),
    )
    assert built == parse_world(
        "body ball { sphere radius 0.1  mass 0.5  position (0, 1, 0) }\n"
        "force ball (if t > 0.1 then 2 else 0, 0, 0)\n"
    )
