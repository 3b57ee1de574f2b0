"""A picture of ranges that were divided into boxes, each coloured by what is known of it.

Over one unknown it is a strip; boxes too thin to be seen get a stroke. Over two it is a map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dyverse.automaton.interface import Array
from dyverse.errors import visible
from dyverse.exporters.plots import INK, check_suffix, save

MOST_FRAMED = 2000  # boxes that are drawn with a white frame each
COLOURS = {"safe": "#009E73", "unsafe": "#D55E00", "open": "#999999"}


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes of one or two unknowns, and a word for each: safe, unsafe or open."""

    names: tuple[str, ...]
    limits: Array  # (boxes, unknowns, 2)
    words: Sequence[str]


def plot_boxes(boxes: Boxes, path: str | Path, *, title: str = "") -> None:
    """Write the picture."""
    check_suffix(path)
    save(boxes_figure(boxes, title=title), path)


def boxes_figure(boxes: Boxes, *, title: str = "") -> Figure:
    """The ranges as a figure."""
    plane = len(boxes.names) == 2
    drawing = Figure(figsize=(8, 5.5 if plane else 2.2), layout="constrained")
    axes = drawing.subplots()
    limits = boxes.limits
    if not plane:
        up = np.broadcast_to([[[0.0, 1.0]]], (len(limits), 1, 2))
        limits = np.concatenate([limits, up], axis=1)
    colours = [COLOURS[word] for word in boxes.words]
    plain = len(limits) > MOST_FRAMED
    framed = [COLOURS[word] if plain or word == "open" else "white" for word in boxes.words]
    limits = _with_room(limits)
    shapes = list(_corners(limits))
    axes.add_collection(
        PolyCollection(shapes, facecolors=colours, edgecolors=framed, linewidths=0.4)
    )
    axes.set_xlim(limits[:, 0].min(), limits[:, 0].max())
    axes.set_ylim(limits[:, 1].min(), limits[:, 1].max())
    axes.set(xlabel=boxes.names[0], ylabel=boxes.names[1] if plane else "")
    if not plane:
        axes.set_yticks([])
    axes.set_title(visible(title), color=INK, fontsize=11, parse_math=False)
    found = [word for word in COLOURS if word in boxes.words]
    handles = [Patch(color=COLOURS[word], label=word) for word in found]
    drawing.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return drawing


def _with_room(limits: Array) -> Array:
    """The same with some width for ranges that are single numbers, so that they can be seen."""
    sizes = np.abs(limits).max(axis=(0, 2))
    narrow = np.where(np.ptp(limits, axis=(0, 2)) > 0, 0.0, np.where(sizes > 0, sizes, 1.0))
    return np.asarray(limits + 0.05 * narrow[:, None] * np.array([-1.0, 1.0]))


def _corners(limits: Array) -> Array:
    """The corners of rectangles, (boxes, 4, 2)."""
    (x0, x1), (y0, y1) = limits[:, 0].T, limits[:, 1].T
    return np.stack([np.stack(c, axis=1) for c in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], axis=1)
