"""An FMU of our own making as a component: it comes back to the model that it was taken from."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyverse.automaton.run import Run
from dyverse.exporters.c.folder import write_archive
from dyverse.exporters.fmu.archive import archive
from dyverse.generation.model import load_model, parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.exporters.c.building import in_c
from tests.exporters.fmu.building import QUICK

pytest.importorskip("fmpy")

MOTOR = "real f  location on { f' = 20*(2*u - f) }  initial on"
CART = """
body cart { sphere radius 0.1  mass 1 }
body wall { plane normal (-1, 0, 0)  position (1, 0, 0) }
contact cart wall { restitution 0.5 }
force cart (motor.f, 0, 0)
system motor(u = 3*(2 - cart.x) - cart.vx)
"""
STEPS = (0.02, 0.01, 0.005)  # s
UNTIL = 0.3  # s, before the wall


def _place(run: Run) -> float:
    return run.final["cart.x"]


def test_a_cart_with_its_motor_in_an_fmu_converges_with_the_step(tmp_path: Path) -> None:
    made = archive(in_c(f"input u\nautomaton motor {{ {MOTOR} }}\n")[1], "fmu2", flags=QUICK)
    if not made.compiled:
        pytest.skip("there is no compiler here")
    write_archive(tmp_path / "motor.fmu", made.files)
    whole = parse_model(f"automaton motor(u) {{ {MOTOR} }}\n{CART}")
    exact = _place(simulate(whole.automaton(), until=UNTIL, options=Options(solver="native")))
    errors = []
    for step in STEPS:
        place = tmp_path / "cart.drbt"
        place.write_text(f'automaton motor(u) {{ fmu "motor.fmu" step {step}  real f }}\n{CART}')
        split = load_model(str(place)).trusting()
        errors.append(exact - _place(simulate(split.automaton(), until=UNTIL)))
    assert errors[0] > 1.9 * errors[1] > 1.9**2 * errors[2] > 0  # of first order
    assert errors[2] == pytest.approx(3.43e-3, abs=1e-5)  # m, as the docs say
