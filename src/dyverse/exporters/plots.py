"""A picture of a run: paths of the bodies, gaps, energy, and the mode of each contact over time.

In comes a run, out goes a figure, written as PNG, SVG or PDF by its suffix. What is drawn is
gathered in `dyverse.exporters.plotted`, without matplotlib; here it gets its looks.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Polygon

from dyverse.automaton.run import Run
from dyverse.errors import ExportError, visible
from dyverse.exporters.atomic import replacing
from dyverse.exporters.plotted import Drawn, Path2D, Plotted, plotted, recorder
from dyverse.exporters.table import Kept
from dyverse.simulation.observing import pour

SUFFIXES = (".png", ".svg", ".pdf")
DPI = 150
MOST_NAMED = 10  # entries of a legend
MOST_MARKS = 200  # impacts marked one by one

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MODE_COLOURS = {"slip": "#E69F00", "trans": "#F0E442", "stick": "#0072B2"}
ABOVE: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
OPEN, INK, SOLID = "#E6E6E6", "#333333", "#D9D9D9"


def plot_run(run: Run, path: str | Path, *, title: str = "") -> None:
    """Write the picture of ``run`` to ``path``."""
    check_suffix(path)
    save(run_figure(run, title=title), path)


def run_figure(run: Run, *, title: str = "") -> Figure:
    """The picture of ``run``, which is observed for it."""
    kept = recorder(run)
    pour(run, [kept])
    return figure(run, kept, title=title)


def check_suffix(path: str | Path) -> None:
    """Refuse a kind of picture that is not written."""
    if Path(path).suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise ExportError(f"{path}: a picture is written by its suffix, one of {known}")


def save(drawing: Figure, path: str | Path) -> None:
    """Write a figure, in full or not at all."""
    data = BytesIO()  # on a full disk matplotlib fails in ways of its own
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name in letters that the font does not have
        drawing.savefig(data, dpi=DPI, format=Path(path).suffix.lower()[1:])
    with replacing(path) as beside:
        beside.write_bytes(data.getvalue())


def figure(run: Run, kept: Kept, *, title: str = "") -> Figure:
    """The picture of ``run`` as a figure; ``kept`` holds the columns of its `recorder`."""
    drawing = titled(run, title)
    if run.arcs:  # else it ended before any time had passed
        fill(drawing, plotted(run, kept))
    return drawing


def titled(run: Run, title: str) -> Figure:
    """An empty figure that says how ``run`` ended."""
    drawing = Figure(figsize=(11, 7), layout="constrained")
    text = ": ".join(filter(None, [visible(title), _summary(run)]))
    drawing.suptitle(text, fontsize=11, color=INK, parse_math=False)
    return drawing


def fill(drawing: Figure, data: Plotted, *, extra: Sequence[str] = ()) -> dict[str, Axes]:
    """Draw all panels, by name; those in ``extra`` come first among the curves and stay empty."""
    panels = _panels(drawing, data, extra)
    _paths(panels["paths"], data) if data.paths else _variables(panels["paths"], data)
    if "gaps" in panels:
        _gaps(panels["gaps"], data)
    if "energy" in panels:
        _energy(panels["energy"], data)
    if "modes" in panels:
        _modes(panels["modes"], data)
    drawing.align_ylabels()
    return panels


def _summary(run: Run) -> str:
    time = run.end.time if run.parts else 0.0
    count = len(run.events)
    return f"{count} event{'s' * (count != 1)} in {time:.4g} s (stopped: {run.stop})"


def _panels(drawing: Figure, data: Plotted, extra: Sequence[str]) -> dict[str, Axes]:
    """A wide scene goes on top of the curves, another one to their left."""
    curves = ["gaps", "energy", "modes"] if data.contacts else ["energy"]
    curves = [*extra, *(curves if data.energy is not None else [])]
    heights = [_height(name, data) for name in curves]
    rows: list[Any]  # matplotlib's type for a mosaic refuses lists of lists
    if data.wide or not curves:
        rows = [["paths"], *([name] for name in curves)]
        panels = drawing.subplot_mosaic(rows, height_ratios=[2.0, *heights])
    else:
        rows = [["paths", name] for name in curves]
        panels = drawing.subplot_mosaic(rows, height_ratios=heights, width_ratios=[1.0, 1.25])
    for name, axes in panels.items():
        dress(axes)
        if name != "paths":
            _time_axis(axes, data, last=name == curves[-1])
    return panels


def _height(name: str, data: Plotted) -> float:
    return 0.25 + 0.11 * len(data.contacts) if name == "modes" else 1.0


def dress(axes: Axes) -> None:
    """The looks of every panel."""
    axes.tick_params(labelsize=8, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, color="#EEEEEE", linewidth=0.8)
    axes.set_axisbelow(True)


def _time_axis(axes: Axes, data: Plotted, *, last: bool) -> None:
    axes.set_xlim(data.start, data.end if data.end > data.start else data.start + 1)
    axes.tick_params(labelbottom=last)
    if last:
        axes.set_xlabel("time (s)", fontsize=9, color=INK)


def _colours(number: int) -> list[str]:
    """As many colours: the palette, or shades that differ in lightness too."""
    if number <= len(COLOURS):
        return list(COLOURS[:number])
    shades = colormaps["viridis"](np.linspace(0, 0.82, number))
    return [to_hex(shade) for shade in shades]


def _legend(axes: Axes, **place: Any) -> None:  # whatever matplotlib's legend takes
    axes.legend(fontsize=8, framealpha=0.85, edgecolor="none", **place)


def _paths(axes: Axes, data: Plotted) -> None:
    """Where the bodies went, circles to scale: dashed first, thin at impacts, filled at the end."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"{data.plane[0]} (m)", fontsize=9, color=INK)
    axes.set_ylabel(f"{data.plane[1]} (m)", fontsize=9, color=INK)
    for path, colour in zip(data.paths, _colours(len(data.paths)), strict=True):
        _path(axes, path, colour)
    axes.update_datalim(data.limits)
    axes.margins(0)
    axes.autoscale_view()
    _solids(axes, data)
    _key(axes, data)


def _path(axes: Axes, path: Path2D, colour: str) -> None:
    axes.plot(*path.points.T, color=colour, linewidth=1.3, label=path.name, zorder=3)
    marks = [Circle((float(x), float(y)), path.radius) for x, y in path.impacts]
    axes.add_collection(
        PatchCollection(marks, facecolor="none", edgecolor=colour, linewidth=0.5, alpha=0.45)
    )
    start, end = (tuple(path.points[row].tolist()) for row in (0, -1))
    axes.add_patch(Circle(start, path.radius, fill=False, edgecolor=colour, linestyle="--"))
    axes.add_patch(
        Circle(end, path.radius, facecolor=f"{colour}55", edgecolor=colour, linewidth=1.3)
    )
    axes.plot(*end, marker="o", markersize=3, color=colour, zorder=4)


def _solids(axes: Axes, data: Plotted) -> None:
    """What never moves: half-spaces as far as the eye can see, and fixed balls."""
    (low, high), middle = data.limits, (data.limits[0] + data.limits[1]) / 2
    far = 50 * float(np.max(high - low))
    for point, normal in data.edges:
        foot = middle - normal * float(normal @ (middle - point))
        along = far * np.array([-normal[1], normal[0]])
        corners = [foot - along, foot + along, foot + along - far * normal]
        corners.append(foot - along - far * normal)
        shape = Polygon(corners, facecolor=SOLID, edgecolor=INK, linewidth=0.8, zorder=0.5)
        axes.add_artist(shape)
    for centre, radius in data.fixed:
        axes.add_artist(
            Circle((centre[0], centre[1]), radius, facecolor=SOLID, edgecolor=INK, zorder=0.5)
        )


def _key(axes: Axes, data: Plotted) -> None:
    looks: dict[str, dict[str, Any]] = {
        "start (dashed)": {"markerfacecolor": "none"},
        "impact (thin)": {"markerfacecolor": "none", "markeredgewidth": 0.4},
        "end": {"markerfacecolor": f"{INK}55"},
    }
    handles, _ = axes.get_legend_handles_labels()
    if len(data.paths) > MOST_NAMED:
        handles = [Line2D([], [], color=INK, label=f"{len(data.paths)} bodies")]
    blank: dict[str, Any] = {"marker": "o", "markersize": 7, "linestyle": "none", "color": INK}
    handles += [Line2D([], [], label=name, **blank, **look) for name, look in looks.items()]
    _legend(axes, handles=handles, ncols=9 if data.wide else 4, **ABOVE)


def _variables(axes: Axes, data: Plotted) -> None:
    """An automaton without bodies: its variables over time."""
    _curves(axes, data.variables, most=MOST_NAMED)
    axes.set_xlabel("time (s)", fontsize=9, color=INK)


def _gaps(axes: Axes, data: Plotted) -> None:
    """Gaps of the contacts shown; a contact far away leaves the picture at the top."""
    _curves(axes, data.gaps, most=6 if data.wide else 4)
    if data.left_out:
        shown, every = len(data.contacts), len(data.contacts) + data.left_out
        text = f"{shown} of {every} contacts, coloured as below"
        axes.set_title(text, fontsize=8, color=INK, loc="left")
    axes.set_ylabel("gap (m)", fontsize=9, color=INK)
    axes.set_ylim(-0.03 * data.widest_gap, 1.05 * data.widest_gap)


def _curves(axes: Axes, curves: Sequence[Drawn], *, most: int) -> None:
    for curve, colour in zip(curves, _colours(len(curves)), strict=True):
        axes.plot(curve.times, curve.values, color=colour, linewidth=1.1, label=curve.name)
    if 0 < len(curves) <= most:
        _legend(axes, ncols=most, **ABOVE)


def _energy(axes: Axes, data: Plotted) -> None:
    assert data.energy is not None
    axes.plot(data.energy.times, data.energy.values, color=INK, linewidth=1.3)
    low, high = np.nanmin(data.energy.values), np.nanmax(data.energy.values)
    room = max(0.08 * (high - low), 0.02 * max(abs(low), abs(high)), 1e-12)
    axes.set_ylim(low - room, high + room)
    axes.set_ylabel("energy (J)", fontsize=9, color=INK)
    axes.ticklabel_format(axis="y", useOffset=False)


def _modes(axes: Axes, data: Plotted) -> None:
    """One band per contact, the first on top; impacts are small strokes across it."""
    number = len(data.contacts)
    for row, name in enumerate(data.contacts):
        axes.broken_barh([(data.start, data.end - data.start)], (row - 0.32, 0.64), color=OPEN)
        for mode, spans in data.modes[name].items():
            axes.broken_barh(spans, (row - 0.32, 0.64), color=MODE_COLOURS[mode], linewidth=0.4)
        times = data.impacts[name]
        strokes = [[(t, row - 0.42), (t, row + 0.42)] for t in times]
        faint = 0.9 if len(times) <= MOST_MARKS else 0.4
        axes.add_collection(LineCollection(strokes, colors=INK, linewidths=0.8, alpha=faint))
    axes.set_yticks(range(number), data.contacts)
    axes.set_ylim(number - 0.4, -0.6)
    axes.grid(False, axis="y")
    for label, colour in zip(axes.get_yticklabels(), _colours(number), strict=True):
        label.set_color(colour)  # as the gap above
    _mode_key(axes)


def _mode_key(axes: Axes) -> None:
    looks = {"open": OPEN, **MODE_COLOURS, "impact (stroke)": INK}
    handles = [Patch(color=colour, label=name) for name, colour in looks.items()]
    _legend(axes, handles=handles, ncols=len(handles), **ABOVE)
