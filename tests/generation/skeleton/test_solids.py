"""What the contact combination graph is told of the geometry."""

from __future__ import annotations

from dyverse.bodies.build import parameter, plane, sphere, world
from dyverse.bodies.scene import scene
from dyverse.bodies.world import World
from dyverse.contact.geometry import Ball, Plane
from dyverse.generation.skeleton.counts import counted
from dyverse.generation.skeleton.solids import geometry, skeleton_of


def corridor(**limits: tuple[float, float]) -> World:
    """A ball between two walls that it cannot touch at once."""
    return world(
        parameter("r", 0.5, limits=limits.get("r")),
        parameter("twice", "2*r"),
        parameter("m", 1, limits=limits.get("m")),
        sphere("ball", radius="twice/2", mass="m", position=(0, 0, 0)),
        plane("left", normal=(1, 0, 0), position=(-3, 0, 0)),
        plane("right", normal=(-1, 0, 0), position=(3, 0, 0)),
    )


def test_numbers_without_a_range_are_certain() -> None:
    model = corridor(m=(1, 2))
    solids = dict(geometry(model, scene(model)).solids)
    assert solids["ball"] == Ball(0.5, certain=True)
    assert solids["left"] == Plane((1.0, 0.0, 0.0), (-3.0, 0.0, 0.0), certain=True)


def test_a_radius_that_follows_from_an_uncertain_parameter_is_not() -> None:
    model = corridor(r=(0.4, 3))
    assert dict(geometry(model, scene(model)).solids)["ball"] == Ball(0.5, certain=False)


def test_a_ball_cannot_touch_both_walls_unless_its_size_is_uncertain() -> None:
    for model, vertices in ((corridor(), 2), (corridor(r=(0.4, 3)), 3)):
        skeleton = skeleton_of(model, scene(model), rules="complete", graph="feasible")
        assert counted(skeleton).contact_nodes == vertices


def test_the_complete_graph_prunes_nothing() -> None:
    model = corridor()
    assert counted(skeleton_of(model, scene(model), rules="complete")).contact_nodes == 3
