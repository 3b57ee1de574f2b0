"""How long from a parsed world to its automaton, the first location, its signals and its edges?

Each timing is taken in a fresh process, because the first automaton of a process pays for the
kinematics that all later ones share. Imports are timed apart.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import pairwise
from statistics import median

from benchmarks.machine import ROOT
from benchmarks.table import Requirement, Table

ASKED = 20  # balls that the requirement speaks of


def measure(quick: bool) -> Table:
    """Medians over fresh processes."""
    sizes, repeat = ((2, ASKED), 3) if quick else ((2, 5, 10, ASKED, 50, 100), 7)
    rows = {balls: _median([_fresh(balls) for _ in range(repeat)]) for balls in sizes}
    return Table(
        question="from a parsed world to its initial location with signals and enabled edges",
        columns=(
            "balls",
            "contacts",
            "import ms",
            "parse ms",
            "automaton ms",
            "signals ms",
            "edges ms",
            "all but import and parse ms",
        ),
        rows=tuple((balls, balls * (balls - 1) // 2, *row) for balls, row in rows.items()),
        requirements=(Requirement(text=f"{ASKED} balls, ms", value=rows[ASKED][-1], limit=100.0),),
        remarks=(f"medians over {repeat} fresh processes each",),
    )


def _median(runs: list[list[float]]) -> tuple[float, ...]:
    return tuple(1000 * median(column) for column in zip(*runs, strict=True))


def _fresh(balls: int) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.initial", str(balls)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def timings(balls: int) -> list[float]:
    """Seconds for imports, text, automaton, watched signals, enabled edges, and the last three."""
    clock = [time.perf_counter()]
    import numpy as np

    from dyverse.bodies.read import parse_world
    from dyverse.generation.automaton import generate
    from dyverse.text.examples import example_text

    clock.append(time.perf_counter())
    world = parse_world(example_text(f"balls-{balls}"))
    clock.append(time.perf_counter())
    automaton = generate(world)
    state = automaton.start()
    clock.append(time.perf_counter())
    names = automaton.watched(state.location)
    values = automaton.flow(state).sample(np.array([state.time]), state.values[None]).values
    assert values.shape == (1, len(names))
    clock.append(time.perf_counter())
    automaton.enabled(state)
    clock.append(time.perf_counter())
    parts = [after - before for before, after in pairwise(clock)]
    return [*parts, sum(parts[2:])]


if __name__ == "__main__":
    print(json.dumps(timings(int(sys.argv[1]))))
