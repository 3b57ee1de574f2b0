"""Many contacts: only those that are near are looked at, and the run is the same."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, prepared, simulate_native
from dyverse.native.model import native_model

ALWAYS = 256  # contacts that are all looked at, DV_ALWAYS
WALLS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def gas(balls: int, *, friction: float = 0.0, gravity: float = 0.0, strange: int = 0) -> World:
    """Balls that fly about in a cube; those that are ``strange`` lie far outside, at rest."""
    rng, side = np.random.default_rng(balls), int(np.ceil(balls ** (1 / 3)))
    size = 0.5 * (side + 1)
    parts = [
        sphere(
            f"b{i}",
            radius=0.1,
            mass=1,
            position=(0.5 * (i % side + 1), 0.5 * (i // side % side + 1), 0.5 * (i // side**2 + 1)),
            velocity=tuple(rng.normal(size=3)),
        )
        for i in range(balls)
    ]
    parts += [
        sphere(f"s{i}", radius=0.1, mass=1, position=(1e3 + 10 * i, 1, 1)) for i in range(strange)
    ]
    for number, normal in enumerate(WALLS[:: 2 if strange else 1]):
        place = tuple(size if entry < 0 else 0.0 for entry in normal)
        parts.append(plane(f"w{number}", normal=normal, position=place))
    law = contact_all(restitution=0.9, friction=friction)
    return world(*parts, law, gravity=(0, -gravity, 0))


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_gas_is_the_same_beside_balls_that_nobody_meets(friction: float) -> None:
    """Few contacts are all looked at; with others far away there is a list of what is near."""
    alone = generate(gas(15, friction=friction, strange=1))
    beside = generate(gas(15, friction=friction, strange=20))
    assert len(alone.contacts) <= ALWAYS < len(beside.contacts)
    ours, theirs = (simulate_native(automaton, until=2.0) for automaton in (alone, beside))
    assert len(ours.events) > 3
    assert [(e.kind, e.contacts) for e in ours.events if "s" not in "".join(e.contacts)] == [
        (e.kind, e.contacts) for e in theirs.events if "s" not in "".join(e.contacts)
    ]
    final = theirs.final
    for name, number in ours.final.items():
        assert final[name] == pytest.approx(number, abs=1e-6)


@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_a_list_of_what_is_near_misses_nothing(gravity: float) -> None:
    """No two balls overlap."""
    automaton = generate(gas(40, friction=0.2, gravity=gravity))
    short = Options(longest_step=0.005)  # so that lists are of what is very near
    run = simulate_native(automaton, until=1.0, options=short)
    assert len(run.events) > 30
    least = [automaton.dynamics.contacts.approach(arc.end.values)[0].min() for arc in run.arcs[::7]]
    assert min(least) > -1e-8


def test_a_run_that_is_saved_goes_on_with_a_list_of_its_own() -> None:
    automaton = generate(gas(40))
    model = native_model(automaton.world, automaton.scene)
    engines = [prepared(model, automaton, automaton.start(), Options()) for _ in range(2)]
    engines[0].run(0.4)
    engines[1].restore(engines[0].save())
    for engine in engines:
        engine.run(0.8)
    assert engines[0].counts["events"] == engines[1].counts["events"]
    assert engines[0].x == pytest.approx(engines[1].x, abs=1e-9)
