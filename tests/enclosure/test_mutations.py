"""Each bound matters: an enclosure without it loses what it should hold, and a check sees that.

A module is taken with one bound removed from its text, and asked the same question as the whole
one: whether a known solution is inside.
"""

import math
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import casadi as ca
import numpy as np
import pytest
from flint import arb, arb_poly, fmpq

from dyverse.enclosure.front import Front, Step
from dyverse.enclosure.matrix import column
from dyverse.enclosure.program import program
from tests.enclosure.test_front import (
    ARGUMENTS,
    OSCILLATOR,
    STATE,
    at_rest,
    holds,
    law,
    said,
    solved,
    swinging,
    unknowns,
    x,
)
from tests.enclosure.test_slope import bent, falling

U = unknowns(3.0, 3.2)
STEP = said(swinging, 3.0, 3.2, 0.0, 0.3)
Check = Callable[[ModuleType], bool]


def without(name: str, old: str, new: str) -> ModuleType:
    """A module of ``dyverse.enclosure`` with a part of its text replaced."""
    whole = import_module(f"dyverse.enclosure.{name}")
    assert whole.__file__ is not None
    text = Path(whole.__file__).read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    made = ModuleType(whole.__name__)
    made.__dict__["__file__"] = whole.__file__
    exec(compile(text.replace(old, new), whole.__file__, "exec"), made.__dict__)
    return made


def noisy(step: Step) -> Step:
    """Polynomials that are wrong by a little, everywhere but at the start."""
    shape = step.degree + 1, -1
    rows = [np.array(numbers).reshape(shape) for numbers in step.states]
    for table in rows:
        table[0, 0] += 1e-4
        table[1, 0] += 1e-4
    return Step(step.degree, step.pace, tuple(tuple(t.ravel().tolist()) for t in rows))


def a_wrong_step(front: ModuleType) -> bool:
    found, _ = front.advanced(at_rest(U, [1.0, 0.0]), OSCILLATOR, noisy(STEP), U)
    return holds(found, U, 0.5, swinging(0.3, 3.15))


def a_start_elsewhere(front: ModuleType) -> bool:
    found, _ = front.advanced(at_rest(U, [1.01, 0.0]), OSCILLATOR, STEP, U)
    return holds(found, U, 0.0, [1.01 * state for state in swinging(0.3, 3.1)])


def a_wide_start(front: ModuleType) -> bool:
    rest = at_rest(U, [1.0, 0.0])
    wide = Front(rest.center, rest.frame, column([arb(1e-3), arb(0)]), rest.units)
    found, _ = front.advanced(wide, OSCILLATOR, STEP, U)
    return holds(found, U, 0.0, [1.001 * state for state in swinging(0.3, 3.1)])


def a_stretch_of_time(front: ModuleType) -> bool:
    _, tube = front.advanced(at_rest(U, [1.0, 0.0]), OSCILLATOR, STEP, U)
    state = swinging(0.3, 3.1)
    return all(ball.contains(arb(s)) for ball, s in zip(tube.box(-1.0, 1.0), state, strict=True))


def the_way_of_a_wide_start(front: ModuleType) -> bool:
    rest = at_rest(U, [1.0, 0.0])
    wide = Front(rest.center, rest.frame, column([arb(1e-3), arb(0)]), rest.units)
    one = unknowns(3.1, 3.1)
    _, tube = front.advanced(wide, OSCILLATOR, said(swinging, 3.1, 3.1, 0.0, 0.3), one)
    state = [1.001 * number for number in swinging(0.3, 3.1)]
    return all(ball.contains(arb(s)) for ball, s in zip(tube.box(1.0, 1.0), state, strict=True))


def a_front_beside_the_surface(jump: ModuleType) -> bool:
    """From (1, -1) along the flow to x = 63/64, where v² + k x² is what it was."""
    value = x - 63 / 64
    gradient = program(ARGUMENTS, [ca.jacobian(value, STATE)])
    surface = jump.Surface(program(ARGUMENTS, [value]), gradient)
    found, _ = jump.crossed(at_rest(U, [1.0, -1.0]), OSCILLATOR, surface, U)
    energy = 1.0 + 3.1 * (1.0 - (63 / 64) ** 2)
    return holds(found, U, 0.0, [63 / 64, -math.sqrt(energy)])


def a_wide_front_at_a_surface(jump: ModuleType) -> bool:
    value = x - 1.0
    gradient = program(ARGUMENTS, [ca.jacobian(value, STATE)])
    surface = jump.Surface(program(ARGUMENTS, [value]), gradient)
    rest = at_rest(U, [1.0, -1.0])
    wide = Front(rest.center, rest.frame, column([arb(1e-3), arb(0)]), rest.units)
    found, _ = jump.crossed(wide, OSCILLATOR, surface, U)
    energy = 1.0 + 3.1 * (1.001**2 - 1.0)
    return holds(found, U, 0.0, [1.0, -math.sqrt(energy)])


def a_jump(wrong: float, off: float, wide: float) -> Check:
    """An implicit jump, with impulses wrong by so much, states after it, and a spread before."""

    def check(jump: ModuleType) -> bool:
        u = unknowns(0.5, 0.5)
        true = solved(1.0, 0.5)
        impulse = arb_poly([true + wrong])
        after = arb_poly([1.0]), arb_poly([2.0 + true + wrong + off])
        rest = at_rest(u, [1.0, 2.0])
        front = Front(rest.center, rest.frame, column([arb(wide), arb(0)]), rest.units)
        found = jump.jumped(front, law(), [impulse], after, u)
        place = 1.0 + wide
        return holds(found.front, u, 0.0, [place, 2 + solved(place, 0.5)])

    return check


def a_product(taylor: ModuleType) -> bool:
    """(1 + u)⁴ at 1, with two powers kept."""
    models = taylor.TaylorModels((2,))
    square = models.polynomial([1.0, 2.0, 1.0])
    return bool(models.multiply(square, square)(arb(1)).contains(arb(16)))


def a_function(taylor: ModuleType) -> bool:
    """exp(40 u) at 1: 24 terms are not enough."""
    models = taylor.TaylorModels((30,))
    found = models.ring.operations["exp"](arb_poly([0, 40]), arb_poly([0]))
    return bool(found(arb(1)).overlaps(arb(40).exp()))


def a_fraction(balls: ModuleType) -> bool:
    """0.4 in the mechanics is 2/5, which no float is."""
    return bool(balls.constant(0.4).contains(arb(fmpq(2, 5))))


def a_volume(balls: ModuleType) -> bool:
    """4/3 π of a ball with a density."""
    return bool(balls.constant(-4 / 3 * math.pi).contains(-4 * arb.pi() / 3))


def a_turn(balls: ModuleType) -> bool:
    """Half a radian, of which the mechanics has worked out the cosine."""
    return bool(balls.constant(-math.cos(0.5)).contains(-arb(0.5).cos()))


def nearly_nothing(balls: ModuleType) -> bool:
    return all(balls.constant(number).contains(0) for number in (1e-40, 1e-20))


def a_bend(slope: ModuleType) -> bool:
    """The derivative 1/(1 + v t)² of v' = -v² for runs at the edge of a front."""
    half, part = 0.1, bent(0.1)
    found = slope.slope(slope.Flown(part.tube, part.field, part.pace, part.values))
    speeds = (1 - 9e-7, 1.0, 1 + 9e-7)
    return all(found[1, 1].contains(arb(1) / (1 + arb(v) * arb(2 * half)) ** 2) for v in speeds)


def a_surface_that_is_not_reached_yet(slope: ModuleType) -> bool:
    """From x = 0.001 with the speed -2 the time changes by x/v² with the speed."""
    found = slope.slope(slope.Crossing(*falling(1e-3)))
    return bool(found[2, 1].contains(arb("0.00025")))


MUTATIONS: dict[str, tuple[str, str, str, Check]] = {
    "the defect": ("front", "column(2 * _most(d) for", "column(0 * _most(d) for", a_wrong_step),
    "what a step adds": ("front", "(off + found.lag)", "off", a_wrong_step),
    "where a step begins": ("front", "(off + found.lag)", "found.lag", a_start_elsewhere),
    "the spread before a step": (
        "front",
        "[found.growth * front.frame], front.sizes, [lag]",
        "[found.growth * front.frame], front.sizes * 0, [lag]",
        a_wide_start,
    ),
    "extras of a frame": ("front", " + upper(back) * extra", "", a_start_elsewhere),
    "slopes in time": (
        "front",
        "around(_most(v(piece)) * half + w)",
        "around(w)",
        a_stretch_of_time,
    ),
    "the spread of a tube": (
        "front",
        "around(_most(v(piece)) * half + w)",
        "around(_most(v(piece)) * half)",
        the_way_of_a_wide_start,
    ),
    "the way to a surface": (
        "jump",
        "upper(flow * (off / speed))",
        "upper(flow * (off / speed)) * 0",
        a_front_beside_the_surface,
    ),
    "shear at a surface": (
        "jump",
        "return front.frame - sheared,",
        "return front.frame * 0,",
        a_wide_front_at_a_surface,
    ),
    "wrong impulses": (
        "jump",
        "upper(off + upper(after_impulse * inverse) * wrong_by)",
        "off",
        a_jump(1e-4, 0.0, 0.0),
    ),
    "wrong states after a jump": (
        "jump",
        "upper(off + upper(after_impulse * inverse) * wrong_by)",
        "upper(upper(after_impulse * inverse) * wrong_by)",
        a_jump(0.0, 1e-4, 0.0),
    ),
    "impulses of a spread": (
        "jump",
        "(after_state - after_impulse * moved)",
        "after_state",
        a_jump(0.0, 0.0, 1e-3),
    ),
    "the width of a tube in a derivative": ("slope", "[p + around(w) for", "[p for", a_bend),
    "what a derivative leaves out": ("slope", " + around(off[i, j])", "", a_bend),
    "the way to a surface in a derivative": (
        "slope",
        " * (one + arb_mat(n, n, list(map(around, more))))",
        "",
        a_surface_that_is_not_reached_yet,
    ),
    "powers that are cut": ("taylor", "arb(0, rest(UNIT).abs_upper())", "ZERO", a_product),
    "the rest of a series": ("taylor", "return found + arb(0, rest)", "return found", a_function),
    "decimals": ("balls", "if number in DECIMALS:", "if False:", a_fraction),
    "circles": ("balls", "if number in CIRCLES:", "if False:", a_volume),
    "turns by the literal one": ("balls", "if number in WAVES:", "if False:", a_turn),
    "what is meant by nothing": (
        "balls",
        "if number in (NEARLY_NOTHING, ITS_ROOT):",
        "if False:",
        nearly_nothing,
    ),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_without_a_bound_something_is_lost(name: str) -> None:
    module, old, new, check = MUTATIONS[name]
    assert check(without(module, old, old)), "the whole module holds it"
    assert not check(without(module, old, new)), "and without the bound it does not"
