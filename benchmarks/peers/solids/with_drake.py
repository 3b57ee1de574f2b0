# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Drake: its discrete multibody plant with point contact, at the step of its default configuration.

A pair of shapes has one point of contact there, so that a box is given its eight corners as balls
without extent. There is no coefficient of restitution but dissipation (Hunt and Crossley), which is
chosen for the speed of the first impact.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from itertools import product

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from benchmarks.peers.measure import best, say
from benchmarks.peers.solids.task import EVERY, SOLIDS, G, Solid, judged, load, matrix, seen

STIFFNESS = 1e5  # N/m
SPEED = 2.5  # m/s, of the first impact of the box
POINT = 1e-6  # m


def dissipation(e: float) -> float:
    """In s/m; a = d v solves a - ln(1 + a) = -e a - ln(1 - e a), by bisection."""
    if e == 0:
        return 100.0  # nothing comes back
    low, high = 1e-6, (1 - 1e-12) / e
    for _ in range(200):
        a = (low + high) / 2
        back = -e * a - np.log(1 - e * a) > a - np.log(1 + a)
        low, high = (low, a) if back else (a, high)
    return low / SPEED


def material(solid: Solid) -> ProximityProperties:
    properties = ProximityProperties()
    AddContactMaterial(
        dissipation=dissipation(solid.restitution) / 2,  # the two of a pair add up
        point_stiffness=2 * STIFFNESS,  # in series
        friction=CoulombFriction(solid.friction, solid.friction),
        properties=properties,
    )
    return properties


def built(solid: Solid, step: float):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, step)
    plant.mutable_gravity_field().set_gravity_vector([0, -G, 0])
    moments = UnitInertia(*(moment / solid.mass for moment in solid.moments))
    body = plant.AddRigidBody("body", SpatialInertia(solid.mass, np.zeros(3), moments))
    if solid.box:
        corners = product(*((-edge / 2, edge / 2) for edge in solid.box))
        balls = [(corner, POINT) for corner in corners]
    else:
        balls = [((0, 0, solid.ball[1]), solid.ball[0])]
    for i, (place, radius) in enumerate(balls):
        plant.RegisterCollisionGeometry(
            body, RigidTransform(place), Sphere(radius), f"ball{i}", material(solid)
        )
    floor = HalfSpace.MakePose(np.array([0.0, 1, 0]), np.zeros(3))
    plant.RegisterCollisionGeometry(
        plant.world_body(), floor, HalfSpace(), "floor", material(solid)
    )
    plant.Finalize()
    return builder.Build(), plant


def answer(solid: Solid, truth):
    step = MultibodyPlantConfig().time_step
    diagram, plant = built(solid, step)
    simulator = Simulator(diagram)
    context = simulator.get_mutable_context()
    own = plant.GetMyMutableContextFromRoot(context)
    spin = matrix(solid.quaternion) @ solid.velocity[3:]
    start = [*solid.quaternion, *solid.position, *spin, *solid.velocity[:3]]

    def begin() -> None:
        context.SetTime(0.0)
        plant.SetPositionsAndVelocities(own, np.array(start, dtype=float))
        simulator.Initialize()

    def look():
        x = plant.GetPositionsAndVelocities(own)
        return seen(solid, x[5], x[:4], x[10:13], matrix(x[:4]).T @ x[7:10])

    def run() -> None:
        begin()
        simulator.AdvanceTo(solid.until)

    begin()
    rows = [look()]
    for k in range(solid.count):
        simulator.AdvanceTo((k + 1) * EVERY)
        rows.append(look())
    return {
        "peer": "Drake",
        "version": version("drake"),
        "step": f"{1e3 * step:g} ms",
        "seconds": best(run, batches=3) / solid.until,
        **judged(solid, np.array(rows), truth),
    }


if __name__ == "__main__":
    found = load(sys.argv[1])
    say(*(answer(solid, found[solid.key]) for solid in SOLIDS))
