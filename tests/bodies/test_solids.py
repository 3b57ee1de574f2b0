"""Boxes and ellipsoids: written in text and Python, closed forms, and two roads to one motion."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.build import box, capsule, contact, ellipsoid, plane, point, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.solid import Given
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.world import Body, World
from dyverse.errors import ModelError
from dyverse.expr.term import Number
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate

G = 9.81
TIGHT = replace(Options().follow.accuracy, relative=1e-9, absolute=1e-10)

EXACT = replace(TIGHT, relative=1e-12, absolute=1e-13)


def run_of(
    model: World, until: float, solver: str = "reference", accuracy: Accuracy = TIGHT
) -> Run:
    follow = replace(Options().follow, accuracy=accuracy)
    return simulate(generate(model), until=until, options=Options(solver=solver, follow=follow))


def on_floor(*bodies: object, restitution: float = 0.0, friction: float = 2.0) -> World:
    law = contact("solid", "floor", restitution=restitution, friction=friction)
    return world(*bodies, plane("floor", normal=(0, 1, 0)), law, gravity=(0, -G, 0))  # type: ignore[arg-type]


def tilted(half: tuple[float, float], angle: float) -> World:
    """A block of a square base on its right lower edge."""
    b, h = half
    long, steep = math.hypot(b, h), angle - math.atan(b / h)
    place = (b + long * math.sin(steep), long * math.cos(steep), 0)
    size = (2 * b, 2 * h, 2 * b)
    return on_floor(box("solid", size=size, mass=1, position=place, rotation=(0, 0, -angle)))


def test_a_squat_block_stops_dead() -> None:
    """tan α > √2."""
    run = run_of(tilted((0.3, 0.2), 0.05), 0.5)
    assert [event.kind for event in run.events][-1] in ("impact", "touch")
    assert run.arcs[-1].end.values[-3:] == pytest.approx([0, 0, 0], abs=1e-9)


def bouncing(shape: str) -> World:
    """A ball, written in two ways, that bounces and slides on a slope."""
    given: Given = {
        "mass": 2,
        "position": (0, 0.4, 0),
        "velocity": (1, 0, 0.5),
        "spin": (3, 1, -2),
        "rotation": (0.3, 0.4, 0.5),
    }
    round_one = Sphere.read((Number(0.2),), None)
    egg = ellipsoid("solid", axes=(0.2, 0.2, 0.2), **given)
    ball = replace(egg, shape=round_one) if shape == "sphere" else egg
    return on_floor(ball, restitution=0.6, friction=0.3)


def test_an_ellipsoid_with_equal_axes_is_a_ball() -> None:
    ball, egg = (run_of(bouncing(shape), 1.5, accuracy=EXACT) for shape in ("sphere", "ellipsoid"))
    assert [(e.kind, e.contacts) for e in ball.events] == [(e.kind, e.contacts) for e in egg.events]
    assert [e.time for e in ball.events] == pytest.approx([e.time for e in egg.events], abs=1e-9)
    ends = [run.automaton.observe(run.arcs[-1].end) for run in (ball, egg)]
    for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"):
        assert ends[0][f"solid.{name}"] == pytest.approx(ends[1][f"solid.{name}"], abs=1e-7)


IN_THE_WAY: dict[str, Callable[..., Body]] = {
    "ball": partial(sphere, radius=0.1),
    "egg": partial(ellipsoid, axes=(0.1, 0.15, 0.2)),
    "rod": partial(capsule, radius=0.1, length=0.3),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
@pytest.mark.parametrize("solver", ["native", "reference"])
def test_an_ellipsoid_with_equal_axes_hits_solids_as_a_ball_does(solver: str, what: str) -> None:
    """Event by event: it is thrown at one that lies in its way, and both spin."""
    given: Given = {"mass": 2, "position": (0, 0.1, 0.03), "velocity": (1, 0.5, 0)}
    given |= {"spin": (3, 1, -2), "rotation": (0.3, 0.4, 0.5)}
    egg = ellipsoid("solid", axes=(0.2, 0.2, 0.2), **given)
    runs = []
    for thrown in (egg, replace(egg, shape=Sphere.read((Number(0.2),), None))):
        other = IN_THE_WAY[what]("other", mass=1, position=(0.5, 0.2, 0))
        law = contact("solid", "other", restitution=0.6, friction=0.3)
        runs.append(run_of(world(thrown, other, law), 0.6, solver, EXACT))
    one, two = runs
    assert [(e.kind, e.contacts) for e in one.events] == [(e.kind, e.contacts) for e in two.events]
    assert [e.kind for e in one.events] == ["impact"]
    assert [e.time for e in one.events] == pytest.approx([e.time for e in two.events], abs=1e-9)
    ends = [run.automaton.observe(run.end) for run in runs]
    for name in ("x", "vx", "vy", "vz", "wx", "wy", "wz"):
        for body in ("solid", "other"):
            found, asked = (end[f"{body}.{name}"] for end in ends)
            assert found == pytest.approx(asked, abs=1e-9)


def test_energy_never_grows_when_a_box_tumbles() -> None:
    size, lies = (0.3, 0.2, 0.1), (0.4, 0.5, 0.6)
    body = box("solid", size=size, mass=1, position=(0, 1, 0), rotation=lies, spin=(1, 2, 3))
    run = run_of(on_floor(body, restitution=0.5, friction=0.4), 0.8)
    energies = [run.automaton.observe(arc.start)["energy"] for arc in run.arcs]
    energies += [run.automaton.observe(run.arcs[-1].end)["energy"]]
    assert len([event for event in run.events if event.kind == "impact"]) >= 2
    assert all(b <= a + 1e-8 for a, b in pairwise(energies))


def test_a_capsule_comes_to_lie_on_its_side() -> None:
    body = capsule(
        "solid", radius=0.1, length=0.5, mass=1, position=(0, 0.5, 0), rotation=(0.3, 0, 0)
    )
    run = run_of(on_floor(body, friction=0.5), 1.5)
    seen = run.automaton.observe(run.arcs[-1].end)
    assert seen["gap[solid.end1,floor]"] == pytest.approx(0, abs=1e-8)
    assert seen["gap[solid.end2,floor]"] == pytest.approx(0, abs=1e-8)
    assert seen["solid.y"] == pytest.approx(0.1, abs=1e-7)


def test_a_point_is_a_ball_of_no_size() -> None:
    drop = {"mass": 1, "position": (0, 0.5, 0), "velocity": (1, 0, 0)}
    ends = []
    for body in (point("solid", **drop), sphere("solid", radius=1e-9, **drop, inertia=1)):  # type: ignore[arg-type]
        run = run_of(on_floor(body, restitution=0.5, friction=0.2), 1.0)
        ends.append(run.arcs[-1].end.values)
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


TEXT = """\
body block { box size (0.2, 0.8, 0.2)  mass 1  position (0, 0.4, 0) }
body egg { ellipsoid axes (0.3, 0.2, 0.2)  mass 1  position (2, 1, 0) }
body rod { capsule radius 0.1 length 0.5  mass 1  position (4, 1, 0) }
body bead { point  mass 0.1  position (6, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact block egg off
contact block rod off
contact egg rod off
property up: always gap[block.corner1,floor] > -0.1
"""


def test_text_and_python_make_equal_worlds() -> None:
    made = parse_world(TEXT)
    assert world_text(made) == TEXT
    assert made.bodies[0] == box("block", size=(0.2, 0.8, 0.2), mass=1, position=(0, 0.4, 0))
    assert made.bodies[1] == ellipsoid("egg", axes=(0.3, 0.2, 0.2), mass=1, position=(2, 1, 0))
    contacts = generate(made).contacts
    assert contacts[:3] == ("block-bead", "block.corner1-floor", "block.corner2-floor")
    assert "rod.end2-floor" in contacts


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("contact block egg off", "a box and an ellipsoid cannot touch yet"),
        ("corner1", "body 'block' has no feature 'corner9' there; did you mean"),
    ],
)
def test_what_cannot_be_is_said_at_check(line: str, wrong: str) -> None:
    text = TEXT.replace(line, "corner9" if line == "corner1" else "")
    with pytest.raises(ModelError, match=wrong):
        parse_world(text)


def test_a_signal_names_one_of_several_contacts() -> None:
    with pytest.raises(
        ModelError, match=r"touches 'floor' at several points; write one, block.cor"
    ):
        parse_world(TEXT.replace("block.corner1,", "block,"))


def test_boxes_that_reach_into_a_floor_are_found_by_their_corners() -> None:
    with pytest.raises(ModelError, match=r"overlap by 0\.1 m"):
        parse_world(TEXT.replace("(0, 0.4, 0)", "(0, 0.3, 0)"))


def test_moments_are_those_of_solids() -> None:
    """A box: m (b² + c²)/12; an ellipsoid: m (b² + c²)/5; by sampling their volume."""
    model = parse_world(TEXT)
    points = np.random.default_rng(1).uniform(-1, 1, (400_000, 3))
    in_ball = points[np.sum(points**2, axis=1) <= 1]
    for name, inside in (("block", points * (0.1, 0.4, 0.1)), ("egg", in_ball * (0.3, 0.2, 0.2))):
        squares = (inside**2).mean(axis=0)
        moments = squares.sum() - squares
        assert generate(model).scene.body(name).inertia == pytest.approx(moments, rel=0.01)
