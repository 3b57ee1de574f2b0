# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Drake: the discrete plant at its default step, then what is more exact.

Open chains are continuous then, followed by Drake's default integrator (Runge-Kutta of order 3
with steps by error) with ever smaller tolerances; loops and contacts are not rigid there, so that
these stay discrete and get smaller steps, with the SAP solver's own model of contact, the only one
whose errors fall with the step here. A loop is closed by a ball constraint between the last two
bars, the last being hinged to the world (a constraint between a tree and the world ends the process
in version 1.51.1); the floor is point contact.
"""

from __future__ import annotations

import sys
import time
from importlib.metadata import version

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    DiscreteContactApproximation,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from benchmarks.peers.measure import say
from benchmarks.peers.mechanisms.task import (
    MECHANISMS,
    WIDTH,
    G,
    Mechanism,
    halved,
    load,
    refined,
)

DEFAULT = MultibodyPlantConfig().time_step
STIFFNESS, DISSIPATION = 1e7, 10.0  # N/m, s/m: hardly soft, and nothing comes back
ACCURACIES = [10.0**-k for k in range(3, 13)]


def material(friction: float) -> ProximityProperties:
    properties = ProximityProperties()
    AddContactMaterial(
        dissipation=DISSIPATION,
        point_stiffness=STIFFNESS,
        friction=CoulombFriction(friction, friction),
        properties=properties,
    )
    return properties


def built(mechanism: Mechanism, step: float):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, step)
    plant.mutable_gravity_field().set_gravity_vector([0, -G, 0])
    if step:
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    held, far, bend = plant.world_body(), 0.0, 0.0
    numbers = zip(mechanism.lengths, mechanism.masses, mechanism.angles, strict=True)
    for i, (length, mass, angle) in enumerate(numbers):
        inertia = SpatialInertia.SolidBoxWithMass(mass, length, WIDTH, WIDTH)
        bar = plant.AddRigidBody(f"l{i}", inertia.Shift([-length / 2, 0, 0]))
        if mechanism.closed and i == len(mechanism.lengths) - 1:
            place = RigidTransform([*mechanism.joints[-1], 0])
            outer = offset("end", plant.world_body(), place)
            turned = RollPitchYaw(0, 0, -angle)
            place = RigidTransform(turned, [length, 0, 0])
            inner = plant.AddFrame(offset("tip", bar, place))
            plant.AddBallConstraint(held, np.array([far, 0, 0]), bar, np.zeros(3))
        else:
            turned = RollPitchYaw(0, 0, angle - bend)
            outer = offset(f"f{i}", held, RigidTransform(turned, [far, 0, 0]))
            inner = bar.body_frame()
        plant.AddJoint(
            RevoluteJoint(f"j{i}", plant.AddFrame(outer), inner, [0, 0, 1], mechanism.damping)
        )
        held, far, bend = bar, length, angle
    if mechanism.floor is not None:
        ball, floor = [far, 0, 0], [0, mechanism.floor, 0]
        skin = material(mechanism.friction)
        plant.RegisterCollisionGeometry(
            held, RigidTransform(ball), Sphere(mechanism.ball), "ball", skin
        )
        pose = HalfSpace.MakePose(np.array([0.0, 1, 0]), np.array(floor, dtype=float))
        plant.RegisterCollisionGeometry(plant.world_body(), pose, HalfSpace(), "floor", skin)
    plant.Finalize()
    return builder.Build(), plant


def offset(name: str, body, place: RigidTransform) -> FixedOffsetFrame:
    return FixedOffsetFrame(name, body.body_frame(), place)


def play(mechanism: Mechanism, step: float, accuracy: float | None = None):
    diagram, plant = built(mechanism, step)
    simulator = Simulator(diagram)
    if accuracy:
        simulator.get_mutable_integrator().set_target_accuracy(accuracy)
    simulator.Initialize()
    begun = time.process_time()
    simulator.AdvanceTo(mechanism.until)
    spent = time.process_time() - begun
    angles = plant.GetPositions(plant.GetMyContextFromRoot(simulator.get_context()))
    if mechanism.closed:
        angles[-1] -= angles[:-1].sum()  # of the world's hinge; from the bar before it instead
    return angles, spent


def answers(mechanism: Mechanism, truth, target: float):
    found = refined(lambda step: play(mechanism, step), halved(DEFAULT, 12), truth, target)
    rows = [(row, f"{1e3 * row['knob']:.3g} ms", (row["knob"],)) for row in found]
    if not mechanism.closed and mechanism.floor is None:
        found = refined(lambda a: play(mechanism, 0.0, a), ACCURACIES, truth, target)
        row = found[-1]
        rows[1:] = [(row, f"accuracy {row['knob']:g}", (0.0, row["knob"]))]
    for row, knob, how in rows:
        again = play(mechanism, *how)[1]
        yield {
            **row,
            "peer": "Drake",
            "version": version("drake"),
            "mechanism": mechanism.name,
            "knob": knob,
            "seconds": min(row["seconds"], again) / mechanism.until,
        }


if __name__ == "__main__":
    known = load(sys.argv[1])
    say(*(row for m in MECHANISMS for row in answers(m, *known[m.name])))
