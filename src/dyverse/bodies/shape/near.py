"""Which of many balls are so near one another that they may overlap; no pair by itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ROUNDING = 1e-12  # of the lengths that a distance is computed from


def near_pairs(centres: Array, radii: Array) -> Iterator[tuple[int, int]]:
    """Two by two, the balls that overlap or may by rounding; ``centres`` is (n, 3).

    They are swept along the axis over which they are spread most: only those that are side by side
    there are looked at.
    """
    if not len(radii):
        return
    along = centres[:, int(np.ptp(centres, axis=0).argmax())]
    order = np.argsort(along - radii)
    low, high = (along - radii)[order], (along + radii)[order]
    ends = np.searchsorted(low, high, side="right")
    for place, end in enumerate(ends.tolist()):
        one, others = order[place], order[place + 1 : end]
        reach = (radii[one] + radii[others]) * (1 + ROUNDING)
        apart = np.linalg.norm(centres[others] - centres[one], axis=1)
        for other in others[apart <= reach].tolist():
            yield (int(one), other) if one < other else (other, int(one))
