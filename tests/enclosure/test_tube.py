import math

import pytest
from scipy.integrate import solve_ivp

from dyverse.enclosure.tube import Motion
from dyverse.text.parse import parse_term


def motion(**rates: str) -> Motion:
    return Motion({name: parse_term(rate) for name, rate in rates.items()})


def test_constant_acceleration_is_followed_in_one_step() -> None:
    step = motion(y="u", u="-9.8").step({"y": (20.0, 20.0), "u": (0.0, 0.0)}, 2.0)
    assert step is not None
    for name, exact in (("y", 20 - 4.9 * 4), ("u", -19.6)):
        low, high = step.end[name]
        assert low <= exact <= high
        assert high - low < 1e-13 * 20
    assert step.during["y"][0] <= 0.4
    assert step.during["y"][1] >= 20.0


@pytest.mark.parametrize("length", [0.01, 0.3, 1.0])
def test_cooling_is_enclosed_as_tightly_as_numbers_allow(length: float) -> None:
    step = motion(T="0.1*(10 - T)").step({"T": (22.0, 22.0)}, length)
    assert step is not None
    low, high = step.end["T"]
    assert low <= 10 + 12 * math.exp(-0.1 * length) <= high
    assert high - low < 1e-12


def test_an_interval_in_one_variable_is_followed_from_both_ends() -> None:
    """Cooling brings temperatures together; plain interval arithmetic would drive them apart."""
    box = {"T": (20.0, 22.0)}
    for _ in range(20):
        step = motion(T="0.1*(10 - T)").step(box, 0.5)
        assert step is not None
        box = dict(step.end)
    for end, start in zip(box["T"], (20.0, 22.0), strict=True):
        assert end == pytest.approx(10 + (start - 10) * math.exp(-1.0), abs=1e-10)


def test_a_pendulum_stays_in_its_tube() -> None:
    """A second road: a solver with a tolerance of 1e-12."""
    found = motion(x="v", v="-sin(x)")
    box, time, length = {"x": (1.0, 1.0), "v": (0.0, 0.0)}, 0.0, 1 / 128
    solved = solve_ivp(
        lambda _, x: (x[1], -math.sin(x[0])),
        (0, 1),
        (1, 0),
        rtol=1e-12,
        atol=1e-13,
        dense_output=True,
    )
    assert solved.sol is not None
    while time < 1:
        step = found.step(box, length)
        assert step is not None
        for share in (0.0, 0.4, 1.0):
            x, v = solved.sol(time + share * length)
            assert step.during["x"][0] - 1e-11 <= x <= step.during["x"][1] + 1e-11
            assert step.during["v"][0] - 1e-11 <= v <= step.during["v"][1] + 1e-11
        box, time = dict(step.end), time + length
    assert box["x"][1] - box["x"][0] < 1e-10


def test_a_step_too_long_to_enclose_is_refused() -> None:
    """x' = x² from 1 is infinite at 1 s."""
    assert motion(x="x^2").step({"x": (1.0, 1.0)}, 2.0) is None
    assert motion(x="x^2").step({"x": (1.0, 1.0)}, 1 / 1024) is not None


def test_rates_with_kinks_are_enclosed_and_rates_with_breaks_are_told() -> None:
    step = motion(x="abs(x) + 1").step({"x": (-1.0, -1.0)}, 1e-7)
    assert step is not None
    assert step.end["x"][0] <= -1 + 2e-7 <= step.end["x"][1]
    assert motion(x="sign(x)").breaks
    assert not motion(x="y", y="0*t").breaks
