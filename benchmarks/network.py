"""What does one event of a network cost, and how does that grow with the number of components?

The network is a ring in which a token goes round: component i waits, heats up by an equation of its
own, and hands over to component i + 1 by a handshake. So every event is a handshake of two
components, and all the others only have to be left alone.
"""

from __future__ import annotations

import time

from benchmarks.table import Table
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate

SIZES = (2, 10, 100)


def measure(quick: bool) -> Table:
    """Cost per event over the number of components."""
    rows = [_row(size, 20 if quick else 200) for size in (SIZES[:2] if quick else SIZES)]
    return Table(
        question="one event of a network: a token that goes round a ring of N components",
        columns=("components", "variables", "events", "compile ms", "event ms", "ratio to 2"),
        rows=tuple((*row, row[-1] / rows[0][-1]) for row in rows),
        remarks=(
            "every event is a handshake of two components, located exactly, by the solver "
            "`reference`",
            "compiling is what the first event needs besides",
        ),
    )


def ring(size: int) -> str:
    """The text of a ring of ``size`` components."""
    parts = [_component(i, (i + 1) % size) for i in range(size)]
    return "\n".join([*parts, "system " + " || ".join(f"c{i}" for i in range(size))])


def _component(i: int, following: int) -> str:
    first = "hot" if i == 0 else "cold"
    return f"""
automaton c{i} {{
  real x
  location cold {{ x' = -x }}
  location hot {{ x' = 1 - x/4  invariant x <= 1 }}
  initial {first}
  edge hot -> cold {{ when x >= 1 sync hand{following}! do x := 0.5 }}
  edge cold -> hot {{ sync hand{i}? do x := 0 }}
}}"""


def _row(size: int, events: int) -> tuple[float, ...]:
    automaton = parse_model(ring(size)).automaton()
    start = time.perf_counter()
    simulate(automaton, until=1e6, options=Options(max_events=1))
    first = time.perf_counter() - start
    start = time.perf_counter()
    run = simulate(automaton, until=1e6, options=Options(max_events=events))
    cost = (time.perf_counter() - start) / len(run.events)
    return size, len(automaton.variables), len(run.events), 1e3 * (first - cost), 1e3 * cost
