"""Equilibria and orbits, proved: that there is one, alone, and whether it attracts."""

import math

import numpy as np
import pytest
from flint import arb, arb_mat
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from dyverse.enclosure.interval import Interval
from dyverse.generation.model import parse_model
from dyverse.proving.equilibria import equilibrium
from dyverse.proving.lasting import Outcome, Sure, Unsure, contracted, lasting_system
from dyverse.proving.orbits import orbit
from dyverse.proving.tours import Guess
from dyverse.text.examples import example_text

DRILLSTRING = example_text("drillstring")
THERMOSTAT = """
parameter k = 0.1
automaton room {
  real T = 20
  location on { T' = k*(30 - T)  invariant T <= 22 }
  location off { T' = -k*T  invariant T >= 19 }
  edge on -> off { when T >= 22 }
  edge off -> on { when T <= 19 }
  initial on
}
"""
VAN_DER_POL = """
automaton oscillator {{
  real x = 2, y
  location round {{ x' = {way}*y  y' = {way}*((1 - x^2)*y/5 - x) }}
  initial round
}}
"""
BAND = """
  sliding { y' = v }
  rising { y' = v  v' = (-k*y - c*v - m*g*mu_s)/m }
  falling { y' = v  v' = (-k*y - c*v + m*g*mu_s)/m }
  control (-k*y - c*v)/(m*g*mu_s)
  initial stick
"""
FORCED = """
automaton swing {
  real x, v
  location round { x' = v  v' = sin(t) - x - v }
  initial round
}
"""


def holds(interval: Interval, number: float, slack: float = 0.0) -> bool:
    return interval[0] - slack <= number <= interval[1] + slack


def balanced(weight: float, low: float, high: float) -> float:
    """The speed at which the torques of motor, dampers and bit balance (rad/s)."""

    def left(speed: float) -> float:
        friction = weight * 0.155575 * (0.5 + 0.3 * math.exp(-0.9 * speed))
        return 6000 - (425 + 50) * speed - friction

    return float(brentq(left, low, high, xtol=1e-14))


def turning(weight: float, near: float) -> Outcome:
    system = lasting_system(DRILLSTRING, {"W_ob": weight})
    return equilibrium(system, "slip_plus", {"x1": near, "x2": 5.0, "x3": near})


@pytest.mark.parametrize("weight", [40_000.0, 45_000.0, 50_000.0])
def test_a_drillstring_can_turn_for_ever(weight: float) -> None:
    speed, found = balanced(weight, 2, 10), turning(weight, 5.0)
    assert isinstance(found, Sure)
    assert found.stable is True
    assert holds(found.at["x3"], speed, 1e-12)
    assert found.at["x3"][1] - found.at["x3"][0] < 1e-9
    assert found.room["x3"][1] - found.room["x3"][0] > 1e-5


def test_an_unstable_equilibrium_is_not_called_stable() -> None:
    found = turning(55_000.0, 0.6)
    assert isinstance(found, Sure)
    assert holds(found.at["x3"], balanced(55_000.0, 0, 2), 1e-12)
    assert found.stable is False


def test_a_zero_of_the_field_outside_of_its_location_is_no_equilibrium() -> None:
    """The motor alone would turn the bit backwards there; the invariant is that it does not."""
    system = lasting_system(DRILLSTRING, {"u": 2000.0})
    found = equilibrium(system, "slip_plus", {"x1": -3.0, "x2": 0.0, "x3": -3.0})
    assert isinstance(found, Unsure)


def sticking(weight: float, start: tuple[float, float, float], period: float) -> Outcome:
    settings = {"W_ob": weight}
    values = dict(zip(("x1", "x2", "x3"), start, strict=True))
    system, automaton = lasting_system(DRILLSTRING, settings), parse_model(DRILLSTRING)
    return orbit(system, automaton.automaton(settings), Guess("slip_plus", values, period))


ROUNDS = {
    53_000.0: ((1.8089, 5.4336, 5.4008), 4.467992066),
    55_000.0: ((1.2706, 6.0204, 4.8277), 4.632934795),
    57_000.0: ((0.594, 6.6439, 3.8864), 5.103604095),
}


@pytest.mark.parametrize(
    "weight", [55_000.0, *(pytest.param(w, marks=pytest.mark.long) for w in (53_000.0, 57_000.0))]
)
def test_a_drillstring_sticks_and_slips_for_ever(weight: float) -> None:
    """The periods are those of simulated runs, which are known to a millionth."""
    start, period = ROUNDS[weight]
    found = sticking(weight, start, period)
    assert isinstance(found, Sure)
    assert found.stable is True
    assert found.period is not None
    assert holds(found.period, period, 1e-6 * period)
    assert found.period[1] - found.period[0] < 1e-9
    assert all(inner[0] >= found.room[name][0] for name, inner in found.at.items())


def test_a_thermostat_switches_with_a_period_in_closed_form() -> None:
    system = lasting_system(THERMOSTAT, {})
    automaton = parse_model(THERMOSTAT).automaton()
    found = orbit(system, automaton, Guess("on", {"T": 20.5}, 4.6))
    assert isinstance(found, Sure)
    assert found.period is not None
    assert holds(found.period, 10 * (math.log(11 / 8) + math.log(22 / 19)), 1e-14)
    assert found.stable is True


@pytest.mark.parametrize(("way", "stable"), [(1, True), (-1, False)])
def test_an_orbit_without_jumps_attracts_in_one_direction_of_time(way: int, stable: bool) -> None:
    """Van der Pol with μ = 1/5: 2π(1 + μ²/16 - 5μ⁴/3072 …) s; backwards the orbit repels."""
    text = VAN_DER_POL.format(way=way)
    guess = Guess("round", {"x": 2.0, "y": 0.0}, 6.2989)
    found = orbit(lasting_system(text, {}), parse_model(text).automaton(), guess)
    assert isinstance(found, Sure)
    assert found.period is not None
    assert holds(found.period, 2 * math.pi * (1 + 0.04 / 16 - 5 * 0.0016 / 3072), 1e-6)
    assert found.stable is stable


def test_no_orbit_is_proved_where_there_is_none() -> None:
    """A centre: every run is an orbit, and none of them is alone."""
    text = VAN_DER_POL.format(way=1).replace("(1 - x^2)*y/5 - x", "-x")
    guess = Guess("round", {"x": 1.0, "y": 0.0}, 2 * math.pi)
    found = orbit(lasting_system(text, {}), parse_model(text).automaton(), guess)
    assert isinstance(found, Unsure)


def rubbed(text: str) -> Outcome:
    """What is proved of the stick-slip of a mass on a belt."""
    guess = Guess("slip_minus", {"y": 0.39692089, "v": -0.64551869}, 2.2206413)
    return orbit(lasting_system(text, {}), parse_model(text).automaton(), guess)


def test_a_kink_on_the_way_is_named_with_its_place() -> None:
    """While the mass sticks, the friction by |v - v_b| is at its kink."""
    found = rubbed(example_text("belt"))
    assert found == Unsure("too wide: the flow of a step cannot be enclosed in stick")


def test_a_belt_is_stuck_to_for_ever_if_its_surface_is_written_out() -> None:
    """The same orbit: on the surface and in the band about it friction is that of rest."""
    found = rubbed(example_text("belt").replace("  initial stick", BAND))
    assert isinstance(found, Sure)
    assert found.stable is True
    assert found.period is not None
    assert holds(found.period, 2.2206413, 1e-6)


def test_a_wrong_candidate_is_not_proved() -> None:
    """From here a run spirals outwards for a round."""
    text = VAN_DER_POL.format(way=1)
    guess = Guess("round", {"x": 0.01, "y": 0.0}, 6.3)
    found = orbit(lasting_system(text, {}), parse_model(text).automaton(), guess)
    assert isinstance(found, Unsure)


def test_what_depends_on_time_is_refused() -> None:
    system, automaton = lasting_system(FORCED, {}), parse_model(FORCED).automaton()
    guess = Guess("round", {"x": -1.0, "v": 0.0}, 2 * math.pi)
    assert orbit(system, automaton, guess) == Unsure("unsupported: what depends on time")
    at = equilibrium(system, "round", guess.values)
    assert at == Unsure("unsupported: what depends on time")


@given(a=st.floats(-2, 2), b=st.floats(-2, 2), size=st.floats(1e-3, 1))
def test_krawczyk_proves_no_zero_that_is_not_there(a: float, b: float, size: float) -> None:
    """F = x² - b at a: its zeros are ±√b."""
    near = arb(a) + arb(0, size)
    slope, value = arb_mat([[2 * near]]), arb_mat([[arb(a) * a - b]])
    found = contracted(np.array([a]), np.array([size]), value, slope)
    if found is not None:
        assert any(holds(found[0], sign * math.sqrt(b), 1e-12) for sign in (-1, 1))
