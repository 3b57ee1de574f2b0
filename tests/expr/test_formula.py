import pickle

from hypothesis import given

from dyverse.expr.formula import (
    And,
    Compare,
    Formula,
    Not,
    Or,
    both,
    compare,
    either,
    formula_symbols,
)
from dyverse.expr.term import Number, Symbol
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
