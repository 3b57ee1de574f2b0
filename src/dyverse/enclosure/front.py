"""Fronts: all states that runs can have at one instant, and how they are carried along a flow.

A front is ``c(u) + B r`` with a polynomial ``c`` of the unknowns ``u`` in [-1, 1], an exact matrix
``B`` and small ``|r_i| <= ρ_i``: Lohner's representation [lohner1992] of what the polynomial leaves
out. Somebody says where runs go: a polynomial ``p(s, u)`` of a time ``s`` in [-1, 1] and of the
unknowns. `advanced` believes none of it: from the defect of ``p`` it finds how far the true run,
which begins anywhere in the front, can be from it. What cannot be enclosed is `Undecided`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise, product

import numpy as np
from flint import arb, arb_mat, arb_poly
from scipy.linalg import matrix_balance

from dyverse.enclosure.balls import KINKED, ZERO, unbroken
from dyverse.enclosure.matrix import (
    Array,
    around,
    by_columns,
    column,
    exact,
    is_below,
    is_finite,
    upper,
)
from dyverse.enclosure.program import Program, Undecided
from dyverse.enclosure.taylor import TaylorModels, extent

TRIES = 5
FIXED = 40  # rounds to find what errors add up to
TOO_WIDE = "too wide: the flow of a step cannot be enclosed"
PIECES = 8  # of a step, where one is too wide
TWICE, MORE, TINY = arb(2), arb(1.01), arb(2) ** -200
PARTS = {0: 1, 1: 8, 2: 4}  # how many parts each unknown is cut into, by their number; else 2


@dataclass(frozen=True, slots=True)
class Unknowns:
    """The box of a proof: models in ``u``, and the value of each setting as one of them."""

    models: TaylorModels
    values: tuple[arb_poly, ...]

    def parts(self) -> list[list[arb]]:
        """Boxes that [-1, 1] is cut into, where it matters how wide things are."""
        number = len(self.models.degrees)
        count = PARTS.get(number, 2)
        pieces = [arb((2 * i + 1 - count) / count, 1 / count) for i in range(count)]
        return [list(box) for box in product(pieces, repeat=number)]

    def over(self, models: Sequence[arb_poly], box: Sequence[arb]) -> list[arb]:
        """All values of some models in a box of unknowns."""
        return [self.models.over(model, box) if box else model[0] for model in models]


@dataclass(frozen=True, slots=True)
class Front:
    """The states ``c(u) + B r``."""

    center: tuple[arb_poly, ...]
    frame: arb_mat
    sizes: arb_mat  # ρ, a column
    units: Array  # in which errors of the states are of like size; for the choice of frames

    def models(self) -> list[arb_poly]:
        """Taylor models of the states."""
        spread = (upper(self.frame) * self.sizes).entries()
        return [c + around(w) for c, w in zip(self.center, spread, strict=True)]

    def box(self, unknowns: Unknowns, part: Sequence[arb]) -> list[arb]:
        """Balls around all states, for a part of the unknowns."""
        return unknowns.over(self.models(), part)


@dataclass(frozen=True, slots=True)
class Tube:
    """All states of one step of a flow: polynomials of time and unknowns, and a spread."""

    models: TaylorModels
    path: tuple[arb_poly, ...]
    slopes: tuple[arb_poly, ...]  # by time, of time alone
    spread: tuple[arb, ...]

    def box(self, low: float, high: float) -> list[arb]:
        """Balls around all states between two times of [-1, 1]: those in the middle, and slopes."""
        middle, half = arb((low + high) / 2), (high - low) / 2
        piece = arb_poly([middle, arb(half)])
        rows = zip(self.path, self.slopes, self.spread, strict=True)
        return [
            extent(self.models.at_first(p, middle)) + around(_most(v(piece)) * half + w)
            for p, v, w in rows
        ]

    def hull(self) -> list[arb]:
        """Balls around all states, by pieces: tighter than those by the sizes of coefficients."""
        ends = [-1 + 2 * k / PIECES for k in range(PIECES + 1)]
        rows = zip(*(self.box(*piece) for piece in pairwise(ends)), strict=True)
        return [reduce(arb.union, row) for row in rows]

    def piece(self, low: float, high: float) -> list[arb_poly]:
        """Taylor models of all states between two times: the first variable is the time between.

        Unlike a box they know how states depend on each other.
        """
        within = arb_poly([arb((low + high) / 2), arb((high - low) / 2)])
        rows = zip(self.path, self.spread, strict=True)
        return [self.models.rescaled(p, within) + around(w) for p, w in rows]


@dataclass(frozen=True, slots=True)
class Field:
    """A vector field and its Jacobian by the states: programs of states and values."""

    rate: Program
    jacobian: Program


@dataclass(frozen=True, slots=True)
class Step:
    """What is said about one step: p(s, u), and dt/ds as a polynomial of u."""

    degree: int  # of s
    pace: tuple[float, ...]
    states: tuple[tuple[float, ...], ...]


def advanced(front: Front, field: Field, step: Step, unknowns: Unknowns) -> tuple[Front, Tube]:
    """The front after a step, and all states on the way."""
    models, values = unknowns.models, unknowns.values
    whole = TaylorModels((step.degree, *models.degrees))
    path = [whole.polynomial(numbers) for numbers in step.states]
    pace = models.polynomial(step.pace)
    if not extent(pace) > 0:
        raise Undecided("a step does not go forwards in time")
    starts = [whole.at_first(p, arb(-1)) for p in path]
    off = column(_most(p - c) for p, c in zip(starts, front.center, strict=True))
    rates = field.rate.run(whole.ring, path, values)[0]
    slopes = [whole.slope(p, 0) for p in path]
    defects = (whole.multiply(pace, f) - v for f, v in zip(rates, slopes, strict=True))
    defect = column(2 * _most(d) for d in defects)
    first = upper(off + upper(front.frame) * front.sizes)
    sections, nothing = tuple(map(whole.sections, slopes)), (ZERO,) * len(path)
    tube = Tube(whole, tuple(path), sections, nothing)
    found = _first(_ways(field, tube, values, pace), lambda way: _enclosed(first, defect, way))
    ends = tuple(whole.at_first(p, arb(1)) for p in path)
    lag = upper(upper(found.growth) * (off + found.lag))
    tube = replace(tube, spread=tuple(found.spread.entries()))
    balanced = matrix_balance(rough(found.slope), permute=False, separate=True)
    units = np.array(balanced[1][0], dtype=np.float64)
    return reframed(ends, [found.growth * front.frame], front.sizes, [lag], units), tube


Slopes = Callable[[arb_mat], arb_mat]  # the Jacobian over the step, within a spread


def _first(ways: Iterable[Slopes], enclosed: Callable[[Slopes], _Enclosed | None]) -> _Enclosed:
    """The enclosure by the first way that has one."""
    why = ""
    for way in ways:
        try:
            if (found := enclosed(way)) is not None:
                return found
            why = TOO_WIDE
        except Undecided as error:
            why = why or str(error)
    raise Undecided(why)


def _ways(field: Field, tube: Tube, values: Sequence[arb_poly], pace: arb_poly) -> Iterator[Slopes]:
    """From the quickest to the sharpest."""
    numbers, faster = list(map(extent, values)), 2 * extent(pace)
    yield _slopes(field, list(map(extent, tube.path)), numbers, faster)
    yield _slopes(field, tube.hull(), numbers, faster)
    yield _closely(field, tube, values, faster)


def _slopes(field: Field, hull: list[arb], values: list[arb], pace: arb) -> Slopes:
    def over(spread: arb_mat) -> arb_mat:
        box = [x + around(w) for x, w in zip(hull, spread.entries(), strict=True)]
        unbroken(field.rate, box, values)
        return by_columns(field.jacobian.run(KINKED, box, values)[0], len(box), len(box)) * pace

    return over


def _closely(field: Field, tube: Tube, values: Sequence[arb_poly], pace: arb) -> Slopes:
    """The same with Taylor models: slower, and much sharper where terms nearly cancel.

    So they do in a spring with a length, near its anchor.
    """

    def over(spread: arb_mat) -> arb_mat:
        near = [p + around(w) for p, w in zip(tube.path, spread.entries(), strict=True)]
        unbroken(field.rate, list(map(extent, near)), list(map(extent, values)))
        found = field.jacobian.run(tube.models.ring, near, values)[0]
        return by_columns(list(map(extent, found)), len(near), len(near)) * pace

    return over


@dataclass(frozen=True, slots=True)
class _Enclosed:
    slope: arb_mat  # A
    growth: arb_mat  # e^A
    lag: arb_mat  # ε
    spread: arb_mat


def _enclosed(first: arb_mat, defect: arb_mat, slopes: Slopes) -> _Enclosed | None:
    """Bounds of the difference e between a run and the polynomial, for σ in [0, 1].

    With e' = δ + J e and e = exp(Aσ) z, A about the middle of J: z' = exp(-Aσ)(δ + (J - A) e). So
    with E = exp|A| and ε ≥ E|δ| + K (|e(0)| + ε), K = E |J - A| E, z stays within ε of e(0), as
    long as J holds the Jacobian within E (|e(0)| + ε) of the polynomial.
    """
    nothing = column([TINY] * first.nrows())
    guess = upper(first + defect + nothing)
    for _ in range(TRIES):
        slope = slopes(guess)
        if not is_finite(slope):
            break
        middle = slope.mid()
        most = upper(upper(middle).exp())
        weight = upper(most * upper(slope - middle) * most)
        lag = _fixed(upper(most * defect + weight * first), weight)
        if lag is None:
            break
        spread = upper(most * (first + lag))
        if is_below(spread, guess):
            return _Enclosed(middle, middle.exp(), lag, spread)
        guess = upper(spread * TWICE + nothing)
    return None


def _fixed(b: arb_mat, weight: arb_mat) -> arb_mat | None:
    """Some ε ≥ b + K ε, where K and b are not negative."""
    found = b
    for _ in range(FIXED):
        better = upper(b + weight * found)
        if all(x <= y for x, y in zip(better.entries(), found.entries(), strict=True)):
            return found
        found = upper(better * MORE + column([TINY] * b.nrows()))
    return None


def reframed(
    center: tuple[arb_poly, ...],
    matrices: Sequence[arb_mat],
    sizes: arb_mat,
    extras: Sequence[arb_mat],
    units: Array,
) -> Front:
    """The front ``c(u) + M r + x`` with |x| ≤ ``extra``, in a new frame: by QR, longest first.

    Matrices and extras come in pairs, one for each part of the unknowns. Frames are orthogonal in
    the ``units``: where an oscillation turns errors of places into errors of speeds and back, that
    keeps them from growing.
    """
    middle = matrices[len(matrices) // 2]
    if not is_finite(middle):
        raise Undecided("too wide: what is left out cannot be bounded")
    axes = rough(middle) / units[:, None]
    lengths = np.linalg.norm(axes * rough(sizes).T, axis=0)
    axes = np.linalg.qr(axes[:, np.argsort(-lengths, kind="stable")])[0]
    frame = exact(axes * units[:, None])
    back = frame.inv()
    found = [
        upper(upper(back * matrix) * sizes + upper(back) * extra).entries()
        for matrix, extra in zip(matrices, extras, strict=True)
    ]
    if not all(size.is_finite() for row in found for size in row):
        raise Undecided("too wide: what is left out cannot be bounded")
    sizes = column(greatest(rows) for rows in zip(*found, strict=True))
    return Front(center, frame, sizes, units)


def _most(model: arb_poly) -> arb:
    """The most that a model can be in size."""
    return extent(model).abs_upper()


def rough(matrix: arb_mat) -> Array:
    """A matrix in floats."""
    numbers = [float(entry.mid()) for entry in matrix.entries()]
    return np.array(numbers).reshape(matrix.nrows(), matrix.ncols())


def greatest(numbers: Sequence[arb]) -> arb:
    """The greatest of some bounds."""
    found = numbers[0]
    for number in numbers[1:]:
        found = found.max(number)
    return found.upper()
