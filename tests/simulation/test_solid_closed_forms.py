"""What is known of solids in closed form, or from equations of motion of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from dyverse.automaton.run import Arc, Run
from dyverse.bodies.build import (
    box,
    compound,
    contact,
    ellipsoid,
    part,
    plane,
    point,
    sphere,
    world,
)
from dyverse.bodies.world import Body, World
from dyverse.expr.rotation import matrix
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate

Array = NDArray[np.float64]
G = 9.81
DOWN = (0.0, -G, 0.0)
ENGINES = ("native", "reference", "cvode")
FINE = {"native": 1e-12, "reference": 1e-12, "cvode": 1e-11}


def run_of(model: World, until: float, solver: str) -> Run:
    follow = Options().follow
    accuracy = replace(follow.accuracy, relative=FINE[solver], absolute=FINE[solver] / 100)
    options = Options(solver=solver, follow=replace(follow, accuracy=accuracy))
    return simulate(generate(model), until=until, options=options)


def on_floor(solid: Body, *, friction: float, down: tuple[float, float, float] = DOWN) -> World:
    law = contact("solid", "floor", restitution=0, friction=friction)
    return world(solid, plane("floor", normal=(0, 1, 0)), law, gravity=down)


def end_of(run: Run) -> Mapping[str, float]:
    return run.automaton.observe(run.end)


def lying(seen: Mapping[str, float]) -> Array:
    return np.array(matrix([seen[f"solid.q{part}"] for part in "wxyz"]))


def own_spin(seen: Mapping[str, float]) -> Array:
    return np.array([seen[f"solid.s{axis}"] for axis in "xyz"])


@pytest.mark.parametrize(
    ("solver", "until"), [("native", 1000.0), ("reference", 50.0), ("cvode", 20.0)]
)
def test_a_free_body_keeps_energy_and_angular_momentum(solver: str, until: float) -> None:
    """Θ = (1, 2, 3), about the middle axis, where it turns over and over."""
    inertia = np.array([1.0, 2.0, 3.0])
    solid = sphere("solid", radius=0.1, mass=1, inertia=(1, 2, 3), spin=(0.01, 1, 0.02))
    seen = end_of(run_of(world(solid), until, solver))
    close = 1e-10 if solver != "cvode" else 1e-8
    assert seen["energy"] == pytest.approx((1e-4 + 2 + 12e-4) / 2, rel=close)
    assert lying(seen) @ (inertia * own_spin(seen)) == pytest.approx([0.01, 2, 0.06], abs=close)


@pytest.mark.parametrize("solver", ENGINES)
def test_an_ellipsoid_rocks_at_its_period(solver: str) -> None:
    """2π √((I + m c²)/(m g (a²/c - c))) for small swings: it stands still after a quarter."""
    a, c, small = 0.3, 0.2, 1e-4
    period = 2 * math.pi * math.sqrt(((a**2 + c**2) / 5 + c**2) / (G * (a**2 / c - c)))
    assert period == pytest.approx(1.030736, abs=1e-6)
    solid = ellipsoid(
        "solid", axes=(a, c, a), mass=1, position=(0, c, 0), spin=(0, 0, small),
        velocity=(-c * small, 0, 0),
    )  # fmt: skip
    run = run_of(on_floor(solid, friction=2), period / 4, solver)
    late = own_spin(end_of(run))[2] / (2 * math.pi * small)  # in periods
    assert late == pytest.approx(0, abs=1e-8)


def hits(run: Run) -> list[tuple[float, float, float]]:
    """When a spin about z jumps: the time, and the spin before and after."""
    place = run.automaton.variables.index("solid.sz")
    both = [(a.end, b.start) for a, b in pairwise(run.arcs) if a.end.time > a.start.time]
    return [(a.time, float(a.values[place]), float(b.values[place])) for a, b in both]


@pytest.mark.parametrize(("solver", "until"), [("native", 2.0), ("reference", 0.3), ("cvode", 0.2)])
def test_a_rocking_block_loses_what_housner_says(solver: str, until: float) -> None:
    """ω⁺/ω⁻ = 1 - 3/2 sin² α, α = atan(b/h), at each change of the edge."""
    b, h, angle = 0.1, 0.4, 0.05
    alpha, long = math.atan(b / h), math.hypot(b, h)
    place = (b + long * math.sin(angle - alpha), long * math.cos(angle - alpha), 0)
    solid = box(
        "solid", size=(2 * b, 2 * h, 2 * b), mass=1, position=place, rotation=(0, 0, -angle)
    )
    run = run_of(on_floor(solid, friction=2), until, solver)
    found = [after / before for _, before, after in hits(run) if abs(before) > 1e-6]
    assert len(found) == (10 if solver == "native" else 1)
    assert found == pytest.approx([1 - 1.5 * math.sin(alpha) ** 2] * len(found), rel=1e-8)
    assert found[0] == pytest.approx(0.911765, abs=1e-6)


def wheel(spokes: int, spin: float, inertia: float) -> Body:
    """A rimless wheel of unit mass and spokes of one metre, with two rows of tips."""
    turns = [2 * math.pi * i / spokes for i in range(spokes)]
    tips = [
        part(point(f"tip{i}{side}"), at=(math.sin(turn), -math.cos(turn), z))
        for i, turn in enumerate(turns)
        for side, z in (("a", 0.3), ("b", -0.3))
    ]
    moments, spins = (inertia,) * 3, (0, 0, -spin)
    return compound(
        "solid", *tips, mass=1, inertia=moments, position=(0, 1, 0), velocity=(spin, 0, 0),
        spin=spins,
    )  # fmt: skip


def test_a_rimless_wheel_comes_to_its_limit_cycle() -> None:
    """ω⁺ = η ω⁻, and what a step gains: J_s ω⁻² (1 - η²) = 2 m g l (cos(γ-α) - cos(γ+α))."""
    slope, alpha, inertia = 0.08, math.pi / 8, 0.2
    share = (inertia + math.cos(2 * alpha)) / (inertia + 1)
    gain = 2 * G * (math.cos(slope - alpha) - math.cos(slope + alpha)) / (inertia + 1)
    before = math.sqrt(gain / (1 - share**2))
    down = (G * math.sin(slope), -G * math.cos(slope), 0)
    run = run_of(on_floor(wheel(8, 1.3, inertia), friction=5, down=down), 40.0, "native")
    *_, (earlier, _, _), (time, spin, after) = hits(run)
    assert (spin, after / spin) == pytest.approx((-before, share), abs=1e-8)
    assert (before, share) == pytest.approx((1.527532, 0.755922), abs=1e-6)
    assert time - earlier == pytest.approx(0.838635, abs=1e-6)


def tippe_top(radius: float, off: float, moments: tuple[float, float, float]) -> Body:
    """An eccentric ball whose centre of mass is low, spun about the vertical, a little tilted."""
    angle = 0.1 - math.pi / 2
    height = radius + off * math.sin(angle)
    shell = part(sphere("shell", radius=radius), at=(0, 0, off))
    return compound(
        "solid", shell, mass=0.02, inertia=moments, rotation=(angle, 0, 0), spin=(0, 150, 0),
        position=(0, height, 0),
    )  # fmt: skip


@pytest.mark.parametrize(("solver", "until"), [("native", 4.0), ("reference", 0.1), ("cvode", 0.1)])
def test_a_tippe_top_turns_over_and_keeps_jelletts_integral(solver: str, until: float) -> None:
    """-L · (arm to the contact point) is constant, whatever friction does."""
    radius, off, moments = 0.02, 0.003, (3.2e-6, 3.2e-6, 3.1e-6)
    run = run_of(on_floor(tippe_top(radius, off, moments), friction=0.1), until, solver)

    def jellett(seen: Mapping[str, float]) -> float:
        turned = lying(seen)
        arm = turned @ np.array([0, 0, off]) - np.array([0, radius, 0])
        return float(-(turned @ (np.array(moments) * own_spin(seen))) @ arm)

    seen = [run.automaton.observe(arc.state(i)) for arc in run.arcs for i in _few(arc)]
    found = [jellett(now) for now in seen]
    assert found == pytest.approx([found[0]] * len(found), rel=1e-8)
    assert seen[-1]["energy"] < seen[0]["energy"]
    if solver == "native":
        assert lying(seen[0])[1, 2] > 0.99
        assert lying(seen[-1])[1, 2] < -0.9


def _few(arc: Arc) -> range:
    return range(0, len(arc.times), max(1, len(arc.times) // 20))


def edge(speed: float, friction: float) -> World:
    """A ball of 0.1 m that slides or rolls towards the edge of a table."""
    radius = 0.1
    spin = (0, 0, -speed / radius if friction else 0)
    ball = sphere(
        "solid",
        radius=radius,
        mass=1,
        position=(-0.1, radius, 0),
        velocity=(speed, 0, 0),
        spin=spin,
    )
    table = box("table", size=(2, 0.2, 2), position=(-1, -0.1, 0), fixed=True)
    law = contact("table", "solid", restitution=0, friction=friction)
    return world(table, ball, law, gravity=DOWN)


def leaning(run: Run, kind: str) -> float:
    """The angle about the edge at the first event of a kind."""
    time = next(event.time for event in run.events if event.kind == kind)
    state = next(arc.start for arc in run.arcs if arc.start.time >= time)
    seen = run.automaton.observe(state)
    return math.atan2(seen["solid.x"], seen["solid.y"])


@pytest.mark.parametrize("solver", ENGINES)
def test_a_ball_leaves_the_edge_of_a_table(solver: str) -> None:
    """Without friction where cos θ = (2 + v²/(g R))/3."""
    angle = leaning(run_of(edge(0.3, 0.0), 0.7, solver), "release")
    assert math.cos(angle) == pytest.approx((2 + 0.3**2 / (G * 0.1)) / 3, abs=1e-8)


@pytest.mark.parametrize("solver", ENGINES)
def test_a_ball_that_rolls_over_an_edge_begins_to_slip(solver: str) -> None:
    """Where 2 sin θ = μ (17 cos θ - 10 - 7 v²/(g R))."""
    angle = leaning(run_of(edge(0.3, 0.4), 0.7, solver), "slip")
    reserve = 0.4 * (17 * math.cos(angle) - 10 - 7 * 0.3**2 / (G * 0.1)) - 2 * math.sin(angle)
    assert reserve == pytest.approx(0, abs=1e-8)


class Celt:
    """A rattleback: an ellipsoid whose principal axes are turned by 0.1 about its short one."""

    axes = np.array([0.2, 0.02, 0.03])
    tilt = 0.01

    def __init__(self) -> None:
        squares = self.axes**2 / 5
        low, high = squares[1] + squares[2], squares[0] + squares[1]
        c, s = math.cos(0.1), math.sin(0.1)
        mixed = (low - high) * s * c
        self.inertia = np.array(
            [
                [low * c * c + high * s * s, 0, mixed],
                [0, squares[0] + squares[2], 0],
                [mixed, 0, low * s * s + high * c * c],
            ]
        )

    def arm(self, up: Array) -> Array:
        """From the centre to the lowest point, in body axes; ``up`` is the vertical there."""
        pressed = self.axes**2 * up
        return np.asarray(-pressed / math.sqrt(up @ pressed))

    def rolling(self, _: float, state: Array) -> Array:
        """Euler's equations about the contact point, without slip; the vertical and spin turn."""
        up, spin = state[:3], state[3:]
        size, turning = math.sqrt(up @ (self.axes**2 * up)), np.cross(up, spin)
        arm = self.arm(up)
        wanders = -(self.axes**2) * turning / size - arm * (up @ (self.axes**2 * turning)) / size**2
        velocity = np.cross(arm, spin)
        pull = np.cross(wanders, spin) + np.cross(spin, velocity) + G * up
        right = np.cross(arm, pull) - np.cross(spin, self.inertia @ spin)
        across = np.cross(np.eye(3), arm)
        return np.concatenate([turning, np.linalg.solve(self.inertia - across @ across, right)])

    def start(self, spin: float) -> tuple[Array, Body]:
        """A little tilted about its long axis, rolling: for both roads."""
        c, s = math.cos(self.tilt), math.sin(self.tilt)
        up, turned = np.array([0, c, -s]), np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        arm = turned @ self.arm(up)
        six = [self.inertia[i] for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        solid = ellipsoid(
            "solid", axes=self.axes.tolist(), mass=1, inertia=list(map(float, six)),
            position=(0, -float(arm[1]), 0), rotation=(self.tilt, 0, 0), spin=(0, spin, 0),
            velocity=np.cross(arm, [0, spin, 0]).tolist(),
        )  # fmt: skip
        return np.concatenate([up, turned.T @ [0, spin, 0]]), solid


@pytest.mark.parametrize(("solver", "until"), [("native", 3.0), ("reference", 0.1), ("cvode", 0.1)])
def test_a_rattleback_reverses_its_spin_one_way_only(solver: str, until: float) -> None:
    celt, spins = Celt(), []
    for spin in (1.0, -1.0):
        start, solid = celt.start(spin)
        rolls = solve_ivp(celt.rolling, (0, until), start, method="DOP853", rtol=1e-11, atol=1e-13)
        run = run_of(on_floor(solid, friction=10), until, solver)
        assert [event.kind for event in run.events] == ["touch"]
        assert own_spin(end_of(run)) == pytest.approx(rolls.y[3:, -1], abs=1e-8)
        spins.append(end_of(run)["solid.wy"])
    if solver == "native":
        assert spins[0] < -0.9
        assert spins[1] < -0.9
