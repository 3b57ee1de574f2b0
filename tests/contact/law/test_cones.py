"""The shortest impulses within cones, of those that differ by known changes."""

import numpy as np
import pytest

from dyverse.contact.law.cones import shortest_within


@pytest.mark.parametrize("seed", range(20))
def test_no_admissible_impulses_are_shorter(seed: int) -> None:
    """They are the shortest of a convex set: no way into it from them leads towards zero."""
    random = np.random.default_rng(seed)
    friction = random.choice([0.0, 0.3, 1.0], 4)
    normal = random.exponential(size=4)
    turn, part = random.uniform(0, 2 * np.pi, 4), random.uniform(0, 1, 4)
    tangents = (friction * normal * part)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    admissible = np.column_stack([normal, tangents]).ravel()
    free = np.column_stack([np.ones(4), friction, friction]).ravel() > 0
    changes = np.linalg.qr(free[:, None] * random.normal(size=(12, 3)))[0].T
    least = admissible - (changes @ admissible) @ changes
    found = shortest_within(least.reshape(4, 3), changes, friction)
    assert found is not None
    beyond = np.hypot(found[:, 1], found[:, 2]) - friction * found[:, 0]
    assert beyond.max() < 1e-11
    assert found[:, 0].min() > -1e-11
    moved = found.ravel() - least
    assert moved == pytest.approx((changes @ moved) @ changes, abs=1e-12)
    assert found.ravel() @ (admissible - found.ravel()) > -1e-10


def test_impulses_that_no_cone_admits_are_not_found() -> None:
    least = np.array([[-1.0, 0, 0], [1.0, 0, 0]])
    assert shortest_within(least, np.zeros((0, 6)), np.zeros(2)) is None
