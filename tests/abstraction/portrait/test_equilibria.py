import math

import numpy as np
import pytest
from scipy.optimize import brentq

from dyverse.abstraction.portrait.equilibria import equilibria, newton, point
from dyverse.abstraction.portrait.field import Box, LocationField
from dyverse.abstraction.survey.attractors import entry
from dyverse.automaton.written.writing import automaton, edge, location
from tests.abstraction.systems import drilling, flow, relay, torque_balance

BOX: Box = ((-30.0, 30.0),) * 3


def speeds(u: float, weight: float) -> list[float]:
    """Where the torques balance, by a scan and bisection."""
    grid = np.linspace(1e-6, 30, 4001)
    balance = [torque_balance(u, weight, w) for w in grid]
    return [
        float(brentq(lambda w: torque_balance(u, weight, w), a, b, xtol=1e-13))
        for a, b, fa, fb in zip(grid, grid[1:], balance, balance[1:], strict=False)
        if fa * fb < 0
    ]


@pytest.mark.parametrize("weight", [45_000, 50_000, 55_000, 60_000])
def test_the_equilibria_of_slip_are_those_of_the_torque_balance(weight: float) -> None:
    found = equilibria(LocationField(drilling(6000, weight), "slip_plus"), BOX)
    assert found.complete
    assert "proved complete" in found.remark
    assert [p.values[2] for p in found.points] == pytest.approx(speeds(6000, weight), rel=1e-10)
    assert [p.values[0] for p in found.points] == pytest.approx([p.values[2] for p in found.points])


def test_at_55_kn_one_of_two_is_stable() -> None:
    found = equilibria(LocationField(drilling(6000, 55_000), "slip_plus"), BOX)
    assert [p.is_stable for p in found.points] == [False, True]


@pytest.mark.parametrize(("weight", "there"), [(48_200, False), (48_220, True), (60_000, True)])
def test_a_stuck_equilibrium_is_there_if_the_static_friction_holds(
    weight: float, there: bool
) -> None:
    """u ≤ T_s = W R_b μ_s: from 48,208.3 N on; x₂ = u/k_t, and the rest is a damped swing."""
    found = equilibria(LocationField(drilling(6000, weight), "stick"), BOX, through=np.zeros(3))
    assert found.complete
    assert len(found.points) == int(there)
    for p in found.points:
        assert p.values.tolist() == pytest.approx([0, 6000 / 861.5336, 0], abs=1e-12)
        assert p.is_stable
        assert len(p.eigenvalues) == 2  # the speed of the bit cannot change
        assert p.eigenvalues[0] * p.eigenvalues[1] == pytest.approx(861.5336 / 2122)


def test_the_slip_field_keeps_nothing_and_stick_keeps_the_surface() -> None:
    assert LocationField(drilling(6000, 45_000), "slip_plus").constants.shape == (0, 3)
    np.testing.assert_allclose(
        LocationField(drilling(6000, 45_000), "stick").constants, [[0, 0, 1]]
    )
    kept = LocationField(relay(delay=0.5), "stick").constants
    np.testing.assert_allclose(kept / kept[0, 0], [[1, 1, -0.5]], atol=1e-9)


@pytest.mark.parametrize("rate", ["1e-13", "1e-13*x", "1e-20*(1 - a)", "max(x - 100, 0)"])
def test_what_is_slow_is_not_constant(rate: str) -> None:
    assert flow(x="-x + a", a=rate).constants.shape == (0, 2)


def test_what_only_rounding_changes_is_constant() -> None:
    """0.1 · 0.3 is not 0.03 in floats."""
    np.testing.assert_allclose(flow(x="-x + a", a="0").constants, [[0, 1]])
    kept = flow(x="0.03*y", y="-(0.1*(0.3*y))").constants
    np.testing.assert_allclose(kept / kept[0, 0], [[1, 1]])


def test_an_equilibrium_on_a_slanted_surface() -> None:
    """On x + v = 0 the field is x' = -x, w' = 4 (x - w)."""
    model = relay()
    field = LocationField(model, "stick")
    found = equilibria(field, ((-5.0, 5.0),) * 3, through=entry(model, "stick"))
    (only,) = found.points
    assert only.values.tolist() == pytest.approx([0, 0, 0], abs=1e-6)
    assert only.eigenvalues == pytest.approx((-1, -4))


def test_all_roots_of_a_polynomial_system_are_found() -> None:
    """x² + y² = 4 and x y = 1: four points."""
    found = equilibria(flow(x="x^2 + y^2 - 4", y="x*y - 1"), ((-3.0, 3.0), (-3.1, 3.0)))
    a, b = math.sqrt(2 + math.sqrt(3)), math.sqrt(2 - math.sqrt(3))
    assert found.complete
    exact = sorted([[-a, -b], [-b, -a], [a, b], [b, a]])
    for p, values in zip(found.points, exact, strict=True):
        assert p.values.tolist() == pytest.approx(values, abs=1e-12)


def test_a_root_at_the_middle_of_the_box_is_found_once() -> None:
    found = equilibria(flow(x="sin(x)", y="-y"), ((-8.0, 8.0), (-1.0, 1.0)))
    assert found.complete
    assert [p.values[0] for p in found.points] == pytest.approx(
        [k * math.pi for k in range(-2, 3)], abs=1e-12
    )
    assert [p.is_stable for p in found.points] == [False, True, False, True, False]


def test_a_double_root_is_found_but_not_proved() -> None:
    found = equilibria(flow(x="x^2", y="-y"), ((-1.0, 1.2), (-1.0, 1.0)), limit=2000)
    assert not found.complete
    assert "starts" in found.remark
    assert all(abs(p.values[0]) < 1e-4 for p in found.points)


def test_points_where_a_guard_holds_are_no_equilibria() -> None:
    model = automaton(
        variables="x",
        locations=[location("here", {"x": "x - x^3"}, invariant="x >= -0.5"), location("there")],
        edges=[edge("here", "there", "x >= 0.5")],
        initial=("here", {}),
    )
    found = equilibria(LocationField(model, "here"), ((-2.0, 2.0),))
    assert [p.values[0] for p in found.points] == pytest.approx([0.0], abs=1e-12)


def test_newton_answers_nothing_where_there_is_no_root() -> None:
    field = flow(x="1 + x^2")
    assert newton(field, np.array([0.3]), through=np.array([0.3])) is None


def test_a_centre_is_neither_stable_nor_unstable() -> None:
    assert point(flow(x="y", y="-x"), np.zeros(2)).is_stable is None
