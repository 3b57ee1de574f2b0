"""What discs and cylinders touch planes with: their rims, and feet that carry them when flat."""

from __future__ import annotations

from typing import Any

from dyverse.bodies.shape.interface import Feature
from dyverse.contact.pair.kinematics import Hold

FEET = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))  # around the axis
INSET = 0.98  # of the radius: where feet are, so that none touches while the rim rolls
FOOT_NAMES = tuple(f"foot{i}" for i in range(1, 9))


def rim(name: str, radius: Any, rounding: Any, height: Any) -> Feature[Any]:
    """A circle across the body's z, with a thickness of ``rounding``."""
    lies = (0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0)
    return Feature("rim", (radius, rounding, *lies), Hold.TURNED, name, ("radius", "rounding"))


def feet(radius: Any, half: Any) -> tuple[Feature[Any], ...]:
    """Four points of each end, the first end at negative z: a rim that lies flat has no lowest one.

    They are a fiftieth of the radius inside of the rim.
    """
    ends = ((x, y, z) for z in (-half, half) for x, y in FEET)
    return tuple(
        Feature("sphere", (0.0, INSET * x * radius, INSET * y * radius, z), Hold.PLACED, name)
        for name, (x, y, z) in zip(FOOT_NAMES, ends, strict=True)
    )
