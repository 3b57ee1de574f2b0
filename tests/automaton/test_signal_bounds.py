"""The times between signals, as runs show them."""

import math

import pytest

from dyverse.automaton.signal_bounds import Bounds, signal_bounds
from dyverse.errors import ExportError
from dyverse.simulation.simulate import simulate
from tests.uppaal.sample_models import model

FIRST = math.sqrt(2 * 10 / 9.81)  # to the first bounce, from 10 m


def test_bounds_of_a_bouncing_ball_are_its_flight_times() -> None:
    """The n-th flight takes 2 eⁿ t₁; up to 8 s there are three."""
    run = simulate(model("bouncing_ball.xml").network, until=8.0)
    found = signal_bounds([run], "bounce")
    assert (found.low, found.high) == pytest.approx((2 * 0.8**3 * FIRST, 2 * 0.8 * FIRST))
    assert (found.first_low, found.first_high) == pytest.approx((FIRST, FIRST))
    assert (found.marked, found.runs, found.signals) == ("observed", 1, 4)
    assert "observed in 1 runs to 8 s with 4 signals" in str(found)


def test_several_runs_widen_the_bounds() -> None:
    found = model("bouncing_ball.xml")
    runs = [simulate(found.automaton({"p": height}), until=6.0) for height in (5.0, 10.0)]
    bounds = signal_bounds(runs, "bounce")
    assert bounds.first_low == pytest.approx(math.sqrt(0.5) * FIRST)
    assert bounds.first_high == pytest.approx(FIRST)


def test_a_run_that_falls_silent_has_no_upper_bound() -> None:
    run = simulate(model("zeno_rest.xta").network, until=30.0)
    found = signal_bounds([run], "bounce")
    assert found.high is None
    assert "…]" in str(found)


def test_a_signal_that_never_came_cannot_be_bounded() -> None:
    run = simulate(model("zeno_rest.xta").network, until=1.0)
    with pytest.raises(ExportError, match="no run has an event 'bounce'"):
        signal_bounds([run], "bounce")


def test_bounds_must_be_intervals() -> None:
    with pytest.raises(ExportError, match="are no interval"):
        Bounds(action="a", low=3.0, high=2.0)
