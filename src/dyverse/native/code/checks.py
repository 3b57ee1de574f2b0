"""What has to be true of the numbers of a scene, as expressions: which rows of settings can be.

It is enough to know which rows fail, as `dyverse.bodies.scene.scene` itself says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyverse.bodies.check.sanity import SLIP_SPEEDS
from dyverse.bodies.placed import Scene
from dyverse.bodies.scene import OVERLAP
from dyverse.bodies.world import World
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX, symbolic

UNSURE = 1e-12  # m: overlaps this near to the limit are looked at one by one


@dataclass(frozen=True, slots=True)
class Checks:
    """Expressions that must be finite, positive, and not negative."""

    finite: list[SX]
    positive: list[SX]
    weak: list[SX]


def checks(world: World, scene: Scene) -> Checks:
    """What `dyverse.bodies.scene.scene_problems` looks at."""
    known = scene.values
    laws = [law for rule in world.contacts if (law := rule.law) is not None]
    rubs = [symbolic(w.friction, {**known, "slip_speed": v}) for w in laws for v in SLIP_SPEEDS]
    normal = [symbolic(law.restitution, known) for law in laws]
    tangential = [symbolic(law.tangential_restitution, known) for law in laws]
    return Checks(
        finite=[*known.values(), *_amounts(world, scene), *rubs],
        positive=list(_sizes(world, scene)),
        weak=[
            *rubs,
            *(part for e in normal for part in (e, 1 - e)),
            *(part for e in tangential for part in (1 + e, 1 - e)),
            *(gap + (OVERLAP - UNSURE) for gap in _gaps(scene)),
        ],
    )


def _amounts(world: World, scene: Scene) -> Iterator[SX]:
    """Numbers of any sign."""
    yield from scene.gravity
    for body in scene.bodies:
        yield from (*body.shape.numbers, *body.position, *body.rotation, *body.velocity, *body.spin)
    for spring in world.springs:
        ends = () if isinstance(spring.other, str) else spring.other
        for term in (spring.stiffness, spring.length, spring.damping, *ends):
            yield symbolic(term, scene.values)


def _sizes(world: World, scene: Scene) -> Iterator[SX]:
    """Numbers that must be positive."""
    for body, placed in zip(world.bodies, scene.bodies, strict=True):
        yield from placed.shape.sizes
        masses = (*([body.mass] if body.mass else []), *body.moments)
        yield from (symbolic(term, scene.values) for term in masses)
    ends = [world.horizon, *(claim.until for claim in world.properties)]
    yield from (symbolic(term, scene.values) for term in ends if term is not None)


def _gaps(scene: Scene) -> Iterator[SX]:
    """Distances between surfaces at the start."""
    bodies = {body.name: body for body in scene.bodies}
    for contact in scene.contacts:
        a, b = (bodies[end] for end in contact.ends)
        size = contact.pair.body
        yield contact.pair.gap(
            column([*a.still[:size], *b.still[:size]]), column(list(contact.numbers))
        )
