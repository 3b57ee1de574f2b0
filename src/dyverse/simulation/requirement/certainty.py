"""When a violation may become certain: the times at which something changes, moved by windows.

Whether a run breaks a requirement, as far as it is known, depends on where atoms are negative and
on which of these stretches the windows reach. So it changes where an atom changes its sign or a
cell ends, or as much before or after that as windows begin and end. These times are looked at
first; between two of them it is a search like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.simulation.requirement.curves import Curve, roots
from dyverse.simulation.requirement.pieces import Work
from dyverse.simulation.requirement.temporal import All, Leaf, Plan, Some, Until, Window, Within
from dyverse.simulation.requirement.watched import Curves

FINE = 1e-12  # of the time
BESIDE = 16.0  # times that: windows that end so near to a time end at it
MOST = 2000  # sums of the ends of windows: enough for five windows that all differ

IsCertain = Callable[[float], bool]


def certain_from(is_certain: IsCertain, plan: Plan, curves: Curves) -> Work[float]:
    """The time from which on it is certain (s), where at the end it is."""
    low, high = 0.0, float(curves.cells.end[-1])
    if is_certain(low):
        return low
    times, fine = _changes(plan, curves), BESIDE * FINE * max(1.0, high)
    times = times[(times > low) & (times < high)]
    found = high
    while len(times):
        yield
        middle = float(times[len(times) // 2])
        if is_certain(middle + fine):
            found, high, times = middle, middle + fine, times[times < middle]
        else:
            low, times = middle + fine, times[times > middle + 2 * fine]
    if found - fine <= low or not is_certain(found - fine):
        return found
    high = found - fine
    while high - low > fine / BESIDE:
        yield
        middle = (low + high) / 2
        low, high = (low, middle) if is_certain(middle) else (middle, high)
    return high


def _changes(plan: Plan, curves: Curves) -> Array:
    """Times at which an atom changes its sign or a cell ends, moved by windows, in order."""
    own = [curves.cells.end, *(_sign_changes(curve) for curve in curves.atoms)]
    moved = np.zeros(1)
    for ends in sorted(set(_windows(plan))):
        if len(moved) <= MOST:
            moved = np.unique(np.add.outer(moved, [0.0, *ends, *(-end for end in ends)]))
    return np.unique(np.add.outer(np.unique(np.concatenate(own)), moved))


def _sign_changes(curve: Curve) -> Array:
    ends = curve.value[:, [0, 3]] >= 0
    between = np.flatnonzero(ends[1:, 0] != ends[:-1, 1]) + 1
    inside = np.flatnonzero(ends[:, 0] != ends[:, 1])
    share = roots(curve.value[inside], np.zeros(len(inside)))
    row, column = np.nonzero(~np.isnan(share))
    length = (curve.end - curve.start)[inside]
    found = curve.start[inside][row] + share[row, column] * length[row]
    return np.concatenate([curve.start[between], curve.start[inside], curve.end[inside], found])


def _windows(plan: Plan) -> Iterator[tuple[float, float]]:
    window: Window = None
    match plan:
        case Leaf():
            return
        case All(parts=below) | Some(parts=below):
            pass
        case Within(part=part, window=window):
            below = (part,)
        case Until(left=left, right=right, window=window):
            below = (left, right)
        case _:
            assert_never(plan)
    if window is not None:
        yield window
    for part in below:
        yield from _windows(part)
