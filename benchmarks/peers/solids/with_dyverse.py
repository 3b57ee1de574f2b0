"""dyverse: the truth at a tolerance of 1e-12, and runs of the native engine at its own."""

from __future__ import annotations

import sys

import numpy as np

import dyverse
from benchmarks.peers.engine import Runs
from benchmarks.peers.measure import best, say
from benchmarks.peers.solids.task import EVERY, SOLIDS, Array, Solid, judged, save, seen
from benchmarks.solids import SCENES
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.native.engine import DEFAULTS, Options, simulate_native

EXACT = Options(relative=1e-12, absolute=1e-14)


def made(solid: Solid) -> RigidBodyAutomaton:
    return generate(parse_world(SCENES[solid.key][0]))


def watched(solid: Solid, automaton: RigidBodyAutomaton, options: Options) -> Array:
    """What is seen every 10 ms."""
    run = simulate_native(automaton, until=solid.until, options=options)
    states = [run.at(k * EVERY).values for k in range(solid.count + 1)]
    return np.array([seen(solid, x[1], x[3:7], x[7:10], x[10:13]) for x in states])


def main(path: str) -> None:
    truth, answers = {}, []
    for solid in SOLIDS:
        automaton = made(solid)
        truth[solid.key] = watched(solid, automaton, EXACT)
        answers.append(
            {
                "peer": "dyverse native",
                "version": dyverse.__version__,
                "step": f"tolerance {DEFAULTS.relative:g}",
                "seconds": best(Runs(automaton).to(solid.until), batches=5) / solid.until,
                **judged(solid, watched(solid, automaton, DEFAULTS), truth[solid.key]),
            }
        )
    save(path, truth)
    say(*answers)


if __name__ == "__main__":
    main(sys.argv[1])
