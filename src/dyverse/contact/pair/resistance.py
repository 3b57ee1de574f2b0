"""Rolling and spinning resistance: moments at a contact that oppose turning, bounded by its force.

At a contact with normal force λ_N the resistance to rolling is a moment about the tangents, and
that to spinning one about the normal, with Coulomb's law in place of friction:

    ‖M_t‖ ≤ ρ_r λ_N, opposing ω_t = ω - (ω·n) n on the rim,   |M_n| ≤ ρ_s λ_N, opposing ω·n on it,

ω being the spin of b against a; the coefficients ρ are lengths (m). Each is a contact of its own
beside the one that it *follows*: with the same gap, the components of ω in place of the slip
velocity (rad/s), and the normal force of the other by definition. Its first direction pushes
nothing. It sticks while nothing rolls, and slips while something does.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dyverse.contact.pair.kinematics import Pair, Resistance

LISTED = {
    Resistance.ROLLING: ("the moment is about the tangents, and slip is the spin about them",),
    Resistance.SPINNING: ("the moment is about the normal, and slip is the spin about it",),
}


@lru_cache(maxsize=256)
def resisting(pair: Pair, resistance: Resistance) -> Pair:
    """What resists turning where two shapes touch."""
    name = f"{pair.name}_{resistance.value}"
    listed = (*pair.listed, *LISTED[resistance])
    return replace(pair, name=name, listed=listed, flat=False, round=False, resistance=resistance)
