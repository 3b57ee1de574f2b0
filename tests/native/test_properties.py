"""The least depth of a property along a run, and its first failure, by closed forms and grids."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.automaton.guard.robustness import NOTHING, UNDEFINED, robustness
from dyverse.bodies.build import (
    always,
    contact_all,
    joint,
    no_contacts,
    parameter,
    plane,
    point,
    sphere,
    spring,
    world,
)
from dyverse.bodies.world import Property, World
from dyverse.generation.automaton import generate
from dyverse.native.code.depths import watched
from dyverse.native.engine import Options, simulate_native
from dyverse.native.many import Many, simulate_many
from tests import scenes

G = scenes.G


def thrown(*claims: Property) -> World:
    """A ball thrown up at ``v`` from a floor, and sideways at 1 m/s."""
    return world(
        parameter("v", 4.0),
        sphere("ball", radius=0.1, mass=2, position=(0, 0.1, 0), velocity=(1, "v", 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0.5, friction=0.3),
        *claims,
        gravity=scenes.DOWN,
    )


def one(claim: str, until: float = 0.6, **settings: float) -> Many:
    rows = {name: [number] for name, number in settings.items()}
    return simulate_many(thrown(always("claim", claim)), rows, until=until)


def test_the_top_of_a_throw() -> None:
    """It stays below 1 m by 1 - v²/2g - 0.1, least at v/g."""
    speeds = np.array([1.0, 4.0, 5.0])
    model = thrown(always("low", "ball.y < 1"))
    many = simulate_many(model, {"v": speeds}, until=0.6)
    assert many.properties == ("low",)
    assert many.least[:, 0] == pytest.approx(0.9 - speeds**2 / 2 / G, abs=1e-11)
    assert many.least_at[:, 0] == pytest.approx(speeds / G, abs=1e-6)
    assert np.isnan(many.failed_at[:2, 0]).all()
    rises = (5 - math.sqrt(25 - 2 * G * 0.9)) / G
    assert many.failed_at[2, 0] == pytest.approx(rises, abs=1e-12)


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("place", [0.0123, 0.2, 0.345678])
def test_a_narrow_strip_is_seen_where_the_run_crosses_it(width: float, place: float) -> None:
    """x = t before the first impact: the depth is |t - place| - width."""
    many = one(f"abs(ball.x - {place}) > {width}")
    assert many.least[0, 0] == pytest.approx(-width, abs=1e-12)
    assert many.least_at[0, 0] == pytest.approx(place, abs=1e-11)
    assert many.failed_at[0, 0] == pytest.approx(place - width, abs=1e-12)


def test_a_spot_in_the_plane_is_seen_where_the_run_passes() -> None:
    """Both coordinates within 1e-6 of where the ball is at t = 0.25."""
    y = 0.1 + 4 * 0.25 - G * 0.25**2 / 2
    spot = f"abs(ball.x - 0.25) > 1e-6 or abs(ball.y - {y!r}) > 1e-6"
    many = one(spot)
    assert many.least[0, 0] == pytest.approx(-1e-6, abs=1e-11)
    miss = one(spot.replace("0.25)", "0.2501)"))
    rate = abs(4 - G * 0.25)
    apart = 1e-4 / (1 + 1 / rate) - 1e-6  # the larger of |t - 0.2501| and rate |t - 0.25|
    assert miss.least[0, 0] == pytest.approx(apart, rel=1e-3)
    assert np.isnan(miss.failed_at[0, 0])


def test_a_property_is_asked_for_until_its_end() -> None:
    """x = t: at 0.25 the depth 0.3 - x is 0.05, afterwards it would fail."""
    model = thrown(always("near", "ball.x < 0.3", until="0.0625*v"))
    many = simulate_many(model, {"v": [4.0]}, until=0.6)
    assert many.least[0, 0] == pytest.approx(0.05, abs=1e-12)
    assert many.least_at[0, 0] == pytest.approx(0.25, abs=1e-12)
    assert np.isnan(many.failed_at[0, 0])


@pytest.mark.parametrize(
    ("claim", "margin"),
    [
        ("ball.z <= 0", 0.0),
        ("ball.z < 0", -NOTHING),
        ("ball.z == 0", 0.0),
        ("not (ball.z == 0)", -NOTHING),
        ("ball.z < 0 or ball.z >= 0", 0.0),
        ("1/ball.z > 0", -UNDEFINED),
        ("not (1/ball.z > 0)", -UNDEFINED),
        ("ball.z == 0 or 1/ball.z > 0", 0.0),
    ],
)
def test_at_its_bound_a_property_is_read_as_in_python(claim: str, margin: float) -> None:
    """The ball stays in the plane z = 0."""
    many = one(claim)
    assert many.least[0, 0] == margin
    assert math.isnan(many.failed_at[0, 0]) == (margin == 0)


def test_energy_is_that_of_the_bodies() -> None:
    """½ m v² + m g y before the impact; a quarter of the bounce's share is left after it."""
    before = (1 + 16) + 2 * G * 0.1
    many = one(f"energy < {before + 1}", until=0.4)
    assert many.least[0, 0] == pytest.approx(1, abs=1e-9)


def test_forces_of_a_ball_at_rest_and_of_one_that_slides() -> None:
    """λ_N = m g; friction is μ m g while it slides and nothing once it rolls."""
    model = world(
        sphere("ball", radius=0.1, mass=2, position=(0, 0.1, 0), velocity=(5, 0, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0, friction=0.2),
        always("light", "normal_force[ball,floor] <= 20"),
        always("grip", "friction_force[ball,floor] >= 1"),
        gravity=scenes.DOWN,
    )
    many = simulate_many(model, {"ball.vx": [5.0]}, until=2)
    rolls = 2 * 5 / (7 * 0.2 * G)
    assert many.least[0] == pytest.approx([20 - 2 * G, -1.0], abs=1e-9)
    assert many.failed_at[0, 1] == pytest.approx(rolls, abs=1e-9)
    assert np.isnan(many.failed_at[0, 0])


def test_a_force_peaks_between_samples() -> None:
    """A ball on a spring against a floor: λ_N = m g + k y pulled down by cos; brute force."""
    model = world(
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0)),
        plane("floor", normal=(0, 1, 0)),
        spring("ball", (0.3, -1, 0), stiffness=20),
        contact_all(restitution=0, friction=0.1),
        always("strong", "normal_force[ball,floor] < 25"),
        always("speed", "slip_speed[ball,floor] < 1"),
        gravity=scenes.DOWN,
    )
    assert_like_brute_force(model, until=0.4)


def on_springs(*claims: Property) -> World:
    return world(
        sphere("a", radius=0.1, mass=1, position=(1, 0.5, 0), velocity=(0, 0.5, 0), spin=(0, 0, 9)),
        sphere("b", radius=0.2, mass=2, position=(-1, 0.6, 0), velocity=(1, 0, 0)),
        plane("floor", normal=(0, 1, 0)),
        spring("a", (0, 0.3, 0), stiffness=40),
        spring("b", "a", stiffness=30, length=0.5),
        contact_all(restitution=0.7, friction=0.3),
        *claims,
        gravity=scenes.DOWN,
    )


@pytest.mark.parametrize(
    "formula",
    [
        "gap[a,b] > 0.2 and a.x < 0.9",
        "abs(a.vx) < 2 or b.y > 0.3",
        "not (abs(a.x) < 0.01 and abs(b.x) < 0.3)",
        "energy > 5",
        "normal_speed[a,floor] > -2 and normal_speed[b,floor] > -1",
        "sin(20*a.x) < 0.95",
        "normal_force[b,floor] <= 10",
    ],
)
def test_depths_of_a_lively_scene_are_those_of_a_fine_grid(formula: str) -> None:
    assert_like_brute_force(on_springs(always("claim", formula)), until=0.4)


def assert_like_brute_force(model: World, *, until: float) -> None:
    """Against the depth at 60 samples per step, by the formula itself and the reference flow."""
    automaton = generate(model)
    many = simulate_many(automaton, [{}], until=until)
    fine = simulate_native(automaton, until=until, options=Options(samples=60))
    for j, (_, formula) in enumerate(watched(model)):
        rows = [
            (robustness(formula, automaton.observe(arc.state(i))), float(arc.times[i]))
            for arc in fine.arcs
            for i in range(len(arc.times))
        ]
        low, _ = min(rows)
        assert many.least[0, j] <= low + 1e-9
        assert many.least[0, j] == pytest.approx(low, abs=2e-3 * (1 + abs(low)))
        failures = [time for depth, time in rows if depth < 0]
        if failures:
            assert many.failed_at[0, j] <= failures[0] + 1e-12
            before = [time for depth, time in rows if time < failures[0]]
            assert not before or many.failed_at[0, j] >= before[-1]
        else:
            assert math.isnan(many.failed_at[0, j])


@pytest.mark.parametrize("length", [None, 1.1])
def test_the_slack_of_a_rope_is_that_of_its_length(length: float | None) -> None:
    """As long as it is at the start, or longer: thrown up, the ball has v²/2g more."""
    model = world(
        point("hook", fixed=True),
        sphere("ball", radius=0.1, mass=2, position=(0, -1, 0), velocity=(0, 3, 0)),
        joint("line", "rope", "ball", "hook", length=length, restitution=0),
        no_contacts(),
        always("tight", "gap[ball.line,hook] < 0.5"),
        gravity=scenes.DOWN,
    )
    many = simulate_many(model, {"ball.vy": [1.0, 3.0]}, until=0.4)
    slack = (length or 1.0) - 1 + np.array([1.0, 9.0]) / 2 / G
    assert many.least[:, 0] == pytest.approx(0.5 - slack, abs=1e-9)
