"""Balls and walls where the native engine has formulas: when a gap closes, and what an impact does.

Each answer is found a second time: by closed forms, by the reference engine, or by the general
solver, which takes over as soon as another contact is closed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from dyverse.simulation.simulate import simulate
from tests.native.comparing import first_difference
from tests.scenes import DOWN, G

Vector = tuple[float, float, float]


def thrown(position: Vector, velocity: Vector, *walls: Part, **law: float) -> World:
    ball = sphere("ball", radius=0.1, mass=2, position=position, velocity=velocity)
    return world(ball, *walls, contact_all(**law), gravity=DOWN)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_a_ball_meets_a_wall_when_its_parabola_does(seed: int) -> None:
    """The least positive root of n·(x₀ + v t + g t²/2) - r, by the eigenvalues of `numpy.roots`."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=3)
    normal /= np.linalg.norm(normal)
    v, start = random.normal(size=3) * 5, normal * random.uniform(0.2, 3)
    coefficients = (normal[1] * -G / 2, normal @ v, normal @ start - 0.1)
    roots = [r.real for r in np.roots(coefficients) if r.imag == 0 and r.real > 0]
    model = thrown(tuple(start), tuple(v), plane("wall", normal=tuple(normal)), restitution=1)
    times = simulate_native(generate(model), until=20.0).times("impact")
    assert times[:1] == pytest.approx([min(roots)] if roots else [], rel=1e-11)


@pytest.mark.parametrize(("above", "kind"), [(5e-10, "graze"), (-1e-7, "impact"), (3e-9, None)])
def test_a_ball_rises_to_just_below_a_ceiling(above: float, kind: str | None) -> None:
    """It turns at v/g; what is nearer than 1e-9 m is a graze, and below zero it hits before."""
    rise = 2.0**2 / (2 * G)
    ceiling = plane("ceiling", normal=(0, -1, 0), position=(0, 0.1 + rise + above, 0))
    run = simulate_native(generate(thrown((0, 0, 0), (0, 2, 0), ceiling)), until=0.5)
    assert [event.kind for event in run.events] == [kind] * (kind is not None)
    before = math.sqrt(max(-2 * above / G, 0.0))
    assert [event.time for event in run.events] == pytest.approx(
        [2 / G - before] * len(run.events), abs=2e-8
    )


@pytest.mark.parametrize("seed", range(6))
def test_both_engines_follow_a_ball_in_a_box(seed: int) -> None:
    random = np.random.default_rng(seed)
    sides = [(0, 1.0, 0), (0, -1.0, 0), (1.0, 0, 0), (-1.0, 0, 0), (0, 0.6, 0.8), (0, 0.6, -0.8)]
    walls = [
        plane(f"wall{i}", normal=side, position=(-side[0], -side[1], -side[2]))
        for i, side in enumerate(sides)
    ]
    law = {"restitution": 0.9, "tangential_restitution": 0.4, "friction": 0.3}
    model = thrown((0, 0, 0), tuple(random.normal(size=3) * 4), *walls, **law)
    automaton = generate(model)
    native, reference = simulate_native(automaton, until=2.0), simulate(automaton, until=2.0)
    assert first_difference(native, reference) is None
    assert native.end.values == pytest.approx(reference.end.values, abs=1e-7)


@pytest.mark.parametrize("friction", [0.05, 0.6])
@pytest.mark.parametrize("tangential", [0.0, 0.5])
def test_a_contact_alone_and_among_others_takes_the_same_impulse(
    friction: float, tangential: float
) -> None:
    """A ball that rests on the floor far away makes the same impact a problem of two contacts."""
    law = {"restitution": 0.7, "tangential_restitution": tangential, "friction": friction}
    ball = sphere(
        "ball", radius=0.1, mass=2, position=(0, 0.5, 0), velocity=(3, 0, 1), spin=(4, 5, -6)
    )
    far = sphere("far", radius=0.1, mass=1, position=(50, 0.1, 0))
    floor = plane("floor", normal=(0, 1, 0))
    models = [
        world(*balls, floor, contact_all(**law), gravity=DOWN)  # type: ignore[arg-type]
        for balls in ((ball,), (ball, far))
    ]
    alone, among = (simulate_native(generate(model), until=0.4) for model in models)
    assert alone.times("impact") == pytest.approx(among.times("impact"), rel=1e-13)
    names = [name for name in alone.final if name.startswith("ball.")]
    assert [alone.final[n] for n in names] == pytest.approx(
        [among.final[n] for n in names], rel=1e-12, abs=1e-13
    )
    assert not any("far" in name for event in among.events[1:] for name in event.contacts)
