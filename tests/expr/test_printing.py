import pytest
from hypothesis import given

from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Not, Or, both, compare
from dyverse.expr.printing import formula_text, number_text, term_text
from dyverse.expr.term import Binary, Call, Number, Symbol, Term, negate
from dyverse.text.parse import parse_formula, parse_term
from tests.expr.strategies import formulas, terms

a, b, c = Symbol("a"), Symbol("b"), Symbol("c")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (a + b + c, "a + b + c"),
        (a + (b + c), "a + (b + c)"),
        (a - (b - c), "a - (b - c)"),
        ((a + b) * c, "(a + b) * c"),
        (a / (b * c), "a / (b * c)"),
        (-a * b, "-a * b"),
        (-(a * b), "-(a * b)"),
        (-(a**b), "-a^b"),
        ((-a) ** b, "(-a)^b"),
        (Number(-2.0) ** b, "(-2)^b"),
        (a ** (b**c), "a^b^c"),
        ((a**b) ** c, "(a^b)^c"),
        (a ** (-b), "a^(-b)"),
        (a - negate(b), "a - -b"),
        (Call("atan2", (a, b + c)), "atan2(a, b + c)"),
        (Binary("*", Number(1e-3), a), "0.001 * a"),
    ],
)
def test_terms_print_with_as_few_brackets_as_they_need(term: Term, text: str) -> None:
    assert term_text(term) == text
    assert parse_term(text) == term


@pytest.mark.parametrize(
    ("number", "text"), [(3.0, "3"), (-0.5, "-0.5"), (1e22, "1e+22"), (0.1, "0.1")]
)
def test_numbers_print_as_short_as_they_can(number: float, text: str) -> None:
    assert number_text(number) == text
    assert float(text) == number


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (TRUE, "true"),
        (FALSE, "false"),
        (both(compare("a", "<", 1), compare("b", "!=", "c")), "a < 1 and b != c"),
        (
            Or((And((compare("a", ">", 0), compare("b", ">", 0))), compare("c", ">", 0))),
            "a > 0 and b > 0 or c > 0",
        ),
        (
            And((Or((compare("a", ">", 0), TRUE)), Not(compare("c", ">", 0)))),
            "(a > 0 or true) and not (c > 0)",
        ),
    ],
)
def test_formulas_print(formula: Formula, text: str) -> None:
    assert formula_text(formula) == text
    assert parse_formula(text) == formula


@given(terms)
def test_a_printed_term_parses_back(term: Term) -> None:
    assert parse_term(term_text(term)) == term


@given(formulas)
def test_a_printed_formula_parses_back(formula: Formula) -> None:
    assert parse_formula(formula_text(formula)) == formula


def test_a_comparison_of_sums_needs_no_brackets() -> None:
    assert formula_text(Compare("<=", a + b, -c)) == "a + b <= -c"
