"""Derivatives of flows, crossings and jumps against closed forms and differences."""

import math

import casadi as ca
import numpy as np
from flint import arb, arb_mat, arb_poly

from dyverse.enclosure.front import Field, Front, Step, Unknowns, advanced
from dyverse.enclosure.jump import Law, Surface
from dyverse.enclosure.matrix import column, exact
from dyverse.enclosure.program import program
from dyverse.enclosure.slope import Crossing, Flown, Reset, product_of, slope
from dyverse.enclosure.taylor import TaylorModels

STATE = ca.SX.sym("s", 3)  # place, speed, time
NOTHING = Unknowns(TaylorModels(()), ())


def field(rate: ca.SX) -> Field:
    arguments = [STATE, ca.SX(0, 1)]
    return Field(*(program(arguments, [e]) for e in (rate, ca.jacobian(rate, STATE))))


OSCILLATOR = field(ca.vertcat(STATE[1], -STATE[0], ca.SX(1)))
FALL = field(ca.vertcat(STATE[1], -(STATE[1] ** 2), ca.SX(1)))


def flown(own: Field, start: list[float], path: list[list[float]], half: float) -> Flown:
    """One step of a front of a millionth."""
    center = tuple(arb_poly([x]) for x in (*start, 0.0))
    sizes = column([arb(1e-6), arb(1e-6), arb(0)])
    front = Front(center, exact(np.eye(3)), sizes, np.ones(3))
    rows = (*path, [half, half])
    degree = max(map(len, rows)) - 1
    states = tuple(tuple(row + [0.0] * (degree + 1 - len(row))) for row in rows)
    step = Step(degree, (half,), states)
    _, tube = advanced(front, own, step, NOTHING)
    return Flown(tube, own, arb_poly([half]), ())


def taylor(function: list[float], half: float) -> list[float]:
    """A power series in time as one in s, t = half (s + 1)."""
    shifted = np.polynomial.Polynomial(function)(np.polynomial.Polynomial([half, half]))
    return [float(x) for x in shifted.coef]


def swing(half: float) -> Flown:
    even = [0.0 if k % 2 else (-1) ** (k // 2) / math.factorial(k) for k in range(15)]
    odd = [(-1) ** ((k + 1) // 2) / math.factorial(k) if k % 2 else 0.0 for k in range(15)]
    return flown(OSCILLATOR, [1.0, 0.0], [taylor(even, half), taylor(odd, half)], half)


def bent(half: float) -> Flown:
    """A step of v' = -v² from about one."""
    speed = taylor([(-1.0) ** k for k in range(20)], half)
    place = taylor([0.0, *((-1.0) ** k / (k + 1) for k in range(20))], half)
    return flown(FALL, [0.0, 1.0], [place, speed], half)


def falling(near: float) -> tuple[Field, Surface, list[arb], list[arb]]:
    """With the speed -2 from so near the place zero to it: field, surface, box and values."""
    arguments = [STATE, ca.SX(0, 1)]
    own = field(ca.vertcat(STATE[1], ca.SX(0), ca.SX(1)))
    value, gradient = STATE[0], ca.jacobian(STATE[0], STATE)
    surface = Surface(program(arguments, [value]), program(arguments, [gradient]))
    return own, surface, [arb(0, near), arb(-2), arb(1, near)], []


def test_the_derivative_of_an_oscillation_is_a_rotation() -> None:
    found = slope(swing(0.25))
    c, s = math.cos(0.5), math.sin(0.5)
    expected = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    for i in range(3):
        for j in range(3):
            assert abs(found[i, j] - arb(expected[i, j])) < 1e-12
            assert found[i, j].rad() < 1e-9


def test_derivatives_multiply_along_the_way() -> None:
    part = swing(0.25)
    found = product_of([part, part], 3)
    assert abs(found[0, 1] - arb(math.sin(1.0))) < 1e-12


def test_the_derivative_of_a_bend_holds_that_of_every_run() -> None:
    """v' = -v²: v(t) = v/(1 + v t), and its derivative 1/(1 + v t)², for v near one."""
    half = 0.1
    found = slope(bent(half))
    for v in (1 - 1e-6, 1.0, 1 + 1e-6):
        assert found[1, 1].contains(arb(1) / (1 + arb(v) * arb(2 * half)) ** 2)


def test_a_crossing_takes_out_the_way_of_the_flow() -> None:
    """Onto x = 0 with the speed -2: places do not matter any more, but for the time."""
    found = slope(Crossing(*falling(1e-6)))
    expected = arb_mat(3, 3, [0, 0, 0, 0, 1, 0, arb(1) / 2, 0, 1])
    assert found.contains(expected)
    assert all(entry.rad() < 1e-5 for entry in found.entries())


def test_an_impact_has_the_derivative_of_its_impulses() -> None:
    """Λ + Λ³ = x and v := v + Λ: dv/dx = 1/(1 + 3 Λ²), for every Λ within bounds."""
    push = ca.SX.sym("push")
    arguments = [STATE, ca.SX(0, 1), push]
    equation, after = push + push**3 - STATE[0], STATE + ca.vertcat(0, push, 0)
    slopes = [ca.jacobian(e, x) for e in (equation, after) for x in (STATE, push)]
    law = Law(*(program(arguments, e) for e in ([equation], [after], slopes)))
    found = slope(Reset(law, [arb(2, 0.4), arb(-1), arb(0)], [], (arb(1, 0.1),)))
    for impulse in (0.9, 1.0, 1.1):
        assert found[1, 0].contains(1 / (1 + 3 * arb(impulse) ** 2))
    assert found[1, 0].rad() < 0.1
    assert found[0, 0] == found[1, 1] == 1
    assert found[1, 2] == 0
