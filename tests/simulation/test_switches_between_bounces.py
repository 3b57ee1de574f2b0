"""What switches at the top of each bounce piles up where they do: bodies come to rest, and stay."""

from __future__ import annotations

import math

import pytest

from dyverse import Options, Run, parse_model, simulate
from dyverse.automaton.run import Stop

G, C, E, H = 9.81, 2.0, 0.5, 0.5
BALL = f"""
gravity (0, {-G}, 0)
body ball {{ sphere radius 0.1  mass 1  position (0, {H + 0.1}, 0) }}
body floor {{ plane normal (0, 1, 0) }}
contact ball floor {{ restitution {E} }}
force ball (0, {-C}*sign(ball.vy), 0)
"""
BESIDE = """
automaton clock { real c = 0  location on { c' = 1 }  initial on }
system clock
"""
HINGED = f"""
gravity (0, {-G}, 0)
body frame {{ point  fixed  position (0, 1, 0) }}
body floor {{ plane normal (0, 1, 0) }}
body arm {{ sphere radius 0.1  mass 1  position (1, 1, 0) }}
joint hinge {{ revolute frame arm  at (0, 1, 0)  axis (0, 0, 1)  friction 0.2 }}
contact all off
contact arm floor {{ restitution 0.3  friction 0.4 }}
"""
ENGINES = pytest.mark.parametrize("solver", ["native", "reference", "cvode"])


def played(text: str, solver: str) -> Run:
    run = simulate(parse_model(text).automaton(), until=3.0, options=Options(solver=solver))
    assert run.stop is Stop.HORIZON, run.message
    return run


@ENGINES
@pytest.mark.parametrize("more", ["", BESIDE], ids=["alone", "beside"])
def test_a_ball_with_dry_drag_comes_to_rest_where_the_series_ends(solver: str, more: str) -> None:
    """It falls by g - c and rises by g + c: speeds, and times, have the ratio e √((g-c)/(g+c))."""
    run = played(BALL + more, solver)
    lands = math.sqrt(2 * H / (G - C))
    up = E * math.sqrt(2 * H * (G - C)) / (G + C)
    ratio = math.sqrt((G - C) / (G + C))
    end = lands + (up + up / ratio) / (1 - E * ratio)
    (last,) = [event for event in run.events if event.kind == "accumulation"]
    assert last.time == pytest.approx(end, abs=1e-5)  # the last bounce is 1e-11 m high
    assert run.final["ball.y"] == pytest.approx(0.1, abs=1e-9)


@ENGINES
def test_an_arm_whose_hinge_rubs_comes_to_rest_on_the_floor(solver: str) -> None:
    run = played(HINGED, solver)
    assert [event.kind for event in run.events].count("accumulation") == 1
    assert run.final["arm.y"] == pytest.approx(0.1, abs=1e-9)


@ENGINES
@pytest.mark.parametrize("torque", ["0.5*sign(t - 2)", "max(sign(sin(7*t)), 0)"])
def test_a_weak_motor_leaves_it_at_rest(solver: str, torque: str) -> None:
    """Both the contact and the hinge hold it still: what is left of rates is rounding."""
    run = played(f"{HINGED}torque hinge {torque}\n", solver)
    assert run.final["arm.y"] == pytest.approx(0.1, abs=1e-9)


@ENGINES
def test_a_strong_motor_lifts_it(solver: str) -> None:
    """The arm is 1 m long, and 0.9 m below its hinge: its weight turns it by m g √(1 - 0.81)."""
    run = played(f"{HINGED}torque hinge if t >= 2 then 30 else 0\n", solver)
    (last,) = [event for event in run.events if event.kind == "release"]
    assert last.time == pytest.approx(2.0, abs=1e-9)
    turn = 30 - 0.2 - G * math.sqrt(1 - 0.81)
    begins = simulate(run.automaton, until=2.0 + 1e-6, options=Options(solver=solver))
    speed = math.hypot(begins.final["arm.vx"], begins.final["arm.vy"])
    assert speed == pytest.approx(1e-6 * turn / (1 + 0.4 * 0.01), rel=1e-3)
