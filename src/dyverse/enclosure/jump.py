"""Fronts at events: where a flow crosses a surface, and what a jump makes of it.

`crossed` moves every state of a front along the flow to the surface; the spread is then that of the
surface. `jumped` maps it by a law that may be implicit, such as an impact: unknown impulses with
equations, which interval Newton shows to have exactly one solution near those claimed [moore2009].
Both look at the unknowns part by part, because derivatives over all of them at once are too wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, arb_mat, arb_poly

from dyverse.enclosure.balls import BALLS, unbroken
from dyverse.enclosure.front import TINY, TRIES, TWICE, Field, Front, Unknowns, greatest, reframed
from dyverse.enclosure.matrix import around, by_columns, column, is_below, is_finite, upper
from dyverse.enclosure.program import Program, Undecided
from dyverse.enclosure.taylor import extent


@dataclass(frozen=True, slots=True)
class Surface:
    """A function of states and values that falls to zero at an event, and its gradient."""

    value: Program
    gradient: Program


def crossed(
    front: Front, field: Field, surface: Surface, unknowns: Unknowns
) -> tuple[Front, list[list[arb]]]:
    """Where the states of a front are when the surface, which they are near, falls to zero.

    With x = c + B r and x + F τ on the surface, for some F of the field and some gradient ∇ in the
    box around both: τ = -(g(c) + ∇B r)/(∇F), so that x + F τ = c + (1 - F∇/∇F) B r - F g(c)/∇F.
    The boxes are returned too, one for each part of the unknowns.
    """
    models = unknowns.models
    values = surface.value.run(models.ring, front.center, unknowns.values)[0]
    off = extent(values[0]).abs_upper()
    found = [_crossing(front, field, surface, unknowns, part, off) for part in unknowns.parts()]
    matrices, extras = [row[0] for row in found], [row[1] for row in found]
    made = reframed(front.center, matrices, front.sizes, extras, front.units)
    return made, [row[2] for row in found]


def _crossing(
    front: Front,
    field: Field,
    surface: Surface,
    unknowns: Unknowns,
    part: Sequence[arb],
    off: arb,
) -> tuple[arb_mat, arb_mat, list[arb]]:
    near, numbers = front.box(unknowns, part), unknowns.over(unknowns.values, part)
    wide = [_wider(x) for x in near]
    for _ in range(TRIES):
        flow = column(field.rate.run(BALLS, wide, numbers)[0])
        unbroken(surface.value, wide, numbers)
        slope = arb_mat(1, len(wide), surface.gradient.run(BALLS, wide, numbers)[0])
        speed = (slope * flow)[0, 0]
        if not speed < 0:
            raise Undecided("grazing: a surface is not surely crossed")
        wait = (off + (upper(slope * front.frame) * front.sizes)[0, 0]) / speed.abs_lower()
        moved = zip(near, (flow * wait).entries(), strict=True)
        reached = [x + around(move.abs_upper()) for x, move in moved]
        if all(w.contains(x) for w, x in zip(wide, reached, strict=True)):
            sheared = flow * (slope * front.frame) * (1 / speed)
            return front.frame - sheared, upper(flow * (off / speed)), wide
        wide = [_wider(x) for x in reached]
    raise Undecided("too wide: the time of an event cannot be enclosed")


def _wider(x: arb) -> arb:
    return x + around(x.rad() + TINY)


@dataclass(frozen=True, slots=True)
class Law:
    """A jump: programs of states, values and impulses.

    ``slopes`` are the derivatives of ``equations`` and of the state ``after``, each by states and
    by impulses.
    """

    equations: Program
    after: Program
    slopes: Program


@dataclass(frozen=True, slots=True)
class Jumped:
    """The front after a jump, and how far the impulses can be from those claimed."""

    front: Front
    reach: list[arb]


def jumped(
    front: Front,
    law: Law,
    impulses: Sequence[arb_poly],
    after: tuple[arb_poly, ...],
    unknowns: Unknowns,
) -> Jumped:
    """The front after a jump with about these ``impulses`` to about the states ``after``.

    With equations wrong by w at the center: impulses differ from those claimed by
    -F_Λ⁻¹(w + F_x B r), if what is found so lies within the bounds that F_Λ was looked at in.
    """
    ring, values = unknowns.models.ring, unknowns.values
    wrong = law.equations.run(ring, front.center, values, impulses)[0]
    found_after = law.after.run(ring, front.center, values, impulses)[0]
    wrong_by = column(extent(e).abs_upper() for e in wrong)
    off = column(extent(a - b).abs_upper() for a, b in zip(found_after, after, strict=True))
    parts = unknowns.parts()
    found = [_jump(front, law, impulses, unknowns, part, wrong_by, off) for part in parts]
    matrices, extras = [row[0] for row in found], [row[1] for row in found]
    made = reframed(after, matrices, front.sizes, extras, front.units)
    reach = zip(*(row[2] for row in found), strict=True)
    return Jumped(made, [greatest(sizes) for sizes in reach])


def _jump(
    front: Front,
    law: Law,
    impulses: Sequence[arb_poly],
    unknowns: Unknowns,
    part: Sequence[arb],
    wrong_by: arb_mat,
    off: arb_mat,
) -> tuple[arb_mat, arb_mat, list[arb]]:
    n, k = len(front.center), len(impulses)
    box, numbers = front.box(unknowns, part), unknowns.over(unknowns.values, part)
    claimed = unknowns.over(impulses, part)
    guess = column([TINY] * k)
    for _ in range(TRIES):
        near = [x + around(g) for x, g in zip(claimed, guess.entries(), strict=True)]
        for part_of_law in (law.equations, law.after):
            unbroken(part_of_law, box, numbers, near)
        results = law.slopes.run(BALLS, box, numbers, near)
        shapes = (k, n), (k, k), (n, n), (n, k)
        by_state, by_impulse, after_state, after_impulse = (
            by_columns(entries, *shape) for entries, shape in zip(results, shapes, strict=True)
        )
        inverse = inverse_of(by_impulse) if k else by_impulse
        moved = inverse * by_state
        reach = upper(upper(inverse) * wrong_by + upper(moved * front.frame) * front.sizes)
        if is_below(reach, guess):
            matrix = (after_state - after_impulse * moved) * front.frame
            extra = upper(off + upper(after_impulse * inverse) * wrong_by)
            return matrix, extra, guess.entries()
        guess = upper(reach * TWICE + column([TINY] * k))
    raise Undecided("too wide: an impact cannot be enclosed")


def inverse_of(matrix: arb_mat) -> arb_mat:
    """The inverse of every matrix between bounds, where all have one."""
    try:
        found = matrix.inv()
    except ZeroDivisionError:
        found = None
    if found is None or not is_finite(found):
        raise Undecided("too wide: whether an impact has one solution cannot be decided")
    return found
