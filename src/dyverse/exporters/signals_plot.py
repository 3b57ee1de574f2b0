"""Signals over time, one panel per run: to compare behaviours side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dyverse.automaton.run import Run
from dyverse.exporters.plots import COLOURS, INK, check_suffix, save

STYLES = ("-", ":", "--", "-.")


def plot_signals(
    runs: Mapping[str, Run], names: Sequence[str], path: str | Path, *, label: str = ""
) -> None:
    """Draw the signals ``names`` of each run; ``label`` says what they are, with the unit."""
    check_suffix(path)
    save(signals_figure(runs, names, label=label), path)


def signals_figure(runs: Mapping[str, Run], names: Sequence[str], *, label: str = "") -> Figure:
    """One panel per run, from top to bottom, on one scale of time."""
    drawing = Figure(figsize=(7, 0.8 + 1.5 * len(runs)), layout="constrained")
    panels = drawing.subplots(len(runs), sharex=True, squeeze=False)[:, 0]
    for axes, (title, run) in zip(panels, runs.items(), strict=True):
        _draw(axes, run, names)
        axes.set_title(title, color=INK, fontsize=10, loc="left", parse_math=False)
        axes.set_ylabel(label, parse_math=False)
    panels[0].legend(loc="best", frameon=False, ncols=len(names))
    panels[-1].set_xlabel("time (s)")
    return drawing


def _draw(axes: Axes, run: Run, names: Sequence[str]) -> None:
    for n, name in enumerate(names):
        times, values = run.signal(name)
        style, colour = STYLES[n % len(STYLES)], COLOURS[n % len(COLOURS)]
        axes.plot(times, values, style, color=colour, linewidth=1.2, label=name)
    axes.margins(x=0)
