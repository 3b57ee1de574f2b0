"""Where friction along slips leaves no forces, impulses end or turn them, and energy is lost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.law.problem import Inconsistent
from dyverse.contact.law.solve import solve
from dyverse.generation.node.jamming import energy_change, jam
from dyverse.generation.tolerances import DEFAULT
from tests.contact.law.models import random_impact, rod


@given(slip=st.floats(0.01, 10), mu=st.floats(1.4, 3))
def test_a_rod_in_the_paradox_stops(slip: float, mu: float) -> None:
    """``Λ = -G⁻¹γ = (B, -A) v/(AC - B²) = (0.3, -0.4) v`` stops it, where ``μ ≥ A/B = 4/3``."""
    problem = rod(mu=mu, c_N=-9.81)
    assert isinstance(solve(problem), Inconsistent)
    speed, drive = np.array([[0.0, slip, 0.0]]), np.array([[-9.81, 0.0, 0.0]])
    impulses = jam(problem.matrix, speed, drive, np.array([mu]), DEFAULT)
    assert impulses is not None
    assert impulses[0] == pytest.approx([0.3 * slip, -0.4 * slip, 0.0], abs=1e-8)


def test_what_does_not_slip_does_not_jam() -> None:
    """The impulses of a load that lasts for no time are none, and nothing is lost by them."""
    drive = np.array([[-9.81, 0.0, 0.0]])
    impulses = jam(rod(mu=0.5, c_N=-9.81).matrix, 0 * drive, drive, np.array([0.5]), DEFAULT)
    assert impulses is None or np.abs(impulses).max() < 1e-8


@settings(max_examples=40)
@given(seed=st.integers(0, 9999), n=st.integers(1, 5), mu=st.floats(0.1, 0.8))
def test_a_jam_obeys_the_laws_and_loses_energy(seed: int, n: int, mu: float) -> None:
    G, speed = random_impact(seed, n, 12)
    drive = np.random.default_rng(seed).normal(size=(n, 3)) - (5.0, 0, 0)
    speed[:, 0] = 0.0  # closed contacts
    impulses = jam(G, speed, drive, np.full(n, mu), DEFAULT)
    if impulses is None:
        return
    assert energy_change(G, speed, impulses) < 0
    assert (np.hypot(impulses[:, 1], impulses[:, 2]) <= mu * impulses[:, 0] + 1e-12).all()
    assert (G @ impulses.ravel())[0::3].min() >= -1e-5  # nobody is pushed into another
