"""The three solvers on random models: the same events, at the same times, to the same state.

Masses, radii, coefficients and starts are settings, so that a model is compiled once for each shape
of scene: two to four balls on a floor, perhaps with a leaning wall, perhaps two of them on springs.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dyverse.automaton.run import Run
from dyverse.bodies.build import contact_all, parameter, plane, sphere, spring, world
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.simulation.simulate import Options, simulate
from tests.native.comparing import first_difference

HORIZON = 0.12  # s
APART = 0.6  # m, between the centres of neighbours
CERTAIN = 20  # events: after many, rounding decides
FINE = Accuracy(relative=1e-12, absolute=1e-14)
Numbers = dict[str, float]


@cache
def family(balls: int, wall: bool, springs: bool) -> World:
    """A shape of scene whose numbers are all settings."""
    parts: list[Part] = [plane("floor", normal=(0, 1, 0))]
    for name, number in (("e", 0.5), ("mu", 0.3), ("k", 20.0), ("g", 9.81)):
        parts.append(parameter(name, number))
    for i in range(balls):
        parts += [parameter(f"m{i}", 1), parameter(f"r{i}", 0.2)]
        parts.append(sphere(f"b{i}", radius=f"r{i}", mass=f"m{i}", position=(APART * i, 1, 0)))
    if wall:
        parts.append(plane("wall", normal=(1, 0.3, 0), position=(-APART / 2, 0, 0)))
    if springs:
        parts.append(spring("b0", "b1", stiffness="k", length=0.5))
        parts.append(spring("b1", (0, 1, 0), stiffness="k"))
    return world(*parts, contact_all(restitution="e", friction="mu"), gravity=(0, "-g", 0))


def floats(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda number: round(number, 3))


@st.composite
def models(draw: st.DrawFn) -> tuple[World, Numbers]:
    balls = draw(st.integers(2, 4))
    model = family(balls, draw(st.booleans()), draw(st.booleans()))
    numbers: Numbers = {
        "e": draw(st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0])),
        "mu": draw(st.sampled_from([0.0, 0.1, 0.3, 0.8])),
        "k": draw(floats(1, 60)),
        "g": draw(st.sampled_from([0.0, 1.62, 9.81])),
    }
    for i in range(balls):
        radius = draw(floats(0.1, 0.29))
        numbers |= {f"m{i}": draw(floats(0.3, 3)), f"r{i}": radius}
        numbers[f"b{i}.y"] = draw(st.one_of(st.just(radius), floats(0.3, 0.5)))
        numbers |= {f"b{i}.{c}": draw(floats(-3, 3)) for c in ("vx", "vy", "vz")}
        if numbers[f"b{i}.y"] == radius:
            numbers[f"b{i}.vy"] = draw(st.sampled_from([0.0, 0.5]))
        if draw(st.booleans()):
            numbers |= {f"b{i}.{c}": draw(floats(-8, 8)) for c in ("wx", "wy", "wz")}
    return model, numbers


def assert_same(ours: Run, theirs: Run, tolerance: float) -> None:
    assert first_difference(ours, theirs, tolerance=tolerance) is None
    assert ours.stop is theirs.stop
    assert ours.end.values == pytest.approx(theirs.end.values, abs=10 * tolerance)


def run(automaton: RigidBodyAutomaton, solver: str) -> Run:
    follow = FollowOptions(accuracy=FINE)
    options = Options(solver=solver, follow=follow, max_events=CERTAIN)
    return simulate(automaton, until=HORIZON, options=options)


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
def test_three_solvers_tell_the_same_story(drawn: tuple[World, Numbers]) -> None:
    """CVODE restarts at order 1 and errs even on parabolas; impacts that pile up multiply it.

    Each impact leaves the error in height and takes speed, so that the next one errs 1/e times as
    much in time: 1e-7 s where they end, in the worst of thousands of models; 1e-11 s elsewhere.
    """
    pytest.importorskip("sksundae")
    automaton = generate(*drawn)
    native, reference, cvode = (run(automaton, name) for name in ("native", "reference", "cvode"))
    assert_same(native, reference, 1e-8)
    assert_same(cvode, reference, 5e-7)
