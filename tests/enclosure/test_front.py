"""Fronts are tested on fields whose solutions are known, with polynomials that are right or not."""

import math
from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from flint import arb, arb_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import chebyshev

from dyverse.enclosure import front as fronts
from dyverse.enclosure.front import Field, Front, Step, Tube, Unknowns, advanced
from dyverse.enclosure.jump import Law, Surface, crossed, jumped
from dyverse.enclosure.matrix import Array, column, exact
from dyverse.enclosure.program import Undecided, program
from dyverse.enclosure.taylor import TaylorModels

DEGREES = (6,)
x, v = ca.SX.sym("x"), ca.SX.sym("v")
STATE, VALUES = ca.vertcat(x, v), ca.SX.sym("k")
ARGUMENTS = [STATE, VALUES]
Solution = Callable[[float, float], list[float]]


def field(rate: ca.SX) -> Field:
    slopes = ca.jacobian(rate, STATE)
    return Field(program(ARGUMENTS, [rate]), program(ARGUMENTS, [slopes]))


OSCILLATOR = field(ca.vertcat(v, -VALUES * x))
PENDULUM = field(ca.vertcat(v, -VALUES * ca.sin(x)))


def swinging(t: float, k: float) -> list[float]:
    """The oscillator from (1, 0)."""
    w = math.sqrt(k)
    return [math.cos(w * t), -w * math.sin(w * t)]


def unknowns(low: float, high: float) -> Unknowns:
    """One unknown value between two numbers."""
    models = TaylorModels(DEGREES)
    return Unknowns(models, (arb_poly([(low + high) / 2, (high - low) / 2]),))


def points(count: int) -> Array:
    return np.asarray(np.cos((2 * np.arange(count) + 1) * np.pi / (2 * count)))


def fitted(numbers: Array) -> Array:
    """Coefficients of powers along the last two axes, from values at Chebyshev's points."""
    for axis in (-1, -2):
        count = numbers.shape[axis]
        fit = np.linalg.inv(np.vander(points(count), increasing=True))
        numbers = np.moveaxis(np.tensordot(fit, numbers, axes=(1, axis)), 0, axis)
    return numbers


def said(solution: Solution, low: float, high: float, start: float, length: float) -> Step:
    """A step whose polynomials go through the solution."""
    degree = 12
    places = [
        [
            solution(start + (s + 1) / 2 * length, (low + high) / 2 + u * (high - low) / 2)
            for u in points(DEGREES[0] + 1)
        ]
        for s in points(degree + 1)
    ]
    found = fitted(np.moveaxis(np.array(places), 2, 0))
    pace = (length / 2, *[0.0] * DEGREES[0])
    return Step(degree, pace, tuple(tuple(rows.ravel().tolist()) for rows in found))


def at_rest(u: Unknowns, numbers: list[float]) -> Front:
    """A front that is one point."""
    center = tuple(arb_poly([number]) for number in numbers)
    n = len(numbers)
    return Front(center, exact(np.eye(n)), column([arb(0)] * n), np.ones(n))


def holds(front: Front, u: Unknowns, share: float, state: list[float]) -> bool:
    box = front.box(u, [arb(share)])
    return all(
        (ball + arb(0, 1e-13)).contains(arb(number))
        for ball, number in zip(box, state, strict=True)
    )


def followed(
    flow: Field, solution: Solution, low: float, high: float, steps: int, length: float
) -> tuple[Front, list[Tube], Unknowns]:
    u = unknowns(low, high)
    front, tubes = at_rest(u, solution(0.0, low)), []
    for i in range(steps):
        front, tube = advanced(front, flow, said(solution, low, high, i * length, length), u)
        tubes.append(tube)
    return front, tubes, u


def test_a_front_follows_an_oscillation() -> None:
    """Two turns and more, by the frames: a box alone would grow by a factor of a million."""
    front, _, u = followed(OSCILLATOR, swinging, 80.0, 82.0, 20, 0.1)
    for share in (-1.0, -0.3, 0.5, 1.0):
        assert holds(front, u, share, swinging(2.0, 81 + share))
    assert max(float(ball.rad()) for ball in front.box(u, [arb(0.25)])) < 1e-4


@pytest.mark.parametrize("time", [-1.0, -0.37, 0.2, 1.0])
def test_a_tube_holds_all_states_on_the_way(time: float) -> None:
    _, tubes, _ = followed(OSCILLATOR, swinging, 3.0, 3.5, 2, 0.4)
    for share in (-1.0, 0.1, 1.0):
        state = swinging(0.4 + 0.2 * (time + 1), 3.25 + share / 4)
        for low, high in ((time, time), (max(-1.0, time - 0.3), min(1.0, time + 0.3))):
            box = tubes[1].box(low, high)
            assert all(
                (ball + arb(0, 1e-13)).contains(arb(s)) for ball, s in zip(box, state, strict=True)
            )


@settings(max_examples=40, deadline=None)
@given(
    numbers=st.lists(st.floats(-1, 1), min_size=2 * 13 * 7, max_size=2 * 13 * 7),
    size=st.floats(1e-12, 1e-3),
    share=st.floats(-1, 1),
)
def test_what_is_said_wrongly_is_not_believed(
    numbers: list[float], size: float, share: float
) -> None:
    """Whatever the polynomial is, the true run is in the front."""
    right = said(swinging, 3.0, 3.2, 0.0, 0.3)
    noise = np.array(numbers).reshape(2, -1) * size
    wrong = np.array(right.states) + noise
    step = Step(right.degree, right.pace, tuple(map(tuple, wrong.tolist())))
    u = unknowns(3.0, 3.2)
    front, tube = advanced(at_rest(u, [1.0, 0.0]), OSCILLATOR, step, u)
    assert holds(front, u, share, swinging(0.3, 3.1 + share / 10))
    middle = swinging(0.15, 3.1 + share / 10)
    assert all(ball.contains(arb(s)) for ball, s in zip(tube.box(0, 0), middle, strict=True))


def test_a_start_that_is_off_is_carried_along() -> None:
    """The polynomial begins at another place than the front: the difference is not lost."""
    u = unknowns(3.0, 3.2)
    step = said(swinging, 3.0, 3.2, 0.0, 0.3)
    front, _ = advanced(at_rest(u, [1.01, 0.0]), OSCILLATOR, step, u)
    assert holds(front, u, 0.0, [1.01 * state for state in swinging(0.3, 3.1)])


def test_a_field_that_is_not_linear_bends_the_spread() -> None:
    """A pendulum from about 2 rad, against small steps of the midpoint rule."""
    u = unknowns(0.9, 1.1)

    def solution(t: float, k: float) -> list[float]:
        state = np.array([2.0, 0.0])
        for _ in range(2000):
            h = t / 2000
            half = state + h / 2 * np.array([state[1], -k * math.sin(state[0])])
            state = state + h * np.array([half[1], -k * math.sin(half[0])])
        return [float(number) for number in state]

    step = said(solution, 0.9, 1.1, 0.0, 0.5)
    start = at_rest(u, [2.0, 0.0])
    wide = Front(start.center, start.frame, column([arb(1e-3), arb(1e-3)]), start.units)
    front, _ = advanced(wide, PENDULUM, step, u)
    box = front.box(u, [arb(0)])
    for a, b in ((1e-3, 1e-3), (-1e-3, 1e-3), (1e-3, -1e-3), (0.0, 0.0)):
        state = np.array([2.0 + a, b])
        for _ in range(2000):
            half = state + 0.5 / 4000 * np.array([state[1], -math.sin(state[0])])
            state = state + 0.5 / 2000 * np.array([half[1], -math.sin(half[0])])
        assert all(
            (ball + arb(0, 1e-7)).contains(arb(float(s)))
            for ball, s in zip(box, state, strict=True)
        )


def test_a_step_too_long_is_undecided() -> None:
    u = unknowns(0.1, 60.0)
    with pytest.raises(Undecided, match="too wide"):
        advanced(at_rest(u, [1.0, 0.0]), OSCILLATOR, said(swinging, 0.1, 60.0, 0.0, 3.0), u)


def test_a_step_goes_forwards() -> None:
    u = unknowns(3.0, 3.2)
    step = said(swinging, 3.0, 3.2, 0.0, 0.3)
    back = Step(step.degree, (-step.pace[0], *step.pace[1:]), step.states)
    with pytest.raises(Undecided, match="forwards"):
        advanced(at_rest(u, [1.0, 0.0]), OSCILLATOR, back, u)


def test_a_crossing_is_on_the_surface() -> None:
    """The oscillator falls through 0.5 at arccos(0.5)/√k, whatever k is."""
    step = said(swinging, 3.0, 3.1, 0.0, math.acos(0.5) / math.sqrt(3.05))
    u = unknowns(3.0, 3.1)
    front, _ = advanced(at_rest(u, [1.0, 0.0]), OSCILLATOR, step, u)
    value = x - 0.5
    surface = Surface(program(ARGUMENTS, [value]), program(ARGUMENTS, [ca.jacobian(value, STATE)]))
    there, boxes = crossed(front, OSCILLATOR, surface, u)
    for share in (-1.0, 0.0, 0.7, 1.0):
        k = 3.05 + share / 20
        assert holds(there, u, share, [0.5, -math.sqrt(k) * math.sqrt(0.75)])
    assert len(boxes) == fronts.PARTS[1]


def test_a_surface_that_is_only_touched_is_undecided() -> None:
    u = unknowns(3.0, 3.1)
    value = 1 - x
    surface = Surface(program(ARGUMENTS, [value]), program(ARGUMENTS, [ca.jacobian(value, STATE)]))
    with pytest.raises(Undecided, match="grazing"):
        crossed(at_rest(u, [1.0, 0.0]), OSCILLATOR, surface, u)


impulse = ca.SX.sym("L")
EQUATION = impulse + VALUES * impulse**3 + x  # one solution for each x and k ≥ 0
AFTER = ca.vertcat(x, v + impulse)


def law() -> Law:
    arguments = [STATE, VALUES, impulse]
    slopes = [ca.jacobian(e, a) for e in (EQUATION, AFTER) for a in (STATE, impulse)]
    return Law(
        program(arguments, [EQUATION]), program(arguments, [AFTER]), program(arguments, slopes)
    )


def solved(place: float, k: float) -> float:
    roots = np.roots([k, 0.0, 1.0, place])
    return float(roots[np.abs(roots.imag).argmin()].real)


@given(noise=st.lists(st.floats(-1e-6, 1e-6), min_size=21, max_size=21), share=st.floats(-1, 1))
def test_an_implicit_jump_holds_the_solution(noise: list[float], share: float) -> None:
    """Impulses and states after it may be said wrongly; the true ones are in the front."""
    u = unknowns(0.5, 0.6)
    nodes = points(7)
    fit = np.linalg.inv(np.vander(nodes, increasing=True))
    rows = [solved(1.0, 0.55 + node / 20) for node in nodes]
    said_impulse = fit @ np.array(rows) + noise[:7]
    said_after = [fit @ np.ones(7) + noise[7:14], fit @ (2 + np.array(rows)) + noise[14:]]
    polynomial = u.models.polynomial
    after = tuple(polynomial(numbers.tolist()) for numbers in said_after)
    start = at_rest(u, [1.0, 2.0])
    wide = Front(start.center, start.frame, column([arb(1e-4), arb(0)]), start.units)
    found = jumped(wide, law(), [polynomial(said_impulse.tolist())], after, u)
    k = 0.55 + share / 20
    for place in (1.0 - 1e-4, 1.0, 1.0 + 1e-4):
        assert holds(found.front, u, share, [place, 2 + solved(place, k)])
    claimed = u.models.over(polynomial(said_impulse.tolist()), [arb(share)])
    assert abs(solved(1.0, k) - float(claimed.mid())) <= float(found.reach[0])


def test_a_jump_without_a_solution_is_undecided() -> None:
    u = unknowns(-4.0, 4.0)
    start = at_rest(u, [1.0, 2.0])
    zero = u.models.polynomial([0.0] * 7)
    with pytest.raises(Undecided):
        jumped(start, law(), [zero], (zero, zero), u)


def test_chebyshev_and_powers_agree() -> None:
    """The helper of these tests gives back the polynomial that the numbers came from."""
    numbers = chebyshev.chebval(points(7), [1, 2, 3])
    assert np.linalg.inv(np.vander(points(7), increasing=True)) @ numbers == pytest.approx(
        [-2, 2, 6, 0, 0, 0, 0], abs=1e-12
    )
