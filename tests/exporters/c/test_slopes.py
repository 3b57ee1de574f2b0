"""Slopes by formula against differences of the derivatives themselves, along random directions."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dyverse.exporters.c.model import Exported
from dyverse.exporters.c.quantities import Role
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
NUDGE = 1e-6


def _doubles(values: NDArray[np.float64]) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * len(values))(*values)


def _by_differences(
    model: Interface, found: Exported, dx: NDArray[np.float64], ds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Central differences of the derivatives, in the present location."""
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
        sides.append(np.array(model.numbers("derivatives", len(x))))
    for i, value in enumerate(own):
        model.call("set", i, ctypes.c_double(value))
    model.call("put", ctypes.c_double(time), _doubles(x))
    return np.asarray((sides[0] - sides[1]) / (2 * NUDGE))


@pytest.mark.parametrize("name", ["gaps", "racket", "interception-game", "relay"])
def test_formulas_and_differences_agree(name: str, tmp_path: Path) -> None:
    _, found = in_c(GAPPED if name == "gaps" else example_text(name))
    model = Interface(shared(found, tmp_path), found)
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    random, known = np.random.default_rng(5), 0
    free = np.array([s.kind in (Role.TUNABLE, Role.PORT) for s in found.settings], dtype=float)
    for part in range(1, 9):
        assert model.advance(min(found.horizon, 1.0) * part / 8) == OK, model.message
        dx, ds = random.normal(size=len(found.states)), random.normal(size=len(free)) * free
        slopes = (ctypes.c_double * len(dx))()
        status = model.call("slopes", _doubles(dx), _doubles(ds), slopes)
        if status == REFUSED:
            assert "no formula" in model.message
            continue
        known += 1
        expected = _by_differences(model, found, dx, ds)
        assert list(slopes) == pytest.approx(expected, rel=1e-6, abs=1e-5)
    assert known > 0
