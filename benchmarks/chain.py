"""What does a chain cost as its links become more, and what does MuJoCo take for the same?

Links of 0.1 m fall from a straight line; the first hangs on a hinge. Native engine without a log;
MuJoCo's own Runge-Kutta method of order 4 with fixed steps, from the same start. Errors are those
of the angles at the end, against a run of the native engine with a relative tolerance of 1e-13.
"""

from __future__ import annotations

import time
from functools import cache

import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.table import Cell, Requirement, Table
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import parse_model
from dyverse.native.engine import Options, prepared
from dyverse.native.model import native_model
from dyverse.native.running import Code

SIZES = ((2, 1.0), (10, 0.3), (100, 0.05))  # links, s
TOLERANCES = (1e-6, 1e-8, 1e-10)
STEPS = (1e-3, 1e-4)  # s
Angles = NDArray[np.float64]
Row = tuple[Cell, ...]
LINK = (
    '<body pos="{x} 0 0"><joint type="hinge" axis="0 0 1"/><geom type="box" mass="0.1"'
    ' size="0.05 0.01 0.01" pos="0.05 0 0" contype="0" conaffinity="0"/>'
)


@cache
def chain(links: int) -> RigidBodyAutomaton:
    """Boxes in a row, joined end to end."""
    text = ["gravity (0, -9.81, 0)", "body frame { point  fixed }", "contact all off"]
    for i in range(links):
        held, x = f"l{i - 1}" if i else "frame", 0.1 * i
        shape = "box size (0.1, 0.02, 0.02)  mass 0.1"
        text.append(f"body l{i} {{ {shape}  position ({x + 0.05}, 0, 0) }}")
        text.append(f"joint j{i} {{ revolute {held} l{i}  at ({x}, 0, 0)  axis (0, 0, 1) }}")
    return generate(parse_model("\n".join(text)).world)


def ours(links: int, until: float, tolerance: float) -> tuple[Angles, float]:
    """The angles at the end, and the processor time (s)."""
    made = chain(links)
    options = Options(relative=tolerance, absolute=tolerance / 100)
    engine = prepared(native_model(made.world, made.scene), made, made.start(), options)
    begin = time.process_time()
    while engine.run(until) is Code.PAUSED:
        pass
    spent = time.process_time() - begin
    return engine.x[[made.variables.index(f"j{i}.angle") for i in range(links)]], spent


def theirs(links: int, until: float, step: float) -> tuple[Angles, float]:
    """The same of MuJoCo."""
    bodies = "".join(LINK.format(x=0.1 if i else 0) for i in range(links)) + "</body>" * links
    option = f'<option gravity="0 -9.81 0" timestep="{step}" integrator="RK4"/>'
    text = f"<mujoco>{option}<worldbody>{bodies}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    begin = time.process_time()
    for _ in range(round(until / step)):
        mujoco.mj_step(model, data)
    return data.qpos.copy(), time.process_time() - begin


def measure(quick: bool) -> Table:
    """Errors and processor time per simulated second."""
    rows: list[Row] = []
    for links, until in SIZES[: 2 if quick else 3]:
        right = ours(links, until, 1e-13)[0]
        for who, knobs, play in (("dyverse", TOLERANCES, ours), ("MuJoCo RK4", STEPS, theirs)):
            for knob in knobs:
                angles, spent = min(
                    (play(links, until, knob) for _ in range(3)), key=lambda r: r[1]
                )
                error = float(np.abs(angles - right).max())
                rows.append((links, who, knob, error, spent / until))
    exact = {int(row[0]): float(row[4]) for row in rows if row[1:3] == ("dyverse", 1e-10)}
    large = max(exact)
    limit = Requirement(
        text=f"a second of {large} links over one of 2, for each link",
        value=exact[large] / exact[2] * 2 / large,
        limit=4.0,
    )
    return Table(
        question="a falling chain: what a second costs as links become more",
        columns=("links", "who", "tolerance or step s", "error rad", "processor s per s"),
        rows=tuple(rows),
        requirements=(limit,),
        remarks=(
            "the best of three; dyverse moves bodies in space and takes the hinges out, MuJoCo "
            "has the angles as its coordinates",
        ),
    )
