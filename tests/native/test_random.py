"""Both engines on random scenes: balls thrown between walls, with friction and all restitutions."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, simulate_native
from dyverse.simulation.simulate import Options as ReferenceOptions
from dyverse.simulation.simulate import simulate
from tests import scenes
from tests.native.comparing import same

CERTAIN = 25  # events: after many, chaos makes runs differ


def scene(seed: int) -> World:
    """One to four balls over a floor, perhaps with a wall."""
    rng = np.random.default_rng(seed)
    parts: list[Part] = [plane("floor", normal=(0, 1, 0))]
    if rng.random() < 0.5:
        parts.append(
            plane("wall", normal=(1, float(rng.choice([0.0, 0.5])), 0), position=(-1.5, 0, 0))
        )
    for i in range(int(rng.integers(1, 5))):
        radius = float(rng.uniform(0.1, 0.3))
        height = radius if rng.random() < 0.3 else 0.4 + float(rng.uniform(0, 1))
        parts.append(
            sphere(
                f"b{i}",
                radius=radius,
                mass=float(rng.uniform(0.3, 3)),
                position=(0.8 * i - 0.9, height, float(rng.uniform(-0.1, 0.1))),
                velocity=tuple(rng.normal(size=3)),
                spin=tuple(5 * rng.normal(size=3) * (rng.random() < 0.5)),
            )
        )
    e, mu = float(rng.choice([0.0, 0.3, 0.5, 0.9, 1.0])), float(rng.choice([0.0, 0.1, 0.3, 1.0]))
    return world(*parts, contact_all(restitution=e, friction=mu), gravity=scenes.DOWN)


@pytest.mark.parametrize("seed", range(24))
def test_both_engines_tell_the_same_story(seed: int) -> None:
    automaton = generate(scene(seed))
    native = simulate_native(automaton, until=1, options=Options(max_events=CERTAIN))
    reference = simulate(automaton, until=1, options=ReferenceOptions(max_events=CERTAIN))
    assert native.stop is reference.stop
    for ours, theirs in zip(native.events, reference.events, strict=True):
        assert same(ours, theirs, 1e-7), (ours, theirs)


@pytest.mark.parametrize("seed", range(100, 106))
def test_nothing_penetrates(seed: int) -> None:
    automaton = generate(scene(seed))
    run = simulate_native(automaton, until=2)
    gaps = [automaton.dynamics.contacts.approach(arc.states)[0].min() for arc in run.arcs]
    assert min(gaps) >= -1e-8
