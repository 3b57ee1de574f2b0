"""Functions that jump or bend, taken out of terms: on their sides the terms are what they were."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.expr.printing import term_text
from dyverse.expr.switching import Kind, Separator, Switch
from dyverse.expr.term import Call, Symbol, Term
from dyverse.expr.value import value
from dyverse.text.parse import parse_term as term

NAMES = ("x", "y", "t")
TERMS = [
    "sign(x)",
    "2*sign(x*y) - abs(y)*x",
    "floor(x) + ceil(3*y)",
    "min(x, y) - max(x + 1, 2*t)",
    "atan2(y, x)",
    "atan2(-y, x - 2)",
    "sign(abs(x) - floor(y))",
    "if x > y then 2*x else y^2",
    "if 1 < x + t or not (y <= 2 and x >= 0) then floor(x) else if y > 0 then 1 else -t",
    "2*(if sign(x) > y then x else t) + if abs(x) >= 1 then sqrt(abs(x) - 1) else y",
    "x*abs(x) + sqrt(abs(y)) + abs(x)^1.5 + 1/(1 + abs(t))",
]


def separated(text: str) -> tuple[Term, tuple[Switch, ...]]:
    separate = Separator(lambda name: name not in NAMES)
    return separate(term(text)), separate.switches


def side(switch: Switch, at: float) -> float:
    """The side that is written."""
    if switch.kind is Kind.FLOOR:
        return math.floor(at)
    return 1.0 if at >= 0 else -1.0


def on_sides(text: str, known: dict[str, float]) -> float:
    smooth, switches = separated(text)
    for switch in switches:
        known = known | {switch.name: side(switch, value(switch.function, known))}
    return value(smooth, known)


numbers = st.floats(-5, 5).filter(lambda x: abs(x) > 1e-6 and abs(x - round(x)) > 1e-6)


@pytest.mark.parametrize("text", TERMS)
@settings(deadline=None)  # the grammar is made at the first call
@given(x=numbers, y=numbers, t=numbers)
def test_on_the_sides_where_one_is_a_term_is_what_was_written(
    text: str, x: float, y: float, t: float
) -> None:
    known = {"x": x, "y": y, "t": t}
    assert on_sides(text, known) == pytest.approx(value(term(text), known), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("text", "small"), [("abs(x)", -1e-3), ("max(x, 0)", -1e-3)])
def test_beyond_a_kink_the_same_side_goes_on_smoothly(text: str, small: float) -> None:
    smooth, (switch,) = separated(text)
    assert value(smooth, {"x": small, switch.name: 1.0}) == pytest.approx(small, abs=1e-15)


def test_beyond_the_end_of_a_choice_its_side_goes_on() -> None:
    smooth, (switch,) = separated("if x > 1 then 5*x else 7")
    assert switch.kind is Kind.BRANCH
    found = [value(smooth, {"x": 1.001, switch.name: side}) for side in (-1.0, 1.0)]
    assert found == [pytest.approx(5.005), pytest.approx(7)]  # the side is 1 where x <= 1


@pytest.mark.parametrize(("relation", "at_bound"), [(">", 2), (">=", 1), ("<", 2), ("<=", 1)])
def test_at_the_bound_of_a_choice_what_is_written_holds(relation: str, at_bound: float) -> None:
    text = f"if x {relation} 1 then 1 else 2"
    assert on_sides(text, {"x": 1.0}) == value(term(text), {"x": 1.0}) == at_bound


def test_a_choice_that_guards_a_function_is_taken_as_it_stands() -> None:
    smooth, (switch,) = separated("if x > 0 then sqrt(x) else 0")
    assert switch.kind is Kind.KINK
    assert value(smooth, {"x": -1.0, switch.name: -1.0}) == 0


@pytest.mark.parametrize("text", ["if k > 1 then x else y", "if x == 1 then x else y"])
def test_a_choice_that_nothing_moves_has_no_side(text: str) -> None:
    smooth, switches = separated(text)
    assert switches == ()
    assert term_text(smooth) == text


def test_the_angle_goes_on_beyond_its_jump() -> None:
    smooth, (switch,) = separated("atan2(y, x)")
    for branch in (1.0, -1.0):
        known = {"x": -1.0, "y": -1e-3 * branch, switch.name: branch}
        assert value(smooth, known) == pytest.approx(branch * (math.pi + 1e-3), abs=1e-8)


def test_a_guard_of_a_function_that_is_not_defined_everywhere_stays() -> None:
    for text in ("sqrt(max(x, 0))", "log(abs(x))", "1/max(x, 1)", "abs(x)^y", "acos(min(x, 1))"):
        smooth, switches = separated(text)
        assert smooth == term(text)
        assert [switch.kind for switch in switches] == [Kind.KINK]
    assert separated("max(x, 0)^2")[0] != term("max(x, 0)^2")


def test_what_does_not_move_never_switches() -> None:
    text = "sign(K) + abs(K*w) + floor(3.5)*x"
    assert separated(text) == (term(text), ())


def test_equal_functions_are_one_switch_and_are_told_as_written() -> None:
    _, switches = separated("sign(x) + 2*sign(x) + floor(abs(y) + sign(x))")
    assert [switch.text for switch in switches] == ["sign(x)", "abs(y)", "floor(abs(y) + sign(x))"]
    assert len({switch.name for switch in switches}) == 3


def test_the_separator_tells_what_it_has_met() -> None:
    separate = Separator(lambda name: False)
    separate(Call("sign", (Symbol("x"),)))
    separate.met.clear()
    separate(Call("abs", (Symbol("y"),)) + Call("abs", (Symbol("y"),)))
    assert separate.met == {separate.switches[1].name}
    assert term_text(separate.switches[1].function) == "y"
