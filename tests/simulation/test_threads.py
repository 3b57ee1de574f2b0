"""Threads that use one automaton do not disturb each other: each has its own memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import casadi as ca
import numpy as np

from dyverse.automaton.run import Run
from dyverse.bodies.read import parse_world
from dyverse.expr.buffered import buffered
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate

BRAKED = """
parameter c = 2
input u1 = -c*sign(crate.vx - 0.2)
planar
gravity (0, -9.81, 0)
body crate { box size (0.4, 0.2, 0.3)  mass 1  position (0, 0.1, 0)  velocity (1, 0, 0) }
body yard { plane normal (0, 1, 0) }
contact crate yard { restitution 0  friction 0.1 }
force crate (u1, 0, 0)
"""
STEERED = """
body ball { sphere radius 0.1  mass 1 }
force ball (engine.push, 0, 0)
automaton engine {
  real push = 1
  location on { push' = 1 }
  initial on
}
system engine
"""
REFERENCE = Options(solver="reference")


def outcome(run: Run) -> tuple[list[float], list[float]]:
    return [event.time for event in run.events], run.end.values.tolist()


def test_each_thread_has_its_own_memory() -> None:
    x = ca.SX.sym("x")
    double = buffered([x], [2 * x])
    (mine,) = double(1.0)
    with ThreadPoolExecutor(1) as pool:
        (other,) = pool.submit(double, 5.0).result()
    assert (float(mine[0]), float(other[0])) == (2.0, 10.0)


def test_a_thread_drives_its_own_mechanics() -> None:
    text = "parameter k = 2  body ball { sphere radius 1  mass 1 }  force ball (k, 0, 0)"
    automaton = generate(parse_world(text))

    def pulled() -> float:
        return float(automaton.dynamics.free_acceleration(0.0, automaton.start().values)[0])

    def driven() -> float:
        automaton.dynamics.drive(np.array([7.0]))
        return pulled()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(driven).result() == 7
    assert pulled() == 2


def test_threads_that_share_an_automaton_find_the_runs_of_one() -> None:
    for text in (BRAKED, STEERED):
        automaton = parse_model(text).automaton({})
        starts = [simulate(automaton, until=0.3 * i, options=REFERENCE).end for i in range(4)]

        def followed(number: int) -> tuple[list[float], list[float]]:
            run = simulate(automaton, starts[number], until=1.5, options=REFERENCE)  # noqa: B023
            return outcome(run)

        alone = [followed(number) for number in range(4)]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(followed, range(4))) == alone
