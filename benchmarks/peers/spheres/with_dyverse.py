"""dyverse: the same game from its text."""

from __future__ import annotations

import dyverse
from benchmarks.peers.engine import Runs
from benchmarks.peers.measure import best, say
from benchmarks.peers.spheres.task import TEXT, UNTIL
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate

REFERENCE = Options(solver="reference")
NATIVE = Options(solver="native")


def main() -> None:
    automaton = generate(parse_world(TEXT))
    reference, native = (
        simulate(automaton, until=UNTIL, options=REFERENCE),
        simulate(automaton, until=UNTIL, options=NATIVE),
    )
    runs = Runs(automaton)
    alone = best(runs.to(UNTIL))
    answers = [
        {
            "peer": "dyverse reference",
            "seconds": best(lambda: simulate(automaton, until=UNTIL, options=REFERENCE)),
            "times": reference.times("impact"),
            "final": reference.end.values.tolist(),
        },
        {
            "peer": "dyverse native, simulate",
            "seconds": best(lambda: simulate(automaton, until=UNTIL, options=NATIVE)),
            "times": native.times("impact"),
            "final": native.end.values.tolist(),
        },
        {
            "peer": "dyverse native, engine",
            "seconds": alone,
            "times": runs.times.tolist(),
            "final": runs.engine.x.tolist(),
        },
    ]
    say(*({"version": dyverse.__version__, **answer} for answer in answers))


if __name__ == "__main__":
    main()
