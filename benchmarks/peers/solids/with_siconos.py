# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Siconos: Moreau and Jean's time stepping with contacts from Bullet, as `mechanics_run` has it.

Newton's law of impact and Coulomb's of friction are its own. The step, the parameter of the
scheme and the margins of shapes are the defaults of `siconos.io.mechanics_run`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from math import sqrt

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.mechanics.collision.base import (
    RigidBodyDS,
    SiconosBox,
    SiconosContactor,
    SiconosContactorSet,
    SiconosPlane,
    SiconosSphere,
)
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

from benchmarks.peers.measure import once, say
from benchmarks.peers.solids.task import EVERY, SOLIDS, G, Solid, judged, load, seen

STEP, THETA, MARGIN = 5e-4, 0.50001, 0.02
UPRIGHT = [0, 0, 0, sqrt(0.5), -sqrt(0.5), 0, 0]  # the plane's normal is its own z axis


def built(solid: Solid):
    """The simulation, its body, and what must live as long."""
    shape = SiconosBox(list(solid.box)) if solid.box else SiconosSphere(solid.ball[0])
    shape.setInsideMargin(MARGIN * min(solid.box or solid.ball[:1]))
    place = [0, 0, 0 if solid.box else solid.ball[1], 1, 0, 0, 0]
    skin, ground = SiconosContactorSet(), SiconosContactorSet()
    skin.append(SiconosContactor(shape, place))
    ground.append(SiconosContactor(SiconosPlane()))
    body = RigidBodyDS(
        [*solid.position, *solid.quaternion],
        list(solid.velocity),
        solid.mass,
        np.diag(solid.moments),
    )
    body.setContactors(skin)
    body.setFExtPtr(np.array([0, -solid.mass * G, 0]))
    model = sk.NonSmoothDynamicalSystem(0, solid.until)
    model.insertDynamicalSystem(body)
    manager = SiconosBulletCollisionManager(SiconosBulletOptions())
    law = sk.NewtonImpactFrictionNSL(solid.restitution, 0.0, solid.friction, 3)
    manager.insertNonSmoothLaw(law, 0, 0)
    manager.insertStaticContactorSet(ground, UPRIGHT)
    problem = sk.FrictionContact(3)
    problem.setMaxSize(0)
    problem.setMStorageType(sn.NM_SPARSE_BLOCK)
    problem.setKeepLambdaAndYState(True)
    steps, scheme = sk.TimeDiscretisation(0, STEP), sk.MoreauJeanOSI(THETA)
    simulation = sk.TimeStepping(model, steps)
    simulation.insertIntegrator(scheme)
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(sk.SICONOS_TS_NONLINEAR)
    simulation.setNewtonMaxIteration(20)
    simulation.setNewtonTolerance(1e-10)
    return simulation, body, (model, manager, law, problem, steps, scheme, skin, ground, shape)


def answer(solid: Solid, truth):
    simulation, body, _kept = built(solid)

    def look():
        q, v = body.q(), body.twist()
        return seen(solid, q[1], q[3:7], v[:3], v[3:])

    rows = [look()]

    def run() -> None:
        for k in range(solid.count * round(EVERY / STEP)):
            simulation.computeOneStep()
            simulation.nextStep()
            if (k + 1) % round(EVERY / STEP) == 0:
                rows.append(look())

    return {
        "peer": "Siconos",
        "version": version(),
        "step": f"{1e3 * STEP:g} ms",
        "seconds": once(run, clock=time.process_time) / solid.until,
        **judged(solid, np.array(rows), truth),
    }


def version() -> str:
    asked = ["dpkg-query", "--show", "--showformat=${Version}", "python3-siconos"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    found = load(sys.argv[1])
    say(*(answer(solid, found[solid.key]) for solid in SOLIDS))
