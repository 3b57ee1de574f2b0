import sys

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.flow.cvode import STARTS, Cvode
from dyverse.flow.step import Accuracy


def van_der_pol(time: float, x: Array) -> Array:
    return np.array([x[1], 1000 * (1 - x[0] ** 2) * x[1] - x[0]])


def test_stiff_van_der_pol_takes_few_steps_and_meets_radau() -> None:
    """μ = 1000 to t = 600, before the first jump at about 807: explicit methods need 10⁵ steps."""
    accuracy = Accuracy(relative=1e-8, absolute=1e-10)
    steps = list(
        Cvode().steps(van_der_pol, 0.0, np.array([2.0, 0.0]), until=600.0, accuracy=accuracy)
    )
    assert len(steps) < 1000
    oracle = solve_ivp(
        van_der_pol, (0, 600), [2, 0], method="Radau", rtol=1e-10, atol=1e-12, dense_output=True
    )
    assert oracle.sol is not None
    for step in steps[::10]:
        middle = np.array([(step.start + step.end) / 2])
        assert step.at(middle)[0] == pytest.approx(oracle.sol(middle)[:, 0], abs=1e-6)


def test_a_sharp_start_is_exact_where_the_field_is_plain_and_short_where_it_is_stiff() -> None:
    """2 µs of flight at 100 m, where a step of order 1 may err by 1e-9 m; van der Pol is stiff."""
    fall = Cvode().steps(
        lambda time, x: np.array([x[1], -9.81]),
        0.0,
        np.array([100.0, 1e-5]),
        until=2e-6,
        accuracy=Accuracy(),
        sharp=True,
    )
    *_, last = fall
    assert last.end == 2e-6
    assert last.last[0] - 100 == pytest.approx(2e-11 - 9.81 * 2e-12, abs=3e-14)
    steps = Cvode().steps(
        van_der_pol, 0.0, np.array([2.0, 0.0]), until=600.0, accuracy=Accuracy(), sharp=True
    )
    explicit = [step.end - step.start for step in steps if step.proposal is not None]
    assert 1 <= len(explicit) <= STARTS
    assert sum(explicit) < 1e-2


def test_the_jumps_of_van_der_pol_are_passed() -> None:
    accuracy = Accuracy(relative=1e-8, absolute=1e-10)
    *_, last = Cvode().steps(
        van_der_pol, 0.0, np.array([2.0, 0.0]), until=2000.0, accuracy=accuracy
    )
    assert last.end == 2000.0
    assert last.last[0] == pytest.approx(1.7061677, abs=1e-4)  # x(2000) of van der Pol, μ = 1000


@pytest.mark.parametrize("accuracy", [1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("c", [1.0, 2.0, 5.0])
def test_a_stiffness_that_fades_leaves_no_error(c: float, accuracy: float) -> None:
    """s' = 1, y' = a - c y/s from s = 1e-8, y = 0, as where a slip begins.

    y = a/(c + 1) (s - s₀ (s₀/s)ᶜ); a Jacobian kept from the start makes it wrong by a quarter.
    """
    a, start, until = 1e-3, 1e-8, 1e-2
    *_, last = Cvode().steps(
        lambda time, x: np.array([1.0, a - c * x[1] / x[0]]),
        0.0,
        np.array([start, 0.0]),
        until=until,
        accuracy=Accuracy(relative=accuracy, absolute=accuracy / 100),
    )
    end = start + until
    exact = a / (c + 1) * (end - start * (start / end) ** c)
    assert last.last[1] == pytest.approx(exact, abs=accuracy / 10)


def test_the_interpolant_passes_through_both_ends_and_the_curve_between() -> None:
    def swing(time: float, x: Array) -> Array:
        return np.array([x[1], -x[0]])

    start, accuracy = np.array([0.0, 1.0]), Accuracy()
    for step in Cvode().steps(swing, 0.0, start, until=3.0, accuracy=accuracy):
        times = np.linspace(step.start, step.end, 7)
        states = step.at(times)
        assert states[0] == pytest.approx(step.first, abs=1e-15)
        assert states[-1] == pytest.approx(step.last, abs=1e-15)
        assert states == pytest.approx(np.stack([np.sin(times), np.cos(times)], axis=1), abs=1e-8)


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae", None)
    with pytest.raises(SolverError, match=r"pip install 'dyverse\[stiff\]'"):
        Cvode()


def test_a_failure_leaves_standard_output_alone(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SolverError):
        list(
            Cvode().steps(
                lambda time, x: x**2, 0.0, np.array([1.0]), until=2.0, accuracy=Accuracy()
            )
        )
    assert capsys.readouterr().out == ""
