"""Pictures of searches: every number of the record and of the samples is where it belongs."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from dyverse.exporters.search_plot import Samples, ranked, record_figure, samples_figure

SIZES = ("clauses1", "clauses2", "clauses3")
RECORD = [
    {"time": 0.02, "calls": 1, "clauses1": 5, "clauses2": 3, "clauses3": 0, "iterations": 1},
    {"time": 0.04, "calls": 2, "clauses1": 6, "clauses2": 3, "clauses3": 1, "iterations": 2},
    {"time": 0.04, "calls": 3, "clauses1": 12, "clauses2": 19, "clauses3": 4, "iterations": 7},
]


def samples(unknowns: int, count: int = 40, paths: int = 3) -> Samples:
    rng = np.random.default_rng(1)
    return Samples(
        names=("a", "b", "c")[:unknowns],
        points=rng.random((count, unknowns)),
        margins=rng.normal(size=count),
        paths=tuple(f"p{i % paths}" for i in range(count)),
        runs=np.arange(1.0, count + 1),
    )


def points(drawing: Figure, panel: int) -> set[tuple[float, float]]:
    """All points of the curves of one panel."""
    lines: list[Any] = list(drawing.axes[panel].lines)
    return {pair for line in lines for pair in zip(*map(np.asarray, line.get_data()), strict=True)}


def test_the_record_is_drawn_as_in_figures_11_to_13() -> None:
    drawing = record_figure(RECORD)
    assert points(drawing, 0) == {(row["calls"], row["time"]) for row in RECORD}
    assert points(drawing, 1) == {(row["time"], row[key]) for row in RECORD for key in SIZES}
    for key, drawn in zip(SIZES, drawing.axes[2].collections, strict=True):
        offsets = np.asarray(drawn.get_offsets()).tolist()
        assert offsets == [[row[key], row["iterations"]] for row in RECORD]


@pytest.mark.parametrize(("unknowns", "panels"), [(0, 1), (1, 2), (2, 4), (3, 1)])
def test_panels_follow_the_unknowns(unknowns: int, panels: int) -> None:
    """Two unknowns have a bar of colours too."""
    assert len(samples_figure(samples(unknowns)).axes) == panels


def test_the_least_margin_only_goes_down() -> None:
    data = samples(3)
    least: Any = samples_figure(data).axes[0].lines[1].get_data()[1]
    assert list(least) == [data.margins[: i + 1].min() for i in range(len(data.margins))]


def test_margins_stand_over_their_unknown() -> None:
    data = samples(1)
    expected = set(zip(data.points[:, 0], data.margins, strict=True))
    assert expected <= points(samples_figure(data), 1)


def test_an_unknown_that_stands_still_needs_no_axis() -> None:
    data = samples(2)
    data.points[:, 1] = 7.0
    drawing = samples_figure(data)
    assert len(drawing.axes) == 2
    assert drawing.axes[1].get_xlabel() == "a"


def test_broken_points_are_crosses_in_the_plane() -> None:
    data = samples(2)
    lines: list[Any] = list(samples_figure(data).axes[2].lines)
    crosses = sum(len(line.get_xdata()) for line in lines if line.get_marker() == "x")
    dots = sum(len(line.get_xdata()) for line in lines if line.get_marker() == ".")
    assert crosses == (data.margins < 0).sum()
    assert crosses + dots == len(data.margins)


def test_rare_paths_share_a_colour() -> None:
    data = samples(1, paths=20)
    legend = samples_figure(data).axes[1].get_legend()
    assert legend is not None
    words = [text.get_text() for text in legend.get_texts()]
    assert words == [*(f"path {i}" for i in range(1, 7)), "14 other paths"]


def test_path_1_is_the_commonest() -> None:
    assert ranked(["x", "y", "y", "z", "y", "z"]) == ["y", "z", "x"]


@pytest.mark.parametrize("margins", [np.full(5, np.nan), np.zeros(5), np.array([1, 1, 1, 1, -1e9])])
def test_strange_margins_can_be_drawn(margins: Any) -> None:
    for unknowns in (0, 1, 2):
        data = samples(unknowns, count=5)
        data.margins[:] = margins
        drawing = samples_figure(data)
        drawing.draw_without_rendering()
        assert len(drawing.axes) == len(samples_figure(samples(unknowns)).axes)
