"""What is known of discs and cylinders in closed form: rolling, wobbling, standing, toppling."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.bodies.build import contact, cylinder, disc, sphere, world
from dyverse.bodies.world import Body
from tests.simulation.test_solid_closed_forms import (
    DOWN,
    ENGINES,
    G,
    end_of,
    lying,
    on_floor,
    run_of,
)

UPRIGHT = -math.pi / 2  # about x: the axis of a body's z becomes the vertical


@pytest.mark.parametrize("solver", ENGINES)
def test_a_disc_wobbles_about_a_centre_at_rest(solver: str) -> None:
    """A thin disc at inclination θ goes round with Ω² = 4 g/(R sin θ): half a turn."""
    radius, lean = 0.1, 0.3
    rate = math.sqrt(4 * G / (radius * math.sin(lean)))
    along = np.array([math.cos(lean), math.sin(lean), 0])  # up the disc
    coin = disc(
        "solid", radius=radius, rounding=0, mass=1, position=(0, radius * math.sin(lean), 0),
        rotation=(UPRIGHT, 0, lean), spin=(rate * math.sin(lean) * along).tolist(),
    )  # fmt: skip
    run = run_of(on_floor(coin, friction=10), math.pi / rate, solver)
    seen = end_of(run)
    assert [event.kind for event in run.events] == ["touch"]
    assert [seen[f"solid.{axis}"] for axis in "xz"] == pytest.approx([0, 0], abs=1e-8)
    assert seen["solid.y"] == pytest.approx(radius * math.sin(lean), abs=1e-8)
    axis = [math.sin(lean), math.cos(lean), 0]  # on the other side now
    assert lying(seen)[:, 2] == pytest.approx(axis, abs=1e-7)


def rolling(speed: float) -> Body:
    """A hoop that rolls along x, leaning by a thousandth."""
    return disc(
        "solid", radius=0.1, rounding=0, mass=1, position=(0, 0.1 * math.cos(1e-3), 0),
        rotation=(1e-3, 0, 0), velocity=(speed, 0, 0),
        spin=(0, 0, -speed / 0.1),
    )  # fmt: skip


@pytest.mark.parametrize(("share", "stays"), [(1.1, True), (0.9, False)])
def test_a_disc_rolls_upright_if_it_is_fast(share: float, stays: bool) -> None:
    """A thin one does if v² > g R/3."""
    speed = math.sqrt(share * G * 0.1 / 3)
    run = run_of(on_floor(rolling(speed), friction=10), 3.0, "native")
    states = [
        run.automaton.observe(arc.state(i)) for arc in run.arcs for i in range(len(arc.times))
    ]
    most = max(abs(lying(seen)[1, 2]) for seen in states)
    assert (most < 0.01) == stays
    assert stays or most > 0.1


@pytest.mark.parametrize("solver", ENGINES)
def test_a_can_rolls_down_a_slope(solver: str) -> None:
    """With two thirds of the acceleration of one that slides."""
    slope = 0.2
    down = (G * math.sin(slope), -G * math.cos(slope), 0.0)
    can = cylinder("solid", radius=0.05, length=0.2, mass=1, position=(0, 0.05, 0))
    run = run_of(on_floor(can, friction=1, down=down), 0.5, solver)
    assert end_of(run)["solid.x"] == pytest.approx(G * math.sin(slope) / 3 * 0.25, abs=1e-8)
    assert run.events[0].contacts == ("solid.rim1-floor", "solid.rim2-floor")


@pytest.mark.parametrize(("share", "stands"), [(0.97, True), (1.03, False)])
def test_a_can_topples_where_its_weight_is_beyond_its_rim(share: float, stands: bool) -> None:
    """On a slope with tan α > 2 R/L, also between two of its feet."""
    slope = math.atan(share * 2 * 0.05 / 0.2)
    down = (G * math.sin(slope), -G * math.cos(slope), 0.0)
    can = cylinder(
        "solid", radius=0.05, length=0.2, mass=1, position=(0, 0.1, 0),
        rotation=(UPRIGHT, math.pi / 4, 0),
    )  # fmt: skip
    run = run_of(on_floor(can, friction=2, down=down), 1.0, "native")
    leans = math.acos(min(1.0, abs(lying(end_of(run))[1, 2])))
    assert (leans < 1e-4) == stands
    assert stands or leans > 0.5


def test_a_can_that_is_dropped_comes_to_stand() -> None:
    """It rocks from one side to the other, and engines agree on how often."""
    can = cylinder(
        "solid", radius=0.05, length=0.1, mass=1, position=(0, 0.1, 0),
        rotation=(UPRIGHT + 0.2, 0.1, 0),
    )  # fmt: skip
    runs = [run_of(on_floor(can, friction=0.5), 0.5, solver) for solver in ENGINES[:2]]
    ends = [run.end.values for run in runs]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
    assert end_of(runs[0])["solid.y"] == pytest.approx(0.05, abs=1e-8)
    energies = [run.automaton.observe(arc.start)["energy"] for run in runs for arc in run.arcs]
    assert max(energies) == pytest.approx(energies[0], abs=1e-8)


@pytest.mark.parametrize("solver", ENGINES)
def test_a_ball_bounces_on_the_end_and_on_the_side_of_a_can(solver: str) -> None:
    """As on a floor there, and as on another ball's great circle."""
    can = cylinder("can", radius=0.3, length=1, position=(0, -0.5, 0), rotation=(UPRIGHT, 0, 0),
                   fixed=True)  # fmt: skip
    ball = sphere("ball", radius=0.1, mass=1, position=(0.1, 0.6, 0.2))
    law = contact("can", "ball", restitution=1)
    run = run_of(world(can, ball, law, gravity=DOWN), 1.0, solver)
    assert run.events[0].time == pytest.approx(math.sqrt(2 * 0.5 / G), abs=1e-9)
    assert end_of(run)["ball.x"] == pytest.approx(0.1, abs=1e-9)
    thrown = sphere("ball", radius=0.1, mass=1, position=(-1, -0.4, 0.2), velocity=(1, 0, 0))
    run = run_of(world(can, thrown, law), 1.0, solver)
    reach = math.sqrt(0.4**2 - 0.2**2)
    assert run.events[0].time == pytest.approx(1 - reach, abs=1e-9)
    turned = 2 * math.asin(0.5)  # it meets the side at half the distance of both axes
    speeds = [end_of(run)[f"ball.{v}"] for v in ("vx", "vz")]
    assert speeds == pytest.approx([-math.cos(turned), math.sin(turned)], abs=1e-9)


def test_moments_are_those_of_solids_of_uniform_density() -> None:
    """Of a can and of a thick coin, by sampling their volume."""
    points = np.random.default_rng(1).uniform(-1, 1, (400_000, 3)) * (0.3, 0.3, 0.4)
    across = np.hypot(points[:, 0], points[:, 1])
    over = np.hypot(np.maximum(across - 0.2, 0), points[:, 2])
    in_can = (across <= 0.3) & (abs(points[:, 2]) <= 0.25)
    for made, inside in (
        (cylinder("solid", radius=0.3, length=0.5, mass=2), in_can),
        (disc("solid", radius=0.2, rounding=0.1, mass=2), over <= 0.1),
    ):  # fmt: skip
        squares = 2 * (points[inside] ** 2).mean(axis=0)
        found = made.shape.filled(Numbers()).moments(2.0)
        assert found == pytest.approx(squares.sum() - squares, rel=0.01)
        volume = float(made.shape.filled(Numbers()).volume)
        assert volume == pytest.approx(inside.mean() * 0.6 * 0.6 * 0.8, rel=0.01)


class Numbers:
    """What fills a shape of numbers."""

    amount = staticmethod(lambda term: term.value)
    unit = staticmethod(lambda vector: tuple(term.value for term in vector))
