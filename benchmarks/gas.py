"""What does an event cost as balls in a box become more?

Balls fly about in a cube that grows with their number, without gravity and without loss, so that
each meets others as often whatever their number is. Native engine, no log is kept.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from benchmarks.table import Cell, Table
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, prepared
from dyverse.native.model import native_model

SIZES = (2, 10, 50, 100, 200, 400)
FRICTION = (0.0, 0.3)
APART, RADIUS = 0.5, 0.1  # m
EACH = 20  # events per ball, at most
MOST = 1500  # events
PIECE = 0.2  # s


def gas(balls: int, friction: float, *, seed: int = 1) -> World:
    """So many balls on a grid in a cube, with velocities of about 1 m/s."""
    random, side = np.random.default_rng(seed), int(np.ceil(balls ** (1 / 3)))
    size, parts = APART * (side + 1), list[Part]()
    for i in range(balls):
        place = [APART * (k + 1) for k in (i % side, i // side % side, i // side**2)]
        x, y, z = random.normal(size=3).tolist()
        parts.append(sphere(f"b{i}", radius=RADIUS, mass=1, position=place, velocity=(x, y, z)))
    for axis in range(3):
        for sign in (1, -1):
            normal = [sign * (k == axis) for k in range(3)]
            place = [size * (k == axis and sign < 0) for k in range(3)]
            parts.append(plane(f"w{axis}{sign + 1}", normal=normal, position=place))
    return world(*parts, contact_all(restitution=1.0, friction=friction))


def measure(quick: bool) -> Table:
    """Microseconds per event, and what it takes to begin."""
    sizes = SIZES[1:3] if quick else SIZES
    rows = [_row(balls, friction) for friction in FRICTION[: 1 if quick else 2] for balls in sizes]
    return Table(
        question="balls in a box: what an event costs as they become more",
        columns=("balls", "friction", "contacts", "events", "µs per event", "begin s", "MB"),
        rows=tuple(rows),
        remarks=("processor time; MB is the most that the whole process has used so far",),
    )


def _row(balls: int, friction: float) -> tuple[Cell, ...]:
    began = time.process_time()
    automaton = generate(gas(balls, friction))
    model = native_model(automaton.world, automaton.scene)
    engine = prepared(model, automaton, automaton.start(), Options(max_events=10 * MOST))
    start = time.process_time()
    until = 0.0
    while engine.counts["events"] < min(MOST, EACH * balls):
        until += PIECE
        engine.run(until)
    took, events = time.process_time() - start, engine.counts["events"]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = 1e6 * took / events
    return (balls, friction, len(automaton.contacts), events, each, start - began, memory)
