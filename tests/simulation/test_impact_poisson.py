"""Runs by Poisson's law of impact: closed forms and Newton's law beside it, in all engines."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.world import World
from dyverse.generation.model import parse_model
from tests.native.comparing import first_difference
from tests.simulation.test_impact_sequence import SOLVERS, blow, row, run, speeds
from tests.simulation.varied import bodies, checked_sensitivities

FALLING = """
impact {law}
parameter e = {e}
parameter mu = {mu}
parameter u = {u}
body floor {{ plane normal (0, 1, 0) }}
body rod {{
  mass 1  inertia (1, 1, 0.3333333333333333)  part foot {{ point at (-1, 0, 0) }}
  rotation (0, 0, {angle})  position (0, {height}, 0)  velocity (u, -1, 0)
}}
contact rod floor {{ restitution e  friction mu }}
"""


def rod(
    law: str = "poisson", *, e: float = 0.6, mu: float = 5, u: float = 0.3, angle: float = 0.9
) -> World:
    """A slender rod without gravity, half length 1 m, that comes down on its foot with 1 m/s."""
    height = 0.1 + math.sin(angle)
    parsed = parse_model(FALLING.format(law=law, e=e, mu=mu, u=u, angle=angle, height=height))
    return parsed.world


def foot(found: Run, angle: float = 0.9) -> tuple[float, float]:
    """Speeds of the foot right behind the impact, along and across the floor."""
    after = blow(found).after.values
    names = list(found.final)
    vx, vy, wz = (float(after[names.index(f"rod.{name}")]) for name in ("vx", "vy", "sz"))
    return vx + wz * math.sin(angle), vy - wz * math.cos(angle)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_rod_that_sticks_leaves_by_its_impulse(solver: str) -> None:
    """γ_N⁺ = e (v - b u/c), b = 3 sin α cos α, c = 1 + 3 sin² α; by Newton's law e v."""
    s, c = math.sin(0.9), math.cos(0.9)
    poisson, newton = (foot(run(rod(law), solver=solver)) for law in ("poisson", "newton"))
    assert poisson == pytest.approx((0, 0.6 * (1 - 3 * s * c / (1 + 3 * s * s) * 0.3)), abs=1e-9)
    assert newton == pytest.approx((0, 0.6), abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_in_a_cradle_every_impulse_comes_back(solver: str) -> None:
    found = run(row("poisson", [0.5] * 5), solver=solver)
    assert speeds(found) == pytest.approx((-0.6, 0.4, 0.4, 0.4, 0.4), abs=1e-12)
    assert found.stop is Stop.HORIZON


@settings(deadline=None, max_examples=10)
@given(e=st.floats(0, 1), mu=st.floats(0, 2), u=st.floats(-2, 2), angle=st.floats(0.2, 1.4))
def test_engines_agree_and_nobody_gains(e: float, mu: float, u: float, angle: float) -> None:
    model = rod(e=e, mu=mu, u=u, angle=angle)
    found = [run(model, 0.3, solver) for solver in SOLVERS[:2]]
    assert first_difference(*found) is None
    end = found[0].final
    after = end["rod.vx"] ** 2 + end["rod.vy"] ** 2 + end["rod.sz"] ** 2 / 3
    assert after <= (u * u + 1) * (1 + 1e-9)


@pytest.mark.parametrize(("mu", "u"), [(5.0, 0.3), (0.2, 2.0), (0.3, -0.6), (1.2, 0.9)])
def test_sensitivities_go_through_both_phases(mu: float, u: float) -> None:
    """Sticking, slipping, slipping in expansion only, and slip that ends, against differences."""
    found = checked_sensitivities(bodies(rod(mu=mu, u=u), 0.3, solver="native"), "e", "mu", "u")
    assert found.smooth
