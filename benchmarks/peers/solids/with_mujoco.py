# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""MuJoCo at its default step; where bodies bounce, the damping of a spring that does."""

from __future__ import annotations

import sys
from math import log, pi

import mujoco
import numpy as np

from benchmarks.peers.measure import best, say
from benchmarks.peers.solids.task import EVERY, SOLIDS, G, Solid, judged, load, seen

STIFFNESS = 1e5  # 1/s², of contacts that bounce; others are as MuJoCo has them by default


def text(solid: Solid) -> str:
    soft = ""
    if e := solid.restitution:
        damping = -2 * log(e) / (pi**2 + log(e) ** 2) ** 0.5 * STIFFNESS**0.5
        soft = f'solref="-{STIFFNESS} -{damping}" solimp="0.99 0.99 0.001"'
    if solid.box:
        shape = f'type="box" size="{numbers(edge / 2 for edge in solid.box)}"'
    else:
        shape = f'type="sphere" size="{solid.ball[0]}" pos="0 0 {solid.ball[1]}"'
    return f"""
    <mujoco>
      <option gravity="0 -{G} 0"/>
      <default><geom friction="{solid.friction} 0 0" {soft}/></default>
      <worldbody>
        <geom type="plane" size="10 10 0.1" zaxis="0 1 0"/>
        <body pos="{numbers(solid.position)}" quat="{numbers(solid.quaternion)}">
          <freejoint/>
          <inertial pos="0 0 0" mass="{solid.mass}" diaginertia="{numbers(solid.moments)}"/>
          <geom {shape}/>
        </body>
      </worldbody>
    </mujoco>
    """


def numbers(values) -> str:
    return " ".join(map(repr, map(float, values)))


def answer(solid: Solid, truth):
    model = mujoco.MjModel.from_xml_string(text(solid))
    data = mujoco.MjData(model)
    step = model.opt.timestep

    def begin() -> None:
        mujoco.mj_resetData(model, data)
        data.qvel[:] = solid.velocity

    def look():
        return seen(solid, data.qpos[1], data.qpos[3:7], data.qvel[:3], data.qvel[3:])

    def run() -> None:
        begin()
        mujoco.mj_step(model, data, nstep=round(solid.until / step))

    begin()
    rows = [look()]
    for _ in range(solid.count):
        mujoco.mj_step(model, data, nstep=round(EVERY / step))
        rows.append(look())
    return {
        "peer": "MuJoCo",
        "version": mujoco.__version__,
        "step": f"{1e3 * step:g} ms",
        "seconds": best(run, batches=5) / solid.until,
        **judged(solid, np.array(rows), truth),
    }


if __name__ == "__main__":
    found = load(sys.argv[1])
    say(*(answer(solid, found[solid.key]) for solid in SOLIDS))
