"""Directional derivatives: exact where there are formulas, near to them where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.exporters.fmu.archive import Format
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
fmi3: Any = pytest.importorskip("fmpy.fmi3")

SPRING = """
parameter k = 3
parameter m = 2
input push
body mass { sphere radius 0.1  mass m  position (1, 0.5, 0)  velocity (0.3, 0, 0) }
spring mass (0, 0, 0) { stiffness k  damping 0.5 }
force mass (push*mass.x*mass.x*mass.x, sin(mass.y), 0)
"""
PENDULUM = """
parameter w = 1.5
automaton swing { real a = 0.7, b  location on { a' = b  b' = -w*w*sin(a) - 0.1*b*abs(b) }
  initial on }
"""
DRIVEN = """
parameter gain = 4
automaton hand { real u = 0.2  location on { u' = gain*(cos(ball.x) - u) }  initial on }
body ball { sphere radius 0.1  mass 0.5  position (0.4, 2, 0)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5 }
force ball (hand.u*ball.y, 0, 0)
system hand
"""
SLIDING = """
parameter mu = 0.3
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 0.1, 0)  velocity (2, 0, 0.5) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0  friction mu }
"""


class Instance:
    """An FMU for Co-Simulation that has begun."""

    def __init__(self, text: str, to: Format, folder: Path) -> None:
        self.model, self.found, place = fmu(text, folder, to)
        fmpy.extract(str(place), str(folder / "open"))
        about: Any = fmpy.read_model_description(str(place))
        self.of = {v.name: v.valueReference for v in about.modelVariables}
        self._kind = fmpy.fmi2.FMU2Slave if to == "fmu2" else fmi3.FMU3Slave
        self._one = self._kind(
            guid=about.guid,
            unzipDirectory=str(folder / "open"),
            modelIdentifier=about.coSimulation.modelIdentifier,
            instanceName="one",
        )
        self._one.instantiate()
        self._one.enterInitializationMode()
        self._one.exitInitializationMode()

    def along(self, unknown: list[str], known: list[str], seed: list[float]) -> Array:
        """How some variables change along a direction of others."""
        of = self.of
        row = self._one.getDirectionalDerivative(
            [of[n] for n in unknown], [of[n] for n in known], seed
        )
        return np.array(row)

    def step(self, until: float) -> None:
        """Go on from 0."""
        self._one.doStep(0.0, until)


@pytest.mark.parametrize("to", ["fmu2", "fmu3"])
def test_a_mass_on_a_spring_has_the_slopes_of_its_equation(to: Format, tmp_path: Path) -> None:
    """m (x, y)'' = -k (x, y) - 0.5 (r·v) r + (push x³, sin y), where r = (x, y)/|(x, y)|."""
    one = Instance(SPRING, to, tmp_path)
    x, y, v, k, m = 1.0, 0.5, 0.3, 3.0, 2.0
    square = x * x + y * y
    unknown = ["der(mass.x)", "der(mass.vx)", "der(mass.vy)"]
    damped = -0.5 * x * x / square  # along x, of the speed vx
    exact = {
        "mass.vx": [1.0, damped / m, -0.5 * x * y / square / m],
        "k": [0.0, -x / m, -y / m],
        "push": [0.0, x**3 / m, 0.0],
        "mass.x": [
            0.0,
            (-k - 0.5 * v * (2 * x * square - 2 * x**3) / square**2) / m,
            -0.5 * v * (y * square - 2 * x * x * y) / square**2 / m,
        ],
    }
    for name, slopes in exact.items():
        assert one.along(unknown, [name], [1.0]) == pytest.approx(slopes, abs=1e-14), name
    both = one.along(unknown, ["mass.x", "k"], [2.0, -1.0])
    mixed = 2 * np.array(exact["mass.x"]) - np.array(exact["k"])
    assert both == pytest.approx(mixed, abs=1e-14)
    assert one.along(["energy"], ["mass.vx"], [1.0]) == pytest.approx([m * v], abs=1e-14)
    assert one.along(["energy"], ["mass.x"], [1.0]) == pytest.approx([k * x], abs=1e-14)


def test_automata_have_the_slopes_of_their_rates(tmp_path: Path) -> None:
    one = Instance(PENDULUM, "fmu2", tmp_path)
    rates, a, w = ["der(a)", "der(b)"], 0.7, 1.5
    one.step(1.0)
    a, b = one._one.getReal([one.of["a"], one.of["b"]])
    assert one.along(rates, ["a"], [1.0]) == pytest.approx([0, -w * w * np.cos(a)], abs=1e-14)
    assert one.along(rates, ["b"], [1.0]) == pytest.approx([1, -0.2 * abs(b)], abs=1e-14)
    assert one.along(rates, ["w"], [1.0]) == pytest.approx([0, -2 * w * np.sin(a)], abs=1e-14)


def test_what_automata_do_to_bodies_and_back_is_there(tmp_path: Path) -> None:
    one = Instance(DRIVEN, "fmu3", tmp_path)
    rates = ["der(ball.vx)", "der(hand.u)"]
    x, y, u = 0.4, 2.0, 0.2
    expected = {
        "hand.u": [2 * y, -4.0],
        "ball.x": [0.0, -4 * np.sin(x)],
        "ball.y": [2 * u, 0.0],
        "gain": [0.0, np.cos(x) - u],
    }
    for name, slopes in expected.items():
        assert one.along(rates, [name], [1.0]) == pytest.approx(slopes, abs=1e-14), name


def test_a_ball_that_slides_has_the_slopes_of_friction(tmp_path: Path) -> None:
    """Friction -mu m g along the slip (vx, vz): its derivative turns it."""
    one = Instance(SLIDING, "fmu2", tmp_path)
    run = simulate(one.model.automaton(), until=0.0, options=Options(solver="native"))
    values = dict(zip(one.model.automaton().variables, run.end.values.tolist(), strict=True))
    vx, vz = values["ball.vx"], values["ball.vz"]
    speed = np.hypot(vx, vz)
    pull = -0.3 * 9.81
    exact = [pull * vz * vz / speed**3, -pull * vx * vz / speed**3]
    found = one.along(["der(ball.vx)", "der(ball.vz)"], ["ball.vx"], [1.0])
    assert found == pytest.approx(exact, abs=1e-13)
    by_mu = one.along(["der(ball.vx)"], ["mu"], [1.0])
    assert by_mu == pytest.approx([-9.81 * vx / speed], abs=1e-13)
    assert one.along(["ball.x"], ["ball.x"], [3.0]) == pytest.approx([3.0], abs=1e-15)
