import math

import casadi as ca
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dyverse.expr.formula import FALSE, TRUE, And, Formula, Not, Or, Relation, compare
from dyverse.expr.printing import term_text
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import FUNCTIONS, Call, Number, Symbol, Term
from dyverse.expr.value import holds, value
from tests.expr.strategies import UNKNOWN, formulas, terms

points = st.fixed_dictionaries({name: st.floats(-3, 3) for name in UNKNOWN})
x = Symbol("x")


def casadi_value(term: Term, known: dict[str, float]) -> float:
    inputs = {name: ca.SX.sym(f"x{i}") for i, name in enumerate(known)}
    function = ca.Function("f", list(inputs.values()), [symbolic(term, inputs)])
    return float(function(*known.values()))


def agree(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


@given(terms, points)
def test_symbolic_and_value_agree(term: Term, point: dict[str, float]) -> None:
    """Where Python gives a number; it gives none where C gives an infinity (1/0, log 0)."""
    assume("atan2" not in term_text(term))  # at two zeros it depends on their signs
    here = value(term, point)
    if math.isfinite(here) and abs(here) < 1e100:
        there = casadi_value(term, point)
        assert agree(here, there) or not smooth_here(term, point)


def smooth_here(term: Term, point: dict[str, float]) -> bool:
    """Whether a small move of the point moves the value little (no step, no cancellation)."""
    near = {name: at * (1 + 1e-12) + 1e-12 for name, at in point.items()}
    return math.isclose(value(term, point), value(term, near), rel_tol=1e-6, abs_tol=1e-9)


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_each_function_agrees_with_casadi(function: str) -> None:
    arguments = (Symbol("x"), Symbol("y"))[: FUNCTIONS[function]]
    for at in (0.3, 0.7):
        known = {"x": at, "y": -0.4}
        term = Call(function, arguments)
        assert value(term, known) == pytest.approx(casadi_value(term, known), rel=1e-14)


@pytest.mark.parametrize(
    "term",
    [
        Number(1.0) / Number(0.0),
        Call("sqrt", (Number(-1.0),)),
        Call("log", (Number(0.0),)),
        Call("exp", (Number(1e4),)),
        Number(-8.0) ** (Number(1.0) / 3),
        Number(1e200) ** 2,
    ],
    ids=str,
)
def test_undefined_terms_are_not_a_number(term: Term) -> None:
    assert math.isnan(value(term, {}))


def test_constants_can_be_hidden_by_a_name() -> None:
    assert value(Symbol("pi"), {}) == math.pi
    assert value(Symbol("pi"), {"pi": 3.0}) == 3.0


@pytest.mark.parametrize(
    ("relation", "truths"),
    [
        ("<", (True, False, False)),
        ("<=", (True, True, False)),
        ("==", (False, True, False)),
        ("!=", (True, False, True)),
        (">=", (False, True, True)),
        (">", (False, False, True)),
    ],
)
def test_comparisons_with_a_margin(relation: Relation, truths: tuple[bool, ...]) -> None:
    """x is far below, equal within the margin, and far above 1."""
    for at, truth in zip((0.0, 1.05, 2.0), truths, strict=True):
        assert holds(compare("x", relation, 1), {"x": at}, margin=0.1) == truth


@given(st.floats(-2, 2), st.floats(0, 1))
def test_exactly_one_of_less_equal_greater_holds(at: float, margin: float) -> None:
    relations: tuple[Relation, ...] = ("<", "==", ">")
    assert sum(holds(compare("x", r, 1), {"x": at}, margin=margin) for r in relations) == 1


@given(formulas, points)
def test_de_morgan(formula: Formula, point: dict[str, float]) -> None:
    other = Not(formula)
    assert holds(other, point) != holds(formula, point)
    assert holds(And((formula, other)), point) is False
    assert holds(Or((formula, other)), point) is True


def test_true_and_false() -> None:
    assert holds(TRUE, {})
    assert not holds(FALSE, {})
