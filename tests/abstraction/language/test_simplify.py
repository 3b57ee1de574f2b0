import pytest
from hypothesis import given, settings

from dyverse.abstraction.language.expression import Expression
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.language.simplify import simplify
from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.decide import distinguish
from tests.abstraction.meaning import contains
from tests.abstraction.strategies import expressions, lassos_up_to, words_up_to

BOTH: tuple[Word | Lasso, ...] = (*words_up_to(4), *lassos_up_to(2))


@settings(max_examples=40, deadline=None)
@given(expressions(leaves=6))
def test_the_language_stays_the_same(expression: Expression) -> None:
    simpler = simplify(expression)
    assert distinguish(simpler, expression) is None
    for word in BOTH:
        assert contains(simpler, word) == contains(expression, word), word


@settings(max_examples=60, deadline=None)
@given(expressions(leaves=6))
def test_the_result_is_no_longer_and_stays_as_it_is(expression: Expression) -> None:
    simpler = simplify(expression)
    assert simplify(simpler) == simpler
    assert letters(simpler) <= letters(expression)


def letters(expression: Expression) -> int:
    return sum(
        sign.isalpha()
        for sign in expression_text(expression).translate({ord("ω"): None, ord("ε"): None})
    )


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("ba+bda+ca+cda", "(b+c)(ε+d)a"),
        ("ε+aa*", "a*"),
        ("ε+(ab)*ab", "(ab)*"),
        ("ε+a(cb+ca)*cb", "ε+a[c(a+b)]*cb"),
        ("ε+ab(cab)*c", "(abc)*"),
        ("(ε+a*+b)*", "(a+b)*"),
        ("a*a*", "a*"),
        ("(a*)^ω", "a^ω"),
        ("cabab(ab)*(ab)^ω", "c(ab)^ω"),
        ("∅a+b∅^ω", "∅"),
        ("b+a+b", "a+b"),
        ("a*+ε+a", "a*"),
    ],
)
def test_known_ones_get_short(text: str, shorter: str) -> None:
    assert expression_text(simplify(parse_expression(text))) == shorter
