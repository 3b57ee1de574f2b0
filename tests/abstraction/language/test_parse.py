import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.language.expression import (
    EMPTY,
    EPSILON,
    Concat,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
)
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.printing import expression_text
from dyverse.errors import ParseError
from tests.abstraction.strategies import NAMES, expressions

A, B, C, D = map(Letter, "abcd")


def test_the_notation_of_table_1() -> None:
    loop = Star(Concat((Union((B, C)), Union((EPSILON, D)), A)))
    assert parse_expression("[(b+c)(ε+d)a]*(bda)^ω") == Concat((loop, Omega(Concat((B, D, A)))))


def test_letters_can_have_numbers_and_names() -> None:
    names = ("a1", "b12", "bounce", "c")
    assert parse_expression("a1b12 'bounce'c") == Concat(tuple(map(Letter, names)))


def test_closure_binds_more_than_concatenation_and_that_more_than_union() -> None:
    assert parse_expression("a+bc*") == Union((A, Concat((B, Star(C)))))
    assert parse_expression("∅^w") == Omega(EMPTY)


@settings(max_examples=60, deadline=None)
@given(expressions(NAMES))
def test_what_is_printed_parses_to_the_same(expression: Expression) -> None:
    assert parse_expression(expression_text(expression)) == expression


@settings(deadline=None)
@given(st.text("ab+*^ω()[]ε∅' 1w", max_size=12))
def test_any_text_is_an_expression_or_an_error_with_a_place(text: str) -> None:
    try:
        expression = parse_expression(text)
    except ParseError as error:
        spans = [problem.span for problem in error.problems]
    else:
        spans = []
        assert parse_expression(expression_text(expression)) == expression
    assert None not in spans


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r":1:1: expected a letter, ε or a bracket, not 'the end'"),
        ("a+", r":1:3: expected a letter"),
        ("a\n +*b", r":2:3: expected a letter, ε or a bracket, not '\*'"),
        ("(ab", r":1:4: expected '\)', not 'the end'"),
        ("[ab)", r":1:4: expected '\]', not '\)'"),
        ("ab)", r":1:3: unexpected '\)'"),
        ("a^ωb", r":1:4: nothing can follow an infinite word"),
        ("(a+b^ω)*", r":1:8: an infinite word \(\^ω\) cannot be repeated"),
        ("a?b", r":1:2: unexpected '\?'"),
        ("(" * 200, r":1:101: more than 100 brackets inside each other"),
    ],
)
def test_errors_say_where(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse_expression(text)


def test_letters_outside_the_alphabet_are_named() -> None:
    with pytest.raises(ParseError, match=r":1:2: unknown letter 'bonce'; did you mean 'bounce'\?"):
        parse_expression("a'bonce'", alphabet=["a", "bounce"])


def test_brackets_are_square_around_round_ones() -> None:
    assert expression_text(parse_expression("((b+c)a)*")) == "[(b+c)a]*"
    assert expression_text(parse_expression("((a))")) == "a"
