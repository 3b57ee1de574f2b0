# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Drake: its discrete multibody plant with point contact, at the step of its default configuration.

The plant has no coefficient of restitution; it is given no dissipation.
"""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from benchmarks.peers.bounce.stepping import RADIUS, judged
from benchmarks.peers.bounce.task import HEIGHT, G, horizon
from benchmarks.peers.measure import best, say


def material() -> ProximityProperties:
    properties = ProximityProperties()
    AddContactMaterial(
        dissipation=0.0,
        point_stiffness=1e5,
        friction=CoulombFriction(0.3, 0.3),
        properties=properties,
    )
    return properties


def main() -> None:
    step = MultibodyPlantConfig().time_step
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, step)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -G])
    ball = plant.AddRigidBody("ball", SpatialInertia.SolidSphereWithMass(1.0, RADIUS))
    place = RigidTransform()
    plant.RegisterCollisionGeometry(ball, place, Sphere(RADIUS), "ball", material())
    plant.RegisterCollisionGeometry(plant.world_body(), place, HalfSpace(), "floor", material())
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = simulator.get_mutable_context()
    own = plant.GetMyMutableContextFromRoot(context)

    def begin() -> None:
        context.SetTime(0.0)
        start = np.array([1, 0, 0, 0, 0, 0, HEIGHT + RADIUS, *[0] * 6], dtype=float)
        plant.SetPositionsAndVelocities(own, start)
        simulator.Initialize()

    def advance() -> tuple[float, float]:
        simulator.AdvanceTo(context.get_time() + step)
        state = plant.GetPositionsAndVelocities(own)
        return float(state[6]) - RADIUS, float(state[12])

    def run() -> None:
        begin()
        simulator.AdvanceTo(horizon())

    begin()
    found = judged(step, advance)
    say(
        {
            "peer": "Drake",
            "version": version("drake"),
            "seconds": best(run, batches=5),
            "note": "has no restitution coefficient; no dissipation",
            **found,
        }
    )


if __name__ == "__main__":
    main()
