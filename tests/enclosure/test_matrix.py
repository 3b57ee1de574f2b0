import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.written.writing import term
from dyverse.enclosure.continuity import may_jump
from dyverse.enclosure.matrix import balls, exact, intervals, is_positive_definite, lengths


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_all_matrices_between_the_bounds_are_positive_definite(seed: int, width: float) -> None:
    """The second road: the least eigenvalue of many of them."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(3, 3))
    middle = root @ root.T
    rows = [[(x - width / 2, x + width / 2) for x in row] for row in middle.tolist()]
    sure = is_positive_definite(balls(rows, 3))
    if not sure:
        assert width > 0 or np.linalg.eigvalsh(middle).min() < 1e-9
        return
    for _ in range(50):
        change = random.uniform(-width / 2, width / 2, (3, 3))
        change = np.triu(change) + np.triu(change, 1).T
        assert np.linalg.eigvalsh(middle + change).min() > 0


def test_a_singular_matrix_is_not_positive_definite() -> None:
    assert not is_positive_definite(exact(np.array([[1.0, 1.0], [1.0, 1.0]])))
    assert not is_positive_definite(exact(np.array([[1.0, 3.0], [3.0, 1.0]])))
    assert is_positive_definite(exact(np.array([[1.0, 0.5], [0.5, 1.0]])))
    assert is_positive_definite(exact(np.zeros((0, 0))))


def test_lengths_and_intervals_are_rounded_outwards() -> None:
    (length,) = lengths(exact(np.array([[1.0, 1.0]])))
    assert length > 2**0.5 - 1e-15
    assert length**2 >= 2
    ((low, high),) = intervals(exact(np.array([0.1])) * exact(np.array([[0.1]])))
    assert low < high


@pytest.mark.parametrize(
    ("text", "jumps"),
    [
        ("sign(x - 3)", False),
        ("sign(x - 1.5)", True),
        ("x*floor(x)", True),
        ("floor(x/10)", False),
        ("ceil(2*x)", True),
        ("abs(x - 1.5) + max(x, 1.5)", False),
        ("atan2(x, 1)", False),
        ("atan2(x - 1.5, -1)", True),
        ("floor(y)", False),
    ],
)
def test_what_may_jump_is_seen(text: str, jumps: bool) -> None:
    assert may_jump(term(text), {"x": (1.0, 2.0), "y": (3.0, 3.0)}) == jumps
