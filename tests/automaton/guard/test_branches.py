"""Branches of a violation: smooth, and as deep as the property is broken."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from dyverse.automaton.guard.branches import MOST, smooth, violations
from dyverse.automaton.guard.robustness import robustness
from dyverse.expr.formula import And, Compare, Formula, Not, Or, Relation
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term
from dyverse.expr.value import value
from dyverse.text.parse import parse_term

NAMES = ("a", "b", "c")
RELATIONS: tuple[Relation, ...] = ("<", "<=", ">", ">=")


def grown(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.one_of(
        st.builds(Negate, parts),
        st.builds(lambda x: Call("abs", (x,)), parts),
        st.builds(lambda f, x, y: Call(f, (x, y)), st.sampled_from(["min", "max"]), parts, parts),
        st.builds(Binary, st.sampled_from(["+", "-"]), parts, parts),
    )


TERMS: st.SearchStrategy[Term] = st.recursive(
    st.sampled_from([*map(Symbol, NAMES), Number(1.5)]), grown, max_leaves=5
)
ATOMS = st.builds(Compare, st.sampled_from(RELATIONS), TERMS, TERMS)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    ATOMS,
    lambda parts: st.one_of(
        st.builds(Not, parts),
        st.builds(lambda x, y: And((x, y)), parts, parts),
        st.builds(lambda x, y: Or((x, y)), parts, parts),
    ),
    max_leaves=4,
)
POINTS = st.fixed_dictionaries({name: st.floats(-10, 10) for name in NAMES})


@given(formula=FORMULAS, point=POINTS)
def test_the_deepest_branch_is_as_deep_as_the_property_is_broken(
    formula: Formula, point: dict[str, float]
) -> None:
    branches = violations(formula)
    depth = max(min(value(term, point) for term in branch) for branch in branches)
    assert depth == pytest.approx(-robustness(formula, point), abs=1e-9)


def calls(term: Term) -> set[str]:
    match term:
        case Call(function=name, arguments=parts):
            return {name}.union(*map(calls, parts))
        case Binary(left=left, right=right):
            return calls(left) | calls(right)
        case Negate(operand=inner):
            return calls(inner)
        case _:
            return set()


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("a", [1]),
        ("abs(a)", [2]),  # abs(a) > 1 is broken where -1 <= a <= 1: one branch of two depths
        ("-abs(a)", [1, 1]),
        ("min(a, b)", [1, 1]),
        ("max(a, b)", [2]),
        ("abs(a) + abs(b)", [4]),
        ("abs(a) - abs(b)", [2, 2]),
    ],
)
def test_absolute_values_and_extrema_become_branches(text: str, sizes: list[int]) -> None:
    branches = violations(Compare(">", parse_term(text), Number(1)))
    assert [len(branch) for branch in branches] == sizes
    assert not set().union(*(calls(term) for branch in branches for term in branch))


def test_a_property_with_too_many_branches_keeps_its_comparisons_whole() -> None:
    apart = [Compare("<", Call("abs", (Symbol(f"x{i}"),)), Number(1)) for i in range(7)]
    broken = violations(Or(tuple(apart)))  # 2⁷ ways, were they split
    assert len(broken) == 1 <= MOST
    assert len(broken[0]) == 7


def test_many_absolute_values_stay_whole() -> None:
    """Forty of them would have 2⁴⁰ branches."""
    for sign in "+-":
        many = parse_term(f" {sign} ".join(f"abs(a - {i})" for i in range(40)))
        assert smooth(many) == ((many,),)
        assert len(violations(Compare("<", many, Number(1.0)))) == 1
