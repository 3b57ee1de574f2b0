"""Derivatives of where runs go by where they begin: of steps, crossings and jumps, enclosed.

The product of all of them along a round is the derivative of a return map, for every run of a front
at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, arb_mat, arb_poly

from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Field, Tube
from dyverse.enclosure.jump import Law, Surface, inverse_of
from dyverse.enclosure.matrix import around, by_columns, column, exact, upper
from dyverse.enclosure.program import Undecided
from dyverse.enclosure.taylor import extent

ROUNDS = 24  # in which a derivative is guessed


@dataclass(frozen=True, slots=True)
class Flown:
    """A step of a flow that stays in a tube."""

    tube: Tube
    field: Field
    pace: arb_poly
    values: Sequence[arb_poly]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A flow that comes to a surface within a box; the time is the last state."""

    field: Field
    surface: Surface
    box: list[arb]
    values: list[arb]


@dataclass(frozen=True, slots=True)
class Reset:
    """A jump from within a box, with impulses that lie within bounds, if it has any."""

    law: Law
    box: list[arb]
    values: list[arb]
    impulses: tuple[arb, ...] = ()


Passed = Flown | Crossing | Reset


def slope(passed: Passed) -> arb_mat:
    """All derivatives of one part of the way."""
    match passed:
        case Flown():
            return _of_step(passed)
        case Crossing():
            return _of_crossing(passed)
        case Reset():
            return _of_jump(passed)


def _of_step(flown: Flown) -> arb_mat:
    """Φ at the end of a step, where dΦ/ds = D J Φ begins at 1.

    Guessed is a polynomial Ψ(s); what D J Ψ - Ψ' leaves is δ, with J between its bounds in the
    tube. So Φ differs from Ψ by no more than exp(2|D J|)(|Ψ(-1) - 1| + 2|δ|).
    """
    models, n = flown.tube.models, len(flown.tube.path)
    near = [p + around(w) for p, w in zip(flown.tube.path, flown.tube.spread, strict=True)]
    listed = flown.field.jacobian.run(models.ring, near, flown.values)[0]
    jacobian = [
        [models.multiply(flown.pace, listed[j * n + i]) for j in range(n)] for i in range(n)
    ]
    guess = _guessed(jacobian, models.degrees[0])
    wrong, first = [], []
    for i in range(n):
        for j in range(n):
            terms = (models.multiply(jacobian[i][k], guess[k][j]) for k in range(n))
            left = sum(terms, -models.slope(guess[i][j], 0))
            wrong.append(2 * extent(left).abs_upper())
            first.append((guess[i][j](arb(-1)) - (i == j)).abs_upper())
    most = upper(arb_mat(n, n, [2 * extent(entry) for row in jacobian for entry in row]))
    off = upper(upper(most.exp()) * (arb_mat(n, n, wrong) + arb_mat(n, n, first)))
    ends = [guess[i][j](arb(1)) + around(off[i, j]) for i in range(n) for j in range(n)]
    return arb_mat(n, n, ends)


def _guessed(jacobian: list[list[arb_poly]], degree: int) -> list[list[arb_poly]]:
    """Ψ in floats, by putting it in again and again."""
    n = len(jacobian)
    table = np.zeros((n, n, degree + 1))
    for i, row in enumerate(jacobian):
        for j, entry in enumerate(row):
            numbers = [float(x.mid()) for x in entry.coeffs()[: degree + 1]]
            table[i, j, : len(numbers)] = numbers
    found = np.zeros((n, n, degree + 1))
    found[:, :, 0] = np.eye(n)
    signs = (-1.0) ** np.arange(1, degree + 1)
    for _ in range(ROUNDS):
        rate = np.zeros_like(found)
        for k in range(degree + 1):
            rate[:, :, k:] += np.einsum(
                "ij,jlm->ilm", table[:, :, k], found[:, :, : degree + 1 - k]
            )
        grown = rate[:, :, :-1] / np.arange(1, degree + 1)
        found[:, :, 1:] = grown
        found[:, :, 0] = np.eye(n) - grown @ signs
    return [[arb_poly(entry.tolist()) for entry in row] for row in found]


def _of_jump(reset: Reset) -> arb_mat:
    """A_x - A_Λ F_Λ⁻¹ F_x of the state after it, A(x, Λ), where F(x, Λ) = 0."""
    n, k = len(reset.box), len(reset.impulses)
    found = reset.law.slopes.run(BALLS, reset.box, reset.values, reset.impulses)
    after = by_columns(found[2], n, n)
    if not k:
        return after
    shapes = (k, n), (k, k), (n, n), (n, k)
    by_state, by_impulse, _, after_impulse = (
        by_columns(own, *shape) for own, shape in zip(found, shapes, strict=True)
    )
    return after - after_impulse * inverse_of(by_impulse) * by_state


def _of_crossing(crossing: Crossing) -> arb_mat:
    """(1 - f∇/∇f) Φ, with the derivative Φ of the flow for at most as long as the box lasts."""
    box, values, n = crossing.box, crossing.values, len(crossing.box)
    flow = column(crossing.field.rate.run(BALLS, box, values)[0])
    gradient = arb_mat(1, n, crossing.surface.gradient.run(BALLS, box, values)[0])
    speed = (gradient * flow)[0, 0]
    if not speed < 0:
        raise Undecided("grazing: a surface is not surely crossed")
    jacobian = by_columns(crossing.field.jacobian.run(BALLS, box, values)[0], n, n)
    one, wait = exact(np.eye(n)), 2 * box[-1].rad()
    more = upper((upper(jacobian) * wait).exp() - one).entries()
    return (one - flow * gradient * (1 / speed)) * (one + arb_mat(n, n, list(map(around, more))))


def product_of(parts: Sequence[Passed], size: int) -> arb_mat:
    """The derivative of the whole way."""
    found = exact(np.eye(size))
    for part in parts:
        found = slope(part) * found
    return found
