"""Runs that stand still or are held, against closed forms and against simulation."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dyverse.abstraction.evidence.rest import held, rests
from dyverse.abstraction.portrait.field import LocationField
from dyverse.automaton.interface import State
from dyverse.simulation.simulate import simulate
from tests.abstraction.adversaries import block
from tests.abstraction.systems import flow

BLOCK = LocationField(block(0.0), "stick")


@pytest.mark.parametrize(("x", "there"), [(0.0, True), (0.3, True), (-0.499, True), (0.501, False)])
def test_a_block_rests_wherever_friction_holds_it(x: float, there: bool) -> None:
    found = rests(BLOCK, np.array([x, 0.0]))
    assert (found is not None) == there
    if found is not None:
        assert found.point.values.tolist() == [x, 0]
        assert "zero" in str(found)


def test_only_what_is_exactly_still_rests() -> None:
    assert rests(flow(x="x^2 - x"), np.array([1.0])) is not None
    assert rests(flow(x="x - 0.1*x/0.1"), np.array([0.7])) is not None  # as polynomials
    assert rests(flow(x="1e-300"), np.array([0.0])) is None
    assert rests(flow(x="sin(x)"), np.array([np.pi])) is None
    assert rests(flow(x="x", leave="y >= 0", y="0"), np.array([0.0, 0.0])) is None


@pytest.mark.parametrize(
    ("rate", "start", "limit"),
    [
        ("-x^3", 0.1, 0.0),
        ("-x^5", -0.3, 0.0),
        ("-x^2", 0.1, 0.0),
        ("(1 - x)^3", 0.5, 1.0),
        ("x^2*(1 - x)", 0.2, 1.0),
        ("-sign(x)", 0.4, 0.0),
        ("-sqrt(x)", 0.4, 0.0),
        ("sin(x)", 1.0, np.pi),
        ("1 - x", 3.0, 1.0),
    ],
)
def test_a_run_on_a_line_tends_to_the_first_equilibrium_ahead(
    rate: str, start: float, limit: float
) -> None:
    found = held(flow(x=rate), np.array([start]))
    assert found is not None
    assert found.point.values[0] == pytest.approx(limit, abs=1e-3)
    assert found.width < 1e-3


@pytest.mark.parametrize("rate", ["x^3", "1e-6 + x^2", "1", "exp(-x)", "x^2"])
def test_nothing_holds_a_run_without_an_equilibrium_ahead(rate: str) -> None:
    assert held(flow(x=rate), np.array([0.1])) is None


def test_the_way_must_be_free_of_guards() -> None:
    assert held(flow(x="-x^3", leave="x <= 0.05"), np.array([0.1])) is None
    assert held(flow(x="-x^3", invariant="x >= 0.05"), np.array([0.1])) is None
    assert held(flow(x="-x^3", leave="x <= -0.05"), np.array([0.1])) is not None


def test_other_variables_that_stand_still_do_not_matter() -> None:
    found = held(flow(x="a - x^3", a="0"), np.array([0.5, 0.001]))
    assert found is not None
    assert found.point.values.tolist() == pytest.approx([0.1, 0.001], abs=1e-4)
    assert held(flow(x="a - x^3", a="1e-9"), np.array([0.5, 0.001])) is None


@settings(deadline=None, max_examples=25)
@given(st.floats(-2, 2), st.floats(-1.5, 1.5), st.floats(-1, 1))
@example(2.0, 1.25, -0.25)  # held, and the equilibrium is known to 3e-5 only
def test_where_a_run_is_held_simulation_goes(x: float, a: float, b: float) -> None:
    """From next to nothing a step takes minutes, and states inside it are off by 1e-5."""
    assume(abs(x) > 1e-3)
    field = flow(x=f"({a})*x^2 - x^3 + ({b})*x")
    found = held(field, np.array([x]))
    if found is None:
        return
    limit, near = found.point.values[0], found.width + 1e-6
    run = simulate(field.automaton, State(0.0, "here", np.array([x])), until=2000)
    way = np.concatenate([arc.states[:, 0] for arc in run.arcs])
    assert min(x, limit) - near <= way.min() <= way.max() <= max(x, limit) + near
    assert abs(way[-1] - limit) < 0.05 or abs(np.diff(way)).max() < 0.01  # there, or very slow
