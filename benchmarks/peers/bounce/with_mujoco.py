# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""MuJoCo at its default step; restitution 0.8 as the damping of its soft contact."""

from __future__ import annotations

from math import log, pi

import mujoco

from benchmarks.peers.bounce.stepping import RADIUS, judged
from benchmarks.peers.bounce.task import HEIGHT, E, G, horizon
from benchmarks.peers.measure import best, say

STIFFNESS = 1e5
RATIO = -log(E) / (pi**2 + log(E) ** 2) ** 0.5  # of damping: a linear spring that returns e
DAMPING = 2 * RATIO * STIFFNESS**0.5
MODEL = f"""
<mujoco>
  <option gravity="0 0 -{G}"/>
  <default><geom solref="-{STIFFNESS} -{DAMPING}" solimp="0.99 0.99 0.001"/></default>
  <worldbody>
    <geom type="plane" size="10 10 0.1"/>
    <body pos="0 0 {HEIGHT + RADIUS}">
      <freejoint/>
      <geom type="sphere" size="{RADIUS}" mass="1"/>
    </body>
  </worldbody>
</mujoco>
"""


def main() -> None:
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)

    def advance() -> tuple[float, float]:
        mujoco.mj_step(model, data)
        return float(data.qpos[2]) - RADIUS, float(data.qvel[2])

    found = judged(model.opt.timestep, advance)

    def run() -> None:
        mujoco.mj_resetData(model, data)
        mujoco.mj_step(model, data, nstep=int(horizon() / model.opt.timestep))

    say({"peer": "MuJoCo", "version": mujoco.__version__, "seconds": best(run), **found})


if __name__ == "__main__":
    main()
