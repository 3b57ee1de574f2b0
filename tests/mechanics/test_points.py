"""Forces at a point of a body: they push it and turn it."""

from __future__ import annotations

import math

import pytest
from scipy.special import ellipj, ellipk

from dyverse import Options, simulate
from dyverse.bodies import build
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate

SOLVERS = ["reference", "native", "cvode"]
SWING = """\
parameter f = 3
body rod { box size (0.1, 1, 0.1)  mass 2  inertia (0.4, 0.5, 0.25)  rotation (0, 0, 1.2) }
force rod (0, -f, 0) at (0, -0.5, 0)
"""
TUMBLE = """\
body egg { ellipsoid axes (0.3, 0.2, 0.1)  mass 1  rotation (0.3, 1, 2)  spin (1, 2, 3) }
force egg (sin(t), egg.vx, 2) at (0.2, 0.1*cos(t), -0.3)
"""


def by_hand(at: tuple[str, str, str], force: tuple[str, str, str], body: str) -> str:
    """The same as a force through the centre and a torque, R r × F written out."""
    w, x, y, z = (f"{body}.q{letter}" for letter in "wxyz")
    rows = (
        (f"1 - 2*({y}^2 + {z}^2)", f"2*({x}*{y} - {w}*{z})", f"2*({x}*{z} + {w}*{y})"),
        (f"2*({x}*{y} + {w}*{z})", f"1 - 2*({x}^2 + {z}^2)", f"2*({y}*{z} - {w}*{x})"),
        (f"2*({x}*{z} - {w}*{y})", f"2*({y}*{z} + {w}*{x})", f"1 - 2*({x}^2 + {y}^2)"),
    )
    arm = [" + ".join(f"({a})*({b})" for a, b in zip(row, at, strict=True)) for row in rows]
    turns = [f"({arm[i - 2]})*({force[i - 1]}) - ({arm[i - 1]})*({force[i - 2]})" for i in range(3)]
    return f"force {body} ({', '.join(force)})\ntorque {body} ({', '.join(turns)})\n"


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_rod_pulled_at_its_end_swings_as_a_pendulum(solver: str) -> None:
    """θ'' = -(l f / I) sin θ about the centre, which falls with f/m: period and energy."""
    run = simulate(generate(parse_world(SWING)), until=2.0, options=Options(solver=solver))
    known = run.final
    assert known["rod.y"] == pytest.approx(-3 / 2 * 2.0**2 / 2, abs=1e-8)
    angle = 2 * math.atan2(known["rod.qz"], known["rod.qw"])
    energy = 0.25 * known["rod.sz"] ** 2 / 2 - 0.5 * 3 * math.cos(angle)
    assert energy == pytest.approx(-0.5 * 3 * math.cos(1.2), abs=1e-8)
    assert angle == pytest.approx(pendulum(1.2, math.sqrt(0.5 * 3 / 0.25), 2.0), abs=1e-7)


def pendulum(start: float, omega: float, time: float) -> float:
    """The angle of a pendulum that is let go: 2 asin(k sn(K - ω t, k²)), k = sin(θ₀/2)."""
    k = math.sin(start / 2)
    return float(2 * math.asin(k * ellipj(float(ellipk(k * k)) - omega * time, k * k)[0]))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_force_at_a_point_is_a_force_and_a_torque(solver: str) -> None:
    head, _, _ = TUMBLE.partition("force")
    hand = by_hand(("0.2", "0.1*cos(t)", "-0.3"), ("sin(t)", "egg.vx", "2"), "egg")
    ends = [
        simulate(generate(parse_world(text)), until=1.5, options=Options(solver=solver)).end.values
        for text in (TUMBLE, head + hand)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_ball_pulled_at_its_rim_has_an_orientation() -> None:
    world = parse_world("""
    body ball { sphere radius 1  mass 1  inertia 0.5 }
    force ball (0, 2, 0) at (1, 0, 0)
    """)
    assert "ball.qw" in generate(world).variables
    run = simulate(generate(world), until=1e-3)
    assert run.final["ball.sz"] == pytest.approx(1 * 2 / 0.5 * 1e-3, rel=1e-6)


def test_the_same_in_python() -> None:
    world = build.world(
        build.box("rod", size=(0.1, 1, 0.1), mass=2),
        build.force("rod", (0, -3, 0), at=(0, -0.5, 0)),
    )
    text = "body rod { box size (0.1, 1, 0.1) mass 2 } force rod (0, -3, 0) at (0, -0.5, 0)"
    assert world == parse_world(text)
    with pytest.raises(ModelError, match="needs three components"):
        build.force("slide", 3, at=(0, 0, 0))


@pytest.mark.parametrize(
    ("load", "words"),
    [
        ("force rod (1, 0, 0) at (0, 1)", "the point of a force needs three components"),
        ("torque rod (1, 0, 0) at (0, 1, 0)", "acts on the whole body; leave out 'at'"),
        ("force rod 3 at (0, 1, 0)", "force needs three components"),
        ("force rod (1, 0, 0) at (0, bar, 0)", "unknown name 'bar'"),
        ("force rad (1, 0, 0) at (0, 1, 0)", "unknown body 'rad'"),
    ],
)
def test_what_is_wrong_with_a_point_is_told(load: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_world(f"body rod {{ box size (1, 1, 1) mass 1 }}\n{load}\n")
