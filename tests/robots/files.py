"""Robots as files: a double pendulum and an arm, in both formats."""

from __future__ import annotations

from pathlib import Path

LINK = """
  <link name="{name}">
    <inertial>
      <origin xyz="0.02 0 -0.3" rpy="0.1 0.2 0.3"/>
      <mass value="{mass}"/>
      <inertia ixx="0.04" iyy="0.05" izz="0.02" ixy="0.002" ixz="-0.001" iyz="0.003"/>
    </inertial>
    <visual><geometry><box size="0.1 0.1 0.6"/></geometry></visual>
    <collision><origin xyz="0 0 -0.6"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>"""
JOINT = """
  <joint name="{name}" type="{kind}">
    <parent link="{parent}"/><child link="{child}"/>
    <origin xyz="0 0 {z}" rpy="{rpy}"/><axis xyz="{axis}"/>
    <limit lower="-2" upper="2.5" effort="10" velocity="3"/>
    {more}
  </joint>"""
PENDULUM = f"""<?xml version="1.0"?>
<robot name="double pendulum">
  <link name="frame"/>{LINK.format(name="upper", mass=2)}{LINK.format(name="lower arm", mass=1)}
{
    JOINT.format(
        name="shoulder",
        kind="continuous",
        parent="frame",
        child="upper",
        z=2,
        rpy="0.1 0 0",
        axis="0 1 0",
        more='<dynamics damping="0.05"/>',
    )
}
{
    JOINT.format(
        name="elbow",
        kind="revolute",
        parent="upper",
        child="lower arm",
        z=-0.6,
        rpy="0 0 0.4",
        axis="0.6 0.8 0",
        more="",
    )
}
  <transmission name="drive"/>
</robot>
"""
WALKER = """<mujoco model="walker">
  <default><geom friction="0.7 0.1 0.1"/></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="step" type="box" size="0.2 0.5 0.05" pos="1 0 0.05" euler="0 0 30"/>
    <body name="torso" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="trunk" type="capsule" fromto="0 0 -0.2 0 0 0.2" size="0.07"/>
      <body name="leg" pos="0 0 -0.2">
        <joint name="hip" axis="0 1 0" range="-60 30" stiffness="3" springref="10" armature="0.01"/>
        <geom name="thigh" type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
        <body name="foot" pos="0.05 0 -0.4"><geom type="box" size="0.1 0.04 0.02"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="hip" gear="20" ctrlrange="-1 1"/>
    <position name="hold" joint="hip" kp="10"/>
  </actuator>
  <sensor><jointpos joint="hip"/></sensor>
</mujoco>
"""


def written(folder: Path, name: str, text: str) -> str:
    """A file with this text."""
    place = folder / name
    place.write_text(text, encoding="utf-8")
    return str(place)


GIMBAL = """<mujoco model="gimbal">
  <compiler angle="radian"/>
  <option timestep="0.0005" integrator="RK4"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0" damping="0.1"/>
      <joint name="a" type="hinge" axis="0 1 0" pos="0 0 0.1"/>
      <joint name="b" type="hinge" axis="1 0 0" range="-1 0.6" limited="true"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.05 0 -0.3" mass="2"/>
      <body name="arm" pos="0 0 -0.6">
        <joint name="c" type="ball"/>
        <geom type="capsule" size="0.05 0.2" pos="0 0 -0.2" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
