"""Pictures: every kind of file, every kind of scene, and the right things in them."""

from pathlib import Path

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.errors import ExportError
from dyverse.exporters.plots import figure, plot_run
from dyverse.exporters.plotted import Plotted, plotted, recorder, shown_contacts
from dyverse.simulation.observing import pour
from dyverse.text.examples import example_text
from tests.exporters.sample_runs import BOUNCE, DROP, SPRING, sample

MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def data_of(run: Run) -> Plotted:
    kept = recorder(run)
    pour(run, [kept])
    return plotted(run, kept)


def panels(run: Run) -> int:
    kept = recorder(run)
    pour(run, [kept])
    return len(figure(run, kept).axes)


@pytest.mark.parametrize("suffix", MAGIC)
def test_the_suffix_decides_the_kind_of_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    plot_run(sample(BOUNCE, 3.0), path)
    assert path.read_bytes().startswith(MAGIC[suffix])


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"one of \.png, \.svg, \.pdf"):
        plot_run(sample(BOUNCE, 3.0), tmp_path / "run.gif")


def test_pictures_do_not_touch_the_global_state_of_pyplot(tmp_path: Path) -> None:
    from matplotlib import pyplot

    plot_run(sample(BOUNCE, 3.0), tmp_path / "run.png")
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize(
    ("text", "number"), [(BOUNCE, 4), (SPRING, 2), (DROP, 4), (example_text("balls-1"), 2)]
)
def test_panels_follow_the_scene(text: str, number: int) -> None:
    assert panels(sample(text, 2.0)) == number


def test_a_run_without_time_is_only_a_title() -> None:
    automaton = sample(BOUNCE, 3.0).automaton
    empty = Run(automaton=automaton, parts=(), events=(), stop=Stop.DEADLOCK)
    assert figure(empty, recorder(empty)).axes == []


def test_a_fall_along_z_is_seen_from_the_side() -> None:
    data = data_of(sample(DROP, 2.0))
    assert data.plane[1] == "z"
    assert len(data.edges) == 1
    assert data.fixed[0][1] == 0.2


def test_paths_are_exact_between_samples() -> None:
    """In free flight under gravity the cubic through both ends is the parabola itself."""
    run = sample(BOUNCE.replace("push + wind", "0"), 0.7)
    x, y = data_of(run).paths[0].points.T
    assert y == pytest.approx(3 - 9.81 / 2 * x**2, abs=1e-9)


def test_modes_of_a_contact_cover_its_closed_time() -> None:
    run = sample(BOUNCE, 10.0)
    data = data_of(run)
    spans = [span for spans in data.modes["ball-floor"].values() for span in spans]
    closed = sum(a.times[-1] - a.times[0] for a in run.arcs if "ball-floor" in str(a.location))
    assert sum(length for _, length in spans) == pytest.approx(closed)
    assert data.impacts["ball-floor"][0] == run.events[0].time


def test_of_many_contacts_those_that_close_are_shown() -> None:
    run = sample(example_text("balls-6"), 4.0)
    data = data_of(run)
    assert len(shown_contacts(run)) + data.left_out == 15
    assert all(data.impacts[contact] or data.modes[contact] for contact in data.contacts)
    assert np.isfinite(data.widest_gap)
