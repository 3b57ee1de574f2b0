"""Pictures of a search for violations: how its effort grew, and what it saw of the ranges.

The record of a search by the published algorithms is drawn as in [navarro2018] Figures 11 to 13:
simulated time against solver calls, clauses with one, two and more literals against simulated time,
and iterations of the solver against clauses. Other searches are drawn as their least margin against
the number of runs and, for one or two unknowns, their margins over the unknowns, coloured by path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.exporters.plots import ABOVE, COLOURS, INK, dress

MOST_PATHS = len(COLOURS) - 1  # with a colour of their own; the last is for all others
BROKEN = "#B00020"
SQUEEZED = 3  # least over typical margin from which the axis of margins is not linear

Record = Sequence[Mapping[str, float]]  # rows of time, calls, clauses1 to clauses3, iterations


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Samples:
    """What a search saw: rows are points."""

    names: tuple[str, ...]  # of the unknowns
    points: Array  # (n, unknowns)
    margins: Array  # (n,), negative where the property is broken
    paths: tuple[str, ...]  # (n,), equal for runs through the same events
    runs: Array  # (n,), how many runs had been made


def record_figure(record: Record) -> Figure:
    """The three pictures of a search by the published algorithms.  [navarro2018] Figs. 11 to 13"""
    drawing, (calls, size, effort) = _axes(3)
    time = _column(record, "time")
    calls.step(_column(record, "calls"), time, where="post", color=INK, linewidth=1.1)
    _label(calls, "calls of the solver", "simulated time (s)")
    for key, literals, colour, mark in (
        ("clauses1", "one literal", COLOURS[0], "o"),
        ("clauses2", "two literals", COLOURS[1], "s"),
        ("clauses3", "three or more", COLOURS[2], "^"),
    ):
        clauses, iterations = _column(record, key), _column(record, "iterations")
        look: dict[str, Any] = {"color": colour, "marker": mark, "label": literals}
        size.plot(time, clauses, linestyle="none", markersize=3, **look)
        effort.scatter(clauses, iterations, s=12, alpha=0.6, **look)
    _label(size, "simulated time (s)", "clauses in a formula")
    _label(effort, "clauses in a formula", "iterations to solve it")
    for axes in (size, effort):
        axes.legend(fontsize=8, edgecolor="none")
    return drawing


def samples_figure(samples: Samples) -> Figure:
    """How the search came down, and what it saw of the ranges."""
    samples = _open(samples)
    count = len(samples.names)
    drawing, panels = _axes(1 + (count if count in (1, 2) else 0))
    _progress(panels[0], samples)
    if count == 1:
        _over_one(panels[1], samples)
    if count == 2:
        _margins_over_two(drawing, panels[1], samples)
        _paths_over_two(panels[2], samples)
    return drawing


def _open(samples: Samples) -> Samples:
    """Without the unknowns whose range is a single number."""
    places = np.flatnonzero(np.ptp(samples.points, axis=0) > 0)
    names = tuple(samples.names[place] for place in places)
    return replace(samples, names=names, points=samples.points[:, places])


def _axes(number: int) -> tuple[Figure, list[Axes]]:
    drawing = Figure(figsize=(11 if number > 1 else 6, 3.8), layout="constrained")
    panels = drawing.subplots(1, number, squeeze=False)[0].tolist()
    for axes in panels:
        dress(axes)
    return drawing, panels


def _label(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x, fontsize=9, color=INK)
    axes.set_ylabel(y, fontsize=9, color=INK)


def _column(record: Record, key: str) -> Array:
    return np.array([row[key] for row in record], dtype=np.float64)


def _progress(axes: Axes, samples: Samples) -> None:
    """The least margin so far; points are the margins themselves."""
    finite = np.where(np.isfinite(samples.margins), samples.margins, np.inf)
    least = np.minimum.accumulate(finite)
    axes.plot(samples.runs, samples.margins, ".", color="#BBBBBB", markersize=3, label="of a run")
    axes.step(samples.runs, least, where="post", color=INK, linewidth=1.3, label="least so far")
    _zero(axes)
    _squeeze(axes, samples.margins)
    _label(axes, "runs", "margin")
    axes.legend(fontsize=8, edgecolor="none")


def _squeeze(axes: Axes, margins: Array) -> None:
    """Show what is near zero where a few margins are far larger than the others."""
    sizes = np.abs(margins[np.isfinite(margins)])
    typical = float(np.median(sizes)) if len(sizes) else 0.0
    if typical > 0 and sizes.max() > 10**SQUEEZED * typical:
        axes.set_yscale("symlog", linthresh=typical)


def _zero(axes: Axes) -> None:
    axes.axhline(0, color=BROKEN, linewidth=0.8, linestyle="--")


def _over_one(axes: Axes, samples: Samples) -> None:
    """Margins over the unknown, each path in its colour."""
    for label, colour, rows in _by_path(samples.paths):
        order = rows[np.argsort(samples.points[rows, 0], kind="stable")]
        x, y = samples.points[order, 0], samples.margins[order]
        axes.plot(x, y, ".", color=colour, markersize=4, label=label)
    _zero(axes)
    _squeeze(axes, samples.margins)
    _label(axes, samples.names[0], "margin")
    _key(axes)


def _margins_over_two(drawing: Figure, axes: Axes, samples: Samples) -> None:
    """The plane of the unknowns; red where the property is broken, blue where it is kept."""
    rows = np.flatnonzero(np.isfinite(samples.margins))
    margins = samples.margins[rows]
    reach = float(np.percentile(np.abs(margins), 95)) if len(rows) else 0.0
    scale = TwoSlopeNorm(0.0, -(reach or 1.0), reach or 1.0)
    x, y = samples.points[rows].T
    shades = axes.scatter(x, y, c=margins, s=8, cmap="RdBu", norm=scale)
    bar = drawing.colorbar(shades, ax=axes, extend="both")
    bar.set_label("margin", fontsize=9, color=INK)
    bar.ax.tick_params(labelsize=8)
    _label(axes, *samples.names)


def _paths_over_two(axes: Axes, samples: Samples) -> None:
    """The same plane; each path in its colour, crosses where the property is broken."""
    broken = samples.margins < 0
    for label, colour, rows in _by_path(samples.paths):
        kept = rows[~broken[rows]]
        axes.plot(*samples.points[kept].T, ".", color=colour, markersize=4, label=label)
        axes.plot(*samples.points[rows[broken[rows]]].T, "x", color=colour, markersize=4)
    _label(axes, *samples.names)
    _key(axes)


def _key(axes: Axes) -> None:
    look: dict[str, Any] = {"fontsize": 7, "edgecolor": "none", "markerscale": 2}
    axes.legend(ncols=4, handletextpad=0, columnspacing=0.8, **look, **ABOVE)


def _by_path(paths: Sequence[str]) -> list[tuple[str, str, NDArray[np.intp]]]:
    """A name, a colour and the rows of each path, as `ranked`; the rest together."""
    names, order = np.array(paths), ranked(paths)
    shown, rest = order[:MOST_PATHS], order[MOST_PATHS:]
    groups = {f"path {i + 1}": [path] for i, path in enumerate(shown)}
    groups |= {f"{len(rest)} other paths": rest} if rest else {}
    return [
        (label, colour, np.flatnonzero(np.isin(names, group)))
        for (label, group), colour in zip(groups.items(), COLOURS, strict=False)
    ]


def ranked(paths: Sequence[str]) -> list[str]:
    """The different paths, the commonest first: path 1, path 2 and so on of the pictures."""
    return [path for path, _ in Counter(paths).most_common()]
