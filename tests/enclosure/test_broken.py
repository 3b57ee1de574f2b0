"""Fields and jumps that break: what derivatives do not show must be seen otherwise."""

import math

import casadi as ca
import pytest
from flint import arb

from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Front, advanced
from dyverse.enclosure.jump import Law, Surface, crossed, jumped
from dyverse.enclosure.matrix import column
from dyverse.enclosure.program import Undecided, program
from tests.enclosure.test_front import ARGUMENTS, STATE, at_rest, field, holds, said, unknowns, v, x

U = unknowns(1.0, 1.0)


def wide(position: float, spread: float) -> Front:
    """All states within ``spread`` of a position, with the speed 1."""
    start = at_rest(U, [position, 1.0])
    return Front(start.center, start.frame, column([arb(spread), arb(0)]), start.units)


def rising(t: float, _: float) -> list[float]:
    return [0.5 + t, 1.0]


STEP = said(rising, 1.0, 1.0, 0.0, 0.25)


@pytest.mark.parametrize("side", [ca.if_else(x < 1, 1, -1), ca.sign(1 - x), 1 - ca.floor(x)])
def test_a_field_must_not_jump_beside_the_path(side: ca.SX) -> None:
    """The path ends at 0.75, but a run that began at 0.8 turns round at 1."""
    flow = field(ca.vertcat(side, ca.SX(0)))
    advanced(wide(0.5, 0.05), flow, STEP, U)
    with pytest.raises(Undecided, match="border"):
        advanced(wide(0.5, 0.3), flow, STEP, U)


def test_a_surface_must_not_jump_beside_the_front() -> None:
    value = 0.5 - x - ca.if_else(x < 0.625, 0, 1)
    surface = Surface(program(ARGUMENTS, [value]), program(ARGUMENTS, [ca.jacobian(value, STATE)]))
    flow = field(ca.vertcat(v, ca.SX(0)))
    crossed(wide(0.5, 0.01), flow, surface, U)
    with pytest.raises(Undecided, match="border"):
        crossed(wide(0.5, 0.2), flow, surface, U)


def test_a_jump_must_not_break_beside_the_front() -> None:
    nothing = ca.SX(0, 1)
    after = ca.vertcat(ca.if_else(x < 0.625, 0, 1), v)
    arguments = [*ARGUMENTS, nothing]
    slopes = [nothing, nothing, ca.jacobian(after, STATE), nothing]
    law = Law(*(program(arguments, e) for e in ([nothing], [after], slopes)))
    claimed = at_rest(U, [0.0, 1.0]).center
    jumped(wide(0.5, 0.01), law, [], claimed, U)
    with pytest.raises(Undecided, match="border"):
        jumped(wide(0.5, 0.2), law, [], claimed, U)


def test_an_angle_jumps_by_a_turn() -> None:
    angle = BALLS.operations["atan2"]
    assert angle(arb(0, 0.1), arb(1)).contains(arb(0))
    with pytest.raises(Undecided, match="an angle"):
        angle(arb(0, 0.1), arb(-1))


@pytest.mark.parametrize("start", [0.45, 0.5, 0.55])
def test_a_field_may_have_a_kink_on_the_way(start: float) -> None:
    """x' = 1 + |x - 0.75|: 1 + (0.75 - x) before, and 1 + (x - 0.75) after."""
    flow = field(ca.vertcat(1 + ca.fabs(x - 0.75), ca.SX(0)))

    def solution(t: float, _: float) -> list[float]:
        return [_kinked(0.5, t), 1.0]

    front, _ = advanced(wide(0.5, 0.05), flow, said(solution, 1.0, 1.0, 0.0, 0.4), U)
    assert holds(front, U, 0.0, [_kinked(start, 0.4), 1.0])


def _kinked(start: float, time: float) -> float:
    there = math.log(1.75 - start)  # when it comes to 0.75
    if time <= there:
        return 1.75 - (1.75 - start) * math.exp(-time)
    return math.exp(time - there) - 0.25
