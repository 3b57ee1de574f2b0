"""How fast does a simulation run, and how far are its events from where they should be?

The peer is SciPy's `solve_ivp` on the bouncing ball: the same method (DOP853), the same tolerances,
events found on the dense output, restarted by hand after each bounce. It integrates two variables,
y and its rate; dyverse integrates the twelve of a rigid body and watches for everything else.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.table import Cell, Table
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.bodies.read import parse_world
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

G, HEIGHT, RESTITUTION = 9.81, 20.0, 0.8  # of example:bouncing-ball
BOUNCES = 20
SOLVERS = ("reference", "cvode")
ACCURACY = Accuracy()

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """An example up to some time, and the events whose times are known."""

    name: str
    example: str
    until: float
    kind: str = ""
    known: tuple[float, ...] = ()

    def error(self, run: Run) -> Cell:
        """The largest error of an event time (s)."""
        if not self.known:
            return "–"
        found = run.times(self.kind)[: len(self.known)]
        return float(np.abs(np.subtract(found, self.known)).max())


def bounces(count: int) -> tuple[float, ...]:
    """Impacts at t₁ (1 + 2 Σ eⁱ), t₁ = √(2h/g)."""
    first = math.sqrt(2 * HEIGHT / G)
    return tuple(
        first * (1 + 2 * sum(RESTITUTION**i for i in range(1, n + 1))) for n in range(count)
    )


def scenes(quick: bool) -> list[Scene]:
    """What is simulated; a bowling ball of 7 m/s and μ = 0.2 rolls from 2 v₀/(7 μ g) on."""
    known = bounces(BOUNCES)
    rolling = (2 * 7 / (7 * 0.2 * G),)
    return [
        Scene(
            name=f"bouncing ball, {BOUNCES} bounces",
            example="bouncing-ball",
            until=known[-1] + 1e-3,
            kind="impact",
            known=known,
        ),
        Scene(name="two spheres with friction", example="balls-2", until=4.0),
        Scene(
            name="sliding to rolling",
            example="sliding-to-rolling",
            until=2.0,
            kind="stick",
            known=rolling,
        ),
        Scene(name="billiard break", example="billiard-break", until=0.13 if quick else 0.25),
    ]


def measure(quick: bool) -> Table:
    """All scenes with both solvers, and the peer."""
    repeat = 1 if quick else 3
    peer, error = _fastest(scipy_bounces, repeat)
    rows: list[tuple[Cell, ...]] = [
        (
            f"bouncing ball, {BOUNCES} bounces",
            "scipy solve_ivp",
            BOUNCES,
            peer,
            1e3 * peer / BOUNCES,
            error,
            1.0,
        )
    ]
    rows += [_row(scene, name, repeat, peer) for scene in scenes(quick) for name in SOLVERS]
    return Table(
        question="whole runs: how long they take, and how exact their event times are",
        columns=(
            "scene",
            "solver",
            "events",
            "s",
            "ms per event",
            "event error s",
            "ratio to scipy",
        ),
        rows=tuple(rows),
        remarks=(
            f"relative tolerance {ACCURACY.relative:g}, absolute {ACCURACY.absolute:g} for all; "
            f"best of {repeat}",
            "the errors are against closed forms, the largest of all events that have one",
        ),
    )


def _row(scene: Scene, solver: str, repeat: int, peer: float) -> tuple[Cell, ...]:
    automaton = generate(parse_world(example_text(scene.example)))
    automaton.enabled(automaton.start())
    seconds, run = _fastest(
        lambda: simulate(automaton, until=scene.until, options=Options(solver=solver)), repeat
    )
    ratio: Cell = seconds / peer if scene.example == "bouncing-ball" else "–"
    count = len(run.events)
    return scene.name, solver, count, seconds, 1e3 * seconds / count, scene.error(run), ratio


def _fastest(function: Callable[[], Answer], repeat: int) -> tuple[float, Answer]:
    """The shortest time of some calls, and the last answer."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        answer = function()
        times.append(time.perf_counter() - start)
    return min(times), answer


def scipy_bounces() -> float:
    """Bounce by hand with SciPy; the answer is the largest error of an impact time (s)."""
    known, t, state, found = bounces(BOUNCES), 0.0, np.array([HEIGHT, 0.0]), list[float]()
    while len(found) < BOUNCES:
        solved = solve_ivp(
            _fall,
            (t, known[-1] + 1e-3),
            state,
            method="DOP853",
            events=_touch,
            rtol=ACCURACY.relative,
            atol=ACCURACY.absolute,
        )
        t, (_, speed) = float(solved.t[-1]), solved.y[:, -1]
        found.append(t)
        state = np.array([0.0, -RESTITUTION * speed])
    return float(np.abs(np.subtract(found, known)).max())


def _fall(_: float, state: Array) -> tuple[float, float]:
    return state[1], -G


def _touch(_: float, state: Array) -> float:
    return float(state[0])


_touch.terminal = True  # type: ignore[attr-defined]
_touch.direction = -1  # type: ignore[attr-defined]
