import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.flow.root import bracket

Function = Callable[[float], float]


@pytest.mark.parametrize(
    ("function", "a", "b", "root"),
    [
        (lambda x: 2 - x * x, 1.0, 2.0, math.sqrt(2)),
        (lambda x: math.cos(x), 0.0, 3.0, math.pi / 2),
        (lambda x: 1e-30 - x, 0.0, 1.0, 1e-30),
        (lambda x: 1.0 if x < 0.3 else -1.0, 0.0, 1.0, 0.3),
        (lambda x: math.exp(-50 * x) - 0.5, 0.0, 1.0, math.log(2) / 50),
        (lambda x: -((x - 0.1) ** 9), -3.0, 1.0, 0.1),
    ],
)
def test_roots_are_found_to_the_last_digits(
    function: Function, a: float, b: float, root: float
) -> None:
    inside, outside = bracket(function, a, function(a), b, function(b), fine=1e-34)
    assert function(inside) >= 0 >= function(outside)
    assert outside == pytest.approx(root, rel=1e-15 if root != 0.1 else 1e-2)


@given(root=st.floats(1e-9, 1.0), bend=st.floats(-0.9, 0.9), slope=st.floats(1e-6, 1e6))
def test_a_smooth_root_takes_few_evaluations(root: float, bend: float, slope: float) -> None:
    calls = 0

    def function(x: float) -> float:
        nonlocal calls
        calls += 1
        return slope * (root - x) * (1 + bend * x)

    ends = 0.0, function(0.0), 1.0, function(1.0)
    _, outside = bracket(function, *ends, fine=1e-18)
    assert abs(outside - root) <= 4 * math.ulp(root) + 4e-18
    assert calls <= 20
