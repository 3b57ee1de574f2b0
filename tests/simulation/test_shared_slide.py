"""A box slides and spins on its four lower corners: who carries how much decides its motion."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dyverse.automaton.run import Stop
from dyverse.contact.law.problem import Array
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate

G, MU, MASS, SIZE = 9.81, 0.3, 1.0, (0.3, 0.2, 0.2)
SLIDING = """
gravity (0, -9.81, 0)
body floor { plane normal (0, 1, 0) }
body box {
  box size (0.3, 0.2, 0.2)  mass 1  position (0, 0.1, 0)  velocity (1, 0, 0.2)  spin (0, 3, 0)
}
contact floor box { restitution 0  friction 0.3 }
"""


def rate(_: float, state: Array) -> Array:
    """(v_x, v_z, θ, ω)˙ with normal forces that are the shortest to hold weight and tilt."""
    vx, vz, angle, spin = state
    x, z = np.array([(i, k) for i in (-1, 1) for k in (-1, 1)]).T * [[SIZE[0] / 2], [SIZE[2] / 2]]
    x, z = np.cos(angle) * x + np.sin(angle) * z, np.cos(angle) * z - np.sin(angle) * x
    slip = np.stack([vx + spin * z, vz - spin * x])
    fx, fz = -MU * slip / np.hypot(*slip)  # per unit of normal force
    low = -SIZE[1] / 2
    normal = np.linalg.lstsq(
        np.stack([np.ones(4), low * fz - z, x - low * fx]), np.array([MASS * G, 0, 0])
    )[0]
    assert (normal > 0).all()
    inertia = MASS * (SIZE[0] ** 2 + SIZE[2] ** 2) / 12
    return np.array([fx @ normal, fz @ normal, MASS * spin, (z * fx - x * fz) @ normal / inertia])


@pytest.mark.parametrize("solver", ["reference", "cvode", "native"])
def test_a_box_slides_and_spins_by_the_shortest_normal_forces(solver: str) -> None:
    road = solve_ivp(rate, (0, 0.2), [1, 0.2, 0, 3], method="DOP853", rtol=1e-12, atol=1e-13)
    found = simulate(
        generate(parse_model(SLIDING).world), until=0.2, options=Options(solver=solver)
    )
    got = [found.final[f"box.{name}"] for name in ("vx", "vz", "sy")]
    assert got == pytest.approx([*road.y[:2, -1], road.y[3, -1]], abs=1e-8)


FASTER = """
gravity (0, -9.81, 0)
body table { plane normal (0, 1, 0)  moves (0.5*t^3, 0, 0) }
body box { box size (0.2, 0.2, 0.2)  mass 1  position (0, 0.1, 0) }
contact table box { restitution 0  friction 0.3 }
"""


@pytest.mark.parametrize(
    ("solver", "until"), [("reference", 0.98105), ("cvode", 1.6), ("native", 1.6)]
)
def test_a_box_slides_once_its_table_is_faster_than_friction(solver: str, until: float) -> None:
    """All four corners give way at once, where 3 t = μ g; from there on it gains μ g."""
    found = simulate(
        generate(parse_model(FASTER).world), until=until, options=Options(solver=solver)
    )
    slips = MU * G / 3
    assert found.stop is Stop.HORIZON
    assert [event.kind for event in found.events] == ["touch", "slip"]
    assert found.times("slip") == pytest.approx([slips], abs=1e-8)
    speed = 1.5 * slips**2 + MU * G * (until - slips)
    assert found.final["box.vx"] == pytest.approx(speed, abs=1e-8)


@pytest.mark.parametrize(
    ("size", "mu", "jerk", "turn"),
    [
        ("(0.256, 0.419, 0.252)", 0.215, 24.06, 1.07),
        ("(0.439, 0.26, 0.321)", 0.656, 5.01, 0.719),
        ("(0.261, 0.1, 0.268)", 0.32, 28.78, 0.0),
    ],
)
def test_a_box_gives_way_at_once_however_it_stands(
    size: str, mu: float, jerk: float, turn: float
) -> None:
    """What four corners could press against each other does not hold them any longer."""
    text = FASTER.replace("0.5*t^3", f"{jerk}*t^3/6").replace("friction 0.3", f"friction {mu}")
    height = float(size.split(",")[1])
    standing = f"size {size}  mass 1  position (0, {height / 2}, 0)  rotation (0, {turn}, 0)"
    text = text.replace("size (0.2, 0.2, 0.2)  mass 1  position (0, 0.1, 0)", standing)
    slips = mu * G / jerk
    native = Options(solver="native")
    found = simulate(generate(parse_model(text).world), until=slips + 0.01, options=native)
    assert found.times("slip") == pytest.approx([slips], abs=1e-8)


def test_a_box_that_lands_on_four_corners_spins_on_alike() -> None:
    """Of all impulses that end the fall the shortest are taken, in every engine."""
    start = "position (0, 0.12, 0)  velocity (1, -0.3, 0.2)"
    landing = SLIDING.replace("position (0, 0.1, 0)  velocity (1, 0, 0.2)", start)
    ends = []
    for solver in ("reference", "cvode", "native"):
        found = simulate(
            generate(parse_model(landing).world), until=0.1, options=Options(solver=solver)
        )
        assert [event.kind for event in found.events] == ["impact"]
        ends.append([found.final[f"box.{name}"] for name in ("vx", "vz", "sy")])
    assert ends[1] == pytest.approx(ends[0], abs=1e-8)
    assert ends[2] == pytest.approx(ends[0], abs=1e-8)
