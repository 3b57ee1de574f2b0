"""Continua of equilibria: whole sets of points at which a run can rest.

A field may vanish on a set and not just at points: under Coulomb friction a block is held anywhere
between two ends, and an epidemic is over wherever nobody is infected. Two kinds are seen, both from
the rates as polynomials, once the variables that stand still have their numbers:

- there are fewer rates that are not zero than variables that could move;
- a variable divides all rates: they vanish where it is zero.

In comes the field of a location and a box, out goes the set: which variables are fixed, and between
which bounds the others lie where the invariant holds and no guard does. The bounds come from boxes
that are cut until each is surely inside, surely outside, or small.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from dyverse.abstraction.evidence.attraction import is_safe
from dyverse.abstraction.portrait.field import Box, LocationField
from dyverse.automaton.interface import Array
from dyverse.expr.polynomial import Polynomial, TooLongError, numerators
from dyverse.expr.term import Symbol

FINEST = 1e-6  # of the box: the ends of a set are known to this
BOXES = 1_000  # that are looked at


@dataclass(frozen=True, slots=True, eq=False)
class Continuum:
    """Equilibria of one location, as many as a line or a plane has points."""

    location: str
    free: tuple[str, ...]  # the variables along which it extends
    bounds: Box  # of every variable; outside of them there is none of it
    width: float  # how well the bounds are known, of the box

    def __str__(self) -> str:
        return f"a continuum of equilibria in {self.location}, along {', '.join(self.free)}"


def continuum(field: LocationField, box: Box, through: Array) -> Continuum | None:
    """The continuum of equilibria in ``box`` on the leaf of ``through``, if there is one."""
    fixed = _standing(field, through)
    names = field.automaton.variables
    known = dict(field.automaton.parameters) | {names[n]: x for n, x in fixed.items()}
    try:
        rates = [rate for rate in numerators(field.terms, known) if rate]
    except TooLongError:
        return None
    moving = [n for n in range(field.size) if n not in fixed]
    divisor = _divisor(rates, names) if rates else None
    if divisor is not None:
        fixed |= {names.index(divisor): 0.0}
    elif len(rates) >= len(moving):
        return None
    free = tuple(names[n] for n in moving if n not in fixed)
    paved = _Paving(field, _cut_to(box, fixed), everywhere=divisor is not None or not rates)
    return paved.hull(free) if free else None


def _standing(field: LocationField, through: Array) -> dict[int, float]:
    """The variables that the field does not change, with their numbers."""
    rows = (row for row in field.constants if np.count_nonzero(row) == 1)
    return {n: float(through[n]) for n in (int(np.argmax(np.abs(row))) for row in rows)}


def _divisor(rates: list[Polynomial], names: tuple[str, ...]) -> str | None:
    """A variable that is a factor of everything."""
    for name in names:
        if all(any(a == Symbol(name) for a, _ in m) for rate in rates for m in rate):
            return name
    return None


def _cut_to(box: Box, fixed: dict[int, float]) -> Box:
    return tuple((fixed[n], fixed[n]) if n in fixed else ends for n, ends in enumerate(box))


@dataclass(slots=True)
class _Paving:
    """Boxes that hold a set; where the field is zero ``everywhere`` they may lie inside it."""

    field: LocationField
    box: Box
    everywhere: bool

    def hull(self, free: tuple[str, ...]) -> Continuum | None:
        """The bounds of the set."""
        kept = list(self._kept())
        if not kept:
            return None
        rows = np.array([box for box, _ in kept])
        ends = zip(
            rows[:, :, 0].min(axis=0).tolist(), rows[:, :, 1].max(axis=0).tolist(), strict=True
        )
        open_ = [self._share(box) for box, inside in kept if not inside]
        return Continuum(self.field.location, free, tuple(ends), max(open_, default=0.0))

    def _kept(self) -> Iterator[tuple[Box, bool]]:
        """The boxes that are surely inside, and small ones that may be."""
        queue = deque([self.box])
        for looked in count():
            if not queue:
                return
            here = queue.popleft()
            inside = self._is_inside(here)
            if inside is False:
                continue
            if inside or looked > BOXES or self._share(here) <= FINEST:
                yield here, bool(inside)
            else:
                queue += self._halves(here)

    def _is_inside(self, box: Box) -> bool | None:
        if any(low > 0 or high < 0 for low, high in self.field.rate_over(box)):
            return False
        safe = is_safe(self.field, iter(self.field.depth_over(box)))
        return None if safe and not self.everywhere else safe

    def _share(self, box: Box) -> float:
        """The longest side of a box, of that of the first."""
        return max(self._sides(box))

    def _sides(self, box: Box) -> list[float]:
        pairs = zip(box, self.box, strict=True)
        return [(b - a) / (high - low) if high > low else 0.0 for (a, b), (low, high) in pairs]

    def _halves(self, box: Box) -> list[Box]:
        sides = self._sides(box)
        n = sides.index(max(sides))
        low, high = box[n]
        parts = ((low, (low + high) / 2), ((low + high) / 2, high))
        return [(*box[:n], part, *box[n + 1 :]) for part in parts]
