"""How closely guards are read. Every equality of the paper's guards is meant up to one of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerances:
    """SI units. The defaults suit bodies of centimetres to metres and seconds to minutes."""

    gap: float = 1e-9  # m: closer than this is touching
    speed: float = 1e-9  # m/s: slower than this along the normal is neither closing nor opening
    slip: float = 1e-8  # m/s: faster than this along the surface, a contact has begun to slip
    acceleration: float = 1e-9  # m/s²: forces are compared through the acceleration they cause
    rest: float = 1e-11  # m: a contact that would only bounce this high has come to rest

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


DEFAULT = Tolerances()
