"""How fast is the native engine, and what does compiling cost?

``C`` is the time in the runtime alone, from the start to the last event; ``run`` that of
`simulate_native`, which also makes arcs, visits and events of it; both with the model compiled. The
peer is SciPy's `solve_ivp` with RK45, the same method, on the two variables of a bouncing ball.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.simulate import BOUNCES, HEIGHT, RESTITUTION, _fall, _touch, bounces
from benchmarks.table import Cell, Requirement, Table, best
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.native.engine import Options, c_options, simulate_native
from dyverse.native.library import Engine, library
from dyverse.native.many import simulate_many
from dyverse.native.model import _made, native_model
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text

SIZES = (2, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """An example up to some time."""

    name: str
    example: str
    until: float


def scenes(quick: bool) -> list[Scene]:
    """What is simulated."""
    few = [
        Scene(
            name=f"bouncing ball, {BOUNCES} bounces",
            example="bouncing-ball",
            until=bounces(BOUNCES)[-1] + 1e-6,
        ),
        Scene(name="two spheres with friction", example="balls-2", until=2.0),
        Scene(name="sliding to rolling", example="sliding-to-rolling", until=2.0),
        Scene(name="billiard break, 15 balls", example="billiard-break", until=0.5),
    ]
    sizes = SIZES[:2] if quick else SIZES
    return few + [Scene(name=f"{n} balls", example=f"balls-{n}", until=2.0) for n in sizes]


def measure(quick: bool) -> Table:
    """Costs of runs in C, in Python around it, and in the reference engine."""
    rows = [_row(scene, 20 if quick else 200) for scene in scenes(quick)]
    peer = best(scipy_rk45, 2 if quick else 5)
    cold, cached = _compile_times()
    many = _many(20 if quick else 1000)
    return Table(
        question="the native engine: costs of whole runs, per event, and against the others",
        columns=("scene", "events", "C µs", "C µs per event", "run µs", "reference ms", "ratio C"),
        rows=tuple(rows),
        requirements=(
            Requirement(
                text="20 bounces in C over 20 bounces of solve_ivp RK45",
                value=1e-6 * float(rows[0][2]) / peer,
                limit=1 / 300,
            ),
            Requirement(text="billiard break, µs per event", value=float(rows[3][3]), limit=20.0),
            Requirement(text="first result with compiling, s", value=cold, limit=2.0),
            Requirement(text="first result from the cache, s", value=cached, limit=0.3),
        ),
        remarks=(
            f"solve_ivp RK45, {BOUNCES} bounces: {1e3 * peer:.3g} ms",
            f"simulate_many, interception game: {1e6 * many:.3g} µs per run, scene included",
        ),
    )


def _row(scene: Scene, repeat: int) -> tuple[Cell, ...]:
    automaton = generate(parse_world(example_text(scene.example)))
    simulate_native(automaton, until=scene.until)
    engine, in_c = _in_c(automaton, scene.until, repeat)
    events = max(1, engine.counts["events"])
    whole = best(lambda: simulate_native(automaton, until=scene.until), max(3, repeat // 20))
    start = time.perf_counter()
    simulate(automaton, until=scene.until)
    reference = time.perf_counter() - start
    return (
        scene.name,
        engine.counts["events"],
        1e6 * in_c,
        1e6 * in_c / events,
        1e6 * whole,
        1e3 * reference,
        reference / in_c,
    )


def _in_c(automaton: RigidBodyAutomaton, until: float, repeat: int) -> tuple[Engine, float]:
    """An engine that has run, and the least time (s) that it took."""
    model = native_model(automaton.world, automaton.scene)
    options = c_options(model, automaton, Options())
    options.max_steps = 0
    engine = Engine(model.library, model.structure, options)
    numbers, start, least = model.numbers(automaton.scene), automaton.start().values, math.inf
    for _ in range(repeat):
        engine.set(numbers, start)
        begin = time.perf_counter()
        engine.run(until)
        least = min(least, time.perf_counter() - begin)
    return engine, least


def scipy_rk45() -> float:
    """The bouncing ball with SciPy's RK45, restarted by hand; the last impact (s)."""
    at, state = 0.0, np.array([HEIGHT, 0.0])
    for _ in range(BOUNCES):
        span = (at, at + 10.0)
        part = solve_ivp(_fall, span, state, events=_touch, rtol=1e-10, atol=1e-12)
        at, state = float(part.t[-1]), np.array([0.0, -RESTITUTION * part.y[1, -1]])
    return at


def _compile_times() -> tuple[float, float]:
    """From model text to the first result: with an empty cache, and with a full one."""
    text = example_text("bouncing-ball")
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, DYVERSE_CACHE=folder):
        times = []
        for _ in range(2):
            library.cache_clear()
            _made.cache_clear()
            start = time.perf_counter()
            simulate_native(generate(parse_world(text)), until=5.0)
            times.append(time.perf_counter() - start)
    return times[0], times[1]


def _many(count: int) -> float:
    """Seconds per run of the interception game, on all cores."""
    world = parse_world(example_text("interception-game"))
    gains = np.linspace(1, 3, count)
    simulate_many(world, {"K": gains[:2]}, until=2.0)
    start = time.perf_counter()
    simulate_many(world, {"K": gains}, until=2.0)
    return (time.perf_counter() - start) / count
