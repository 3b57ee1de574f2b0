"""Contacts that may be touched: what a light impact, which some runs have and others not, changes.

In free flight the gap is convex, g'' > 0, as long as states stay in a tube. So speeds of approach
are no more than at the beginning, where g' ≥ -V; a contact that was hit once is not hit again; and
one impact changes the normal speed by no more than (1 + e)V. What its impulses change, δ, has grown
to exp(|J|T)|δ| after a time T at most. That must be less than the tube allows for.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from flint import arb

from dyverse.certificate.bodies import Bodies
from dyverse.certificate.file import Graze, Unproved
from dyverse.certificate.place import Place
from dyverse.certificate.rest import kicked, restitution
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Front, Step, Tube, Unknowns, advanced
from dyverse.enclosure.matrix import by_columns, column, exact, upper
from dyverse.enclosure.taylor import extent
from dyverse.generation.skeleton.names import signal_name

PIECES = 16  # of the step, in one of which the impact is


def grazed(
    bodies: Bodies, place: Place, graze: Graze, step: Step, front: Front, unknowns: Unknowns
) -> tuple[Front, Tube]:
    """The front after a step in which a contact may be hit, and all states on the way."""
    models, gap = unknowns.models, signal_name("gap", graze.contact)
    found = place.derivative(gap, 1).run(models.ring, front.models(), unknowns.values)[0]
    speed = arb(0).max(-extent(found[0]).lower())
    after, tube = advanced(front, place.field, step, unknowns)
    reach = [arb(r) for r in graze.reach]
    if not all(r >= 0 for r in reach):
        raise Unproved("a graze has a reach that is less than nothing")
    tube = replace(tube, spread=tuple(w + r for w, r in zip(tube.spread, reach, strict=True)))
    values, n = list(map(extent, unknowns.values)), len(reach)
    change = (1 + restitution(bodies, graze.contact, values)) * speed
    kicks = [arb(0)] * n
    for k in range(PIECES):
        box = tube.box(2 * k / PIECES - 1, 2 * (k + 1) / PIECES - 1)
        if not place.derivative(gap, 2).run(BALLS, box, values)[0][0] > 0:
            raise Unproved(f"grazing: {gap} may come to zero more than once")
        more = kicked(bodies, graze, change, box, values)
        kicks = [a.max(b) for a, b in zip(kicks, more, strict=True)]
    jacobian = by_columns(place.field.jacobian.run(BALLS, tube.hull(), values)[0], n, n)
    time = 2 * extent(models.polynomial(step.pace)).abs_upper()
    grown = upper((upper(jacobian) * time).exp()) * column(kicks)
    if not all(way < r for way, r in zip(grown.entries(), reach, strict=True)):
        raise Unproved("too wide: what a graze changes cannot be enclosed")
    sizes = upper(upper(after.frame) * after.sizes + column(reach))
    return replace(after, frame=exact(np.eye(n)), sizes=sizes), tube
