"""Polyhedra: written in text and Python, their mass, and the same body written as a box."""

from itertools import product

import numpy as np
import pytest

from dyverse.bodies.build import (
    box,
    capsule,
    compound,
    contact_all,
    part,
    polyhedron,
    sphere,
    world,
)
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.hull import convex_hull, inner_hull
from dyverse.bodies.shape.solid import Given
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from tests.bodies.test_parts import on_floor, run_of

TENT = """\
body tent { polyhedron vertices (-3, -1, -1) (-3, -1, 1) (1, -1, 0) (5, 3, 0)  mass 1 }
body floor { plane normal (0, 1, 0)  position (0, -5, 0) }
property up: always gap[tent.vertex4,floor] > -0.1
"""
PLACES = ((-3, -1, -1), (-3, -1, 1), (1, -1, 0), (5, 3, 0))


def test_text_and_python_make_the_same_polyhedron() -> None:
    made = parse_world(TENT)
    assert world_text(made) == TENT
    assert made.bodies[0] == polyhedron("tent", vertices=PLACES, mass=1)
    names = tuple(f"tent.vertex{i}-floor" for i in range(1, 5))
    assert generate(made).contacts == names


def test_mass_is_that_of_tetrahedra() -> None:
    """By sampling, and by Steiner's theorem if it is a part elsewhere."""
    made = generate(parse_world(TENT)).scene.body("tent")
    corners = np.array(PLACES, dtype=float)
    shares = np.random.default_rng(1).dirichlet(np.ones(4), 400_000)  # uniform in a tetrahedron
    points = shares @ corners
    second = points.T @ points / len(points)
    tensor = np.trace(second) * np.eye(3) - second
    assert np.array(made.inertia_matrix) == pytest.approx(tensor, rel=0.01, abs=0.02)
    assert made.shape.volume == pytest.approx(abs(np.linalg.det(corners[:3] - corners[3])) / 6)
    shift = np.array([2.0, 0.5, -1.0])
    places = [tuple(at) for at in (corners - shift).tolist()]
    moved = compound("tent", part(polyhedron("one", vertices=places), at=shift.tolist()), mass=1)
    again = generate(world(moved)).scene.body("tent")
    assert again.inertia == pytest.approx(made.inertia, abs=1e-12)


def test_a_box_is_a_polyhedron() -> None:
    given: Given = {
        "mass": 1,
        "position": (0, 0.5, 0),
        "rotation": (0.4, 0.5, 0.6),
        "spin": (1, 2, 3),
    }
    size = np.array([0.3, 0.2, 0.1])
    places = [(size * at[::-1]).tolist() for at in product((-0.5, 0.5), repeat=3)]
    solids = (
        box("solid", size=size.tolist(), **given),
        polyhedron("solid", vertices=places, **given),
    )
    one, two = (run_of(on_floor(s, restitution=0.4, friction=0.3), 0.6, "native") for s in solids)
    renamed = [[c.replace("corner", "vertex") for c in event.contacts] for event in one.events]
    assert len(renamed) > 3
    assert renamed == [list(event.contacts) for event in two.events]
    assert [e.time for e in one.events] == pytest.approx([e.time for e in two.events], abs=1e-9)
    assert one.end.values == pytest.approx(two.end.values, abs=1e-8)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("(5, 3, 0)", "(5, 3, 0) (0, 0, 0)", "1:80: vertex5 (0, 0, 0) of body 'tent' is no corner"),
        ("(5, 3, 0)", "(5, -1, 0)", "the vertices of body 'tent' lie in a plane, or are fewer"),
        ("(5, 3, 0)", "", "the vertices of body 'tent' lie in a plane, or are fewer than four"),
        ("(5, 3, 0)", "(5, 3)", "a vertex has three components: polyhedron vertices"),
        ("(5, 3, 0)", "(5, K, 0)", "the vertices of body 'tent' must be numbers, without param"),
        ("(5, 3, 0)", "(5, 4, 0)", "the centre of mass of the vertices of body 'tent' is at (0"),
        ("vertex4", "vertex5", "body 'tent' has no feature 'vertex5' there; did you mean"),
    ],
)  # fmt: skip
def test_what_cannot_be_of_a_polyhedron_is_said(right: str, wrong: str, message: str) -> None:
    text = TENT.replace(right, wrong) + "parameter K = 3\n"
    with pytest.raises(ModelError) as caught:
        parse_world(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("other", ["box", "capsule", "sphere"])
def test_a_box_hits_solids_as_the_polyhedron_does(other: str) -> None:
    """Event by event: corners and edges of both have other names."""
    given: Given = {"mass": 1, "position": (0, 0.5, 0), "rotation": (0.4, 0.5, 0.6)}
    size = np.array([0.3, 0.2, 0.1])
    places = [(size * at[::-1]).tolist() for at in product((-0.5, 0.5), repeat=3)]
    below = {
        "box": box("below", size=(0.5, 0.2, 0.4), rotation=(0.1, 0.2, 0.3), fixed=True),
        "capsule": capsule("below", radius=0.1, length=0.3, rotation=(0.1, 0.2, 0.3), fixed=True),
        "sphere": sphere("below", radius=0.1, fixed=True),
    }[other]
    solids = (
        box("solid", size=size.tolist(), **given),
        polyhedron("solid", vertices=places, **given),
    )
    models = (
        world(one, below, contact_all(restitution=0.4, friction=0.3), gravity=(0, -9.81, 0))
        for one in solids
    )
    one, two = (run_of(model, 0.6, "native") for model in models)
    assert [e.kind for e in one.events] == [e.kind for e in two.events]
    assert [e.time for e in one.events] == pytest.approx([e.time for e in two.events], abs=1e-9)
    assert one.end.values == pytest.approx(two.end.values, abs=1e-7)


def test_corners_where_many_faces_meet_may_be_split_within() -> None:
    """Four faces of a pyramid of a long base do not meet in one point if all are moved inwards."""
    roof = ((-2.0, 0.0, -1.0), (2.0, 0.0, -1.0), (-2.0, 0.0, 1.0), (2.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    outer, inner = convex_hull(roof), inner_hull(roof, 0.01)
    assert outer is not None
    assert inner is not None
    assert (len(inner.points), len(inner.edges)) == (6, 9)
    planes = [(np.array(f.plane.outward), f.plane.offset) for f in outer.facets.faces]
    deep = [max(n @ np.array(at) - d for n, d in planes) for at in inner.points]
    assert deep == pytest.approx([-0.01] * 6, abs=1e-14)
