from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex

from dyverse.errors import ExportError
from dyverse.exporters.map_plot import MOST_FRAMED, UNKNOWN, Scale, map_figure, plot_map
from dyverse.exporters.signals_plot import plot_signals, signals_figure
from dyverse.simulation.simulate import simulate
from tests.catalogue import bouncing_ball, thermostat

SCALES = [Scale("u", (1.0, 2.0)), Scale("W", (0.0, 1.0, 3.0))]
NAMES = ["turns", "turns", "stuck", "turns", "undecided", "stuck"]


def test_cells_meet_half_way_between_values() -> None:
    assert Scale("W", (0.0, 1.0, 3.0)).edges().tolist() == [-0.5, 0.5, 2.0, 4.0]
    assert Scale("W", (7.0,)).edges().tolist() == [6.5, 7.5]


def test_each_cell_has_the_colour_of_its_behaviour() -> None:
    figure = map_figure(SCALES, NAMES, title="drill")
    (axes,) = figure.axes
    (mesh,) = (child for child in axes.get_children() if isinstance(child, QuadMesh))
    mesh.update_scalarmappable()
    colours = [to_hex(colour) for colour in np.asarray(mesh.get_facecolor())]
    assert colours[0] == colours[1] == colours[3]
    assert colours[2] == colours[5] != colours[0]
    assert colours[4] == UNKNOWN.lower()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("W", "u")
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["turns (3)", "stuck (2)", "undecided (1)"]


def test_one_axis_is_a_strip(tmp_path: Path) -> None:
    plot_map([SCALES[1]], NAMES[:3], tmp_path / "strip.png")
    assert (tmp_path / "strip.png").read_bytes().startswith(b"\x89PNG")


def test_a_large_map_is_an_image_of_its_cells(tmp_path: Path) -> None:
    side = int(MOST_FRAMED**0.5) + 1
    scale = Scale("u", tuple(float(i) for i in range(side)))
    names = [NAMES[(i // side + i) % 3] for i in range(side * side)]
    (axes,) = map_figure([scale, scale], names).axes
    (image,) = axes.images
    (_, turned, stuck), (first, *_) = np.asarray(image.get_array())[:2, :3].tolist()
    assert turned != stuck
    assert first == turned
    plot_map([scale, scale], names, tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size < 1_000_000


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="by its suffix"):
        plot_map(SCALES, NAMES, tmp_path / "map.txt")


def test_signals_have_a_panel_per_run(tmp_path: Path) -> None:
    runs = {"hot": simulate(thermostat(), until=5), "high": simulate(bouncing_ball(), until=2)}
    figure = signals_figure(runs, ["T", "y"], label="what")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["hot", "high"]
    times, values = runs["hot"].signal("T")
    np.testing.assert_array_equal(
        figure.axes[0].lines[0].get_xydata(), np.column_stack((times, values))
    )
    plot_signals(runs, ["T"], tmp_path / "two.svg")
    assert (tmp_path / "two.svg").read_text("utf-8").startswith("<?xml")
