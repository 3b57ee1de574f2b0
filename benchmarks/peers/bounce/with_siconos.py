# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""Siconos: the event-driven scheme with LSODAR, one Lagrangian system of one coordinate."""

from __future__ import annotations

import subprocess
from typing import Any

import numpy as np
import siconos.kernel as sk

from benchmarks.peers.bounce.task import BOUNCES, HEIGHT, E, G, error, horizon
from benchmarks.peers.measure import best, say

NONSMOOTH = 2  # type of an event


def built() -> tuple[Any, ...]:
    ball = sk.LagrangianLinearTIDS([HEIGHT], [0.0], np.eye(1))
    ball.setFExtPtr(np.array([-G]))
    relation = sk.LagrangianLinearTIR(np.eye(1), np.zeros(1))
    contact = sk.Interaction(sk.NewtonImpactNSL(E), relation)
    model = sk.NonSmoothDynamicalSystem(0.0, horizon())
    model.insertDynamicalSystem(ball)
    model.link(contact, ball)
    steps, flow, impacts, forces = (
        sk.TimeDiscretisation(0.0, horizon()),
        sk.LsodarOSI(),
        sk.LCP(),
        sk.LCP(),
    )
    simulation = sk.EventDriven(model, steps, 0)
    simulation.insertIntegrator(flow)
    simulation.insertNonSmoothProblem(impacts, sk.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(forces, sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    return simulation, ball, relation, contact, model, steps, flow, impacts, forces


def bounces() -> list[float]:
    kept = built()
    simulation, times = kept[0], []
    while len(times) < BOUNCES:
        simulation.advanceToEvent()
        event = simulation.eventsManager().nextEvent()
        if event.getType() == NONSMOOTH:
            times.append(event.getDoubleTimeOfEvent())
        simulation.processEvents()
    return times


def version() -> str:
    asked = ["dpkg-query", "--show", "--showformat=${Version}", "python3-siconos"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    whole, making = best(bounces), best(built)
    say(
        {
            "peer": "Siconos event-driven",
            "version": version(),
            "seconds": whole - making,
            "error": error(bounces()),
            "note": f"making its model takes {1e6 * making:.0f} µs more: it serves for one run",
        }
    )
