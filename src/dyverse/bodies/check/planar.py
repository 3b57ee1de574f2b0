"""What can be wrong with bodies that are to stay in planes."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.bodies.amounts import Known, number, short_text, span_of
from dyverse.bodies.pairs import Rules
from dyverse.bodies.shape.interface import Endless
from dyverse.bodies.world import AXES, Body, World
from dyverse.errors import Problem


def leaving_problems(body: Body, known: Known) -> Iterator[Problem]:
    """A body that starts out of its plane: along the axis across it, or turning about another."""
    if body.across is None:
        return
    axis = AXES[body.across]
    for i, (speed, spin) in enumerate(zip(body.velocity, body.spin, strict=True)):
        term, what = (speed, "velocity") if i == body.across else (spin, "spin")
        amount = number(term, known)
        if amount:
            how = f"moves across {axis} and turns about it"
            message = f"the {what} of body {body.name!r} leaves its plane by {short_text(amount)}"
            yield Problem(f"{message}; in a planar scene it {how} alone", span_of(term, body.span))


def facing_problems(world: World, known: Known) -> Iterator[Problem]:
    """Planes that nothing can come nearer to, for all move along them."""
    if world.planar is None:
        return
    for body in world.bodies:
        if not isinstance(body.shape, Endless) or body.turns is not None:
            continue
        normal = [number(term, known) for term in body.shape.numbers]
        along = [x for i, x in enumerate(normal) if i != world.planar]
        if any(x is None or x != 0 for x in along) or not _is_met(world, body):
            continue
        message = f"in a planar scene nothing comes nearer to {body.name!r}, nor leaves it"
        hint = f"turn its normal into the plane, or write 'contact' and 'off' for {body.name!r}"
        yield Problem(f"{message}; {hint}", span_of(body.shape.numbers[0], body.span))


def _is_met(world: World, plane: Body) -> bool:
    """Whether a body can touch it by the rules of contact."""
    rules = Rules(world)
    return any(rules.pair(plane, body) for body in world.bodies if body is not plane)
