from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex

from dyverse.errors import ExportError
from dyverse.exporters.boxes_plot import COLOURS, Boxes, boxes_figure, plot_boxes

STRIP = Boxes(
    names=("K",),
    limits=np.array([[[1.0, 1.5]], [[1.5, 1.5001]], [[1.5001, 2.0]]]),
    words=("safe", "open", "unsafe"),
)
MAP = Boxes(
    names=("e", "mu"),
    limits=np.array([[[0.0, 0.5], [0.0, 1.0]], [[0.5, 1.0], [0.0, 1.0]]]),
    words=("safe", "safe"),
)


def drawn(boxes: Boxes) -> PolyCollection:
    (found,) = boxes_figure(boxes).axes[0].collections
    assert isinstance(found, PolyCollection)
    return found


def test_each_box_has_its_place_and_colour() -> None:
    found = drawn(MAP)
    corners = [np.asarray(path.vertices)[:4].tolist() for path in found.get_paths()]
    assert corners[1] == [[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]]
    faces = [to_hex(colour).upper() for colour in np.asarray(drawn(STRIP).get_facecolor())]
    assert faces == [COLOURS[word] for word in STRIP.words]


def test_a_thin_open_box_is_seen() -> None:
    edges = [to_hex(colour).upper() for colour in np.asarray(drawn(STRIP).get_edgecolor())]
    assert edges == ["#FFFFFF", COLOURS["open"], "#FFFFFF"]


@pytest.mark.parametrize("number", [0.0, -2.0])
def test_a_range_that_is_a_single_number_is_seen(number: float) -> None:
    found = drawn(Boxes(("K",), np.array([[[number, number]]]), ("safe",)))
    (path,) = found.get_paths()
    assert np.ptp(np.asarray(path.vertices)[:, 0]) > 0


def test_the_legend_has_the_words_that_are_there() -> None:
    (legend,) = boxes_figure(MAP).legends
    assert [text.get_text() for text in legend.get_texts()] == ["safe"]


@pytest.mark.parametrize(("boxes", "suffix"), [(STRIP, "png"), (MAP, "svg")])
def test_pictures_are_written(boxes: Boxes, suffix: str, tmp_path: Path) -> None:
    plot_boxes(boxes, tmp_path / f"boxes.{suffix}", title="caught")
    assert (tmp_path / f"boxes.{suffix}").stat().st_size > 1000


def test_an_unknown_kind_of_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="bmp"):
        plot_boxes(MAP, tmp_path / "boxes.bmp")
