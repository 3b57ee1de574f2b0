import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.errors import Span
from dyverse.expr.term import (
    Binary,
    Call,
    Negate,
    Number,
    Symbol,
    Term,
    as_term,
    children,
    negate,
    symbols,
)
from tests.expr.strategies import terms

x, y = Symbol("x"), Symbol("y")


def test_operators_build_terms() -> None:
    assert x + 1 == Binary("+", x, Number(1.0))
    assert 1 - x == Binary("-", Number(1.0), x)
    assert 2 * x / y == Binary("/", Binary("*", Number(2.0), x), y)
    assert 2**x == Binary("^", Number(2.0), x)
    assert x**2 == Binary("^", x, Number(2.0))
    assert 1 / x == Binary("/", Number(1.0), x)
    assert 1 + x - y == Binary("-", Binary("+", Number(1.0), x), y)
    assert -x == Negate(x)


def test_the_sign_of_a_literal_is_folded_in() -> None:
    assert negate(Number(2.0)) == Number(-2.0)
    assert -Number(-2.0) == Number(2.0)


def test_the_place_takes_no_part_in_comparison() -> None:
    assert Symbol("x", Span(1, 2, 3)) == x
    assert hash(Symbol("x", Span(1, 2, 3))) == hash(x)


def test_symbols_come_left_to_right_with_repetitions() -> None:
    assert symbols(Call("max", (x * y, -x))) == (x, y, x)


def test_only_numbers_and_terms_are_terms() -> None:
    with pytest.raises(TypeError, match="expected a number or a term, not 'x'"):
        as_term("x")


@given(terms)
def test_terms_pickle_copy_and_hash(term: Term) -> None:
    for other in (pickle.loads(pickle.dumps(term)), copy.deepcopy(term)):
        assert other == term
        assert hash(other) == hash(term)


@given(terms, st.data())
def test_a_term_contains_the_symbols_of_its_children(term: Term, data: st.DataObject) -> None:
    below = children(term)
    if below:
        child = data.draw(st.sampled_from(below))
        assert set(symbols(child)) <= set(symbols(term))
