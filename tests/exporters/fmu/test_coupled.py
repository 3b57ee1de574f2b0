"""Two FMUs and a small master: the interception game, split into its balls and their controller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.generation.model import parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
fmi2 = pytest.importorskip("fmpy.fmi2")

BODIES = """
gravity (0, -9.81, 0)
body ball1 { sphere radius 0.5  mass 1  position (0, 3, 0)  velocity (1, 1, 0) }
body ball2 { sphere radius 0.5  mass 1  position (1.5, 0, 0) }
contact ball1 ball2 { restitution 0.8  friction 0.3 }
"""
PUSHED = BODIES + "input u1, u2\nforce ball2 (u1, u2 + 9.81, 0)\n"
STEERED = """
automaton hand {{
  real u1, u2
  location steer {{ u1' = 20*(-2*({x2} - {x1}) - u1)  u2' = 20*(-50*{y2} - u2) }}
  initial steer
}}
"""
WHOLE = (
    BODIES
    + "force ball2 (hand.u1, hand.u2 + 9.81, 0)\n"
    + STEERED.format(x1="ball1.x", x2="ball2.x", y2="ball2.y")
    + "system hand\n"
)
HAND = "input x1, x2, y2\n" + STEERED.format(x1="x1", x2="x2", y2="y2") + "system hand\n"
UNTIL = 1.0  # s, after the balls have met


class Slave:
    """One FMU for Co-Simulation."""

    def __init__(self, place: Path, folder: Path) -> None:
        fmpy.extract(str(place), str(folder))
        found: Any = fmpy.read_model_description(str(place))
        self._of = {v.name: v.valueReference for v in found.modelVariables}
        self._fmu = fmi2.FMU2Slave(
            guid=found.guid,
            unzipDirectory=str(folder),
            modelIdentifier=found.coSimulation.modelIdentifier,
            instanceName=folder.name,
        )
        self._fmu.instantiate()
        self._fmu.setupExperiment(startTime=0.0)
        self._fmu.enterInitializationMode()
        self._fmu.exitInitializationMode()

    def get(self, *names: str) -> list[float]:
        """Some outputs."""
        return list(self._fmu.getReal([self._of[name] for name in names]))

    def set(self, **values: float) -> None:
        """Some inputs."""
        self._fmu.setReal([self._of[name] for name in values], list(values.values()))

    def step(self, time: float, length: float) -> None:
        """Go on."""
        self._fmu.doStep(currentCommunicationPoint=time, communicationStepSize=length)

    def close(self) -> None:
        """The end."""
        self._fmu.terminate()
        self._fmu.freeInstance()


def _met(places: dict[str, Path], folder: Path, steps: int) -> list[float]:
    """Where the balls are at the end, if the two talk so often."""
    balls, hand = (Slave(places[name], folder / f"{name}{steps}") for name in ("balls", "hand"))
    for number in range(steps):
        x1, x2, y2 = balls.get("ball1.x", "ball2.x", "ball2.y")
        u1, u2 = hand.get("hand.u1", "hand.u2")
        hand.set(x1=x1, x2=x2, y2=y2)
        balls.set(u1=u1, u2=u2)
        for slave in (balls, hand):
            slave.step(number * UNTIL / steps, UNTIL / steps)
    found = balls.get("ball1.x", "ball1.y", "ball2.x", "ball2.y")
    balls.close()
    hand.close()
    return found


def test_a_split_game_converges_with_the_step(tmp_path: Path) -> None:
    places = {}
    for name, text in (("balls", PUSHED), ("hand", HAND)):
        (tmp_path / name).mkdir()
        places[name] = fmu(text, tmp_path / name)[2]
    automaton = parse_model(WHOLE).automaton()
    run = simulate(automaton, until=UNTIL, options=Options(solver="native"))
    assert any(event.kind == "impact" for event in run.events)
    values = dict(zip(automaton.variables, run.end.values.tolist(), strict=True))
    whole = [values[name] for name in ("ball1.x", "ball1.y", "ball2.x", "ball2.y")]
    errors = [
        np.abs(np.array(_met(places, tmp_path, steps)) - whole).max() for steps in (50, 200, 800)
    ]
    assert errors[0] > 3 * errors[1] > 9 * errors[2]
    assert errors[2] < 1e-2
