"""Impacts that accumulate: where all states can be until the contact is at rest.

After an impact at one contact with the speed V the gap g obeys g'' in [-a₁, -a₀], a₀ > 0, as long
as states stay in a tube. So the next impact comes within 2V/a₀, with a speed of at most V√(a₁/a₀);
the speed after it is at most ρV, ρ = e√(a₁/a₀). With ρ < 1 the speeds after all impacts add up to
no more than S = V/(1 - ρ), the flights to no more than T = 2S/a₀, and the normal impulses to no
more than (1 + e)√(a₁/a₀) S/(G_NN - μ|G_NT|), for |Λ_T| ≤ μ Λ_N. What a state can move by in that
time and by these impulses must be less than the tube allows. At the end gap and normal speed are
zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from flint import arb

from dyverse.certificate.bodies import Bodies
from dyverse.certificate.file import Graze, Rest, Unproved
from dyverse.certificate.law import one_solution
from dyverse.certificate.place import Place
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Field, Front, Unknowns
from dyverse.enclosure.jump import crossed
from dyverse.enclosure.matrix import by_columns, column, entries, exact
from dyverse.enclosure.program import Program, program
from dyverse.enclosure.taylor import extent
from dyverse.expr.symbolic import split
from dyverse.generation.skeleton.names import signal_name


def moved(
    bodies: Bodies,
    place: Place,
    rest: Rest,
    start: Sequence[arb],
    tube: Sequence[arb],
    values: Sequence[arb],
    *,
    rolls: bool,
) -> list[arb]:
    """How far states can move until all impacts are over, as long as they are in the tube.

    If the contact ``rolls`` there are no tangential impulses.
    """
    gap, e = signal_name("gap", rest.contact), restitution(bodies, rest.contact, values)
    speed = place.derivative(gap, 1).run(BALLS, start, values)[0][0].abs_upper()
    fall = -place.derivative(gap, 2).run(BALLS, tube, values)[0][0]
    if not fall > 0:
        raise Unproved("grazing: impacts may not accumulate")
    least, most = fall.lower(), fall.upper()
    ratio = (most / least).sqrt()
    if not e * ratio < 1:
        raise Unproved("unsupported: impacts hardly slow down")
    speeds = speed / (1 - e * ratio)
    time = 2 * speeds / least
    kicks = kicked(bodies, rest, (1 + e) * ratio * speeds, tube, values, rolls=rolls)
    rates = place.field.rate.run(BALLS, tube, values)[0]
    return [
        (time * rate.abs_upper() + kick).upper() for rate, kick in zip(rates, kicks, strict=True)
    ]


def kicked(
    bodies: Bodies,
    hit: Rest | Graze,
    speed: arb,
    tube: Sequence[arb],
    values: Sequence[arb],
    *,
    rolls: bool = False,
) -> list[arb]:
    """What impacts at one contact change states by, if they change its normal speed by ``speed``.

    For |Λ_T| ≤ μ Λ_N the normal impulses are no more than that over G_NN - μ|G_NT|.
    """
    row = bodies.row(hit.contact)
    shape, (mu,) = bodies.shape((hit.contact,)).run(BALLS, tube, values)
    G = by_columns(shape, 3, 3)
    one_solution(G, [mu], [row.smooth])
    mu = arb(0) if row.smooth else mu.abs_upper()
    grip = G[0, 0] - mu * (G[0, 1].abs_upper() + G[0, 2].abs_upper())
    if not grip > 0:
        raise Unproved("unsupported: a contact may jam")
    law = bodies.impact(((hit.contact, "stick"),), hit.moving)
    slopes = law.law.slopes.run(BALLS, tube, values, [arb(0)] * len(hit.moving))[3]
    weights = [arb(1) if i == 0 else arb(0) if rolls else mu for i in hit.moving]
    rows = entries(by_columns(slopes, len(tube), len(weights)))
    return [(speed / grip * _sum(row, weights)).abs_upper() for row in rows]


def restitution(bodies: Bodies, contact: str, values: Sequence[arb]) -> arb:
    """That of a contact, which is not negative."""
    found = ca.SX(bodies.row(contact).restitution)
    e = program([bodies.values], [found]).run(BALLS, values)[0][0]
    if not e >= 0:
        raise Unproved("unsupported: restitution may be negative")
    return e


def _sum(row: Sequence[arb], weights: Sequence[arb]) -> arb:
    return sum((w * x.abs_upper() for w, x in zip(weights, row, strict=True)), arb(0))


def settled(bodies: Bodies, place: Place, rest: Rest, front: Front, unknowns: Unknowns) -> Front:
    """The front at rest: around the states ``after``, with no gap and no normal speed."""
    after = tuple(map(unknowns.models.polynomial, rest.after))
    off = (extent(a - c).abs_upper() for a, c in zip(after, front.models(), strict=True))
    sizes = column((x + arb(r)).upper() for x, r in zip(off, rest.reach, strict=True))
    front = Front(after, exact(np.eye(len(after))), sizes, front.units)
    gap = signal_name("gap", rest.contact)
    fixed: set[int] = set()
    for order in (0, 1):
        surface = place.surface(gap, order)
        along, fixed = _direction(bodies, surface.gradient, front, unknowns, fixed)
        front = crossed(front, Field(along, along), surface, unknowns)[0]
    return front


def _direction(
    bodies: Bodies, gradient: Program, front: Front, unknowns: Unknowns, fixed: set[int]
) -> tuple[Program, set[int]]:
    """The state along which a surface falls most, none of the ``fixed``, and which it depends on.

    What lies on the surface stays where it is when all states are moved to it; along which state
    that is done is a matter of taste.
    """
    part = unknowns.parts()[0]
    near, values = front.box(unknowns, part), unknowns.over(unknowns.values, part)
    slopes = [float(x.mid()) for x in gradient.run(BALLS, near, values)[0]]
    free = [i for i in range(len(slopes) - 1) if i not in fixed]
    best = max(free, key=lambda i: abs(slopes[i]), default=None)
    if best is None or not slopes[best]:
        raise Unproved("a contact has nothing to move")
    direction = [ca.SX(0)] * len(slopes)
    direction[best] = ca.SX(-1 if slopes[best] > 0 else 1)
    made = program([bodies.state, bodies.values], [ca.vertcat(*direction)])
    return made, {i for i, x in enumerate(slopes) if x}


def is_rolling(bodies: Bodies, place: Place, contact: str, stuck: bool) -> bool:
    """Whether a contact plainly does not slip while impacts accumulate, nor then.

    It has no tangential speed, or had none after the last impact (``stuck``) and gets none, neither
    in flight nor from normal impulses.
    """
    row = bodies.row(contact)
    speed = bodies.reduced(row.speed[1:])
    parts = [speed]
    if stuck:
        pushed = row.W[:, 1:].T @ bodies.symbolic.inverse_mass @ row.W[:, 0]
        flown = ca.jtimes(speed, bodies.state, place.rate)
        parts = [bodies.reduced(pushed), flown]
    return all(part.is_zero() for column in parts for part in split(column))
