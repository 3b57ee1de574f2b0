import math

import numpy as np
import pytest

from dyverse.abstraction.evidence.contraction import contraction, scale_of
from dyverse.abstraction.portrait.field import Fields
from dyverse.abstraction.portrait.orbits import orbit
from dyverse.abstraction.portrait.passage import guard_slope, passage, reset_matrix, word_of_run
from dyverse.automaton.interface import State
from dyverse.automaton.written.writing import automaton, edge, location
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.simulation.simulate import simulate
from tests.abstraction.systems import drilling, logistic
from tests.catalogue import thermostat


def bouncer(*, e: float = 0.5, push: float = 2.0) -> WrittenAutomaton:
    """A ball that each bounce gives the speed e |v| + push: the speed tends to push/(1 - e)."""
    return automaton(
        variables="y v",
        parameters={"g": 10.0, "e": e, "w": push},
        locations=[location("fly", {"y": "v", "v": "-g"})],
        edges=[edge("fly", "fly", "y <= 0 and v < 0", {"v": "-e*v + w"}, action="b")],
        initial=("fly", {"y": 1.0}),
    )


def test_the_return_map_of_a_driven_ball_is_linear() -> None:
    """v ↦ e v + w: multiplier e, fixed point w/(1 - e) = 4 m/s, period 2 v/g = 0.8 s."""
    fields = Fields(bouncer())
    found = orbit(fields, State(0.0, "fly", np.array([0.0, 3.0])), ("b",), time=0.8)
    assert found is not None
    assert found.period == pytest.approx(0.8)
    assert found.start.values.tolist() == pytest.approx([0, 4])
    assert found.multipliers == pytest.approx((0.5,))
    assert found.locations == ("fly",)
    hits = [State(0.0, "fly", np.array([0.0, v])) for v in (2.4, 3.2)]
    near = contraction(fields, found, hits, scale=np.array([1000.0, 1000.0]))
    assert near is not None
    assert near.factor == pytest.approx(0.5, abs=0.01)


def test_an_orbit_that_repels_is_found_and_gives_no_evidence() -> None:
    fields = Fields(bouncer(e=1.5, push=-2.0))
    start = State(0.0, "fly", np.array([0.0, 4.2]))
    found = orbit(fields, start, ("b",), time=0.8)
    assert found is not None
    assert found.start.values[1] == pytest.approx(4)
    assert found.multipliers == pytest.approx((1.5,))
    assert not found.is_stable
    assert contraction(fields, found, [start, start], scale=np.full(2, 1e3)) is None


def test_a_thermostat_forgets_in_one_round() -> None:
    """Each switch happens at a fixed temperature: period 20 ln(12/8), multiplier zero."""
    fields = Fields(thermostat())
    found = orbit(fields, State(0.0, "off", np.array([22.0])), ("on", "off"), time=8.0)
    assert found is not None
    assert found.period == pytest.approx(20 * math.log(1.5))
    assert found.multipliers == ()
    assert found.locations == ("off", "on")
    assert contraction(fields, found, [found.start, found.start], scale=np.ones(1)) is not None


def test_an_orbit_is_reported_once_round() -> None:
    """With r = 3.2 the 2-cycle of r v (1 - v) is at (r + 1 ± √((r - 3)(r + 1)))/(2 r)."""
    r = 3.2
    start = State(0.0, "wait", np.array([0.0, 0.5130]))
    found = orbit(Fields(logistic(r)), start, ("p",) * 8, time=8.0)
    assert found is not None
    assert found.period == pytest.approx(2)
    assert found.letters == ("p", "p")
    root = math.sqrt((r - 3) * (r + 1))
    assert found.start.values[1] == pytest.approx((r + 1 - root) / (2 * r))
    assert found.multipliers == pytest.approx((4 + 2 * r - r**2,))


def test_stick_slip_at_55_kn() -> None:
    """Period 4.633 s; the derivative of the return map agrees with differences."""
    model = drilling(6000, 55_000)
    fields, run = Fields(model), simulate(model, until=40)
    start = [arc.start for arc in run.arcs if arc.location == "stick"][-2]
    found = orbit(fields, start, tuple("bda"), time=4.6)
    assert found is not None
    assert found.period == pytest.approx(4.633, abs=5e-4)
    for column in (0, 1):
        step = np.eye(3)[column] * 1e-5
        ends = [
            passage(fields, State(0.0, "stick", found.start.values + side), tuple("bda"), until=20)
            for side in (step, -step)
        ]
        assert ends[0] is not None
        assert ends[1] is not None
        slope = (ends[0].end.values - ends[1].end.values) / 2e-5
        np.testing.assert_allclose(slope, found.round.derivative[:, column], atol=1e-5)
    assert word_of_run(run)[:6] == tuple("bdabda")


def test_a_far_state_is_no_evidence() -> None:
    model = drilling(6000, 57_500)
    fields, run = Fields(model), simulate(model, until=60)
    starts = [arc.start for arc in run.arcs if arc.location == "stick"]
    found = orbit(fields, starts[-2], tuple("bda"), time=5.5)
    assert found is not None
    scale = scale_of(found, np.ones(3))
    assert contraction(fields, found, starts[1:3], scale=scale) is None


def test_other_letters_have_no_passage() -> None:
    start = State(0.0, "fly", np.array([0.0, 3.0]))
    assert passage(Fields(bouncer()), start, ("x",), until=5) is None
    assert passage(Fields(bouncer()), start, ("b",), until=0.1) is None


def test_the_gradient_is_that_of_the_deciding_atom() -> None:
    model = bouncer()
    (only,) = model.edges
    landing = State(0.0, "fly", np.array([0.0, -3.0]))
    gradient, by_time = guard_slope(model, only, landing)
    assert (gradient.tolist(), by_time) == ([-1, 0], 0)
    assert reset_matrix(model, only, landing).tolist() == [[1, 0], [0, -0.5]]
