"""Columns that are alike: one function gives them all, to the last digit."""

from __future__ import annotations

import casadi as ca
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dyverse.expr.alike import Alike, alike
from dyverse.expr.symbolic import SX

X, P = ca.SX.sym("x", 12), ca.SX.sym("p", 3)
SYMBOLS = [X, P]
numbers = st.floats(-4, 4, allow_nan=False)


def drag(i: int, mass: float) -> SX:
    """A column of two rows, from entries and a number of its own."""
    speed = X[2 * i : 2 * i + 2]
    return -P[0] * ca.norm_2(speed) * speed / mass + ca.vertcat(0, ca.sin(P[1]) * mass)


def given_by(group: Alike, x: np.ndarray, p: np.ndarray) -> list[np.ndarray]:
    """What the members of a group are at x and p, from its tables."""
    vectors = (x, p)
    found = []
    for places, own in zip(group.entries, group.numbers, strict=True):
        entries = [vectors[s][k] for s, k in zip(group.sources, places, strict=True)]
        found.append(np.array(group.function(entries, own)).ravel())
    return found


@given(
    masses=st.lists(st.sampled_from([1.0, 2.0, 0.3, 7.5]), min_size=4, max_size=6),
    x=st.lists(numbers, min_size=12, max_size=12),
    p=st.lists(numbers, min_size=3, max_size=3),
)
def test_a_shared_function_gives_what_each_column_gives(
    masses: list[float], x: list[float], p: list[float]
) -> None:
    columns = [drag(i, mass) for i, mass in enumerate(masses)]
    written = ca.Function("f", SYMBOLS, columns)
    members: list[int] = []
    for group in alike(columns, SYMBOLS, least=2):
        assert all(len(own) == len(group.numbers[0]) for own in group.numbers)
        for i, found in zip(group.members, given_by(group, np.array(x), np.array(p)), strict=True):
            np.testing.assert_array_equal(found, np.array(written(x, p)[i]).ravel())
        members += group.members
    assert len(members) == len(set(members))


def test_numbers_that_differ_are_told_and_others_are_not() -> None:
    (group,) = alike([drag(0, 2.5), drag(1, 3.0), drag(2, 2.5)], SYMBOLS, least=3)
    assert group.members == (0, 1, 2)
    assert group.numbers == ((2.5,), (3.0,), (2.5,))
    (same,) = alike([drag(i, 2.5) for i in range(3)], SYMBOLS, least=3)
    assert same.numbers == ((), (), ())


def test_columns_of_another_form_are_left_out() -> None:
    columns = [drag(0, 2.0), drag(1, 2.0), X[:2] * P[2], drag(2, 2.0), X[4:6] * X[6:8]]
    (group,) = alike(columns, SYMBOLS, least=2)
    assert group.members == (0, 1, 3)


def test_few_are_left_as_they_are() -> None:
    assert alike([drag(0, 2.0), drag(1, 2.0)], SYMBOLS, least=3) == ()


def test_what_all_have_in_common_is_not_worked_out_again_for_each() -> None:
    costly = ca.SX(1)
    for k in range(12):
        costly = ca.sin(costly + X[k])
    assert alike([costly * X[i] for i in range(8)], SYMBOLS, least=2) == ()
