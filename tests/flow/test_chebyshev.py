"""Steps of a method whose stability grows with the square of its stages."""

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.flow.chebyshev import steps_while_stiff
from dyverse.flow.step import Accuracy

STIFF = 1e6  # 1/s


def rate(time: float, values: Array) -> Array:
    """What is pulled to cos t, hard."""
    return np.array([-np.sin(time) - STIFF * (values[0] - np.cos(time))])


def test_a_stiff_field_is_followed_by_few_rates() -> None:
    asked = list[float]()

    def counted(time: float, values: Array) -> Array:
        asked.append(time)
        return rate(time, values)

    steps = list(
        steps_while_stiff(
            counted,
            0.0,
            np.array([1.0]),
            until=1.0,
            length=1e-4,
            accuracy=Accuracy(relative=1e-6, absolute=1e-8),
            excess=lambda values, error: 0.0,
            relaxation=lambda time, values: STIFF,
        )
    )
    assert steps[-1].end == 1.0
    assert max(asked) <= 1.0
    assert len(asked) < STIFF / 50
    for step in steps:
        middle = (step.start + step.end) / 2
        assert step.at(np.array([middle]))[0] == pytest.approx(np.cos(middle), abs=1e-5)
        assert step.last == pytest.approx(np.cos(step.end), abs=1e-5)


def test_a_field_that_is_not_stiff_is_left_to_others() -> None:
    """Friction that turns a slip gives in as the slip becomes faster."""
    steps = steps_while_stiff(
        rate,
        0.0,
        np.array([1.0]),
        until=1.0,
        length=1e-4,
        accuracy=Accuracy(relative=1e-6, absolute=1e-8),
        excess=lambda values, error: 0.0,
        relaxation=lambda time, values: STIFF if time < 1e-3 else 0.0,
    )
    assert 1e-3 <= list(steps)[-1].end < 1.0
