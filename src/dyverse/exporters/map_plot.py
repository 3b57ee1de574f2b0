"""A picture of a parameter map: one cell per point of the grid, coloured by behaviour.

In come the axes and a name for each point; out goes a figure. Cells meet half way between grid
values, which need not be evenly spaced. A map over one parameter is a strip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dyverse.automaton.interface import Array
from dyverse.errors import visible
from dyverse.exporters.plots import COLOURS, INK, check_suffix, save

MOST_FRAMED = 10_000  # cells that are drawn with a frame each
UNKNOWN = "#BBBBBB"
UNKNOWN_NAMES = ("undecided", "unclassified")


@dataclass(frozen=True, slots=True)
class Scale:
    """One axis of the map."""

    name: str
    values: tuple[float, ...]

    def edges(self) -> Array:
        """Where the cells begin and end."""
        at = np.array(self.values)
        if len(at) == 1:
            return np.array([at[0] - 0.5, at[0] + 0.5])
        inner = (at[1:] + at[:-1]) / 2
        return np.concatenate(([2 * at[0] - inner[0]], inner, [2 * at[-1] - inner[-1]]))


def plot_map(
    scales: Sequence[Scale], names: Sequence[str], path: str | Path, *, title: str = ""
) -> None:
    """Write the map; ``names`` has the behaviour at each point, the last axis changing fastest."""
    check_suffix(path)
    save(map_figure(scales, names, title=title), path)


def map_figure(scales: Sequence[Scale], names: Sequence[str], *, title: str = "") -> Figure:
    """The map over one or two parameters as a figure."""
    down, across = scales if len(scales) == 2 else (Scale("", (0.0,)), scales[0])
    kinds = sorted(set(names), key=lambda name: (name in UNKNOWN_NAMES, -names.count(name), name))
    colours = [_colour(n, kind) for n, kind in enumerate(kinds)]
    codes = {kind: code for code, kind in enumerate(kinds)}
    cells = np.fromiter((codes[name] for name in names), np.int32, len(names))
    drawing = Figure(figsize=(8, 5.5 if down.name else 2.5), layout="constrained")
    axes = drawing.subplots()
    looks: dict[str, Any] = {"cmap": ListedColormap(colours), "vmin": -0.5}
    looks |= {"vmax": len(kinds) - 0.5}
    grid = cells.reshape(len(down.values), len(across.values))
    if grid.size <= MOST_FRAMED:
        looks |= {"edgecolors": "white", "linewidth": 0.5}
        axes.pcolormesh(across.edges(), down.edges(), grid, **looks)
    else:  # an image: no more than the picture can show
        axes.pcolorfast(across.edges(), down.edges(), grid, **looks)
    axes.set(xlabel=across.name, ylabel=down.name)
    axes.set_title(visible(title), color=INK, fontsize=11, parse_math=False)
    if not down.name:
        axes.set_yticks([])
    handles = [Patch(color=c, label=_label(k, names)) for k, c in zip(kinds, colours, strict=True)]
    drawing.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False)
    return drawing


def _colour(number: int, kind: str) -> str:
    return UNKNOWN if kind in UNKNOWN_NAMES else COLOURS[number % len(COLOURS)]


def _label(kind: str, names: Sequence[str]) -> str:
    return f"{kind} ({names.count(kind)})"
