"""A picture of a run that breaks a property: when, how far, and where the bodies were.

In come a run, the property and two moments: the first at which it fails and the worst. Out goes the
picture of the run with one more panel, the margin of the property over time, and both moments
marked on every time axis and on the paths.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dyverse.automaton.guard.robustness import robustness
from dyverse.automaton.run import Run
from dyverse.bodies.describe import claim_text
from dyverse.bodies.world import Property
from dyverse.exporters.plots import ABOVE, COLOURS, INK, fill, titled
from dyverse.exporters.plotted import Drawn, Plotted, plotted, recorder
from dyverse.expr.printing import formula_text
from dyverse.expr.requirement import formulas, plain
from dyverse.expr.value import value
from dyverse.simulation.observing import Row, pour

BROKEN, WORST = "#B00020", "#5E2B97"
HEIGHT = 8.5  # inches
MOST = 5  # formulas of a property whose margins are drawn


@dataclass(frozen=True, slots=True)
class Moment:
    """A time to point at (s)."""

    name: str
    time: float
    colour: str
    line: str


def moments(broken: float, worst: float) -> tuple[Moment, Moment]:
    """When a property first fails, and when it fails most."""
    return Moment("broken", broken, BROKEN, "--"), Moment("worst", worst, WORST, ":")


class Margins:
    """A sink for the margin of each formula of a property, as long as the property is claimed."""

    def __init__(self, claim: Property, known: Mapping[str, float]) -> None:
        self._formulas = tuple(dict.fromkeys(formulas(claim.requirement)))[:MOST]
        self._until = math.inf if claim.until is None else value(claim.until, known)
        self._rows: list[tuple[float, ...]] = []

    def take(self, row: Row) -> None:
        """Keep the margins at one state."""
        if row.state.time <= self._until:
            margins = (robustness(formula, row.known) for formula in self._formulas)
            self._rows.append((row.state.time, *margins))

    @property
    def curves(self) -> list[Drawn]:
        """Margins over time; not a number where they are infinite."""
        rows = np.array(self._rows, dtype=np.float64).reshape(-1, 1 + len(self._formulas))
        times, *columns = np.where(np.isfinite(rows), rows, np.nan).T
        names = map(formula_text, self._formulas)
        return [Drawn(name, times, x) for name, x in zip(names, columns, strict=True)]


def violation_figure(
    run: Run,
    claim: Property,
    known: Mapping[str, float],
    *,
    broken: float,
    worst: float,
    title: str = "",
) -> Figure:
    """The picture of ``run``, which breaks ``claim``; ``known`` are the settings behind it."""
    kept, margins = recorder(run), Margins(claim, known)
    pour(run, [kept, margins])
    data, marks = plotted(run, kept), moments(broken, worst)
    drawing = titled(run, title)
    drawing.set_figheight(HEIGHT)
    panels = fill(drawing, data, extra=("margin",))
    _margins(panels["margin"], margins.curves, claim)
    for name, axes in panels.items():
        if name == "paths" and data.paths:
            _places(axes, run, data, marks)
        else:
            _lines(axes, marks)
    _named(panels["margin"])
    return drawing


def _margins(axes: Axes, curves: Sequence[Drawn], claim: Property) -> None:
    """The margins; of a property that must always hold, what is below zero is filled."""
    axes.axhline(0, color=INK, linewidth=0.8)
    for curve, colour in zip(curves, (INK, *COLOURS), strict=False):
        axes.plot(curve.times, curve.values, color=colour, linewidth=1.3)
    found = plain(claim.requirement)
    if found is not None and found.kind == "always":
        below = np.minimum(curves[0].values, 0)
        axes.fill_between(curves[0].times, 0, below, color=BROKEN, alpha=0.15, linewidth=0)
    axes.set_ylabel("margin", fontsize=9, color=INK)
    axes.set_title(claim_text(claim), fontsize=8, color=INK, loc="right", parse_math=False)


def _lines(axes: Axes, marks: Sequence[Moment]) -> None:
    for mark in marks:
        words = f"{mark.name} at {mark.time:.6g} s"
        line = axes.axvline(mark.time, color=mark.colour, linestyle=mark.line, label=words)
        line.set_clip_on(False)  # the worst is often at the end of the axis


def _named(axes: Axes) -> None:
    axes.legend(fontsize=8, framealpha=0.85, edgecolor="none", ncols=2, **ABOVE)


def _places(axes: Axes, run: Run, data: Plotted, marks: Sequence[Moment]) -> None:
    """Where each body was: a cross in the colour of the moment."""
    names = run.automaton.variables
    for mark in marks:
        values = run.at(mark.time).values
        for path in data.paths:
            x, y = (float(values[names.index(f"{path.name}.{axis}")]) for axis in data.plane)
            axes.plot(x, y, "X", color=mark.colour, markeredgecolor="white", markersize=9, zorder=5)
