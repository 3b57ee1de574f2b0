"""Slopes by formula against differences of the derivatives themselves, along random directions."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dyverse.exporters.c.model import Exported
from dyverse.exporters.c.quantities import GROUPS, Kind, Role
from dyverse.text.examples import example_text
from tests.exporters.c.building import in_c, shared
from tests.exporters.c.test_interface import OK, REFUSED, Interface

GAPPED = """
parameter k = 2
parameter m = 1.5
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass m  position (0.3, 2, 0)  velocity (1, 0, 0.2) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5 }
automaton hand {
  real u = 0.2
  location on { u' = k*gap[ball,floor] - u*normal_speed[ball,floor] }
  initial on
}
force ball (hand.u*gap[ball,floor], k*ball.x*ball.y, sin(t)*ball.vz)
system hand
horizon 1
"""
# Sliding on a plane that shakes, with friction that falls with speed, pushed by a spring.
SLIDING = """
parameter mu = 0.3
parameter m = 1.5
parameter k = 4
gravity (0.5, -9.81, 0)
body ball { sphere radius 0.1  mass m  position (0, 0.1, 0)  velocity (2, 0, 0.5) spin (0, 1, 0) }
body plate { plane normal (0, 1, 0)  moves (0.1*sin(3*t), 0, 0) }
spring ball (0, 0.3, 0) { stiffness k }
contact ball plate { restitution 0  friction mu + 0.2*exp(-slip_speed) }
horizon 0.4
"""
# One ball rolls over another, which slides.
ROLLING = """
parameter mu = 0.6
parameter m = 2
gravity (0, -9.81, 0)
body low { sphere radius 0.5  mass m  position (0, 0.5, 0)  velocity (1, 0, 0) }
body high { sphere radius 0.2  mass 1  position (0.42, 1.06, 0)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact low floor { restitution 0  friction 0.1 }
contact low high { restitution 0  friction mu }
horizon 0.05
"""
# A stone that rolls and turns on a table, pushed.
STONE = """
parameter push = 0.3
gravity (0, -9.81, 0)
body stone { ellipsoid axes (0.2, 0.1, 0.15)  mass 1  position (0, 0.1, 0)  spin (1, 2, 0.5)
             inertia (0.006, 0.012, 0.01, 0.001, 0.0005, 0)  velocity (-0.05, 0, 0.1) }
body table { plane normal (0, 1, 0) }
contact stone table { restitution 0  friction 0.8 }
force stone (push*stone.y, 0, 0.1*sin(t))
horizon 0.3
"""
# A leg with a foot that sticks, hinged to another: contact and joint hold the same bodies.
LEG = """
parameter stiff = 2
gravity (0, -9.81, 0)
body ground { plane normal (0, 1, 0) }
body shin { mass 2  inertia (0.1, 0.05, 0.1)  part foot { sphere radius 0.05  at (0, -0.45, 0) }
            position (0, 0.5, 0) }
body thigh { mass 3  inertia (0.2, 0.1, 0.15)  box size (0.1, 0.8, 0.1)
             position (0.1, 1.4, 0)  spin (0, 0, 1)  velocity (-0.4, 0.1, 0) }
joint knee { revolute shin thigh  at (0, 1, 0)  axis (0, 0, 1) }
contact all off
contact shin ground { restitution 0  friction 0.9 }
force thigh (-stiff*thigh.x, 0, 0)
horizon 0.3
"""
# Corners of a box share a load: on a floor that is pushed, at rest and gliding, and on a plate that
# carries it.
BOX = """
parameter m = 2
parameter push = 1.5
gravity (0.3, -9.81, 0)
body box { box size (0.4, 0.2, 0.3)  mass m  position (0, 0.1, 0) }
body floor { plane normal (0, 1, 0) }
contact box floor { restitution 0  friction 0.5 }
force box (push*sin(t), 0, -push*box.z)
"""
GLIDING = BOX.replace("friction 0.5", "friction 0").replace("mass m", "mass m  velocity (1, 0, 0)")
CARRIED = BOX.replace("normal (0, 1, 0)", "normal (0, 1, 0)  moves (0.1*sin(3*t), 0.2*t*t, 0)")
SHARED = {
    "box": BOX,
    "gliding": GLIDING,
    "carried": CARRIED,
    "planar": "planar\n" + BOX.replace("-push*box.z", "0"),
}
# What resists rolling and spinning has the normal force of the contact at which it does.
RESISTED = """
parameter mu = 0.4
parameter rho = 0.002
gravity (0.3, -9.81, 0)
body ball { sphere radius 0.1  mass 1.5  position (0, 0.1, 0)  velocity (1, 0, 0.2)
            spin (1, 3, -2) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0  friction mu  rolling rho  spinning 0.001 }
horizon 0.4
"""
# The same leg, kept in its plane, and a ball that slips beside it.
PLANAR = (
    "planar\n"
    + LEG
    + """
body ball { sphere radius 0.1  mass 1  position (1, 0.1, 0)  velocity (1, 0, 0)  spin (0, 0, 2) }
contact ball ground { restitution 0  friction 0.2 + 0.01*stiff  rolling 0.001 }
force ball (0, -ball.x, stiff)
"""
)
OUT_OF_PLANE = (".z", ".vz", ".qx", ".qy", ".sx", ".sy", ".rx", ".ry", ".wx", ".wy")
TEXTS = {
    "gaps": GAPPED,
    "sliding": SLIDING,
    "rolling": ROLLING,
    "stone": STONE,
    "leg": LEG,
    "resisted": RESISTED,
    "planar": PLANAR,
}
CLOSED = ("sliding", "rolling", "stone", "leg", "resisted", "planar")
NUDGE = 1e-6  # more would make conditions of joints count that others imply


def _doubles(values: Sequence[float] | NDArray[np.float64]) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * len(values))(*values)


def _by_differences(
    model: Interface, found: Exported, dx: NDArray[np.float64], ds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Central differences of derivatives and outputs, in the present location."""
    time, x = model.time, np.array(model.x)
    own = [model.value(i) for i in range(len(found.settings))]
    sides = []
    for side in (1, -1):
        for i, value in enumerate(own):
            if ds[i]:
                moved = ctypes.c_double(value + side * NUDGE * ds[i])
                assert model.call("set", i, moved) == OK, model.message
        point = _doubles(x + side * NUDGE * dx)
        assert model.call("put", ctypes.c_double(time), point) == OK
        outputs = [model.output(i) for i in range(len(found.outputs))]
        sides.append(np.array([*model.numbers("derivatives", len(x)), *outputs]))
    for i, value in enumerate(own):
        model.call("set", i, ctypes.c_double(value))
    model.call("put", ctypes.c_double(time), _doubles(x))
    return np.asarray((sides[0] - sides[1]) / (2 * NUDGE))


@pytest.mark.parametrize("name", [*TEXTS, "racket", "interception-game", "relay", "four-bar"])
def test_formulas_and_differences_agree(name: str, tmp_path: Path) -> None:
    _, found = in_c(TEXTS.get(name) or example_text(name), GROUPS)
    model = Interface(shared(found, tmp_path), found)
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    random = np.random.default_rng(5)
    free = np.array([s.kind in (Role.TUNABLE, Role.PORT) for s in found.settings], dtype=float)
    for part in range(1, 9):
        assert model.advance(min(found.horizon, 1.0) * part / 8) == OK, model.message
        dx, ds = random.normal(size=len(found.states)), random.normal(size=len(free)) * free
        if name == "planar":  # what leaves the plane is nothing that can happen
            dx[[item.name.endswith(OUT_OF_PLANE) for item in found.states]] = 0.0
        slopes = _by_formulas(model, found, dx, ds)
        expected = _by_differences(model, found, dx, ds)
        size = np.abs(expected).max()
        assert slopes == pytest.approx(expected, rel=1e-6, abs=1e-6 * size)
        assert name not in CLOSED or any(_modes(model, found))


def _by_formulas(
    model: Interface, found: Exported, dx: NDArray[np.float64], ds: NDArray[np.float64]
) -> list[float]:
    """The same exactly."""
    along, slopes, one = (_doubles(dx), _doubles(ds)), (ctypes.c_double * len(dx))(), _doubles([0])
    assert model.call("slopes", *along, slopes) == OK, model.message
    told = []
    for i in range(len(found.outputs)):
        assert model.call("output_slope", i, *along, one) == OK, model.message
        told.append(one[0])
    return [*slopes, *told]


def _modes(model: Interface, found: Exported) -> list[float]:
    """Of all contacts: 0 where they are open."""
    places = (i for i, item in enumerate(found.outputs) if item.kind == Kind.MODE)
    return [model.output(i) for i in places]


@pytest.mark.parametrize("name", SHARED)
def test_corners_that_share_a_load_have_slopes_of_motion(name: str, tmp_path: Path) -> None:
    """The motion is the same whoever bears how much; who does has no formula."""
    _, found = in_c(SHARED[name], ("forces",))
    model = Interface(shared(found, tmp_path), found)
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    random = np.random.default_rng(5)
    free = np.array([s.kind in (Role.TUNABLE, Role.PORT) for s in found.settings], dtype=float)
    slopes, one = (ctypes.c_double * len(found.states))(), _doubles([0])
    load = [item.name for item in found.outputs].index("normal_force[box.corner1,floor]")
    for part in range(1, 5):
        assert model.advance(0.1 * part) == OK, model.message
        dx, ds = random.normal(size=len(found.states)), random.normal(size=len(free)) * free
        if name == "planar":
            dx[[item.name.endswith(OUT_OF_PLANE) for item in found.states]] = 0.0
        along = _doubles(dx), _doubles(ds)
        expected = _by_differences(model, found, dx, ds)[: len(dx)]
        assert model.call("slopes", *along, slopes) == OK, model.message
        size = np.abs(expected).max()
        assert list(slopes) == pytest.approx(expected, rel=1e-6, abs=1e-6 * size)
        assert model.call("output_slope", load, *along, one) == REFUSED
        assert "no formula" in model.message
