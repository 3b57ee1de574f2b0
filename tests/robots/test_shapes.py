"""Shapes of robots: as far from the floor as MuJoCo says, however they lie."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from dyverse.generation.model import parse_model
from dyverse.robots.robot import robot
from tests.robots.files import written

SHAPES = {
    "sphere": 'type="sphere" size="0.2"',
    "capsule": 'type="capsule" size="0.1 0.3"',
    "capsule along a line": 'type="capsule" size="0.1" fromto="0 0 0 0.2 -0.1 0.3"',
    "cylinder": 'type="cylinder" size="0.1 0.3"',
    "ellipsoid": 'type="ellipsoid" size="0.1 0.2 0.3"',
    "box": 'type="box" size="0.1 0.2 0.3"',
    "mesh": 'type="mesh" mesh="wedge"',
}
TURNED = 'pos="0.05 -0.1 0.2" euler="20 50 -30"'
FILE = """<mujoco>
  <default><geom margin="10"/></default>
  <asset><mesh name="wedge" vertex="0 0 0  .4 0 0  0 .3 0  0 0 .2  .1 .1 .05"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" euler="10 0 0"/>
    <body name="thing" pos="0 0 2" euler="40 -20 70">
      <freejoint/><inertial pos="0.1 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="shape" {shape}/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("shape", SHAPES)
def test_the_gap_is_mujocos(shape: str, tmp_path: Path) -> None:
    turned = "" if "fromto" in SHAPES[shape] else TURNED
    path = written(tmp_path, "thing.xml", FILE.format(shape=f"{SHAPES[shape]} {turned}"))
    automaton = parse_model(robot(path).text).automaton()
    seen = automaton.observe(automaton.start())
    nearest = min(gap for name, gap in seen.items() if name.startswith("gap["))
    compiled = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    assert nearest == pytest.approx(min(data.contact.dist), abs=1e-8)
