"""Poisson's law of impact: where it is Newton's, where it is not, and what must never happen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.law.impact import ImpactSolution, solve_impact
from dyverse.contact.law.poisson import Phases, phases, solve_poisson
from dyverse.contact.law.problem import Array

from .models import random_impact

unit = st.floats(0, 1)


def rod(angle: float) -> Array:
    """G of the foot of a slender rod, 1 kg, half length 1 m, that leans at an angle (I = 1/3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1 + 3 * c * c, 3 * s * c, 0], [3 * s * c, 1 + 3 * s * s, 0], [0, 0, 1.0]])


def constant(mu: float, n: int) -> Array:
    return np.full(n, mu)


def found(G: Array, before: Array, e: float, mu: float, e_T: float = 0.0) -> ImpactSolution:
    answer = solve_poisson(G, before, e, e_T, lambda slips: constant(mu, len(slips)))
    assert isinstance(answer, ImpactSolution)
    return answer


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 4), e=unit)
def test_without_friction_it_is_newtons_law(seed: int, n: int, e: float) -> None:
    """One coefficient for all: every impulse of the first phase comes once more, times e."""
    G, before = random_impact(seed, n, 3 * n + 2)
    newton = solve_impact(G, before, e, 0, 0)
    assert isinstance(newton, ImpactSolution)
    if (before[:, 0] >= 0).any():  # then Newton's law may leave those approaching that were parting
        return
    pressed = found(G, before, 0, 0).impulses[:, 0]
    if (pressed > 1e-9).all():  # who is pushed away by others takes no impulse, and the laws differ
        assert found(G, before, e, 0).impulses == pytest.approx(newton.impulses, abs=1e-9)


@pytest.mark.parametrize("angle", [0.4, 0.9, 1.3])
def test_a_rod_that_sticks_bounces_by_its_impulse(angle: float) -> None:
    """γ_N⁺ = e (v + b u/c) by Poisson, e v by Newton: what slip had in store comes back up."""
    G, v, u, e, mu = rod(angle), 1.0, 0.3, 0.6, 5.0
    after = {
        law: np.array([-v, u, 0]) + G @ impulses.ravel()
        for law, impulses in (
            ("newton", solve_impact(G, [-v, u, 0], e, 0, mu).impulses),  # type: ignore[union-attr]
            ("poisson", found(G, np.array([[-v, u, 0.0]]), e, mu).impulses),
        )
    }
    assert after["newton"] == pytest.approx([e * v, 0, 0], abs=1e-12)
    assert after["poisson"] == pytest.approx([e * (v + G[0, 1] / G[1, 1] * u), 0, 0], abs=1e-12)


def test_a_rod_that_slips_all_along_bounces_by_either_law() -> None:
    G, before = rod(0.9), np.array([[-1.0, 9.0, 0.0]])
    newton = solve_impact(G, before, 0.6, 0, 0.2)
    assert isinstance(newton, ImpactSolution)
    assert found(G, before, 0.6, 0.2).impulses == pytest.approx(newton.impulses, abs=1e-12)


def test_a_rod_that_slips_back_in_expansion() -> None:
    """With less friction than b/c the push up shoves the foot, which sticks no longer.

    Compression sticks: Λ_C = -G⁻¹ γ⁻. Then Λ_NE = e Λ_NC, and friction is against the new slip.
    """
    G, v, e, mu = rod(0.9), 1.0, 0.8, 0.3
    a, b, c = G[0, 0], G[0, 1], G[1, 1]
    u = -1.05 * b / a * v  # comes in such a way that little friction is needed to stick
    first = -np.linalg.solve(G[:2, :2], [-v, u])
    assert abs(first[1]) < mu * first[0]
    assert b / c > mu
    second = e * first[0] * np.array([1.0, -mu])
    impulses = found(G, np.array([[-v, u, 0.0]]), e, mu).impulses[0]
    assert impulses == pytest.approx([*(first + second), 0], abs=1e-12)
    assert (G[:2, :2] @ second)[1] > 0


@settings(deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 4),
    e=st.lists(unit, min_size=4, max_size=4),
    e_T=unit,
    mu=st.floats(0, 1),
)
def test_nobody_approaches_and_energy_never_grows(
    seed: int, n: int, e: list[float], e_T: float, mu: float
) -> None:
    """Whatever the coefficients are, also of contacts that part before."""
    G, before = random_impact(seed, n, 3 * n + 2)
    answer = phases(G, before, e[:n], e_T, mu)
    assert isinstance(answer, Phases)
    impulses = answer.impulses
    after = before + (G @ impulses.ravel()).reshape(-1, 3)
    size = np.abs(before).max()
    assert (after[:, 0] >= -1e-9 * size).all()
    flat = impulses.ravel()
    energy = flat @ before.ravel() + flat @ G @ flat / 2
    assert energy <= 1e-10 * size**2
    for part in (answer.compression.forces, answer.expansion.forces):
        assert (np.hypot(part[:, 1], part[:, 2]) <= mu * part[:, 0] + 1e-9).all()
    least = answer.restitution_scale * np.array(e[:n]) * answer.compression.forces[:, 0]
    assert (answer.expansion.forces[:, 0] >= least - 1e-9).all()


def test_tangential_restitution_needs_the_impulse_of_expansion() -> None:
    """A ball that bounces turns its slip round; one that does not bounce keeps none of it."""
    G = np.diag([1.0, 3.5, 3.5])
    before = np.array([[-1.0, 0.5, 0.0]])
    back = before[0] + G @ found(G, before, 1.0, 1.0, e_T=1.0).impulses[0]
    assert back == pytest.approx([1, -0.5, 0], abs=1e-12)
    dead = before[0] + G @ found(G, before, 0.0, 1.0, e_T=1.0).impulses[0]
    assert dead == pytest.approx([0, 0, 0], abs=1e-12)


def test_in_a_row_of_touching_balls_every_impulse_comes_back() -> None:
    """Compression is to one speed, 1/3, with impulses 2/3 and 1/3; then come e times as much.

    If only the far contact is elastic the other two go on together, without a further impulse
    between them: (1/6, 1/6, 2/3). If only the near one is, the far one must not close.
    """
    W = np.zeros((3, 6))
    W[:2, 0], W[1:, 3] = (-1, 1), (-1, 1)
    G = W.T @ W + np.diag([0.0, 1, 1] * 2)
    v = np.array([1.0, 0, 0])
    cases = {
        (1, 1): (-1 / 3, 2 / 3, 2 / 3),
        (1, 0): (-1 / 3, 2 / 3, 2 / 3),
        (0, 1): (1 / 6, 1 / 6, 2 / 3),
    }
    for e_N, after in cases.items():
        answer = solve_poisson(G, (W.T @ v).reshape(-1, 3), e_N, 0, lambda s: constant(0, len(s)))
        assert isinstance(answer, ImpactSolution)
        assert v + W @ answer.impulses.ravel() == pytest.approx(after, abs=1e-12)
