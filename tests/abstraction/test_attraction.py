import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.attraction import basin
from dyverse.abstraction.equilibria import newton, point
from dyverse.abstraction.field import LocationField
from dyverse.automaton.interface import State
from dyverse.automaton.writing import automaton, edge, location
from dyverse.automaton.written import WrittenAutomaton
from dyverse.simulation.simulate import simulate


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
