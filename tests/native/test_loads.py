"""Loads in C: bodies that are alike share a function, and the numbers are those of CasADi."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.mechanics.system import system_of
from dyverse.native.code.codegen import model_code
from dyverse.native.code.loads import MANY, load_code
from dyverse.native.engine import simulate_native
from dyverse.native.header import doubles
from dyverse.native.model import native_model
from dyverse.simulation.simulate import simulate


def swarm(balls: int) -> str:
    """Balls in a row that gravity, drag and springs move, of two masses; a box among them."""
    bodies = [
        f"body b{i} {{ sphere radius 0.1 mass {1 + i % 2} position ({i}, {0.1 * i}, 0) "
        f"velocity (0, {i % 3}, 1) }}"
        for i in range(balls)
    ]
    bodies.insert(3, "body crate { box size (1, 2, 3) mass 5 position (0, 0, -9) spin (1, 2, 3) }")
    drags = [
        f"force b{i} (-k*b{i}.vx, -k*b{i}.vy*sqrt(1 + b{i}.vy^2), sin(t))" for i in range(balls)
    ]
    springs = [
        f"spring b{i} b{i + 1} {{ stiffness 10 length 1 damping 0.1 }}" for i in range(balls - 1)
    ]
    head = ["gravity (0, -g, 0)", "parameter g = 9.81", "parameter k = 0.2", "contact all off"]
    return "\n".join([*head, *bodies, *drags, *springs])


@pytest.mark.parametrize("balls", [5, 2 * MANY + 9])
def test_loads_in_c_are_those_of_the_system(balls: int) -> None:
    automaton = generate(parse_world(swarm(balls)))
    system = automaton.dynamics.system
    library = native_model(automaton.world, automaton.scene).library
    random, found = np.random.default_rng(1), np.empty(6 * (balls + 1))
    p = np.array(list(automaton.scene.settings.values()))
    for time in (0.0, 1.5):
        x = random.normal(size=len(automaton.variables))
        library.dv_model_loads(time, *map(doubles, (x, p, np.empty(0), found)))
        np.testing.assert_array_equal(found, np.array(system.loads(time, x, p, [])[0]).ravel())


def test_code_grows_with_what_is_different_not_with_bodies() -> None:
    def statements(balls: int) -> int:
        world = parse_world(swarm(balls))
        return model_code(system_of(world, ("g", "k"))).source.count(";")

    assert statements(4 * MANY) == statements(8 * MANY)


def test_few_bodies_are_written_out() -> None:
    world = parse_world(swarm(MANY - 1))
    (function,) = load_code(system_of(world, ("g", "k"))).functions
    assert function.name() == "dv_loads"


def test_a_swarm_flies_as_in_the_reference() -> None:
    automaton = generate(parse_world(swarm(2 * MANY + 4)))
    native, reference = simulate_native(automaton, until=0.3), simulate(automaton, until=0.3)
    np.testing.assert_allclose(native.end.values, reference.end.values, rtol=1e-8, atol=1e-8)
