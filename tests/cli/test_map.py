"""``dyverse map``: a grid, its borders, files and exit codes."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dyverse.cli.terminal.reported import INTERRUPTED
from tests.cli.conftest import Invoke

LATCH = """\
# x settles at 0 or runs to 1 and stays: from a start over b it runs.
parameter b = 0.25 in [0, 1]
automaton latch {
  real x = 0.5
  location here { x' = -x*(x - b)*(x - 1) }
  initial here
}
horizon 400
"""
GRID = ("map", "latch.drbt", "--over", "x=0.1:0.9:3", "--over", "b=0.3,0.6")


@pytest.fixture
def latch(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    (tmp_path / "latch.drbt").write_text(LATCH, encoding="utf-8")
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path / "cache"))
    return invoke


def test_the_contract_of_the_json(latch: Invoke) -> None:
    """From x < b it tends to 0, else to 1."""
    answer = json.loads(latch(*GRID, "--json").stdout)
    assert answer["axes"] == {"x": [0.1, 0.5, 0.9], "b": [0.3, 0.6]}
    assert len(answer["points"]) == 6
    for point in answer["points"]:
        high = point["parameters"]["x"] > point["parameters"]["b"]
        assert point["behaviour"] == "equilibrium in here"
        assert point["equilibrium"] == pytest.approx([float(high)], abs=1e-9)
    assert answer["counts"] == {"equilibrium in here": 6}
    assert answer["borders"] == answer["bad"] == []


def test_the_borders_of_the_drillstring(latch: Invoke) -> None:
    """51,422 N, from an independent simulation."""
    grid = ("--over", "W_ob=51390:51454:2", "--border", "W_ob=20", "--json")
    answer = json.loads(latch("map", "example:drillstring", *grid).stdout)
    (border,) = answer["borders"]
    assert border["low"] <= 51_422 <= border["high"] <= border["low"] + 20
    assert (border["below"], border["name"]) == ("equilibrium in slip_plus", "W_ob")


def test_in_a_box_attractors_have_an_identity(latch: Invoke) -> None:
    """0 and 1 attract; which of them depends on whether x is below b."""
    given = (*GRID, "--box", "x=-1:2", "--starts", "4", "--border", "x=0.04", "--json")
    answer = json.loads(latch(*given).stdout)
    for point in answer["points"]:
        high = point["parameters"]["x"] > point["parameters"]["b"]
        assert point["behaviour"] == f"equilibrium in here #{1 + high}"
        assert len(point["attractors"]) == 2
    edges = {b["parameters"]["b"]: (b["low"], b["high"]) for b in answer["borders"]}
    assert all(low <= b <= high for b, (low, high) in edges.items())
    assert latch(*GRID, "--box", "y=0:1").exit_code == 2


HOPF = """\
# An orbit is born at m = 0.
parameter m = 1 in [-1, 1]
automaton a {
  real x = 0.5, y
  location on { x' = -y + x*(m - x^2 - y^2)  y' = x + y*(m - x^2 - y^2) }
  initial on
}
"""


def test_a_border_that_stays_wide_says_so(latch: Invoke, tmp_path: Path) -> None:
    """Near m = 0 everything takes for ever, and 40 s are not enough."""
    (tmp_path / "hopf.drbt").write_text(HOPF, encoding="utf-8")
    given = ("map", "hopf.drbt", "--over", "m=-1,1", "--border", "m=1e-3", "--until", "40")
    told = latch(*given)
    assert "could not be narrowed to 0.001: the points in it are undecided" in told.stderr
    assert "equilibrium in on | orbit within on, NOT narrowed as asked" in told.stdout
    (border,) = json.loads(latch(*given, "--json").stdout)["borders"]
    assert border["narrowed"] is False
    assert border["low"] < 0 < border["high"]
    assert 1e-3 < border["high"] - border["low"] < 1


def test_files_are_written_and_a_plane_is_shown(latch: Invoke, tmp_path: Path) -> None:
    done = latch(*GRID, "--csv", "map.csv", "--plot", "map.png")
    assert done.exit_code == 0
    with (tmp_path / "map.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["b"] for row in rows] == ["0.3", "0.6"] * 3
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "x \\ b" in done.stdout
    assert "A      6 points: equilibrium in here" in done.stdout


def test_bad_points_are_exit_code_1(latch: Invoke) -> None:
    done = latch("map", "latch.drbt", "--over", "x=0.1,0.9", "--bad", "equilibrium in here")
    assert done.exit_code == 1
    assert "2 points are bad" in done.stdout


def test_undecided_points_are_exit_code_3(latch: Invoke) -> None:
    done = latch("map", "example:drillstring", "--over", "W_ob=55000,60000", "--until", "5")
    assert done.exit_code == 3
    assert "?" in done.stdout


def test_a_journal_is_kept_where_it_is_wanted(latch: Invoke, tmp_path: Path) -> None:
    first = latch(*GRID, "--journal", "map.jsonl", "--json")
    lines = (tmp_path / "map.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 6
    assert latch(*GRID, "--journal", "map.jsonl", "--json").stdout == first.stdout
    other = latch("map", "latch.drbt", "--over", "x=0.2,0.5", "--journal", "map.jsonl")
    assert other.exit_code == 2
    assert "journal of other work" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--over", "x"), "not of the form NAME=LO:HI:N"),
        (("--over", "x=0:1"), "not of the form NAME=LO:HI:N"),
        (("--over", "x=1:0:3"), "LO must be less than HI"),
        (("--over", "x=0:1:one"), "N a whole number"),
        (("--over", "x=0:1:²"), "N a whole number"),
        (("--over", f"x=0:1:{'9' * 5000}"), "a map may have 1,000,000,000"),
        (("--over", "y=0:1:3"), "unknown name 'y'"),
        (("--over", "x=0:1:3", "--over", "x=1,2"), "'x' is there twice"),
        (("--over", "x=0:1:3", "--border", "b=1"), "'b' is no axis"),
        (("--over", "x=0:1:3", "--border", "x=0"), "needs a width over 0"),
        (("--over", "x=0:1:3", "--workers", "0"), "--workers: must be 1 or more"),
        (("--over", "x=0:1:3", "--plot", "map.txt"), "written by its suffix"),
    ],
)
def test_bad_input_is_exit_code_2(latch: Invoke, arguments: tuple[str, ...], message: str) -> None:
    done = latch("map", "latch.drbt", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_the_points_that_are_done(tmp_path: Path, workers: str) -> None:
    """Waits for the progress bar; the signal goes to all processes, as from a terminal."""
    (tmp_path / "latch.drbt").write_text(LATCH, encoding="utf-8")
    grid = ["--over", "x=0.1:0.9:10000000", "--journal", "kept", "--csv", "map.csv"]
    command = [sys.executable, "-m", "dyverse", "map", "latch.drbt", *grid, "--workers", workers]
    terminal, inside = os.openpty()
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=inside, start_new_session=True
    )
    os.close(inside)
    told = b""
    while b"of 10,000,000 points" not in told:
        told += os.read(terminal, 1024)
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    told += os.read(terminal, 1024)
    os.close(terminal)
    assert process.returncode == INTERRUPTED
    assert b"what was finished is kept in kept" in told
    assert b"Traceback" not in told
    assert (out, (tmp_path / "map.csv").exists()) == (b"", False)
    assert (tmp_path / "kept").read_text().count('"behaviour": "equilibrium in here"') > 0


def test_a_map_of_bodies_shows_their_period_doubling(invoke: Invoke) -> None:
    asked = ("map", "example:vibrating-table", "--over", "push=1.3,1.55,1.68", "--until", "30")
    answer = json.loads(invoke(*asked, "--json").stdout)
    found = [point["behaviour"] for point in answer["points"]]
    assert found == ["orbit of 1", "orbit of 2", "orbit of 4"]
    refused = invoke(*asked, "--box", "ball.y=0:1")
    assert refused.exit_code == 2
    assert "bodies have no written automaton" in refused.stderr
