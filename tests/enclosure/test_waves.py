"""What programs read of time."""

import casadi as ca
import pytest

from dyverse.enclosure.plain import are_same
from dyverse.enclosure.program import Undecided, program
from dyverse.enclosure.waves import paces
from dyverse.expr.symbolic import SX

x, t, w, k = (ca.SX.sym(name) for name in "xtwk")


def read(*expressions: SX, time_out: bool = False) -> list[SX]:
    made = program([ca.vertcat(x, t), ca.vertcat(w, k)], [ca.vertcat(*expressions)])
    return paces(made, [w, k], time_out=time_out)


def test_what_does_not_read_time_has_no_waves() -> None:
    assert read(x * w + ca.sin(x), k) == []


@pytest.mark.parametrize(
    ("expression", "pace"),
    [
        (x * ca.sin(w * t), w),
        (ca.exp(ca.cos(k + w * t / 2) * x), w / 2),
        (ca.sin(2 * (k * w) * t - w), 2 * (k * w)),
        (ca.sin(-(t * w)), -w),
        (ca.sin(t), ca.SX(1)),
        (ca.sin(w * t + k * t), w + k),
    ],
)
def test_waves_are_found_with_their_paces(expression: SX, pace: SX) -> None:
    (found,) = read(expression)
    assert are_same(found, pace)


@pytest.mark.parametrize(
    "expression",
    [
        t,
        x + w * t,
        ca.exp(-t),
        t * t,
        t**2,
        t * ca.sin(w * t),
        ca.sin(x * t),
        ca.sin(t * t),
        ca.sin(w * t + ca.sin(w * t)),
        ca.sin(w / t),
        ca.sin(t) + t,
        ca.sin(ca.exp(w) * t),
        ca.floor(t),
    ],
)
def test_whatever_else_reads_time_is_refused(expression: SX) -> None:
    with pytest.raises(Undecided, match="depends on time"):
        read(expression)


def test_the_time_itself_may_be_the_last_result() -> None:
    (found,) = read(ca.sin(w * t), t, time_out=True)
    assert are_same(found, w)
    with pytest.raises(Undecided, match="depends on time"):
        read(t, ca.sin(w * t), time_out=True)
