"""The order in which joints are eliminated: nothing is forgotten, and chains stay narrow."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.mechanics.joint.order import elimination_order


def random_joints(seed: int) -> list[tuple[str, ...]]:
    """Up to twenty joints between bodies that move, or one and the ground."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 20))
    bodies = [
        random.choice(12, size=int(random.integers(1, 3)), replace=False) for _ in range(count)
    ]
    return [tuple(f"b{body}" for body in own) for own in bodies]


@pytest.mark.parametrize("length", [1, 2, 10, 100])
def test_a_chain_leaves_one_neighbour_to_each(length: int) -> None:
    joints = [("b0",), *((f"b{i}", f"b{i + 1}") for i in range(length - 1))]
    order = elimination_order(joints)
    assert sorted(order.joints) == list(range(length))
    assert [len(after) for after in order.after] == [1] * (length - 1) + [0]


@pytest.mark.parametrize("seed", range(5))
def test_the_factor_of_a_matrix_with_these_blocks_is_where_it_says(seed: int) -> None:
    joints = random_joints(seed)
    order = elimination_order(joints)
    together = [[bool(set(joints[i]) & set(joints[j])) for j in order.joints] for i in order.joints]
    random = np.random.default_rng(seed)
    noise = random.normal(size=np.shape(together))
    matrix = np.where(together, noise + noise.T, 0.0) + 50 * np.eye(len(joints))
    factor = np.linalg.cholesky(matrix)
    for column, after in enumerate(order.after):
        found = column + 1 + np.flatnonzero(abs(factor[column + 1 :, column]) > 1e-12)
        assert set(found.tolist()) <= set(after)
