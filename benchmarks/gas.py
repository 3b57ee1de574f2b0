"""What does an event cost as balls in a box become more?

Balls fly about in a cube that grows with their number, without gravity and without loss, so that
each meets others as often whatever their number is. Native engine, no log is kept. Beside it a
plain loop in C that knows nothing but balls and walls, from the same start.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.figure import Figure

from benchmarks.table import Cell, Requirement, Table
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.native.engine import Options, prepared
from dyverse.native.library import Engine
from dyverse.native.model import native_model
from dyverse.native.running import Code

SIZES = (2, 10, 50, 100, 500, 1000, 2000)
FRICTION = (0.0, 0.3)
APART, RADIUS = 0.5, 0.1  # m
EACH = 20  # events per ball, at most
MOST = 5000  # events
PIECE = 0.2  # s
Row = tuple[Cell, ...]
LOOP = Path(__file__).with_name("gas_loop.c")
PICTURE = Path(__file__).with_name("gas.png")


def side(balls: int) -> int:
    """How many balls lie along an edge of the cube at first."""
    return int(np.ceil(balls ** (1 / 3)))


def gas(balls: int, friction: float, *, seed: int = 1) -> World:
    """So many balls on a grid in a cube, with velocities of about 1 m/s."""
    random, along = np.random.default_rng(seed), side(balls)
    size, parts = APART * (along + 1), list[Part]()
    for i in range(balls):
        place = [APART * (k + 1) for k in (i % along, i // along % along, i // along**2)]
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
    asked = [(balls, mu) for mu in FRICTION[: 1 if quick else 2] for balls in sizes]
    fresh = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=1) as alone:
        rows = list(alone.map(row, *zip(*asked, strict=True)))
    if not quick:
        draw(rows)
    return told(rows)


def told(rows: list[Row]) -> Table:
    """The answer."""
    sizes = sorted({int(row[0]) for row in rows})
    each = {(row[0], row[1]): float(row[4]) for row in rows}
    memory = [float(row[-1]) for row in rows if row[0] == 1000]
    required = [
        Requirement(
            text=f"an event of {sizes[-1]:,} balls over one of ten, friction {mu}",
            value=each[sizes[-1], mu] / each[10, mu],
            limit=3.0,
        )
        for mu in FRICTION
        if (10, mu) in each
    ]
    if memory:
        required.append(Requirement(text="MB of 1,000 balls", value=max(memory), limit=500))
    return Table(
        question="balls in a box: what an event costs as they become more",
        columns=(
            "balls",
            "friction",
            "contacts",
            "events",
            "µs per event",
            "plain loop µs",
            "begin s",
            "MB",
        ),
        rows=tuple(rows),
        requirements=tuple(required),
        remarks=(
            "![Cost of an event over the number of balls](gas.png)",
            "processor time; begin: from a world in Python to an engine, without the compiler, "
            "which takes the same time for any number of balls; MB is the most that a process of "
            "its own has used",
            "up to 256 contacts are followed by steps, more by formulas from event to event",
            "with friction and no restitution along the surface balls become slower",
            "the plain loop, gas_loop.c, takes equal elastic balls without friction",
            "DynamO, which has an event queue of constant cost, is published to take the same time "
            "per event for any number of particles [Bannerman, Sargant, Lue, J. Comput. Chem. 32 "
            "(2011) 3329, arXiv:1004.3501]",
        ),
    )


def draw(rows: list[Row]) -> None:
    """The picture of it."""
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.subplots()
    lines = {f"friction {mu:g}": (mu, 4) for mu in FRICTION} | {"plain loop in C": (0.0, 5)}
    for label, (mu, column) in lines.items():
        own = sorted((int(row[0]), float(row[column])) for row in rows if row[1] == mu)
        axes.loglog(*zip(*own, strict=True), marker="o", label=label)
    axes.set(xlabel="balls", ylabel="µs per event", ylim=(0.3, 100))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(PICTURE, dpi=120)


def row(balls: int, friction: float) -> Row:
    """One gas."""
    began = time.process_time()
    automaton = generate(gas(balls, friction))
    model = native_model(automaton.world, automaton.scene)
    engine = prepared(model, automaton, automaton.start(), Options(max_events=10 * MOST))
    begin = time.process_time() - began
    engine.run(1e-6)  # it takes off
    most = min(MOST, EACH * balls)
    took, events = _followed(engine, most)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    plain: Cell = "" if friction or not shutil.which("cc") else 1e6 * _plain(automaton, most)
    contacts = len(automaton.contacts)
    return (balls, friction, contacts, events, 1e6 * took / events, plain, begin, memory)


def _followed(engine: Engine, most: int) -> tuple[float, int]:
    """Seconds, and so many events or a few more."""
    start, until = time.process_time(), 0.0
    while engine.counts["events"] < most:
        if engine.run(until) is Code.HORIZON:
            until += PIECE
    return time.process_time() - start, engine.counts["events"]


def _plain(automaton: RigidBodyAutomaton, most: int) -> float:
    """Seconds per event of the plain loop."""
    bodies = automaton.scene.moving
    head = f"{len(bodies)} {most} {APART * (side(len(bodies)) + 1)} {RADIUS}\n"
    lines = [" ".join(map(repr, (*body.position, *body.velocity))) for body in bodies]
    with TemporaryDirectory() as folder:
        program = Path(folder, "loop")
        subprocess.run(["cc", "-O2", "-o", str(program), str(LOOP), "-lm"], check=True)
        found = subprocess.run(
            [str(program)],
            input=head + "\n".join(lines),
            capture_output=True,
            text=True,
            check=True,
        )
    events, _, seconds = found.stdout.split()
    return float(seconds) / int(events)
