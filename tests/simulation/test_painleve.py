"""Painlevé's rod: slip that has no forces ends the run by name, or by an impact if it may."""

from __future__ import annotations

import math

import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.describe import world_text
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests.simulation.varied import bodies, checked_sensitivities

SOLVERS = ("reference", "cvode", "native")
LEANING = """
impact newton{option}
parameter u = 1
gravity (0, -9.81, 0)
body floor {{ plane normal (0, 1, 0) }}
body rod {{
  mass 1  inertia (1, 1, 0.3333333333333333)  part foot {{ point at (-1, 0, 0) }}
  rotation (0, 0, {angle})  position (0, {height}, 0)  velocity (-u, 0, 0)
}}
contact rod floor {{ restitution 0.5  friction {mu} }}
"""
ANGLE = math.atan(2)


def rod(mu: float, option: str = "") -> World:
    """A slender rod that leans at tan α = 2, its foot pushed ahead of it over the floor."""
    text = LEANING.format(mu=mu, option=option, angle=ANGLE, height=math.sin(ANGLE))
    return parse_model(text).world


def run(model: World, solver: str, until: float = 0.02) -> Run:
    return simulate(generate(model), until=until, options=Options(solver=solver))


@pytest.mark.parametrize("solver", SOLVERS)
def test_friction_above_four_thirds_has_no_forces_and_says_so(solver: str) -> None:
    """A - μ B = 1.6 - 1.2 μ."""
    assert run(rod(1.33), solver).stop is Stop.HORIZON
    found = run(rod(1.34), solver)
    assert found.stop is Stop.INCONSISTENT
    assert "at floor-rod.foot: Painlevé's paradox" in found.message
    assert "without collision" in found.message


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_impact_without_collision_stops_the_foot(solver: str) -> None:
    """Λ_N = B u/(AC - B²) = 0.3, Λ_T = A u/(AC - B²) = 0.4; energy falls from 0.5 to 0.3 J."""
    found = run(rod(1.5, " without collision"), solver)
    event = next(e for e in found.events if e.kind == "impact")
    assert event.remark == "impact without collision"
    assert event.contacts == ("floor-rod.foot",)
    visit = next(v for v in found.visits if v.method == "shock")
    names = list(found.final)
    vx, vy, spin = (
        float(visit.after.values[names.index(f"rod.{name}")]) for name in ("vx", "vy", "sz")
    )
    assert (vx, vy) == pytest.approx((-0.6, 0.3), abs=1e-12)
    assert (vx**2 + vy**2) / 2 + spin**2 / 6 == pytest.approx(0.3, abs=1e-12)
    foot = (vx + spin * math.sin(ANGLE), vy - spin * math.cos(ANGLE))
    assert foot == pytest.approx((0, 0), abs=1e-12)
    assert found.stop is Stop.HORIZON


def test_engines_go_on_alike() -> None:
    ends = [run(rod(1.5, " without collision"), solver).end.values for solver in SOLVERS]
    assert ends[1] == pytest.approx(ends[0], abs=1e-8)
    assert ends[2] == pytest.approx(ends[0], abs=1e-8)


def test_sensitivities_go_through_it() -> None:
    model = rod(1.5, " without collision")
    assert checked_sensitivities(bodies(model, 0.02, solver="native"), "u").final.any()


def test_the_choice_is_printed_back_and_misspellings_are_found() -> None:
    text = world_text(rod(1.5, " without collision"))
    assert "impact newton without collision" in text
    assert parse_model(text).world.without_collision
    with pytest.raises(ModelError, match="there can only be: without collision"):
        parse_model("impact newton with collision")
