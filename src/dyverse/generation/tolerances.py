"""How closely guards are read. Every equality of the paper's guards is meant up to one of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerances:
    """SI units. The defaults suit bodies of centimetres to metres and seconds to minutes."""

    gap: float = 1e-9  # m: closer than this is touching
    speed: float = 1e-9  # m/s: slower than this along the normal is neither closing nor opening
    slip: float = 1e-8  # m/s: slower than this along the surface may stick
    acceleration: float = 1e-9  # m/s²: forces are compared through the acceleration they cause
    rest: float = 1e-11  # m: a contact that would only bounce this high has come to rest


DEFAULT = Tolerances()
