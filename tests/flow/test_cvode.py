import sys

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.flow.cvode import Cvode
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


def test_the_jumps_of_van_der_pol_are_passed() -> None:
    accuracy = Accuracy(relative=1e-8, absolute=1e-10)
    *_, last = Cvode().steps(
        van_der_pol, 0.0, np.array([2.0, 0.0]), until=2000.0, accuracy=accuracy
    )
    assert last.end == 2000.0
    assert last.last[0] == pytest.approx(1.7061677, abs=1e-4)  # x(2000) of van der Pol, μ = 1000


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
