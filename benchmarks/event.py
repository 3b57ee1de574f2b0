"""What does one simulated impact cost, and which contacts does it touch?

Every call of the impact law is watched: the contacts that it gets must be the contacts involved in
the impact, whatever the number of contacts in the scene.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.table import Requirement, Table, best
from dyverse.automaton.interface import Visit
from dyverse.automaton.run import Run
from dyverse.bodies.read import parse_world
from dyverse.contact import impacts as laws
from dyverse.contact.law.impact import solve_impact
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.skeleton.location import Node
from dyverse.mechanics.dynamics import Dynamics
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text

SIZES = (2, 5, 10, 20, 50)


@dataclass(slots=True)
class Touched:
    """Numbers of contacts, one for each call: those given to the law, those assembled."""

    solved: list[int] = field(default_factory=list)
    assembled: list[int] = field(default_factory=list)


def measure(quick: bool) -> Table:
    """Cost per impact over the size of the scene."""
    rows = [_row(balls, 5 if quick else 50) for balls in (SIZES[:3] if quick else SIZES)]
    return Table(
        question="one simulated impact of balls-N: its cost, and the contacts it touches",
        columns=(
            "balls",
            "contacts",
            "impacts",
            "contacts involved, most",
            "given to SORPROX, most",
            "assembled, most",
            "computation node µs",
            "whole event ms",
            "ratio to 2 balls",
        ),
        rows=tuple((*row[:-1], row[-2] / rows[0][-2]) for row in rows),
        requirements=(
            Requirement(
                text="contacts touched by a node that are not involved",
                value=max(row[-1] for row in rows),
                limit=0.0,
            ),
        ),
        remarks=(
            "a whole event is the run's time over its impacts: flow, event location, node, edges",
            "locating an event surveys the gaps of all contacts, hence the growth",
        ),
    )


def _row(balls: int, repeat: int) -> tuple[float, ...]:
    automaton = generate(parse_world(example_text(f"balls-{balls}")))
    until = automaton.scene.horizon or 1.0
    simulate(automaton, until=until)
    start = time.perf_counter()
    run = simulate(automaton, until=until)
    cost = (time.perf_counter() - start) / len(impacts(run))
    touched = [touched_by(automaton, visit) for visit in impacts(run)]
    first = impacts(run)[0]
    return (
        balls,
        len(automaton.contacts),
        len(impacts(run)),
        max(involved(visit) for visit in impacts(run)),
        max(max(t.solved) for t in touched),
        max(max(t.assembled) for t in touched),
        1e6 * best(lambda: automaton.visit(first.before), repeat),
        1e3 * cost,
        max(_too_many(t, visit) for t, visit in zip(touched, impacts(run), strict=True)),
    )


def impacts(run: Run) -> list[Visit]:
    """The visits to impact nodes."""
    nodes = [(visit, visit.before.location) for visit in run.visits]
    return [visit for visit, node in nodes if isinstance(node, Node) and node.kind == "impact"]


def touched_by(automaton: RigidBodyAutomaton, visit: Visit) -> Touched:
    """Pass through the node of ``visit`` again, and count."""
    with watching() as touched:
        automaton.visit(visit.before)
    return touched


def involved(visit: Visit) -> int:
    """How many contacts take an impulse."""
    return sum(bool(np.any(impulse != 0)) for impulse in visit.result.values())


def _too_many(touched: Touched, visit: Visit) -> int:
    return max(sum(touched.solved), max(touched.assembled)) - involved(visit)


@contextmanager
def watching() -> Iterator[Touched]:
    """Count the contacts that the impact law gets and the dynamics assembles."""
    touched, close = Touched(), Dynamics.close

    def law(matrix: Any, *arguments: Any) -> Any:  # whatever solve_impact takes
        touched.solved.append(len(matrix) // 3)
        return solve_impact(matrix, *arguments)

    def closing(dynamics: Dynamics, contacts: tuple[int, ...], values: Any) -> Any:
        touched.assembled.append(len(contacts))
        return close(dynamics, contacts, values)

    with patch.object(laws, "solve_impact", law), patch.object(Dynamics, "close", closing):
        yield touched
