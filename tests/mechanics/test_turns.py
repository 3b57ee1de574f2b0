"""Bodies that are turned by functions of time: closed forms."""

from __future__ import annotations

import math

import pytest

from dyverse import Options, simulate
from dyverse.automaton.run import Run
from dyverse.bodies.build import box, contact, plane, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.exporters.listing import listing
from dyverse.generation.automaton import generate
from dyverse.simulation.sensitivity import sensitivities

G = 9.81
SOLVERS = ["reference", "native", "cvode"]
TILT = """\
parameter w = 0.5
parameter mu = 0.4
gravity (0, -9.81, 0)
body ramp { plane normal (0, 1, 0)  turns (0, 0, w*t) }
body grain { point  mass 1  position (R, 0, 0) }
contact ramp grain { restitution 0  friction mu }
"""


def run_of(model: World, until: float, solver: str = "native") -> Run:
    return simulate(generate(model), until=until, options=Options(solver=solver))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_grain_at_the_pivot_slips_where_the_slope_is_the_friction(solver: str) -> None:
    """At the angle w t with tan(w t) = μ, to the left where the ramp goes down."""
    run = run_of(parse_world(TILT.replace("R,", "0,")), 1.0, solver)
    assert run.times("slip") == pytest.approx([math.atan(0.4) / 0.5], abs=1e-6)
    assert run.final["grain.x"] < -1e-3


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_grain_farther_out_is_held_longer(solver: str) -> None:
    """It goes round with the ramp: g sin θ - w² R = μ g cos θ."""
    run = run_of(parse_world(TILT.replace("R,", "1.5,")), 0.9, solver)
    lean = math.asin(0.25 * 1.5 / (G * math.hypot(1, 0.4))) + math.atan(0.4)
    assert run.times("slip") == pytest.approx([lean / 0.5], abs=1e-6)
    held = next(arc for arc in run.arcs if arc.times[-1] > 0.5)
    state = held.state(len(held.times) // 2)
    seen = run.automaton.observe(state)
    assert seen["grain.x"] == pytest.approx(1.5 * math.cos(0.5 * state.time), abs=1e-8)
    assert seen["normal_force[ramp,grain]"] == pytest.approx(
        G * math.cos(0.5 * state.time), abs=1e-6
    )


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_on_a_turntable_goes_round_at_two_sevenths(solver: str) -> None:
    """Whatever its speed, it rolls in a circle, once in 7/2 turns of the table."""
    turn, radius, out, speed = 3.0, 0.1, 0.4, 0.3
    model = world(
        plane("table", normal=(0, 1, 0), turns=(0, f"{turn}*t", 0)),
        sphere(
            "ball",
            radius=radius,
            mass=1,
            position=(out, radius, 0),
            velocity=(0, 0, speed),
            spin=((turn * out + speed) / radius, 0, 0),
        ),
        contact("table", "ball", restitution=0, friction=0.9),
        gravity=(0, -G, 0),
    )
    period = 3.5 * 2 * math.pi / turn
    half, whole = (run_of(model, share * period, solver).final for share in (0.5, 1.0))
    assert math.hypot(half["ball.x"] - out, half["ball.z"]) == pytest.approx(
        2 * speed / (turn * 2 / 7), abs=1e-6
    )
    assert whole["ball.x"] == pytest.approx(out, abs=1e-6)
    assert (whole["ball.z"], whole["ball.vz"]) == pytest.approx((0, speed), abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_paddle_hits_a_ball_at_the_speed_of_its_point(solver: str) -> None:
    """A box that turns about a point half a metre away meets a ball at rest, e = 1."""
    model = world(
        box("paddle", size=(1, 0.2, 0.2), turns=(0, 0, "2*t - 0.3")),
        sphere("ball", radius=0.05, mass=1, position=(0.4, 0.15, 0)),
        contact("paddle", "ball", restitution=1),
    )
    run = run_of(model, 0.2, solver)
    (hit,) = run.times("impact")
    assert hit == pytest.approx(0.15, abs=1e-8)  # where it is level
    assert run.final["ball.vy"] == pytest.approx(2 * 2 * 0.4, abs=1e-7)


def test_orientation_and_spin_are_those_of_the_angles() -> None:
    """Two roads: the state against the rotation that a fixed body has at those angles."""
    model = world(
        box("a", size=(1, 2, 3), turns=("0.3*t + 0.1", "sin(t)", "t^2"), moves=("t", 0, 0)),
        sphere("ball", radius=0.05, mass=1, position=(40, 15, 0)),
    )
    run = run_of(model, 1.3, "reference")
    still = world(
        box("a", size=(1, 2, 3), rotation=(0.49, math.sin(1.3), 1.69), fixed=True),
        sphere("ball", radius=0.05, mass=1, position=(40, 15, 0)),
    )
    there = generate(still).scene.body("a").orientation
    seen = run.automaton.observe(run.end)
    found = [seen[f"a.q{part}"] for part in "wxyz"]
    assert [abs(x) for x in found] == pytest.approx([abs(x) for x in there], abs=1e-9)
    step = 1e-6
    after = run_of(model, 1.3 + step, "reference").end.values[3:7]
    rate = [(b - a) / step for a, b in zip(found, after, strict=True)]
    w, x, y, z = found
    dw, dx, dy, dz = rate
    spin = 2 * (-dw * x + dx * w - dy * z + dz * y)  # the vector part of 2 q̇ q⁻¹
    assert seen["a.wx"] == pytest.approx(spin, abs=1e-4)


def test_how_fast_a_ramp_turns_can_be_varied() -> None:
    model, step = parse_world(TILT.replace("R,", "1.5,")), 1e-6
    found = sensitivities(run_of(model, 0.6, "reference"), ("w",)).final
    ends = [
        simulate(generate(model, {"w": 0.5 + d}), until=0.6, options=Options()).end.values
        for d in (step, -step)
    ]
    assert found[:, 0] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-4, abs=1e-4)


def test_turned_bodies_are_printed_and_read_back() -> None:
    model = parse_world(TILT.replace("R,", "0,"))
    assert parse_world(world_text(model)) == model
    assert "turns (0, 0, w * t)" in world_text(model)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ("turns (0, 0, t)  rotation (0, 0, 1)", "is moved, whatever its rotation"),
        ("turns (0, 0, t)  mass 1", "is moved, whatever its mass"),
        ("turns (0, abs(t - 1), 0)", "has a kink or a jump"),
        ("turns (0, t)", "turns needs three components"),
        ("turns (0, t, 0)  drags (1, 0, 0)", "would turn as well; leave out 'drags'"),
    ],
)
def test_what_a_turned_body_cannot_have_is_told(entries: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_world(f"body a {{ plane normal (0, 1, 0)  {entries} }}\nbody b {{ point mass 1 }}")


def test_a_listing_says_how_a_ramp_turns() -> None:
    model = parse_world(TILT.replace("R,", "0,"))
    text = "\n".join(listing(generate(model).skeleton, model))
    assert "(ramp.qw, ramp.qx, ramp.qy, ramp.qz) = turned(0, 0, w * t)" in text
    assert "outward[ramp] = dot(unit((0, 1, 0)), (1, 0, 0)) * axis_x[ramp]" in text
