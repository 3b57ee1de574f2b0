import pytest

from dyverse.errors import Problem
from dyverse.text.functions import LARGEST, without_functions
from dyverse.text.parse import parse, parse_term
from dyverse.text.syntax.statements import SettingStatement


def expanded(text: str) -> tuple[object, list[Problem]]:
    model, problems = without_functions(parse(text))
    found = [s.value for s in model.statements if isinstance(s, SettingStatement)]
    return (found[0] if found else None), problems


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("function f(x) = x^2 horizon f(3) + f(a)", "3^2 + a^2"),
        ("function f(x) = x + 1 function g(x, y) = f(x)*f(y) horizon g(y, 2)", "(y + 1)*(2 + 1)"),
        ("function swap(x, y) = y - x horizon swap(y, x)", "x - y"),
        ("function f(x) = -x horizon f(2)", "-2"),
        ("function f(x) = k*x horizon sin(f(f(1)))", "sin(k*(k*1))"),
    ],
)
def test_a_call_is_replaced_by_what_the_function_says(text: str, same: str) -> None:
    term, problems = expanded(text)
    assert term == parse_term(same)
    assert problems == []


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("function sin(x) = x", 10, "the function 'sin' is there already"),
        ("function f(x) = x function f(y) = y", 28, "the function 'f' is there already"),
        ("function f(x, x) = x", 15, "the argument 'x' is given twice"),
        ("function f(x) = f(x - 1)", 10, "'f' is defined by itself"),
        ("function f(x) = (x, 1)", 18, "found a vector"),
        ("function f(x) = x horizon f(1, 2)", 27, "'f' takes 1 argument, not 2"),
    ],
)
def test_what_is_wrong_has_a_place(text: str, column: int, message: str) -> None:
    _, problems = expanded(text)
    (problem,) = problems
    assert message in problem.message
    assert problem.span is not None
    assert problem.span.column == column


def test_functions_that_grow_without_measure_are_refused() -> None:
    doubling = "".join(f"function f{i + 1}(x) = f{i}(x) + f{i}(x) " for i in range(40))
    _, problems = expanded(f"function f0(x) = x {doubling} horizon f40(1)")
    assert any(f"over {LARGEST} parts" in p.message for p in problems)


def test_a_term_that_gets_too_deep_is_refused() -> None:
    chain = "".join(f"function f{i + 1}(x) = sin(f{i}(x) + 1) " for i in range(80))
    _, problems = expanded(f"function f0(x) = x {chain} horizon f80(1)")
    assert any("nested 150 levels deep" in p.message for p in problems)
