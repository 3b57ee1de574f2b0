"""Stops with a formula, against contacts and limits that say the same, in three engines."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.bodies.joint.stop import stop_pair
from dyverse.bodies.read import parse_world
from dyverse.generation.model import parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate

SOLVERS = ("native", "cvode", "reference")
BALL = """
gravity (0, -9.81, 0)
parameter slope = 0.3
body floor { plane normal (-sin(slope), cos(slope), 0)  position (0.2, 0.1, 0) }
body ball { sphere radius 0.5  mass 2  position (0, 3, 0)  velocity (1, 0, 0) }
"""
ON_PLANE = BALL + "contact all { restitution 0.6  friction 0 }"
ON_STOP = (
    BALL
    + """contact all off
joint low {
  stop ball floor  restitution 0.6
  gap cos(slope)*(ball.y - floor.y) - sin(slope)*(ball.x - floor.x) - 0.5
}"""
)
ARM = """
gravity (0, -9.81, 0)
parameter low = -0.3
body frame { point  fixed }
body upper { box size (0.1, 1, 0.1)  mass 1  position (0, -0.5, 0) }
body lower { box size (0.1, 1, 0.1)  mass 1  position (0.5, -1, 0)  rotation (0, 0, pi/2) }
contact all off
joint hip { revolute frame upper  at (0, 0, 0)  axis (0, 0, 1)  angle 4 }
"""
KNEE = "joint knee { revolute upper lower  at (0, -1, 0)  axis (0, 0, 1)  angle 0.1"
LIMITED = ARM + KNEE + "  limits [low, 2]  restitution 0.5 }"
STOPPED = (
    ARM
    + KNEE
    + """ }
joint lowest { stop upper lower  gap knee.angle - low  restitution 0.5 }
joint highest { stop upper lower  gap 2 - knee.angle  restitution 0.5 }"""
)
TABLE = """
gravity (0, -9.81, 0)
body table { SHAPE  moves (0, 0.1*sin(5*t), 0) }
body ball { sphere radius 0.2  mass 2  position (0.3, 1, 0) }
"""


def run_of(text: str, solver: str, until: float) -> Run:
    """A run of a model."""
    return simulate(parse_model(text).automaton(), until=until, options=Options(solver=solver))


def assert_same(one: Run, other: Run, within: float = 1e-7) -> None:
    """The same events at the same times, and the same end."""
    assert [event.kind for event in one.events] == [event.kind for event in other.events]
    times = np.array([[event.time for event in run.events] for run in (one, other)])
    assert np.abs(times[0] - times[1]).max() < within
    assert np.abs(one.end.values - other.end.values).max() < within


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stop_written_for_a_plane_is_the_contact_with_the_plane(solver: str) -> None:
    plane, stop = (run_of(text, solver, 3) for text in (ON_PLANE, ON_STOP))
    assert len(plane.events) > 3
    assert_same(plane, stop)


def test_a_stop_that_is_rested_on_carries_what_a_plane_carries() -> None:
    text = ON_STOP.replace("restitution 0.6", "restitution 0")
    times, force = run_of(text, "native", 1.5).signal("normal_force[floor,ball.low]")
    assert times[-1] == 1.5
    assert math.isclose(force[-1], 2 * 9.81 * math.cos(0.3), rel_tol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_limits_written_as_stops_are_the_limits(solver: str) -> None:
    limited, stopped = (run_of(text, solver, 2) for text in (LIMITED, STOPPED))
    assert len(limited.events) > 5
    assert_same(limited, stopped)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stop_moves_with_a_body_that_is_moved(solver: str) -> None:
    shape = "plane normal (0, 1, 0)"
    table = TABLE.replace("SHAPE", shape) + "contact all { restitution 0.6  friction 0 }"
    point = TABLE.replace("SHAPE", "point") + "contact all off\n"
    point += "joint low { stop ball table  gap ball.y - table.y - 0.2  restitution 0.6 }"
    assert_same(run_of(table, solver, 3), run_of(point, solver, 3))


def test_a_stop_may_depend_on_two_joints_at_once() -> None:
    text = ARM + KNEE + " }\njoint both { stop upper lower  gap hip.angle + knee.angle - 3 }"
    runs = [run_of(text, solver, 2) for solver in SOLVERS]
    energies = [run.signal("energy")[1] for run in runs]
    assert len(runs[0].events) >= 2
    for run, energy in zip(runs, energies, strict=True):
        assert_same(run, runs[0], 1e-6)
        gap = run.signal("gap[upper.both,lower]")[1]
        assert gap.min() > -1e-9
        assert np.ptp(energy) < 1e-6


def test_a_curved_stop_bends_the_path_of_what_rests_on_it() -> None:
    """In a bowl y = x²/2 a ball without size swings: energy tells its speed at the bottom."""
    text = """
    gravity (0, -9.81, 0)
    body bowl { point  fixed }
    body bead { point  mass 1  inertia 1  position (0.5, 0.125, 0) }
    contact all off
    joint on { stop bead bowl  gap bead.y - bead.x^2/2  restitution 0 }
    """
    for solver in SOLVERS:
        run = run_of(text, solver, 2)
        energy, gap = run.signal("energy")[1], run.signal("gap[bowl,bead.on]")[1]
        assert np.ptp(energy) < 1e-6
        assert np.abs(gap).max() < 1e-8
        assert abs(run.signal("bead.vx")[1]).max() > 0.99 * math.sqrt(2 * 9.81 * 0.125)


def test_pairs_of_stops_are_pickled() -> None:
    world = parse_world(STOPPED)
    pair = stop_pair(world, world.joints[-1])
    assert pickle.loads(pickle.dumps(pair)) == pair
