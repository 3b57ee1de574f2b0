"""With an escape, a run goes on past the point where jumps pile up."""

import math

import pytest

from dyverse.automaton.escape import with_escapes
from dyverse.automaton.run import Stop
from dyverse.simulation.simulate import simulate
from tests.uppaal.sample_models import model

FIRST = math.sqrt(2 * 10 / 9.81)


def test_without_an_escape_a_ball_stops_where_bounces_pile_up() -> None:
    run = simulate(model("bouncing_ball.xml").network, until=20.0)
    assert run.stop == Stop.LIVELOCK
    assert run.end.time == pytest.approx(FIRST * 1.8 / 0.2, abs=1e-6)


@pytest.mark.parametrize("within", [1e-1, 1e-3])
def test_with_one_it_rests_after_the_first_flight_that_is_too_short(within: float) -> None:
    """The n-th flight takes 2 eⁿ t₁."""
    flights = next(n for n in range(1, 200) if 2 * 0.8**n * FIRST < within)
    network = with_escapes(model("bouncing_ball.xml").network, within=within)
    run = simulate(network, until=20.0)
    assert run.stop == Stop.HORIZON
    assert len(run.times("bounce")) == flights + 1
    assert run.end.location == ("air_rest", "watch")
    assert abs(run.final["p"]) < 1e-9


def test_bounces_before_are_as_they_were() -> None:
    network = model("bouncing_ball.xml").network
    plain = simulate(network, until=9.0).times("bounce")
    assert simulate(with_escapes(network), until=9.0).times("bounce") == pytest.approx(plain)


def test_a_network_without_such_jumps_is_left_alone() -> None:
    network = model("train_gate.xml").network
    assert with_escapes(network) == network
