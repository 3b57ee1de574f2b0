"""Bodies that are moved along functions of time: closed forms."""

import math
from dataclasses import replace

import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.build import box, contact, parameter, plane, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import Options, simulate

G, RADIUS = 9.81, 0.05
TIGHT = replace(Options().follow.accuracy, relative=1e-10, absolute=1e-12)
EXACT = replace(Options(), follow=replace(Options().follow, accuracy=TIGHT))


def run_of(model: World, until: float, solver: str = "reference") -> Run:
    return simulate(generate(model), until=until, options=replace(EXACT, solver=solver))


def bouncing(e: float, pace: float, phase: float) -> World:
    """A ball that has just left a vibrating table, in step with it."""
    period = 2 * math.pi / pace
    speed = math.pi * G * (1 - e) / (pace * (1 + e))  # of the table at the impact
    size = speed / (pace * math.cos(phase))
    return world(
        parameter("A", size),
        plane("table", normal=(0, 1, 0), moves=(0, f"A*sin({pace!r}*t + {phase!r})", 0)),
        sphere(
            "ball",
            radius=RADIUS,
            mass=0.1,
            position=(0, size * math.sin(phase) + RADIUS, 0),
            velocity=(0, G * period / 2, 0),
        ),
        contact("table", "ball", restitution=e),
        gravity=(0, -G, 0),
    )


@pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
def test_a_ball_bounces_in_step_with_a_vibrating_table(solver: str) -> None:
    """Exactly once a period where the table's speed at impact is π g (1 - e)/(ω (1 + e))."""
    e, pace, phase = 0.6, 40.0, 0.3
    run = run_of(bouncing(e, pace, phase), 0.8, solver)
    times = [event.time for event in run.events if event.kind == "impact"]
    assert len(times) == 5
    assert times == pytest.approx([2 * math.pi / pace * n for n in range(1, 6)], abs=1e-8)
    table = run.automaton.observe(run.arcs[-1].end)["table.y"]
    size = math.pi * G * (1 - e) / (pace * (1 + e)) / (pace * math.cos(phase))
    assert table == pytest.approx(size * math.sin(pace * 0.8 + phase), abs=1e-9)


def resting(moves: tuple[object, ...], solid: str = "ball") -> World:
    body = (
        sphere("ball", radius=RADIUS, mass=2, position=(0, RADIUS, 0))
        if solid == "ball"
        else box("ball", size=(0.1, 0.1, 0.1), mass=2, position=(0, 0.05, 0))
    )
    return world(
        plane("table", normal=(0, 1, 0), moves=moves),  # type: ignore[arg-type]
        body,
        contact("table", "ball", restitution=0, friction=0.5),
        gravity=(0, -G, 0),
    )


@pytest.mark.parametrize("solid", ["ball", "box"])
def test_what_rests_on_a_lift_is_pressed_by_its_acceleration(solid: str) -> None:
    run = run_of(resting((0, "0.01*(1 - cos(10*t))", 0), solid), 0.7)
    assert [event.kind for event in run.events] == ["touch"]
    for arc in run.arcs:
        state = arc.state(len(arc.times) // 2)
        seen = run.automaton.observe(state)
        pressed = sum(x for name, x in seen.items() if name.startswith("normal_force["))
        assert pressed == pytest.approx(2 * (G + math.cos(10 * state.time)), abs=1e-6)
        assert seen["table.y"] == pytest.approx(0.01 * (1 - math.cos(10 * state.time)), abs=1e-9)


def test_a_ball_leaves_a_table_that_falls_faster_than_it() -> None:
    """a = -A ω² cos ω t for A (cos ω t - 1)… here it is thrown off where A ω² cos ω t = -g."""
    run = run_of(resting((0, "0.2*(1 - cos(10*t))", 0)), 0.3)
    (leaves,) = [event.time for event in run.events if event.kind == "release"]
    assert leaves == pytest.approx(math.acos(-G / 20) / 10, abs=1e-8)


def test_a_box_is_carried_along_by_friction() -> None:
    run = run_of(resting(("0.02*t^2", 0, 0), "box"), 0.5)
    seen = run.automaton.observe(run.arcs[-1].end)
    assert seen["ball.x"] == pytest.approx(0.02 * 0.25, abs=1e-8)
    assert all(event.kind in ("touch", "stick") for event in run.events)


def test_the_way_a_table_moves_can_be_varied() -> None:
    model, step = replace(bouncing(0.6, 40.0, 0.3)), 1e-7
    high = replace(model.bodies[1], position=parse_world("gravity (0, 0.1, 0)").gravity)
    model = replace(model, bodies=(model.bodies[0], high))
    value = generate(model).scene.values["A"]
    found = sensitivities(run_of(model, 0.2), ("A",)).final[:, 0]
    ends = [
        simulate(generate(model, {"A": value + d}), until=0.2, options=EXACT).arcs[-1].end.values
        for d in (step, -step)
    ]
    assert found == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-4, abs=1e-4)


TEXT = """\
parameter A = 0.01
body table { plane normal (0, 1, 0)  moves (0, A * sin(40 * t), 0) }
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
"""


def test_moved_bodies_are_printed_and_read_back() -> None:
    assert world_text(parse_world(TEXT)) == TEXT


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("sin(40 * t)", "ball.x", "'moves' is a function of time, .* 'ball.x' is none of these"),
        ("sin(40 * t)", "abs(t - 1)", "has a kink or a jump, in abs"),
        ("moves", "mass 1  moves", "body 'table' is moved, whatever its mass; leave out 'mass'"),
        ("parameter A = 0.01", "parameter A = 0.01\nforce table (1, 0, 0)", "does nothing"),
    ],
)
def test_what_cannot_move_so_is_said(old: str, new: str, wrong: str) -> None:
    text = TEXT.replace(old, new, 1)
    if "force" in new:
        text = TEXT + "force table (1, 0, 0)\n"
    with pytest.raises(ModelError, match=wrong):
        parse_world(text)
