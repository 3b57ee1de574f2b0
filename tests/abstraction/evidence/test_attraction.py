import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.evidence.attraction import basin
from dyverse.abstraction.portrait.equilibria import newton, point
from dyverse.abstraction.portrait.field import LocationField
from dyverse.automaton.interface import State
from dyverse.automaton.written.writing import automaton, edge, location
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.simulation.simulate import simulate
from tests.abstraction.systems import flow


def cubic() -> WrittenAutomaton:
    """x' = x³ - x attracts to 0 from |x| < 1; y follows; the location is left at y = 2."""
    return automaton(
        variables="x y",
        locations=[location("near", {"x": "x^3 - x", "y": "x - y"}), location("gone")],
        edges=[edge("near", "gone", "y >= 2", action="go")],
        initial=("near", {}),
    )


MODEL = cubic()
FIELD = LocationField(MODEL, "near")
REST = point(FIELD, np.zeros(2))


@pytest.mark.parametrize("state", [(0.1, 0.1), (-0.2, 0.3), (0.3, -0.3)])
def test_states_near_the_equilibrium_are_inside(state: tuple[float, float]) -> None:
    found = basin(FIELD, REST, np.array(state))
    assert found is not None
    assert 0 < found.decay <= 1
    assert "no run leaves" in str(found)


@pytest.mark.parametrize("state", [(1.1, 0.0), (0.99, 0.5), (0.0, 2.5), (0.1, 1.99)])
def test_states_that_leave_or_might_are_not(state: tuple[float, float]) -> None:
    assert basin(FIELD, REST, np.array(state)) is None


@settings(max_examples=40)
@given(x=st.floats(-1.2, 1.2), y=st.floats(-2.5, 2.5))
def test_whatever_is_inside_converges_without_a_jump(x: float, y: float) -> None:
    """The second road: simulate."""
    if basin(FIELD, REST, np.array([x, y])) is None:
        return
    run = simulate(MODEL, State(0.0, "near", np.array([x, y])), until=40)
    assert run.events == ()
    assert np.abs(run.end.values).max() < 1e-6


def test_a_saddle_has_no_basin() -> None:
    saddle = newton(FIELD, np.array([1.01, 1.0]), through=np.zeros(2))
    assert saddle is not None
    assert saddle.tolist() == pytest.approx([1, 1])
    assert basin(FIELD, point(FIELD, saddle), saddle) is None


def test_a_defective_equilibrium_has_a_basin() -> None:
    """x' = -x + y, y' = -y: one eigenvector."""
    model = automaton(
        variables="x y",
        locations=[location("here", {"x": "y - x", "y": "-y"})],
        initial=("here", {}),
    )
    field = LocationField(model, "here")
    assert basin(field, point(field, np.zeros(2)), np.array([3.0, -5.0])) is not None


def test_a_jump_of_the_field_is_not_passed_over() -> None:
    """-x + (1 + sign(x - 0.3))/2 falls at -1 wherever it has a slope; from 0.5 it leads to 1."""
    field = flow(x="-x + 0.5*(1 + sign(x - 0.3))")
    assert basin(field, point(field, np.array([0.0])), np.array([0.2])) is not None
    assert basin(field, point(field, np.array([0.0])), np.array([0.5])) is None
    assert basin(field, point(field, np.array([1.0])), np.array([0.5])) is not None


def test_there_must_be_an_equilibrium_in_the_middle() -> None:
    field = flow(x="0.5 - x", y="-y")
    assert basin(field, point(field, np.array([0.4999, 0.0])), np.array([0.6, 0.1])) is None


def test_a_kink_is_within_the_bounds_of_the_slope() -> None:
    field = flow(x="-2*x + abs(x)")
    assert basin(field, point(field, np.array([0.0])), np.array([0.5])) is not None
    field = flow(x="-x + 2*abs(x)")
    assert basin(field, point(field, np.array([0.0])), np.array([-0.5])) is None


def test_a_guard_that_counts_up_to_its_margin_is_kept_clear_of() -> None:
    model = automaton(
        variables="x",
        locations=[location("near", {"x": "1 - x"}), location("gone")],
        edges=[edge("near", "gone", "x >= 1 + 5e-10", action="go")],
        initial=("near", {}),
    )
    field = LocationField(model, "near")
    assert basin(field, point(field, np.array([1.0])), np.array([1 - 1e-12])) is None
