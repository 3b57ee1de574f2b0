"""Do balls that are poured into a box come to rest, and what does it cost?

Each pile is left for five seconds, with the tolerances that suit its scene: of up to fifty balls by
the native engine, of ten by the others.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from benchmarks.table import Cell, Requirement, Table
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.library import NATIVE
from dyverse.simulation.simulate import Options, simulate

RADIUS, G = 0.1, 9.81  # m, m/s²
UNTIL = 5.0  # s
SECONDS = 100.0  # of processor time; who takes longer is stopped, and the table says where,
OTHERS = 20.0  # and the same where another engine follows a pile
REACHED = 20  # balls up to which piles are to get to the end
LOOKS = 300  # at gaps, in a run


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """So many balls in a box whose walls are ``half`` (m) from the middle, and who follows them."""

    balls: int
    half: float = 0.35
    solver: str = NATIVE

    @property
    def seconds(self) -> float:
        """How much processor time it may take."""
        return SECONDS if self.solver == NATIVE else OTHERS


SIZES = (
    *(Size(balls=balls) for balls in (6, 8, 10, 20)),
    Size(balls=50, half=0.5),
    *(Size(balls=10, solver=solver) for solver in ("reference", "cvode")),
)


def pile(balls: int, *, seed: int = 0, half: float = 0.35) -> World:
    """Balls of 1 kg at random above the floor of a box; e = 0.5, μ = 0.3."""
    random, places = np.random.default_rng(seed), list[Array]()
    room = half - RADIUS
    while len(places) < balls:
        top = RADIUS + 0.1 * len(places) + 0.3
        place = random.uniform((-room, RADIUS, -room), (room, top, room))
        if all(np.linalg.norm(place - other) > 2 * RADIUS + 1e-3 for other in places):
            places.append(place)
    spheres = [
        sphere(f"b{i}", radius=RADIUS, mass=1, position=(x, y, z))
        for i, (x, y, z) in enumerate(place.tolist() for place in places)
    ]
    return world(
        *spheres,
        plane("floor", normal=(0, 1, 0)),
        plane("left", normal=(1, 0, 0), position=(-half, 0, 0)),
        plane("right", normal=(-1, 0, 0), position=(half, 0, 0)),
        plane("front", normal=(0, 0, 1), position=(0, 0, -half)),
        plane("back", normal=(0, 0, -1), position=(0, 0, half)),
        contact_all(restitution=0.5, friction=0.3),
        gravity=(0, -G, 0),
    )


def energies(run: Run) -> Array:
    """The energy (J) in every sample of a run of balls of 1 kg."""
    rows = np.vstack([arc.states for arc in run.arcs])
    places, speeds = np.split(rows, 2, axis=1)
    v, w = (speeds.reshape(len(rows), -1, 6)[:, :, part] for part in (slice(3), slice(3, 6)))
    kinetic = (v**2).sum(axis=(1, 2)) / 2 + 0.2 * RADIUS**2 * (w**2).sum(axis=(1, 2))
    return np.asarray(kinetic + G * places.reshape(len(rows), -1, 6)[:, :, 1].sum(axis=1))


def deepest(run: Run) -> float:
    """The least gap (m) at the ends of some stretches of time, spread over the run."""
    gaps = (
        gap
        for arc in run.arcs[:: max(1, len(run.arcs) // LOOKS)]
        for name, gap in run.automaton.observe(arc.end).items()
        if name.startswith("gap[")
    )
    return min(gaps, default=0.0)


def measure(quick: bool) -> Table:
    """How far each pile gets, with how many events, and what it takes."""
    rows = [_row(size, seed=0) for size in (SIZES[:1] if quick else SIZES)]
    short = max(UNTIL - float(r[3]) for r in rows if int(r[0]) <= REACHED and r[2] == NATIVE)
    return Table(
        question="piles of balls in a box, left for 5 s",
        columns=(
            *("balls", "seed", "solver", "reached s", "ended by", "events", "processor s"),
            *("ms per event", "least gap m", "energy gained J"),
        ),
        rows=tuple(rows),
        requirements=(
            Requirement(
                text="6 balls, ms per event", value=max(float(r[7]) for r in rows[:1]), limit=5.0
            ),
            Requirement(
                text=f"up to {REACHED} balls, native: seconds short of the end",
                value=short,
                limit=0.0,
            ),
        ),
        remarks=(
            "e = 0.5, μ = 0.3; models were compiled before",
            f"interrupted after {SECONDS:g} s of processor time, of other engines {OTHERS:g} s",
        ),
    )


def _row(size: Size, seed: int) -> tuple[Cell, ...]:
    automaton = generate(pile(size.balls, seed=seed, half=size.half))
    simulate(automaton, until=1e-9, options=Options(solver=size.solver))  # compiles
    began = time.process_time()

    def goes_on(_: float, __: int) -> bool:
        return time.process_time() - began < size.seconds

    options = Options(solver=size.solver, max_events=10_000_000, progress=goes_on)
    run = simulate(automaton, until=UNTIL, options=options)
    took = time.process_time() - began
    events, gained = len(run.events), float(np.diff(energies(run)).max(initial=0.0))
    each = 1e3 * took / max(events, 1)
    reached = run.end.time
    counts = (events, took, each, deepest(run), gained)
    return (size.balls, seed, size.solver, reached, str(run.stop), *counts)
