"""dyverse: the reference engine, the native engine with its whole record, and its runs alone."""

from __future__ import annotations

import dyverse
from benchmarks.peers.bounce.task import HEIGHT, E, G, error, horizon
from benchmarks.peers.engine import Runs
from benchmarks.peers.measure import Answer, best, say
from dyverse.automaton.run import Run
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.native.many import simulate_many
from dyverse.simulation.simulate import Options, simulate

REFERENCE = Options(solver="reference")
NATIVE = Options(solver="native")
RUNS = 1000
TEXT = f"""
parameter drop = {HEIGHT}
gravity (0, -{G}, 0)
body ball {{ sphere radius 0.1  mass 1  position (0, drop + 0.1, 0) }}
body floor {{ plane normal (0, 1, 0) }}
contact ball floor {{ restitution {E}  friction 0.3 }}
"""


def run_alone(automaton: RigidBodyAutomaton) -> Answer:
    """One engine, begun anew for each run; results are event times and the final state."""
    runs = Runs(automaton)
    seconds = best(runs.to(horizon()))
    return {
        "peer": "dyverse native, engine",
        "seconds": seconds,
        "error": error(runs.times.tolist()),
        "note": "event times and the final state; the call from Python is included",
    }


def kept(automaton: RigidBodyAutomaton) -> Answer:
    """What users call; the record of the run is read when they ask for it."""

    def run() -> Run:
        return simulate(automaton, until=horizon(), options=NATIVE)

    alone, read = best(run), best(lambda: run().events)
    return {
        "peer": "dyverse native, simulate",
        "seconds": alone,
        "error": error(run().times("impact")),
        "note": f"the whole run, sampled; with its events read as objects {1e6 * read:.3g} µs",
    }


def many(automaton: RigidBodyAutomaton) -> Answer:
    """Runs from heights that differ by nothing, in one call on one core."""
    settings = {"drop": [HEIGHT] * RUNS}

    def run(workers: int) -> float:
        def all_of_them() -> object:
            return simulate_many(automaton, settings, until=horizon(), workers=workers)

        return best(all_of_them, wall=workers > 1) / RUNS

    found = simulate_many(automaton, settings, until=horizon())
    return {
        "peer": "dyverse native, simulate_many",
        "seconds": run(1),
        "error": error(found.event_times[0, : found.counts[0]].tolist()),
        "note": f"per run of {RUNS} on one core; on two {1e6 * run(2):.3g} µs by the wall clock",
    }


def answers() -> list[Answer]:
    automaton = generate(parse_world(TEXT))
    reference = simulate(automaton, until=horizon(), options=REFERENCE)
    return [
        {
            "peer": "dyverse reference",
            "seconds": best(lambda: simulate(automaton, until=horizon(), options=REFERENCE)),
            "error": error(reference.times("impact")),
            "note": "the whole run, sampled, with its location changes",
        },
        kept(automaton),
        many(automaton),
        run_alone(automaton),
    ]


if __name__ == "__main__":
    say(*({"version": dyverse.__version__, **answer} for answer in answers()))
