import math

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.flow.reference import Reference
from dyverse.flow.step import Accuracy


def oscillate(time: float, x: Array) -> Array:
    return np.array([x[1], -x[0]])


def errors(length: float) -> tuple[float, float]:
    """The error after 8 s in steps of one length, and the worst inside the first step."""
    loose = Accuracy(relative=1e3, absolute=1e3, longest_step=length)
    steps = list(
        Reference().steps(
            oscillate, 0.0, np.array([0.0, 1.0]), until=8.0, accuracy=loose, first_step=length
        )
    )
    times = np.linspace(0, length, 50)
    inside = np.abs(steps[0].at(times)[:, 0] - np.sin(times)).max()
    end = steps[-1].last - [math.sin(8.0), math.cos(8.0)]
    return float(np.linalg.norm(end)), float(inside)


def test_order_is_eight_and_of_the_dense_output_seven() -> None:
    """Halving the step divides the error by 2⁸; inside a step, by its length times 2⁷ or more."""
    (coarse, coarse_inside), (fine, fine_inside) = errors(0.5), errors(0.25)
    assert math.log2(coarse / fine) == pytest.approx(8, abs=0.2)
    assert math.log2(coarse_inside / fine_inside) > 7.7


def test_a_restart_with_the_proposal_goes_on_at_the_same_pace() -> None:
    whole = list(
        Reference().steps(oscillate, 0.0, np.array([0.0, 1.0]), until=20.0, accuracy=Accuracy())
    )
    again = Reference().steps(
        oscillate,
        whole[5].start,
        whole[5].first,
        until=20.0,
        accuracy=Accuracy(),
        first_step=whole[4].proposal,
    )
    assert next(again).end == pytest.approx(whole[5].end, rel=1e-12)
