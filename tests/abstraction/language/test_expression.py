import pytest
from hypothesis import given, settings

from dyverse.abstraction.language.expression import (
    EMPTY,
    EPSILON,
    Concat,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
    concat,
    is_nullable,
    letters_of,
    omega,
    star,
    union,
)
from dyverse.errors import ModelError
from tests.abstraction.meaning import contains
from tests.abstraction.strategies import expressions

A, B = Letter("a"), Letter("b")


def test_nothing_follows_an_infinite_word() -> None:
    for wrong in (lambda: Concat((Omega(A), B)), lambda: Star(Omega(A)), lambda: Omega(Omega(A))):
        with pytest.raises(ModelError, match="nothing can follow an infinite word"):
            wrong()


def test_unions_and_concatenations_have_two_parts_or_more() -> None:
    with pytest.raises(ModelError, match="a union needs at least two parts, not 1"):
        Union((A,))
    with pytest.raises(ModelError, match="a concatenation needs at least two parts, not 0"):
        Concat(())


@pytest.mark.parametrize("name", ["", "it's", "a\n"])
def test_some_names_are_no_letters(name: str) -> None:
    with pytest.raises(ModelError, match="cannot be the name of a letter"):
        Letter(name)


def test_the_functions_leave_out_what_says_nothing() -> None:
    assert union(A, EMPTY, Union((A, B))) == Union((A, B))
    assert union() == EMPTY
    assert concat(A, EPSILON, Concat((A, B))) == Concat((A, A, B))
    assert concat() == EPSILON
    assert concat(A, EMPTY) == EMPTY
    assert star(Star(A)) == Star(A)
    assert star(EMPTY) == EPSILON
    assert omega(EPSILON) == EMPTY


@settings(max_examples=40, deadline=None)
@given(expressions())
def test_nullable_means_that_the_empty_word_belongs(expression: Expression) -> None:
    assert is_nullable(expression) == contains(expression, ())


def test_letters_are_sorted_and_named_once() -> None:
    assert letters_of(Concat((B, Star(Union((A, B))), Omega(A)))) == ("a", "b")
