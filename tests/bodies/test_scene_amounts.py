"""A scene in expressions says the same as the scene in numbers."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from dyverse.bodies.build import contact_all, parameter, plane, port, sphere, world
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.bodies.scene import scene, symbolic_scene
from dyverse.expr.symbolic import SX

WORLD = world(
    parameter("r", 0.5),
    parameter("twice", "2*r"),
    parameter("e", "twice/2"),
    parameter("tilt", 0.3),
    port("push"),
    sphere("a", radius="r", mass="twice", position=("r", 2, 0), velocity=(0, "-e", 0)),
    sphere("b", radius=0.1, mass=1, inertia="r^2", position=(3, 1, 0), spin=(0, 0, "tilt")),
    plane("floor", normal=("tilt", 2, 0)),
    contact_all(restitution="e", friction=0.2, tangential_restitution="-e/2"),
    gravity=(0, "-10*r", 0),
)
SETTINGS = [{}, {"r": 0.25}, {"r": 0.25, "twice": 3.0, "e": 0.1}, {"a.vx": 2.0, "floor.y": -1.0}]


def _numbers(found: Scene) -> list[SX]:
    rows: list[SX] = [*found.values.values(), *found.gravity]
    for pair in found.contacts:
        rows += [pair.restitution, pair.tangential_restitution]
    return rows + [number for body in found.bodies for number in _body(body)]


def _body(body: PlacedBody) -> list[SX]:
    shape = body.shape.numbers
    places = (*body.position, *body.rotation, *body.velocity, *body.spin)
    return [*places, *shape, body.mass, *body.inertia]


@pytest.mark.parametrize("settings", SETTINGS)
def test_expressions_have_the_values_of_the_scene(settings: dict[str, float]) -> None:
    p = ca.SX.sym("p", len(settings))
    found = symbolic_scene(WORLD, {name: p[i] for i, name in enumerate(settings)})
    expected = scene(WORLD, settings)
    assert set(found.values) == set(expected.values)
    ordered = {name: found.values[name] for name in expected.values}
    entries = [*ordered.values(), *_numbers(found)[len(ordered) :]]
    function = ca.Function("f", [p], [ca.vertcat(*(ca.SX(entry) for entry in entries))])
    values = np.asarray(function(list(settings.values()))).ravel()
    assert values == pytest.approx(np.array(_numbers(expected), dtype=float), rel=1e-14)
