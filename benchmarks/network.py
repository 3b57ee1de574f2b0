"""What does one event of a network cost, and how does that grow with the number of components?

The network is a ring in which a token goes round: component i waits, heats up by an equation of its
own, and hands over to component i + 1 by a handshake. So every event is a handshake of two
components, and all the others only have to be left alone.
"""

from __future__ import annotations

import time

from benchmarks.table import Table
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.run import Run
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate

SIZES = (2, 10, 100)
TIMES = 20  # runs of the native engine, of which the quickest counts
Row = tuple[float, ...]


def measure(quick: bool) -> Table:
    """Cost per event over the number of components."""
    rows = [_row(size, 20 if quick else 200) for size in (SIZES[:2] if quick else SIZES)]
    return Table(
        question="one event of a network: a token that goes round a ring of N components",
        columns=(
            *("components", "variables", "events", "first ms", "event ms", "ratio to 2"),
            *("native event µs", "native, read, µs", "native ratio to 2"),
        ),
        rows=tuple(_compared(row, rows[0]) for row in rows),
        remarks=(
            "every event is a handshake of two components, located exactly, by the solver "
            "`reference`, then by `native`, alone and with all its events read",
            "first: what the first event of `reference` needs besides; the C compiler is not "
            "counted",
        ),
    )


def _compared(row: Row, first: Row) -> tuple[float, ...]:
    *about, event, native, read = row
    return (*about, event, event / first[-3], native, read, native / first[-2])


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


def _row(size: int, events: int) -> Row:
    automaton = parse_model(ring(size)).automaton()
    first, _ = _timed(automaton, Options(max_events=1))
    whole, run = _timed(automaton, Options(max_events=events))
    cost, until = whole / len(run.events), run.end.time
    native = Options(solver="native")
    simulate(automaton, until=until, options=native)
    times = [_timed(automaton, native, until) for _ in range(TIMES)]
    quick, same = min(seconds for seconds, _ in times), times[0][1]
    start = time.perf_counter()
    assert len(same.events) == len(run.events)
    read = quick + time.perf_counter() - start
    costs = (1e3 * (first - cost), 1e3 * cost, 1e6 * quick / events, 1e6 * read / events)
    return size, len(automaton.variables), len(run.events), *costs


def _timed(automaton: HybridAutomaton, options: Options, until: float = 1e6) -> tuple[float, Run]:
    start = time.perf_counter()
    run = simulate(automaton, until=until, options=options)
    return time.perf_counter() - start, run
