# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""MuJoCo: hinges are its coordinates; the loop and the floor are soft, stiffer for smaller steps.

At its default step everything is as it is by default. Below, the method is Runge-Kutta of order 4,
and constraints are as hard as is stable: a time constant of two steps, hardly any give, and damping
from which nothing comes back.
"""

from __future__ import annotations

import sys
import time

import mujoco

from benchmarks.peers.measure import say
from benchmarks.peers.mechanisms.task import (
    MECHANISMS,
    WIDTH,
    G,
    Mechanism,
    halved,
    load,
    refined,
)

DEFAULT = 2e-3  # s


def text(mechanism: Mechanism, step: float) -> str:
    finer = step < DEFAULT
    method = "RK4" if finer else "Euler"
    damping = 1 if mechanism.closed else 20
    hard = f'solref="{2 * step!r} {damping}" solimp="0.9999 0.9999 0.001"' if finer else ""
    bars, bend, far = "", 0.0, 0.0
    count = len(mechanism.lengths)
    for i in range(count):
        length, turn = mechanism.lengths[i], mechanism.angles[i] - bend
        size = f"{length / 2!r} {WIDTH / 2} {WIDTH / 2}"
        mass = repr(mechanism.masses[i])
        bars += f"""<body name="l{i}" pos="{far!r} 0 0" euler="0 0 {turn!r}">
        <joint type="hinge" axis="0 0 1" damping="{mechanism.damping}"/>
        <geom type="box" mass="{mass}" size="{size}" pos="{length / 2!r} 0 0" contype="0"
        conaffinity="0"/>"""
        bend, far = mechanism.angles[i], length
    end = f"{far!r} 0 0"
    bars += (
        f'<geom type="sphere" size="{mechanism.ball}" pos="{end}" mass="0" {hard}/>'
        if mechanism.floor is not None
        else ""
    )
    floor = (
        f'<geom type="plane" size="5 5 1" zaxis="0 1 0" pos="0 {mechanism.floor} 0" {hard}/>'
        if mechanism.floor is not None
        else ""
    )
    loop = (
        f'<equality><connect body1="l{count - 1}" anchor="{end}" {hard}/></equality>'
        if mechanism.closed
        else ""
    )
    return f"""<mujoco><compiler angle="radian"/>
    <option gravity="0 -{G} 0" timestep="{step!r}" integrator="{method}"/>
    <default><geom friction="{mechanism.friction} 0 0"/></default>
    <worldbody>{floor}{bars}{"</body>" * count}</worldbody>{loop}</mujoco>"""


def play(mechanism: Mechanism, step: float):
    model = mujoco.MjModel.from_xml_string(text(mechanism, step))
    data = mujoco.MjData(model)
    begun = time.process_time()
    mujoco.mj_step(model, data, nstep=round(mechanism.until / step))
    return data.qpos.copy(), time.process_time() - begun


def answers(mechanism: Mechanism, truth, target: float):
    found = refined(lambda step: play(mechanism, step), halved(DEFAULT, 14), truth, target)
    for row in found:
        step = row["knob"]
        spent = min(row["seconds"], *(play(mechanism, step)[1] for _ in range(2)))
        yield {
            **row,
            "peer": "MuJoCo",
            "version": mujoco.__version__,
            "mechanism": mechanism.name,
            "knob": f"{1e3 * step:.3g} ms",
            "seconds": spent / mechanism.until,
        }


if __name__ == "__main__":
    known = load(sys.argv[1])
    say(*(row for m in MECHANISMS for row in answers(m, *known[m.name])))
