"""Tolerances that suit a scene: slow ones, fast ones, and those far from the origin."""

import math

import pytest

from dyverse import generate, simulate
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact, force, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.generation.tolerances import DEFAULT, Tolerances
from dyverse.simulation.simulate import Options

SOLVERS = ["native", "reference", "cvode"]


@pytest.fixture(params=SOLVERS)
def options(request: pytest.FixtureRequest) -> Options:
    if request.param == "cvode":
        pytest.importorskip("sksundae")
    return Options(solver=request.param)


def two_balls(speed: float) -> World:
    return world(
        sphere("a", radius=0.1, mass=1, position=(0, 0, 0), velocity=(speed, 0, 0)),
        sphere("b", radius=0.1, mass=2, position=(0.5, 0, 0)),
        contact("a", "b", restitution=1, friction=0),
    )


def on_a_slope(distance: float) -> World:
    """A ball that bounces on a slope, so far from the origin along it."""
    tilt = 0.3
    normal, down = (math.sin(tilt), math.cos(tilt)), (math.cos(tilt), -math.sin(tilt))
    place = [distance * d + 1.1 * n for d, n in zip(down, normal, strict=True)]
    return world(
        sphere("ball", radius=0.1, mass=1, position=(*place, 0)),
        plane("slope", normal=(*normal, 0)),
        contact("ball", "slope", restitution=0.5, friction=0.3),
        gravity=(0, -9.81, 0),
    )


def energy(run: Run) -> float:
    return run.final["a.vx"] ** 2 + 2 * run.final["b.vx"] ** 2


@pytest.mark.parametrize("speed", [1e9, 1e3, 1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_an_elastic_impact_keeps_its_energy_at_any_speed(speed: float, options: Options) -> None:
    run = simulate(generate(two_balls(speed)), until=1 / speed, options=options)
    assert [event.kind for event in run.events] == ["impact"]
    assert run.final["b.vx"] == pytest.approx(2 / 3 * speed, rel=1e-9)
    assert energy(run) == pytest.approx(speed**2, rel=1e-12)


@pytest.mark.parametrize("distance", [1.0, 1e3, 1e6, 1e9])
def test_a_ball_bounces_to_rest_however_far_away(distance: float, options: Options) -> None:
    """The last bounces are below what numbers of that size can tell apart, the others are not."""
    run = simulate(generate(on_a_slope(distance)), until=3, options=options)
    assert run.stop == Stop.HORIZON
    fall = math.sqrt(2 / (9.81 * math.cos(0.3)))
    known = 1e-8 + math.sqrt(distance) * 1e-7
    first = [fall * k for k in (1, 2, 2.5, 2.75)]
    assert run.times("impact")[:4] == pytest.approx(first, abs=known)
    assert run.times("accumulation") == pytest.approx([3 * fall], abs=50 * known)


def test_usual_scenes_have_the_defaults() -> None:
    assert generate(on_a_slope(1.0)).tolerances == DEFAULT
    assert generate(two_balls(1.0)).tolerances == DEFAULT
    assert generate(two_balls(0.0)).tolerances == DEFAULT


def test_what_acts_later_may_be_fast() -> None:
    """A force that nobody can bound says nothing about how slow a scene stays."""
    pushed = world(
        sphere("a", radius=0.1, mass=1, position=(0, 0, 0), velocity=(1e-9, 0, 0)),
        force("a", ("t", 0, 0)),
    )
    assert generate(pushed).tolerances == DEFAULT


def test_tolerances_that_are_given_are_taken() -> None:
    given = Tolerances(gap=1e-6)
    assert generate(two_balls(1e-9), tolerances=given).tolerances == given


@pytest.mark.parametrize(
    ("radius", "heap"), [(10.0, 1e-5), (0.1, 1e-5), (1e-3, 1e-7), (1e-6, 1e-9)]
)
def test_what_is_not_followed_in_a_heap_is_small_beside_its_bodies(
    radius: float, heap: float
) -> None:
    balls = sphere("a", radius=radius, mass=1), sphere("b", radius=0.2, mass=1, position=(99, 0, 0))
    automaton = generate(world(*balls, contact("a", "b", restitution=0, friction=0)))
    assert automaton.tolerances.heap == pytest.approx(heap)
