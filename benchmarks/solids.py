"""What does a second of a tumbling box, a rocking block or a tippe top cost, in which engine?

Both engines follow the same automaton; accuracy is asked of both alike. Reading what happened is
not measured.
"""

from __future__ import annotations

import time

from benchmarks.table import Requirement, Table
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

FLOOR = "gravity (0, -9.81, 0)\nbody floor { plane normal (0, 1, 0) }\n"
SCENES = {  # and how long they are followed (s)
    "a rocking block, to rest": (
        FLOOR + "body block { box size (0.2, 0.8, 0.2)  mass 1  position (0, 0.408, 0)"
        "  rotation (0, 0, 0.1) }\ncontact all { restitution 0  friction 0.8 }\n",
        8.0,
    ),
    "a tumbling box, to rest": (
        FLOOR + "body block { box size (0.3, 0.2, 0.1)  mass 1  position (0, 0.5, 0)"
        "  rotation (0.4, 0.5, 0.6)  spin (1, 2, 3) }\ncontact all { restitution 0.3"
        "  friction 0.3 }\n",
        2.0,
    ),
    "a tippe top": (example_text("tippe-top"), 1.0),
}
FASTER = 20  # the native engine than the reference engine


def measure(quick: bool) -> Table:
    """Processor time per simulated second."""
    rows = [_row(name, share=0.02 if quick else 1.0) for name in SCENES]
    worst = max(row[2] / row[3] for row in rows)
    text = f"native engine over reference engine, most; 1/{FASTER} is promised"
    return Table(
        question="a second of solids that roll and hit: processor time",
        columns=("scene", "followed for (s)", "native s/s", "reference s/s", "ratio"),
        rows=tuple((*row, row[3] / row[2]) for row in rows),
        requirements=(Requirement(text=text, value=worst, limit=1 / FASTER),),
        remarks=("without compiling, which is done once for a model",),
    )


def _row(name: str, *, share: float) -> tuple[str, float, float, float]:
    text, until = SCENES[name]
    native, reference = (_seconds(text, share * until, solver) for solver in ENGINES)
    return name, share * until, native / (share * until), reference / (share * until)


ENGINES = ("native", "reference")


def _seconds(text: str, until: float, solver: str) -> float:
    """The processor time of the faster of two runs (s), the model being compiled."""
    automaton, options = generate(parse_world(text)), Options(solver=solver)
    simulate(automaton, until=1e-3, options=options)
    found = []
    for _ in range(2):
        begun = time.process_time()
        run = simulate(automaton, until=until, options=options)
        found.append(time.process_time() - begun)
        assert run.end.time == until, run.stop
    return min(found)
