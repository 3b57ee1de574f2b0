"""A pendulum on a stop: when it hits, in closed form, until it rests."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import quad

from tests.mechanics.joint.test_mechanisms import DOWN, FRAME, G, followed

STOP, START, E = 0.2, 1.2, 0.5
K = 2 * G / 1.01  # rate² = K (cos φ - cos of where it turned)


def fall(turn: float) -> float:
    """How long it takes from where it turns to the stop, with φ = turn - (turn - stop) s²."""

    def slowness(s: float) -> float:
        down = (turn - STOP) * s * s
        gain = 2 * math.sin(turn - down / 2) * math.sin(down / 2)
        return 2 * (turn - STOP) * s / math.sqrt(K * gain)

    return float(quad(slowness, 0, 1, epsabs=1e-13, epsrel=1e-13)[0])


def impacts(many: int) -> list[float]:
    """After each impact it turns where its energy, e² of before, lets it."""
    times, turn = [fall(START)], START
    for _ in range(many - 1):
        turn = math.acos(math.cos(STOP) - E * E * (math.cos(STOP) - math.cos(turn)))
        times.append(times[-1] + 2 * fall(turn))
    return times


def test_a_pendulum_hits_its_stop_at_the_times_of_the_closed_form_and_rests() -> None:
    text = f"""{DOWN}{FRAME}body bob {{ point  mass 1  inertia 0.01
          position ({math.sin(START)}, {-math.cos(START)}, 0) }}
        joint hinge {{ revolute frame bob  at (0, 0, 0)  axis (0, 0, 1)  angle {START}
          limits [{STOP}, 3]  restitution {E} }}"""
    end, run = followed(text, 3.0)
    times = [event.time for event in run.events if event.kind == "impact"]
    assert times[:8] == pytest.approx(impacts(8), abs=1e-8)
    assert "accumulation" in {event.kind for event in run.events}
    assert end["hinge.angle"] == pytest.approx(STOP, abs=1e-9)
    assert end["normal_force[frame.hinge_lower,bob]"] == pytest.approx(G * math.sin(STOP))
