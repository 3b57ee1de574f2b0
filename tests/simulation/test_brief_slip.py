"""Where bodies are piled up, a slip that friction soon ends is over: within a nanometre or so."""

import math
from itertools import pairwise

import pytest

from dyverse.bodies.build import contact, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.generation.tolerances import DEFAULT
from dyverse.simulation.simulate import Options, simulate

R, G, MU, SPEED = 0.1, 9.81, 0.3, 0.5  # m, m/s², 1, m/s
SOLVERS = ("reference", "native")
ROLLS = 2 * SPEED / (7 * MU * G)  # s: when a ball that slides begins to roll
LOSES = 3.5 * MU * G  # m/s²: how fast its slip loses speed until then


def row(names: str, *, apart: float = 0.0) -> World:
    """Balls slide along a smooth wall, side by side, so far (m) from one another."""
    balls = [
        sphere(
            name, radius=R, mass=1, position=(R + i * (2 * R + apart), R, 0), velocity=(0, 0, SPEED)
        )
        for i, name in enumerate(names)
    ]
    return world(
        *balls,
        plane("floor", normal=(0, 1, 0)),
        plane("wall", normal=(1, 0, 0)),
        *(contact(name, "floor", restitution=0, friction=MU) for name in names),
        contact("a", "wall", restitution=0, friction=0),
        *(contact(a, b, restitution=0, friction=0) for a, b in pairwise(names)),
        gravity=(0, -G, 0),
    )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("names", "unseen"),
    [("abcd", DEFAULT.gap), ("abcde", DEFAULT.gap), ("abcdef", DEFAULT.heap)],
)
def test_slip_of_piled_bodies_ends_a_little_early(names: str, unseen: float, solver: str) -> None:
    """``v²/2a`` is what counts as touching, in a heap more: ``√(2 s/a)`` before the closed form."""
    run = simulate(generate(row(names)), until=0.5, options=Options(solver=solver))
    (last,) = [event for event in run.events if event.kind == "stick"]
    assert set(last.contacts) == {f"{name}-floor" for name in names}
    assert ROLLS - last.time == pytest.approx(math.sqrt(2 * unseen / LOSES), rel=1e-4)
    speed = run.end.values[6 * len(names) + 2]  # what is taken out is lost, momentum is not
    assert speed == pytest.approx(5 / 7 * SPEED, abs=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("names", "apart"), [("ab", 0.0), ("abc", 0.0), ("abcd", 0.01)])
def test_slip_of_few_bodies_ends_when_it_ends(names: str, apart: float, solver: str) -> None:
    run = simulate(generate(row(names, apart=apart)), until=0.5, options=Options(solver=solver))
    sticks = [event.time for event in run.events if event.kind == "stick"]
    assert sticks == pytest.approx([ROLLS] * len(sticks), abs=1e-8)
    assert sticks
