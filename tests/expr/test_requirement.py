"""Trees of requirements: made of formulas where they can be, and printed with few brackets."""

import pytest

from dyverse.expr.formula import And, Compare, Not, Or, compare
from dyverse.expr.printing import requirement_text
from dyverse.expr.requirement import (
    Joined,
    Plain,
    Requirement,
    always,
    as_formula,
    before,
    eventually,
    formulas,
    historically,
    implies,
    intervals,
    joined,
    once,
    plain,
    since,
    until,
    with_formulas,
)
from dyverse.expr.term import Number, Symbol

A, B, C = (compare(name, ">", 0) for name in "abc")


@pytest.mark.parametrize(
    ("requirement", "text"),
    [
        (always(A), "always a > 0"),
        (eventually(A, 0, 2), "eventually[0, 2] a > 0"),
        (
            always(implies(A, eventually(B, 0, Symbol("T")))),
            "always a > 0 implies eventually[0, T] b > 0",
        ),
        (joined("and", always(A), B), "(always a > 0) and b > 0"),
        (joined("and", A, joined("or", B, once(C))), "a > 0 and (b > 0 or (once c > 0))"),
        (joined("or", joined("and", A, always(B)), C), "a > 0 and (always b > 0) or c > 0"),
        (until(A, B, 0, 2), "a > 0 until[0, 2] b > 0"),
        (
            until(joined("or", A, B), until(B, C, 1, 2), 0, 2),
            "a > 0 or b > 0 until[0, 2] (b > 0 until[1, 2] c > 0)",
        ),
        (implies(since(A, B), C), "a > 0 since b > 0 implies c > 0"),
        (implies(implies(A, B), always(C)), "(a > 0 implies b > 0) implies always c > 0"),
        (before(A, B), "always a > 0 before b > 0"),
        (always(before(always(A), B)), "always always (always a > 0) before b > 0"),
        (joined("not", historically(A, 0, 1)), "not (historically[0, 1] a > 0)"),
        (joined("not", joined("and", A, B)), "not (a > 0 and b > 0)"),
    ],
)
def test_a_requirement_is_printed_with_the_brackets_it_needs(
    requirement: Requirement, text: str
) -> None:
    assert requirement_text(requirement) == text


def test_what_is_made_of_formulas_is_a_formula() -> None:
    assert joined("and", A, B) == And((A, B))
    assert joined("or", A, B) == Or((A, B))
    assert joined("not", A) == Not(A)
    assert joined("and", A, once(B)) == Joined("and", (A, once(B)))
    assert as_formula(implies(A, joined("and", B, C))) == Or((Not(A), And((B, C))))
    assert as_formula(implies(A, once(B))) is None


def test_plain_requirements_are_told_from_others() -> None:
    assert plain(always(A)) == Plain("always", A)
    assert plain(always(implies(A, B))) == Plain("always", Or((Not(A), B)))
    assert plain(eventually(A)) == Plain("eventually", A)
    assert plain(before(A, B)) == Plain("before", A, B)
    for nested in (A, always(A, 0, 2), always(once(A)), until(A, B, 0, 1), historically(A)):
        assert plain(nested) is None


def test_formulas_and_intervals_are_found_in_order() -> None:
    whole = always(implies(A, eventually(joined("and", B, C), 0, 2)), 1, 3)
    assert list(formulas(whole)) == [A, And((B, C))]
    assert [interval.high for interval in intervals(whole)] == [Number(3.0), Number(2.0)]


def test_formulas_can_be_changed_where_they_are() -> None:
    def opposite(formula: object) -> Not:
        assert isinstance(formula, Compare)
        return Not(formula)

    assert with_formulas(until(A, once(B), 0, 1), opposite) == until(Not(A), once(Not(B)), 0, 1)


def test_an_interval_that_begins_later_needs_an_end() -> None:
    with pytest.raises(ValueError, match="needs an end"):
        always(A, 1)
