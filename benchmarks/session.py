"""What does a frame of a run that is there cost, and what taking it back?

Balls fly about in a box, native engine. A frame is what a live view needs at 60 Hz: the run goes on
by a sixtieth of a second, how the bodies lie is followed, and all of it becomes bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.table import Cell, Requirement, Table
from dyverse.animation.describing.frames import frame_bytes
from dyverse.animation.recording.turning import Lying
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.session.session import Session, open_session

RADIUS, SPEED = 0.1, 1.0  # m, m/s
FRAME = 1 / 60  # s
ROOM = 1.0  # m³ for each ball
LIMITS = {20: 0.5, 100: 2.0}  # ms of processor for a frame


def gas(balls: int, *, friction: float, seed: int = 0) -> World:
    """Balls of 1 kg on a grid in a box, with random velocities; no weight, e = 1."""
    random, side = np.random.default_rng(seed), int(np.ceil(balls ** (1 / 3)))
    step = ROOM ** (1 / 3)
    half = side * step / 2
    grid = [(i, j, k) for i in range(side) for j in range(side) for k in range(side)][:balls]
    spheres = [
        sphere(
            f"b{n}",
            radius=RADIUS,
            mass=1,
            position=tuple((np.array(place) + 0.5) * step - half),
            velocity=tuple(SPEED * random.normal(size=3)),
        )
        for n, place in enumerate(grid)
    ]
    axes = np.vstack([np.eye(3), -np.eye(3)])
    walls = [
        plane(f"w{n}", normal=tuple(axis), position=tuple(-half * axis))
        for n, axis in enumerate(axes)
    ]
    return world(*spheres, *walls, contact_all(restitution=1, friction=friction))


def stepping(session: Session, balls: int) -> Callable[[], int]:
    """What goes on by one frame; it tells how many events there were."""
    lying = Lying(session.automaton.variables, [f"b{n}" for n in range(balls)])
    now = lying.start(session.state.values)

    def step() -> int:
        nonlocal now
        run = session.tick(FRAME)
        for arc in run.arcs:
            now = lying.after(now, arc.times, arc.states)
        poses = lying.poses(now, session.state.values)
        frame_bytes(0, session.time, poses, np.empty(0))
        return len(run.events)

    return step


def worked(function: Callable[[], object], repeat: int) -> list[float]:
    """The processor time (ms) of each of some calls."""
    found = []
    for _ in range(repeat):
        began = time.process_time()
        function()
        found.append(1e3 * (time.process_time() - began))
    return found


def measure(quick: bool) -> Table:
    """Frames of some boxes."""
    sizes, frames = ((20,), 30) if quick else ((2, 20, 100), 300)
    rows = [_row(balls, mu, frames) for balls in sizes for mu in (0.0, 0.3)]
    return Table(
        question="stepping a session at 60 Hz: processor time of a frame",
        columns=(
            *("balls", "friction", "events per frame", "ms per frame", "median", "95 %"),
            *("observe 3 signals ms", "restore and go on ms"),
        ),
        rows=tuple(rows),
        requirements=tuple(
            Requirement(text=f"{n} balls, ms per frame", value=float(row[3]), limit=LIMITS[n])
            for row in rows
            if isinstance(n := row[0], int) and n in LIMITS
        ),
        remarks=(
            "native engine; one cubic metre and six walls' share for each ball, about 1.7 m/s",
            "a frame: 1/60 s of the run, positions and quaternions of all balls as bytes",
        ),
    )


def _row(balls: int, friction: float, frames: int) -> tuple[Cell, ...]:
    session = open_session(generate(gas(balls, friction=friction)))
    step = stepping(session, balls)
    events = [step() for _ in range(frames // 10)]  # compiles
    times = np.array(worked(lambda: events.append(step()), frames))
    look = np.median(worked(lambda: session.observe("b0.x", "energy", "gap[b0,w0]"), 20))
    before = session.snapshot()

    def again() -> None:
        session.restore(before)
        session.tick(FRAME)

    back = float(np.median(worked(again, 20)))
    each = float(times.mean()), float(np.median(times)), float(np.percentile(times, 95))
    return (balls, friction, sum(events) / len(events), *each, float(look), back)
