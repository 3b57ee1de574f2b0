"""Robots from their files: the same motion as MuJoCo's, and what is left out has its line."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from dyverse.bodies.pairs import Rules
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.expr.value import value
from dyverse.generation.model import parse_model
from dyverse.robots.robot import Robot, robot
from dyverse.simulation.simulate import Options, simulate
from tests.robots.files import GIMBAL, LINK, PENDULUM, WALKER, written


@pytest.fixture
def pendulum(tmp_path: Path) -> str:
    return written(tmp_path, "pendulum.urdf", PENDULUM)


@pytest.fixture
def walker(tmp_path: Path) -> Robot:
    return robot(written(tmp_path, "walker.xml", WALKER))


def test_a_double_pendulum_moves_as_in_mujoco(pendulum: str) -> None:
    start = {"shoulder": -0.4, "elbow": 0.7}
    model = parse_model(robot(pendulum, start).text)
    run = simulate(model.automaton(), until=0.3, options=Options(solver="reference"))
    spec = mujoco.MjSpec.from_file(pendulum)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep = 1e-3
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    compiled = spec.compile()
    data = mujoco.MjData(compiled)
    data.qpos[:] = tuple(start.values())
    mujoco.mj_step(compiled, data, 300)
    for number, joint in enumerate(start):
        for name, theirs in (("angle", data.qpos), ("rate", data.qvel)):
            ours = run.signal(f"{joint}.{name}")[1][-1]
            assert ours == pytest.approx(theirs[number], abs=1e-7), (joint, name)


def test_a_body_with_several_joints_moves_as_in_mujoco(tmp_path: Path) -> None:
    path, start = written(tmp_path, "gimbal.xml", GIMBAL), {"x": 0.1, "a": 0.5, "b": -0.4}
    read = robot(path, start)
    run = simulate(parse_model(read.text).automaton(), until=0.3)
    spec = mujoco.MjSpec.from_file(path)
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
    compiled = spec.compile()
    data = mujoco.MjData(compiled)
    data.qpos[:3] = tuple(start.values())
    mujoco.mj_step(compiled, data, 600)
    for number, name in enumerate(("x.length", "a.angle", "b.angle")):
        assert run.signal(name)[1][-1] == pytest.approx(data.qpos[number], abs=1e-6)
    (small,) = read.dropped
    assert (small.line, small.name) == (5, "cart")
    assert "1e-06 is between each two" in small.why


def test_mass_and_inertia_are_those_of_the_file(pendulum: str) -> None:
    """The file's tensor is turned by its own angles; here it is in the axes of the link."""
    world = parse_world(robot(pendulum).text)
    upper = next(body for body in world.bodies if body.name == "upper")
    assert isinstance(upper.inertia, tuple)
    xx, yy, zz, xy, xz, yz = (float(term.value) for term in upper.inertia)  # type: ignore[union-attr]
    ours = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    given = np.array([[0.04, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.02]])
    (a, b, c), turns = (0.1, 0.2, 0.3), np.eye(3)
    for axis, angle in ((2, c), (1, b), (0, a)):
        turns = turns @ _about(axis, angle)
    assert ours == pytest.approx(turns @ given @ turns.T, abs=1e-10)


def _about(axis: int, angle: float) -> np.ndarray:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[i, i] = turn[j, j] = np.cos(angle)
    turn[j, i], turn[i, j] = np.sin(angle), -np.sin(angle)
    return turn


def test_joints_keep_their_limits_damping_and_motors(pendulum: str) -> None:
    text = robot(pendulum).text
    assert "damping 0.05" in text
    assert "limits [-2, 2.5]" in text
    assert "input elbow_effort" in text
    assert "torque elbow elbow_effort" in text
    assert "body lower_arm {" in text


def test_what_is_left_out_of_urdf_has_its_line(pendulum: str) -> None:
    lines = Path(pendulum).read_text().splitlines()
    dropped = robot(pendulum).dropped
    assert [(item.name, item.why) for item in dropped] == [
        ("visual upper", "is there to be looked at; so are others of its kind"),
        ("effort and velocity of shoulder", "bounds a motor; an input is what it is set to"),
        ("effort and velocity of elbow", "bounds a motor; an input is what it is set to"),
        ("transmission drive", "is for another program"),
    ]
    found = ("<visual>", "<limit", "<limit", "<transmission")
    for item, tag in zip(dropped, found, strict=True):
        assert tag in lines[item.line - 1]


def test_a_walker_falls_on_the_floor(walker: Robot) -> None:
    model = parse_model(walker.text)
    run = simulate(model.automaton(), until=0.4, options=Options(solver="reference"))
    assert "floor-leg" in {name.split(".")[0] for event in run.events for name in event.contacts}


def test_springs_and_motors_are_torques(walker: Robot) -> None:
    (line,) = (line for line in walker.text.splitlines() if line.startswith("torque"))
    told = "-3 * (hip.angle - 0.174532925199) + 20 * push + 10 * hold + -10 * hip.angle"
    assert line == f"torque hip {told}"


def test_what_is_left_out_of_mjcf_has_its_line(walker: Robot) -> None:
    lines = WALKER.splitlines()
    told = {item.name: lines[item.line - 1].strip() for item in walker.dropped if item.line}
    assert "<light" in told["light"]
    assert 'name="hip"' in told["armature of hip"]
    assert 'name="push"' in told["range of push"]
    assert "<sensor" in told["sensor"]


def test_friction_and_filters_of_mjcf_hold(walker: Robot) -> None:
    rules = Rules(walker.world)
    floor, torso, leg = (walker.world.body(name) for name in ("floor", "torso", "leg"))
    rough = rules.pair(floor, torso)
    assert rough is not None
    assert value(rough.law.friction, {}) == 0.7
    assert rules.pair(torso, leg) is None


BALLS = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction="0.2 0.004 0.003" {floor}/>
    <body name="ball" pos="0 0 0.1">
      <freejoint/><geom type="sphere" size="0.1" friction="0.4 0.001 0.002" {ball}/>
    </body>
  </worldbody>
</mujoco>"""


@pytest.mark.parametrize(
    ("floor", "ball", "rough"),
    [
        ("", "", (0.4, 0, 0)),
        ('condim="1"', 'condim="1"', (0, 0, 0)),
        ("", 'condim="4"', (0.4, 0.004, 0)),
        ('condim="6"', 'condim="3"', (0.4, 0.004, 0.003)),
        ('condim="6"', 'condim="4" priority="1"', (0.4, 0.001, 0)),
        ('condim="6" priority="1"', 'condim="3"', (0.2, 0.004, 0.003)),
    ],
)
def test_spinning_and_rolling_of_mjcf_hold(
    floor: str, ball: str, rough: tuple[float, ...], tmp_path: Path
) -> None:
    """Coefficients are lengths (m) in both; what counts is in MuJoCo's ``condim``."""
    world = robot(written(tmp_path, "ball.xml", BALLS.format(floor=floor, ball=ball))).world
    rule = Rules(world).pair(world.body("floor"), world.body("ball"))
    assert rule is not None
    law = rule.law
    assert [value(q, {}) for q in (law.friction, law.spinning, law.rolling)] == [*rough]


def test_a_ball_of_mjcf_rolls_to_rest(tmp_path: Path) -> None:
    """It is slowed down by (5/7) g ρ/R."""
    text = robot(written(tmp_path, "ball.xml", BALLS.format(floor="", ball='condim="6"'))).text
    automaton = parse_model(text).automaton({"ball.vx": 0.1, "ball.wy": 1.0})
    run = simulate(automaton, until=0.3, options=Options(solver="reference"))
    assert run.final["ball.vx"] == pytest.approx(0.1 - 5 / 7 * 9.81 * 0.003 / 0.1 * 0.3, rel=1e-9)


def test_limits_hold_the_start(tmp_path: Path) -> None:
    text = PENDULUM.replace('lower="-2" upper="2.5"', 'lower="0.5" upper="2.5"')
    assert "angle 0.5" in robot(written(tmp_path, "bent.urdf", text)).text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<robot", "no XML"),
        ("<nta/>", "neither <robot> (URDF) nor <mujoco> (MJCF)"),
        ('<!DOCTYPE a [<!ENTITY b "x">]><robot name="&b;"/>', "declares entities"),
        ('<robot name="a"><link name="a"/><link name="b"/></robot>', "found a, b"),
        (PENDULUM.replace('mass value="2"', 'mass value="nan"'), "MuJoCo does not read it"),
        (PENDULUM.replace('child link="upper"', 'child link="uper"'), "found frame, upper"),
    ],
    ids=["broken", "another", "entities", "two roots", "nan", "unknown link"],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ModelError, match=told.replace("(", r"\(").replace(")", r"\)")):
        robot(written(tmp_path, "wrong.urdf", text))


def test_a_start_needs_a_joint(pendulum: str) -> None:
    with pytest.raises(ModelError, match="no joint 'elbw'; did you mean 'elbow'"):
        robot(pendulum, {"elbw": 1})


def test_a_base_can_be_free(pendulum: str, tmp_path: Path) -> None:
    text = Path(pendulum).read_text()
    heavy = text.replace('<link name="frame"/>', LINK.format(name="frame", mass=3))
    held = robot(written(tmp_path, "heavy.urdf", heavy))
    assert "body frame { fixed" in held.text
    free = robot(written(tmp_path, "heavy.urdf", heavy), is_free=True)
    assert "body frame { mass 3" in free.text
    assert "joint shoulder { revolute frame upper" in free.text


def test_a_single_link_is_free(tmp_path: Path) -> None:
    alone = f'<robot name="a">{LINK.format(name="thing", mass=1)}</robot>'
    assert "body thing { mass 1" in robot(written(tmp_path, "thing.urdf", alone)).text


@pytest.mark.parametrize("turned", ["0 90 0", "0 -90 30", "10 89.999 20", "120 -200 340"])
def test_angles_turn_as_mujoco_does(tmp_path: Path, turned: str) -> None:
    """Also where the first and the last axis are one."""
    geom = '<inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5"/><geom size="1 2 3" type="box"/>'
    body = f'<body name="b" euler="{turned}"><freejoint/>{geom}</body>'
    path = written(tmp_path, "b.xml", f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    world = robot(path).world
    x, y, z = (value(term, {}) for term in world.bodies[-1].rotation)
    ours = _about(2, z) @ _about(1, y) @ _about(0, x)
    compiled = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    assert ours.ravel() == pytest.approx(data.xmat[1], abs=1e-9)
