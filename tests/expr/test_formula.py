import pickle

import pytest
from hypothesis import given

from dyverse.expr.formula import (
    FLIPPED,
    OPPOSITE,
    And,
    Compare,
    Formula,
    Not,
    Or,
    Relation,
    both,
    compare,
    either,
    formula_symbols,
)
from dyverse.expr.term import Number, Symbol
from dyverse.expr.value import holds
from tests.expr.strategies import formulas

p, q, r = compare("x", ">", 0), compare("y", ">", 0), compare("z", ">", 0)


def test_compare_reads_strings_as_names() -> None:
    assert compare("x", "<=", 1) == Compare("<=", Symbol("x"), Number(1.0))


def test_conjunctions_are_flattened() -> None:
    assert both(both(p, q), r) == And((p, q, r))
    assert both(p) == p
    assert both(p, either(q, r)) == And((p, Or((q, r))))


def test_disjunctions_are_flattened() -> None:
    assert either(p, either(q, r)) == Or((p, q, r))
    assert either(p) == p


def test_symbols_of_a_formula() -> None:
    assert formula_symbols(And((p, Not(Or((q, p)))))) == tuple(map(Symbol, "xyx"))


@given(formulas)
def test_formulas_pickle_and_hash(formula: Formula) -> None:
    other = pickle.loads(pickle.dumps(formula))
    assert other == formula
    assert hash(other) == hash(formula)


@pytest.mark.parametrize("relation", FLIPPED)
@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)])
def test_a_relation_flipped_is_the_same_and_its_opposite_is_not(
    relation: Relation, a: float, b: float
) -> None:
    found = holds(compare(a, relation, b), {})
    assert holds(compare(b, FLIPPED[relation], a), {}) == found
    assert holds(compare(a, OPPOSITE[relation], b), {}) != found
