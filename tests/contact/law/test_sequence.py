"""Impacts one after the other: what people see of a row of balls, and what must never happen."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.law import sequence as law
from dyverse.contact.law.impact import ImpactSolution
from dyverse.contact.law.problem import Array
from dyverse.contact.law.sequence import Blow, Endless, Failure, sequence, solve_sequence

from .models import mixed, random_impact

NOISE = 1e-9


def smooth(slip: Array) -> Array:
    return np.zeros_like(slip)


def row(masses: Sequence[float]) -> tuple[Array, Array]:
    """W and G of balls on a line that touch, without friction."""
    n = len(masses) - 1
    W = np.zeros((n + 1, 3 * n))
    W[np.arange(n), 3 * np.arange(n)] = -1
    W[np.arange(n) + 1, 3 * np.arange(n)] = 1
    rolling = np.diag(np.tile([0.0, 1.0, 1.0], n))
    return W, W.T @ (W / np.array(masses)[:, None]) + rolling


def answer(
    masses: Sequence[float], before: Sequence[float], e: float | Sequence[float]
) -> tuple[Array, ImpactSolution | Failure]:
    """Velocities after the sequence, and what was found."""
    W, G = row(masses)
    v = np.array(before)
    found = solve_sequence(G, (W.T @ v).reshape(-1, 3), e, 0, smooth, noise=NOISE)
    impulses = found.impulses if isinstance(found, ImpactSolution) else np.zeros((len(v) - 1, 3))
    return v + W @ impulses.ravel() / np.array(masses), found


@pytest.mark.parametrize("coming", [1, 2, 3, 4])
def test_as_many_balls_leave_a_cradle_as_come(coming: int) -> None:
    after, found = answer([0.5] * 5, [1.0] * coming + [0.0] * (5 - coming), 1.0)
    assert after == pytest.approx([0.0] * (5 - coming) + [1.0] * coming, abs=1e-14)
    assert isinstance(found, ImpactSolution)
    assert found.method == "sequence"
    assert found.sweeps == 4  # those at two contacts with the same speed are one
    assert found.energy_change == pytest.approx(0, abs=1e-14)


def test_a_chain_of_unequal_balls_meets_the_products_of_pairs() -> None:
    """Each ball is hit once: v → 2 m v/(m + m'), ball by ball, for masses that shrink."""
    masses = [8.0, 4.0, 2.0, 1.0]
    after, _ = answer(masses, [1, 0, 0, 0], 1.0)
    assert after[-1] == pytest.approx((4 / 3) ** 3)


def test_symmetric_hits_stay_symmetric() -> None:
    after, found = answer([1, 1, 1, 1, 1], [3, 0, 0, 0, -3], 0.7)
    assert after == pytest.approx(-after[::-1], abs=1e-15)
    assert isinstance(found, ImpactSolution)


@pytest.mark.parametrize("before", [(1, 0, -1 - 1e-13), (1 + 1e-13, 0, -1)])
def test_what_rounding_makes_of_a_tie_is_a_tie(before: tuple[float, float, float]) -> None:
    """Two balls come to one between them: at once by Newton's law, it stays where it is."""
    after, found = answer([1, 2, 1], before, 0.5)
    assert isinstance(found, ImpactSolution)
    assert found.sweeps == 1
    assert after == pytest.approx([-0.5, 0, 0.5], abs=1e-12)


def test_rounding_is_that_of_the_fastest_at_the_beginning() -> None:
    """Beside an impact with 1e6 m/s, speeds of 1e-3 m/s are known to 1e-8 m/s."""
    _, G = row([1, 2, 1])
    whole = np.zeros((9, 9))
    whole[:6, :6], whole[6:, 6:] = G, np.eye(3)
    gamma = np.array([[-1e-3, 0, 0], [-1e-3 - 1e-11, 0, 0], [-1e6, 0, 0]])
    found = solve_sequence(whole, gamma, 0.5, 0, smooth, noise=NOISE)
    assert isinstance(found, ImpactSolution)
    assert found.sweeps == 2


@settings(deadline=None, max_examples=60)
@given(
    balls=st.lists(
        st.tuples(st.floats(0.1, 10), st.floats(-3, 3), st.floats(0, 1)), min_size=2, max_size=7
    )
)
def test_rows_keep_momentum_lose_energy_and_end_apart(
    balls: list[tuple[float, float, float]],
) -> None:
    masses, before, e = (list(column) for column in zip(*balls, strict=True))
    after, found = answer(masses, before, e[1:])
    assert isinstance(found, ImpactSolution), found
    m = np.array(masses)
    assert m @ after == pytest.approx(m @ np.array(before), abs=1e-11)
    assert m @ after**2 <= m @ np.array(before) ** 2 + 1e-11
    assert (np.diff(after) >= -NOISE - 1e-13).all()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 9999), n=st.integers(1, 4), dof=st.integers(12, 20))
def test_friction_and_mixed_coefficients_never_gain(seed: int, n: int, dof: int) -> None:
    G, v = random_impact(seed, n, dof)
    _, _, e_N, e_T, mu = mixed(seed)
    e = np.resize(e_N, n), np.resize(e_T, n)
    friction = np.resize(mu, n)
    energy = 0.0
    for blow in sequence(G, v, *e, lambda _: friction, noise=1e-6):
        if not isinstance(blow, Blow):
            break
        assert blow.found.energy_change <= 1e-10 * np.abs(v).max() ** 2
        energy += blow.found.energy_change
    assert energy <= 1e-9 * np.abs(v).max() ** 2


def test_friction_is_that_of_the_slip_at_each_impact() -> None:
    slips: list[float] = []

    def friction(slip: Array) -> Array:
        slips.extend(slip.tolist())
        return np.full_like(slip, 0.1)

    G = np.array([[2.0, 0, 0, -1, 0, 0], [0, 7, 0, 0, 0, 0], [0, 0, 7, 0, 0, 0]] * 2)
    G[3:] = np.roll(G[:3], 3, axis=1)
    solve_sequence(G, np.array([[-1.0, 4, 0], [0, 0, 0]]), 1, 0, friction, noise=NOISE)
    assert slips[:2] == [4, 0]
    assert slips[2] == pytest.approx(4 - 7 * 0.1)


def test_a_plastic_row_ends_together() -> None:
    """e = 0: ever weaker impacts, until no speed is left between the balls but the tolerance."""
    after, found = answer([1] * 12, [12.0] + [0] * 11, 0.0)
    assert isinstance(found, ImpactSolution)
    assert 1000 < found.sweeps < 10_000
    assert after == pytest.approx(np.ones(12), abs=12 * NOISE)


def test_too_many_impacts_are_cut_off_with_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law, "FEWEST", 5)
    monkeypatch.setattr(law, "PER_PAIR", 1)
    _, found = answer([1] * 4, [1.0, 0, 0, 0], 0.0)
    assert isinstance(found, Endless)
    assert found.sweeps == 5 + 9
    assert found.still
    assert 1e-9 < found.speed < 0.1


def test_nobody_who_parts_is_hit() -> None:
    after, found = answer([1, 1, 1], [0, 0.5, 1], 0.5)
    assert isinstance(found, ImpactSolution)
    assert found.sweeps == 0
    assert after.tolist() == [0, 0.5, 1]
