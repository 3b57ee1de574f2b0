"""Random signals with jumps: straight lines one after the other, as curves and as states."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.expr.formula import Compare, Formula, compare
from dyverse.expr.term import Symbol
from dyverse.simulation.requirement.curves import Cells, Curve
from tests.simulation.requirements import States

NAMES = ("x", "y", "z")
ATOMS: list[Formula] = [compare(name, ">=", 0) for name in NAMES]
FINE = 32  # states of the second road for each second
STEEP = 10.0  # per second, the most that a signal changes by

Line = list[tuple[float, dict[str, float]]]  # times and values, straight in between


def random_lines(draw: Random) -> list[Line]:
    """Stretches of time one after the other; some have no length."""
    found, time = list[Line](), 0.0
    lengths = [draw.choice((0, 0, 1, 2, 3)) for _ in range(draw.randint(1, 4))]
    for length in lengths if any(lengths) else [*lengths, 2]:
        found.append([(time + i, _values(draw)) for i in range(length + 1)])
        time += length
    return found


def _values(draw: Random) -> dict[str, float]:
    return {name: float(draw.randint(-5, 5)) for name in NAMES}


def cut(lines: list[Line], time: float) -> list[Line]:
    """The same with a state at that time: it is one of those that lines are given by."""
    found = []
    for line in lines:
        inside = [i for i, (at, _) in enumerate(line) if at == time and 0 < i < len(line) - 1]
        found += [line[: i + 1] for i in inside] + [line[i:] for i in inside] if inside else [line]
    return found


def cells_of(lines: list[Line]) -> Cells:
    rows = []
    for line in lines:
        first, last = line[0][0], line[-1][0]
        rows += [(first, first)] if first == last else [(first, first), (first, last), (last, last)]
    start, end = np.array(rows).T
    return Cells(start, end)


def curve_of(lines: list[Line], name: str) -> Curve:
    rows, cell = list[tuple[float, float, float, float, float]](), 0
    for line in lines:
        points = [(time, values[name]) for time, values in line]
        rows.append((cell, *points[0], *points[0]))
        if len(points) > 1:
            rows += [(cell + 1, *one, *other) for one, other in pairwise(points)]
            rows.append((cell + 2, *points[-1], *points[-1]))
        cell += 1 if len(points) == 1 else 3
    cells, start, first, end, last = np.array(rows).T
    thirds = (last - first) / 3
    value = np.stack([first, first + thirds, last - thirds, last], axis=1)
    owner = np.zeros(len(cells), dtype=np.intp)
    return Curve(cells.astype(np.intp), start, end, value, owner, np.stack([start, end], axis=1))


def states_of(lines: list[Line], end: float) -> tuple[States, list[int]]:
    """Many states of the lines, and which of them are the points of the cells."""
    times, known, points = list[float](), list[dict[str, float]](), list[int]()
    for line in lines:
        at, first = [time for time, _ in line], len(times)
        grid = np.linspace(at[0], at[-1], round((at[-1] - at[0]) * FINE) + 1)
        times += grid.tolist()
        columns = {n: np.interp(grid, at, [values[n] for _, values in line]) for n in NAMES}
        known += [{n: float(columns[n][i]) for n in NAMES} for i in range(len(grid))]
        points += [first] if len(grid) == 1 else [first, len(times) - 1]

    def margin(comparison: Compare) -> Array:
        assert isinstance(comparison.left, Symbol)
        return np.array([row[comparison.left.name] for row in known])

    return States(np.array(times), margin, end), points
