"""How closely guards are read. Every equality of the paper's guards is meant up to one of these."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.placed import Scene
from dyverse.bodies.world import World
from dyverse.mechanics.contacts import HEAP, PILE

USUAL_SPEEDS = 0.01, 100.0  # m/s: for scenes that move like this the defaults are meant
DIGITS = 2.0**-44  # of the extent of a scene: 256 times what its numbers are apart
GRAIN = 1e-4  # of the smallest body that moves: in a heap nothing shorter is followed


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerances:
    """SI units. The defaults suit bodies of centimetres to metres and seconds to minutes."""

    gap: float = 1e-9  # m: closer than this is touching
    speed: float = 1e-9  # m/s: slower than this along the normal is neither closing nor opening
    slip: float = 1e-8  # m/s: faster than this along the surface, a contact has begun to slip
    acceleration: float = 1e-9  # m/s²: forces are compared through the acceleration they cause
    rest: float = 1e-11  # m: a contact by itself that would only bounce this high is at rest
    heap: float = 1e-5  # m: in a heap, no bounce or slip that goes no further than this is one

    @property
    def standstill(self) -> float:
        """Slower than this along the surface, a contact is at rest and may stick (m/s).

        It is well below where slip begins, so that what has begun goes on.
        """
        return self.slip / 2

    @property
    def spent(self) -> float:
        """A slip that has become slower than this has come to rest (m/s).

        It is far below the slip of others, whose direction must not turn when this is taken out.
        """
        return self.slip / 200

    def unseen(self, company: NDArray[np.intp]) -> Array:
        """How far (m) bodies go without moving, where so many of them share contacts, (n,).

        Nowhere but in a pile, there by what counts as touching, and in a heap by ``heap``.
        """
        return np.select([company >= HEAP, company >= PILE], [self.heap, self.gap], 0.0)

    def brief(self, rates: Array, company: NDArray[np.intp]) -> Array:
        """The speeds (m/s) of slips that are brief, gaining or losing speed at ``rates`` (m/s²).

        From standstill, or to it, ``v²/2a`` is no further than what is `unseen`.
        """
        return np.sqrt(2 * self.unseen(company) * np.maximum(rates, 0.0))


DEFAULT = Tolerances()


def tolerances_of(world: World, scene: Scene) -> Tolerances:
    """The tolerances that suit a scene: those of speed to its pace, those of length to its extent.

    An elastic impact at a billionth of a metre per second is an impact where nothing is faster.
    """
    pace, gap = _pace(world, scene), max(DEFAULT.gap, DIGITS * extent(scene))
    return Tolerances(
        gap=gap,
        speed=DEFAULT.speed * pace,
        slip=DEFAULT.slip * pace,
        acceleration=DEFAULT.acceleration * pace**2,
        rest=DEFAULT.rest * gap / DEFAULT.gap,
        heap=max(gap, min(DEFAULT.heap, GRAIN * _smallest(scene))),
    )


def _smallest(scene: Scene) -> float:
    """How large the smallest body that moves is (m): how far it reaches from its position."""
    moving = (body for body in scene.bodies if not body.fixed)
    return min((body.shape.reach for body in moving), default=math.inf)


def extent(scene: Scene) -> float:
    """How far from the origin bodies are at the start (m), and how large."""
    sizes = (reach for body in scene.bodies if (reach := body.shape.reach) < math.inf)
    return max((*(math.hypot(*body.position) for body in scene.bodies), *sizes), default=0.0)


def _pace(world: World, scene: Scene) -> float:
    """How much slower or faster than usual a scene is; 1 if what acts on it is not known ahead."""
    if world.loads or world.springs or world.inputs or world.joints:
        return 1.0
    speeds = [math.hypot(*body.velocity) for body in scene.bodies]
    moving = [body for body in scene.bodies if not body.fixed and body.shape.reach < math.inf]
    speeds += [body.shape.reach * math.hypot(*body.spin) for body in moving]
    speeds.append(math.sqrt(2 * math.hypot(*scene.gravity) * extent(scene)))
    fastest, (low, high) = max(speeds), USUAL_SPEEDS
    return fastest / min(max(fastest, low), high) if fastest > 0 else 1.0
