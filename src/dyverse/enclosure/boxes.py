"""Boxes: an interval for each of some names, and how they are joined, cut and compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product

from flint import arb

from dyverse.enclosure.interval import Interval, hull_of

Box = Mapping[str, Interval]
TRIFLE = 1e-9  # relative: what rounding may add up to


def hull(*parts: Interval) -> Interval:
    """The least interval with all of ``parts`` in it."""
    return min(part[0] for part in parts), max(part[1] for part in parts)


def within(inner: Interval, outer: Interval) -> bool:
    """Whether all of ``inner`` lies in ``outer``."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def inflated(interval: Interval, share: float) -> Interval:
    """Wider by a ``share`` of its width at each end, and by a trifle where it has none."""
    width = interval[1] - interval[0]
    more = share * width + 1e-12 * (1 + abs(interval[0])) if math.isfinite(width) else 0.0
    return interval[0] - more, interval[1] + more


def extended(interval: Interval, more: float) -> Interval:
    """Longer by ``more`` at each end."""
    low, high = arb(interval[0]) - arb(more), arb(interval[1]) + arb(more)
    return hull_of(low)[0], hull_of(high)[1]


def joined(a: Box, b: Box) -> Box:
    """The least box around both."""
    return {name: hull(a[name], b[name]) for name in a}


def cut(ranges: Mapping[str, Interval], pieces: int) -> list[Box]:
    """The boxes that a product of ranges falls into, each range in as many pieces."""
    rows = [[(name, part) for part in _pieces(*ends, pieces)] for name, ends in ranges.items()]
    return [dict(row) for row in product(*rows)]


def _pieces(low: float, high: float, count: int) -> Iterator[Interval]:
    ends = [low + (high - low) * n / count for n in range(count)] + [high]
    return pairwise(ends)


def covers(outer: Box, inner: Box, names: Iterable[str]) -> bool:
    """Whether ``inner`` lies in ``outer`` as far as ``names`` go."""
    return all(within(inner[name], outer[name]) for name in names)


def is_near(a: Box, b: Box) -> bool:
    """Whether two boxes differ by no more than rounding."""
    ends = ((x, y) for name in a for x, y in zip(a[name], b[name], strict=True))
    return all(x == y or abs(x - y) <= TRIFLE * (1 + abs(x)) for x, y in ends)


def widened(old: Box, new: Box) -> dict[str, Interval]:
    """A box around both; ends of ``new`` outside of ``old`` go outwards to a grid.

    On a grid, what goes round in a circle comes to the same numbers again.
    """
    return {name: _widened(old[name], new[name]) for name in old}


def _widened(old: Interval, new: Interval) -> Interval:
    low = old[0] if old[0] <= new[0] else -_upwards(-new[0])
    return low, old[1] if old[1] >= new[1] else _upwards(new[1])


def _upwards(end: float) -> float:
    """The next number on a grid of about a billionth."""
    if not math.isfinite(end):
        return end
    grid = 2.0 ** (math.frexp(max(1.0, abs(end)))[1] - 30)
    return math.ceil(end / grid) * grid
