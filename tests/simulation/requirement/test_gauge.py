"""Atoms read at many states at once are what they are at each of them."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.simulation.requirement.gauge import Gauge
from dyverse.simulation.requirement.temporal import planned
from dyverse.text.parse import parse_formula

X = np.array([0.0, 1.0, -2.0, 2.0, 0.0, 5.0, np.nan, np.inf])
Y = np.array([0.0, 1.0, 0.0, 2.0, 3.0, -1.0, 1.0, np.inf])


@pytest.mark.parametrize(
    "text",
    [
        "x < y",
        "x <= y",
        "x == y",
        "x - 2*y > -k",
        "-x*y + k >= 3",
        "x/y - x/y < 1",
        "sqrt(x) + y > 1",
        "abs(x - y) < 1 or x > pi",
        "x*1e308*10 > 0",
        "k > 2",
    ],
)
def test_columns_have_the_margins_of_their_rows(text: str) -> None:
    gauge = Gauge(planned(parse_formula(text), {}), lambda comparison: False)
    found = gauge.all({"x": X, "y": Y, "k": np.array(3.0)}, len(X))
    rows = [{"x": x, "y": y, "k": 3.0} for x, y in zip(X.tolist(), Y.tolist(), strict=True)]
    np.testing.assert_array_equal(found, [gauge(row) for row in rows])
