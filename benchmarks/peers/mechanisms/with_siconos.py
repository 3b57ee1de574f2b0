# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Siconos: bars as bodies in space with hinges as constraints, in Moreau and Jean's scheme.

The step and the parameter of the scheme are the defaults of `siconos.io.mechanics_run`.
"""

from __future__ import annotations

import sys
import time
from math import cos, sin

import numpy as np
import siconos.kernel as sk
from siconos.mechanics.joints import PivotJointR

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
from benchmarks.peers.solids.with_siconos import STEP, THETA, version


def built(mechanism: Mechanism, step: float):
    """The simulation, its bars, and what must live as long."""
    model, bars, kept = sk.NonSmoothDynamicalSystem(0, mechanism.until), [], []
    places = mechanism.joints
    for i, (length, mass) in enumerate(zip(mechanism.lengths, mechanism.masses, strict=True)):
        middle, half = np.mean(places[i : i + 2], axis=0), mechanism.angles[i] / 2
        across, thin = mass * (length**2 + WIDTH**2) / 12, mass * WIDTH**2 / 6
        bar = sk.NewtonEulerDS(
            [*middle, 0, cos(half), 0, 0, sin(half)],
            [0.0] * 6,
            mass,
            np.diag([thin, across, across]),
        )
        bar.setFExtPtr(np.array([0, -mass * G, 0]))
        model.insertDynamicalSystem(bar)
        kept += hinged(model, places[i], [bars[-1], bar] if bars else [bar])
        bars.append(bar)
    if mechanism.closed:
        kept += hinged(model, places[-1], bars[-1:])
    scheme, steps = sk.MoreauJeanOSI(THETA), sk.TimeDiscretisation(0, step)
    problem = sk.GenericMechanical()
    simulation = sk.TimeStepping(model, steps)
    simulation.insertIntegrator(scheme)
    simulation.insertNonSmoothProblem(problem)
    simulation.setNewtonOptions(sk.SICONOS_TS_NONLINEAR)
    simulation.setNewtonMaxIteration(20)
    simulation.setNewtonTolerance(1e-10)
    return simulation, bars, (model, scheme, steps, problem, *kept)


def hinged(model, place: tuple[float, float], bars):
    """A hinge between two bars, or of one with the world."""
    hinge = PivotJointR([*place, 0], [0, 0, 1], True, *bars)
    link = sk.Interaction(sk.EqualityConditionNSL(hinge.numberOfConstraints()), hinge)
    model.link(link, *bars)
    return [hinge, link]


def play(mechanism: Mechanism, step: float):
    simulation, bars, _kept = built(mechanism, step)
    begun = time.process_time()
    for _ in range(round(mechanism.until / step)):
        simulation.computeOneStep()
        simulation.nextStep()
    spent = time.process_time() - begun
    turned = [2 * np.arctan2(bar.q()[6], bar.q()[3]) for bar in bars]
    angles = np.diff([0.0, *np.subtract(turned, mechanism.angles)])
    return angles, spent


def answers(mechanism: Mechanism, truth, target: float):
    def turned(step: float):
        angles, spent = play(mechanism, step)
        whole = np.round((truth - angles) / (2 * np.pi))  # turns are not counted by quaternions
        return angles + 2 * np.pi * whole, spent

    for row in refined(turned, halved(STEP, 12), truth, target):
        yield {
            **row,
            "peer": "Siconos",
            "version": version(),
            "mechanism": mechanism.name,
            "knob": f"{1e3 * row['knob']:.3g} ms",
            "seconds": row["seconds"] / mechanism.until,
        }


if __name__ == "__main__":
    known = load(sys.argv[1])
    say(*(row for m in MECHANISMS if m.floor is None for row in answers(m, *known[m.name])))
