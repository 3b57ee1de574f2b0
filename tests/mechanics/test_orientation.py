"""Bodies with an orientation: closed forms, and two roads to the same motion."""

import math
from collections.abc import Mapping
from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from scipy.special import ellipj

from dyverse.automaton.run import Run
from dyverse.bodies.build import contact, force, plane, sphere, torque, world
from dyverse.bodies.quantity import Quantities, Quantity
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.expr.rotation import matrix
from dyverse.generation.automaton import generate
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes
from dyverse.generation.symbolic.bodies import SymbolicBodies
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import Options, simulate

TIGHT = replace(Options().follow.accuracy, relative=1e-12, absolute=1e-13)
EXACT = replace(Options(), follow=replace(Options().follow, accuracy=TIGHT))


def run_of(model: World, until: float, solver: str = "reference") -> Run:
    return simulate(generate(model), until=until, options=replace(EXACT, solver=solver))


def end_of(run: Run) -> Mapping[str, float]:
    return run.automaton.observe(run.arcs[-1].end)


def lying(seen: Mapping[str, float], body: str) -> np.ndarray:
    return np.array(matrix([seen[f"{body}.q{part}"] for part in "wxyz"]))


def vector(seen: Mapping[str, float], name: str) -> np.ndarray:
    return np.array([seen[f"{name}{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
def test_a_free_body_keeps_energy_and_angular_momentum(solver: str) -> None:
    """Θ = (1, 2, 3), about the middle axis, where it turns over."""
    model = world(sphere("b", radius=0.1, mass=1, inertia=(1, 2, 3), spin=(0.01, 1, 0.02)))
    run = run_of(model, 20.0, solver)
    middles = []
    for arc in run.arcs:
        for seen in map(run.automaton.observe, map(arc.state, range(len(arc.times)))):
            assert seen["energy"] == pytest.approx((1e-4 + 2 + 12e-4) / 2, rel=1e-9)
            momentum = lying(seen, "b") @ (np.array([1, 2, 3]) * vector(seen, "b.s"))
            assert momentum == pytest.approx([0.01, 2, 0.06], abs=1e-9)
            assert vector(seen, "b.w") == pytest.approx(lying(seen, "b") @ vector(seen, "b.s"))
            middles.append(seen["b.sy"])
    assert min(middles) < -0.9 < 0.9 < max(middles)


def test_spins_of_a_free_body_are_jacobis_elliptic_functions() -> None:
    """Euler's equations with L² > 2 E Θ₂: s = (a cn, -b sn, c dn) of p t with modulus m."""
    one, two, three, s1, s3 = 1.0, 2.0, 3.0, 0.4, 1.0
    run = run_of(world(sphere("b", radius=0.1, mass=1, inertia=(1, 2, 3), spin=(s1, 0, s3))), 5.0)
    twice, square = one * s1**2 + three * s3**2, (one * s1) ** 2 + (three * s3) ** 2
    b = math.sqrt((twice * three - square) / (two * (three - two)))
    p = math.sqrt((three - two) * (square - twice * one) / (one * two * three))
    m = (two - one) * (twice * three - square) / ((three - two) * (square - twice * one))
    sn, cn, dn, _ = ellipj(p * 5.0, m)
    end = end_of(run)
    assert (end["b.sx"], end["b.sz"]) == pytest.approx((s1 * cn, s3 * dn), abs=1e-9)
    assert abs(end["b.sy"]) == pytest.approx(abs(b * sn), abs=1e-9)


def ball(*, inertia: Quantity | Quantities) -> World:
    """A ball that bounces and rolls, with force and torque."""
    return world(
        sphere("ball", radius=0.1, mass=2, position=(0, 0.3, 0), inertia=inertia, spin=(1, 2, 3)),
        plane("floor", normal=(0.1, 1, 0)),
        contact("ball", "floor", restitution=0.5, friction=0.2),
        force("ball", ("0.3*sin(t)", 0, "-0.1*ball.vz")),
        torque("ball", (0.01, "-0.02*ball.wy", 0)),
        gravity=(0, -9.81, 0),
    )


def test_three_equal_moments_are_a_ball() -> None:
    one, three = (run_of(ball(inertia=i), 1.5) for i in (0.01, (0.01, 0.01, 0.01)))
    assert [e.kind for e in one.events] == [e.kind for e in three.events]
    times = [e.time for e in three.events]
    assert [e.time for e in one.events] == pytest.approx(times, abs=1e-9)
    first, second = end_of(one), end_of(three)
    for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"):
        assert first[f"ball.{name}"] == pytest.approx(second[f"ball.{name}"], abs=1e-8)
    assert first["energy"] == pytest.approx(second["energy"], rel=1e-9)


def test_inertia_may_be_given_in_any_axes() -> None:
    """Six numbers about other axes, and the body turned back by as much: the same motion."""
    principal = np.diag([0.01, 0.012, 0.02])
    there = parse_world(
        "body b { sphere radius 1  mass 1  inertia (1, 1, 1)  rotation (0.3, -0.4, 0.5) }"
    )
    turned = lying(generate(there).observe(generate(there).start()), "b")
    other = turned @ principal @ turned.T  # the same body, in axes that are those of the world
    six = tuple(other[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    first = replace(
        ball(inertia=(0.01, 0.012, 0.02)).body("ball"), rotation=there.bodies[0].rotation
    )
    one, two = ball(inertia=six), ball(inertia=six)
    one = replace(one, bodies=(first, one.bodies[1]))
    runs = run_of(one, 1.5), run_of(two, 1.5)
    kinds = [[e.kind for e in run.events] for run in runs]
    assert kinds[0] == kinds[1]
    assert "impact" in kinds[0]
    ends = [end_of(run) for run in runs]
    for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"):
        assert ends[0][f"ball.{name}"] == pytest.approx(ends[1][f"ball.{name}"], abs=1e-8)


@pytest.mark.parametrize("modes", [(), (("ball-floor", "slip"),), (("ball-floor", "stick"),)])
def test_expressions_and_numbers_agree(modes: tuple[tuple[str, str], ...]) -> None:
    model = ball(inertia=(0.01, 0.012, 0.02, 0.001, -0.002, 0.0005))
    automaton, bodies = generate(model), SymbolicBodies(model)
    location = Modes(modes) if modes else FREE_FLIGHT  # type: ignore[arg-type]
    state = replace(automaton.start(), location=location)
    values = state.values.copy()
    values[3:7] = [0.5, 0.1, -0.7, 0.5]
    values[3:7] /= np.linalg.norm(values[3:7])
    state = replace(state, values=values)
    rate = ca.Function("f", bodies.arguments, [bodies.rate(location)])
    found = rate(0.0, values, bodies.numbers, bodies.remembered(state))
    assert np.array(found).ravel() == pytest.approx(
        automaton.flow(state).rate(0.0, values), rel=1e-9, abs=1e-9
    )


def test_sensitivities_agree_with_differences() -> None:
    model, step = ball(inertia=(0.01, 0.012, 0.02)), 1e-5
    names = ("ball.rx", "ball.wz")
    run = simulate(generate(model), until=0.6, options=EXACT)
    slopes = sensitivities(run, names).final
    for column, name in enumerate(names):
        start = generate(model).scene.starts[name]
        ends = [
            simulate(generate(model, {name: start + d}), until=0.6, options=EXACT).arcs[-1].end
            for d in (step, -step)
        ]
        differences = (ends[0].values - ends[1].values) / (2 * step)
        assert slopes[:, column] == pytest.approx(differences, abs=2e-4)


@pytest.mark.parametrize(
    ("inertia", "wrong"),
    [
        ("(1, 1, 3)", "the inertia of body 'b' is that of no body.*3 > 1 \\+ 1"),
        ("(1, -1, 1)", "the inertia of body 'b' is -1; it must be positive"),
        ("(1, 1, 1, 2, 0, 0)", "the inertia of body 'b' is not positive about every axis"),
        ("(1, 1)", "inertia needs one number, three moments or six numbers .*found 2"),
    ],
)
def test_impossible_inertia_is_refused(inertia: str, wrong: str) -> None:
    with pytest.raises(ModelError, match=wrong):
        parse_world(f"body b {{ sphere radius 1  mass 1  inertia {inertia} }}")


def test_a_body_with_an_orientation_counts_no_turns() -> None:
    with pytest.raises(ModelError, match="body 'b' has no quantity 'rx'"):
        parse_world("body b { sphere radius 1  mass 1  inertia (1, 1, 1) }\nforce b (b.rx, 0, 0)")
