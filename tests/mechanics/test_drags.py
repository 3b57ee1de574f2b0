"""Surfaces that run along themselves, such as conveyor belts: closed forms."""

from __future__ import annotations

import math

import pytest

from dyverse import Options, simulate
from dyverse.automaton.run import Run
from dyverse.bodies.build import box, contact, parameter, plane, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.exporters.listing import listing
from dyverse.generation.automaton import generate

G = 9.81
SOLVERS = ["reference", "native", "cvode"]
BELT = """\
parameter v = 2, mu = 0.25
gravity (0, -9.81, 0)
body belt { plane normal (0, 1, 0)  drags (v, 0, 0) }
SOLID
contact belt load { restitution 0  friction mu }
""".replace("parameter v = 2, mu = 0.25", "parameter v = 2\nparameter mu = 0.25")
BLOCK = "body load { box size (0.4, 0.2, 0.2)  mass 3  position (0, 0.1, 0) }"
GRAIN = "body load { point  mass 3 }"
BALL = "body load { sphere radius 0.1  mass 3  position (0, 0.1, 0) }"


def carried(solid: str, until: float, solver: str, drags: str = "(v, 0, 0)") -> Run:
    text = BELT.replace("SOLID", solid).replace("(v, 0, 0)", drags)
    return simulate(generate(parse_world(text)), until=until, options=Options(solver=solver))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_block_slips_until_it_is_as_fast_as_the_belt(solver: str) -> None:
    """μ g t = v; it has then lost v²/(2 μ g) on the belt."""
    run = carried(BLOCK, 1.5, solver)
    ends = 2 / (0.25 * G)
    assert run.times("stick") == pytest.approx([ends], abs=1e-7)
    assert run.final["load.vx"] == pytest.approx(2, abs=1e-8)
    assert run.final["load.x"] == pytest.approx(2 * 1.5 - 2**2 / (2 * 0.25 * G), abs=1e-7)
    assert run.final["belt.x"] == pytest.approx(3, abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_ends_up_rolling_at_two_sevenths_of_the_belt(solver: str) -> None:
    """Slip ends where v - μ g t = (5/2) μ g t: after 2 v/(7 μ g), at the speed (2/7) v."""
    run = carried(BALL, 1.0, solver)
    assert run.times("stick") == pytest.approx([2 * 2 / (7 * 0.25 * G)], abs=1e-8)
    assert run.final["load.vx"] == pytest.approx(2 * 2 / 7, abs=1e-8)
    assert run.final["load.wz"] == pytest.approx((2 - 2 * 2 / 7) / 0.1, abs=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_grain_stays_on_a_belt_until_it_starts_too_fast(solver: str) -> None:
    """u = t²: the grain is carried along until 2 t = μ g, and then falls behind."""
    run = carried(GRAIN, 2.0, solver, "(t^2, 0, 0)")
    begins = 0.25 * G / 2
    assert run.times("slip") == pytest.approx([begins], abs=1e-5)
    gone, later = begins**3 / 3, 2.0 - begins
    expected = gone + begins**2 * later + 0.25 * G * later**2 / 2
    assert run.final["load.x"] == pytest.approx(expected, abs=1e-6)
    assert run.final["belt.x"] == pytest.approx(8 / 3, abs=1e-7)


def test_a_belt_carries_a_block_up_a_slope() -> None:
    """At 20 degrees with μ = 0.5 > tan 20°: it goes with the belt in the end."""
    c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
    model = world(
        parameter("v", 1.0),
        plane("belt", normal=(-s, c, 0), drags=(f"{c!r}*v", f"{s!r}*v", 0)),
        box(
            "load",
            size=(0.4, 0.2, 0.2),
            mass=1,
            position=(-0.1 * s, 0.1 * c, 0),
            rotation=(0, 0, math.radians(20)),
        ),
        contact("belt", "load", restitution=0, friction=0.5),
        gravity=(0, -G, 0),
    )
    assert parse_world(world_text(model)) == model
    run = simulate(generate(model), until=1.5, options=Options(solver="native"))
    takes = 1 / (G * (0.5 * c - s))
    assert run.times("stick") == pytest.approx([takes], abs=1e-6)
    assert math.hypot(run.final["load.vx"], run.final["load.vy"]) == pytest.approx(1, abs=1e-7)
    assert "(belt.vx, belt.vy, belt.vz) =" in "\n".join(listing(generate(model).skeleton, model))


def test_a_belt_may_be_moved_as_well() -> None:
    text = BELT.replace("drags (v, 0, 0)", "moves (0, 0.1*sin(t), 0)  drags (v, 0, 0)")
    run = simulate(generate(parse_world(text.replace("SOLID", BLOCK))), until=1.5)
    assert run.final["load.vx"] == pytest.approx(2, abs=1e-7)
    assert run.final["load.y"] == pytest.approx(0.1 + 0.1 * math.sin(1.5), abs=1e-7)


@pytest.mark.parametrize(
    ("drags", "words"),
    [
        ("(v, 0.1, 0)", "drags out of itself; its velocity must be along it"),
        ("(v, 0)", "drags needs three components"),
        ("(abs(t - 1), 0, 0)", "has a kink or a jump, in abs"),
        ("(load.x, 0, 0)", "'drags' is a function of time, .* 'load.x' is none of these"),
    ],
)
def test_what_a_belt_cannot_do_is_told(drags: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        carried(BLOCK, 1.0, "reference", drags)


def test_only_planes_drag() -> None:
    text = "body a { sphere radius 1  mass 1  drags (1, 0, 0) }"
    with pytest.raises(ModelError, match="only the surface of a plane can drag"):
        parse_world(text)
