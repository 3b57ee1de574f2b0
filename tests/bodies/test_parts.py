"""Bodies of several parts: closed forms, and the same body written in other ways."""

import math
from dataclasses import replace
from itertools import product as combined

import numpy as np
import pytest
from numpy.typing import NDArray

from dyverse.automaton.run import Run
from dyverse.bodies.build import box, compound, contact, part, plane, point, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.solid import Given
from dyverse.bodies.world import Body, World
from dyverse.errors import ModelError
from dyverse.expr.rotation import Matrix, from_angles, matrix, product
from dyverse.expr.value import NUMBERS
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate

G = 9.81
TIGHT = replace(Options().follow.accuracy, relative=1e-9, absolute=1e-10)


def run_of(model: World, until: float, solver: str = "reference") -> Run:
    follow = replace(Options().follow, accuracy=TIGHT)
    return simulate(generate(model), until=until, options=Options(solver=solver, follow=follow))


def on_floor(
    solid: Body,
    *,
    restitution: float = 0.0,
    friction: float = 2.0,
    down: tuple[float, float, float] = (0.0, -G, 0.0),
) -> World:
    law = contact("solid", "floor", restitution=restitution, friction=friction)
    return world(solid, plane("floor", normal=(0, 1, 0)), law, gravity=down)


def test_a_box_is_its_eight_corners() -> None:
    given: Given = {
        "mass": 1,
        "position": (0, 0.5, 0),
        "rotation": (0.4, 0.5, 0.6),
        "spin": (1, 2, 3),
        "velocity": (1, 0, 0),
    }
    size = np.array([0.3, 0.2, 0.1])
    whole = box("solid", size=size.tolist(), **given)
    x, y, z = (size**2).tolist()
    corners = enumerate(combined((-0.5, 0.5), repeat=3), start=1)
    points = (part(point(f"p{i}"), at=(size * at[::-1]).tolist()) for i, at in corners)
    turned: Given = {**given, "inertia": ((y + z) / 12, (x + z) / 12, (x + y) / 12)}
    pieces = compound("solid", *points, **turned)
    one, two = (run_of(on_floor(s, restitution=0.4, friction=0.3), 0.6) for s in (whole, pieces))
    renamed = [[c.replace("corner", "p") for c in event.contacts] for event in one.events]
    assert renamed == [list(event.contacts) for event in two.events]
    assert [e.time for e in one.events] == pytest.approx([e.time for e in two.events], abs=1e-9)
    assert one.arcs[-1].end.values == pytest.approx(two.arcs[-1].end.values, abs=1e-8)


def test_parts_in_the_middle_are_the_shape() -> None:
    given: Given = {"mass": 2, "position": (0, 0.4, 0), "spin": (3, 1, -2), "velocity": (1, 0, 0)}
    ball, shell = (
        sphere("shell", radius=0.2),
        compound("solid", part(sphere("shell", radius=0.2)), **given),
    )
    one = on_floor(replace(shell, shape=ball.shape), restitution=0.5, friction=0.3)
    two = on_floor(shell, restitution=0.5, friction=0.3)
    runs = [run_of(model, 1.0) for model in (one, two)]
    assert [e.kind for e in runs[0].events] == [e.kind for e in runs[1].events]
    ends = [run.automaton.observe(run.arcs[-1].end) for run in runs]
    for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"):
        assert ends[0][f"solid.{name}"] == pytest.approx(ends[1][f"solid.{name}"], abs=1e-7)


def test_a_turned_part_is_a_turned_body() -> None:
    """A box that is turned as a part, or as a whole the other way round."""
    turn, back, spin = (0.4, -0.3, 0.7), (0.2, 0.5, -0.1), (1, 2, 3)
    size, lies = (0.3, 0.2, 0.1), matrix(from_angles(turn, NUMBERS))
    whole = from_angles(back, NUMBERS)
    both = as_angles(matrix(product(whole, from_angles(turn, NUMBERS))))
    given: Given = {"mass": 1, "position": (0, 0.5, 0), "spin": spin, "velocity": (1, 0, 0)}
    lying: Given = {**given, "rotation": both}
    one = box("solid", size=size, **lying)
    inner, lying = part(box("block", size=size), rotation=turn), {**given, "rotation": back}
    two = compound("solid", inner, **lying)
    runs = [run_of(on_floor(s, restitution=0.4, friction=0.3), 0.6, "native") for s in (one, two)]
    renamed = [[c.replace("block_", "") for c in event.contacts] for event in runs[1].events]
    assert len(renamed) > 3
    assert [list(event.contacts) for event in runs[0].events] == renamed
    ends = [run.automaton.observe(run.end) for run in runs]
    for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"):
        assert ends[0][f"solid.{name}"] == pytest.approx(ends[1][f"solid.{name}"], abs=1e-7)
    own, found = (generate(world(s)).scene.body("solid") for s in (one, two))
    tensor: NDArray[np.float64] = np.array(lies) @ np.diag(own.inertia) @ np.array(lies).T
    assert np.array(found.inertia_matrix) == pytest.approx(tensor, abs=1e-15)


def as_angles(rows: Matrix) -> tuple[float, float, float]:
    """Those of ``rotation``, from R_z(c) R_y(b) R_x(a)."""
    return (
        math.atan2(rows[2][1], rows[2][2]),
        -math.asin(rows[2][0]),
        math.atan2(rows[1][0], rows[0][0]),
    )


def test_a_part_may_be_turned_by_a_parameter() -> None:
    text = """\
parameter a = 0.5
body top { mass 1  inertia (1, 1, 1)  part stem \
{ capsule radius 0.1 length 1  at (1, 0, 0)  rotation (a, 0, 0) } }
body floor { plane normal (0, 1, 0)  position (0, -3, 0) }
"""
    made = parse_world(text)
    assert world_text(made) == text
    offset = generate(made, {"a": 0.3}).scene.contacts[1].numbers[1:4]
    assert offset == pytest.approx((1, -0.5 * math.sin(0.3), 0.5 * math.cos(0.3)))


def test_inertia_of_parts_is_that_of_the_whole() -> None:
    """Two half boxes are a box; the six numbers are those of Steiner's theorem."""
    half = (
        part(box(f"h{i}", size=(0.5, 0.4, 0.2)), at=(x, 0, 0)) for i, x in ((1, -0.25), (2, 0.25))
    )
    two = generate(world(compound("solid", *half, mass=3))).scene.body("solid")
    one = generate(world(box("solid", size=(1, 0.4, 0.2), mass=3))).scene.body("solid")
    assert two.inertia == pytest.approx((*one.inertia, 0, 0, 0), abs=1e-12)


TEXT = """\
body top { mass 0.02  inertia (3.2e-06, 3.2e-06, 3.1e-06)  position (0, 1, 0)  \
part shell { sphere radius 0.02  at (0, 0, 0.003) }  \
part stem { capsule radius 0.003 length 0.02 } }
body floor { plane normal (0, 1, 0) }
property up: always gap[top.stem_end1,floor] > -1 and gap[top.shell,floor] > -1
"""


def test_parts_are_printed_and_read_back() -> None:
    made = parse_world(TEXT)
    assert world_text(made) == TEXT
    assert generate(made).contacts == (
        "top.shell-floor",
        "top.stem_end1-floor",
        "top.stem_end2-floor",
    )


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("stem {", "shell {", "the part 'shell' is given twice"),
        ("inertia (3.2e-06, 3.2e-06, 3.1e-06)", "", r"centre of mass of the parts.*0\.00"),
        ("sphere radius 0.02  at", "at", "the part 'shell' needs one shape"),
        ("sphere radius 0.02", "plane normal (0, 1, 0)", "a plane has no end and cannot be a part"),
        ("radius 0.02 ", "radius -1 ", "the radius of part 'shell' of body 'top' is -1"),
        ("mass 0.02", "mass 0.02  sphere radius 1", "has parts; write this shape as one of them"),
        ("top.shell", "top", "'top' touches 'floor' at several points; write one, top.shell"),
    ],
)
def test_what_cannot_be_a_part_is_said(old: str, new: str, wrong: str) -> None:
    with pytest.raises(ModelError, match=wrong):
        parse_world(TEXT.replace(old, new, 1))


def test_points_alone_have_no_inertia() -> None:
    with pytest.raises(
        ModelError, match="the parts of body 'b' have no volume; give it an inertia"
    ):
        parse_world("body b { mass 1  part tip { point  at (1, 0, 0) } }")
