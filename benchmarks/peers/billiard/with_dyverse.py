"""dyverse: example:billiard-break, sixteen balls, a table and four cushions, for one second."""

from __future__ import annotations

import dyverse
from benchmarks.peers.engine import Runs
from benchmarks.peers.measure import best, say
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from dyverse.text.examples import example_text

UNTIL = 1.0


def main() -> None:
    automaton = generate(parse_world(example_text("billiard-break")))
    runs = Runs(automaton)
    alone = best(runs.to(UNTIL))
    counts = runs.engine.counts
    whole = best(lambda: simulate_native(automaton, until=UNTIL), batches=5)
    say(
        *(
            {
                "peer": name,
                "version": dyverse.__version__,
                "seconds": seconds / counts["events"],
                "events": [counts["events"]],
                "counts": counts,
            }
            for name, seconds in (
                ("dyverse native, engine", alone),
                ("dyverse native, simulate", whole),
            )
        )
    )


if __name__ == "__main__":
    main()
