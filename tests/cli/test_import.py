"""``dyverse import``, and which commands run FMUs of others."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dyverse.cli.arguments.source import source_of
from dyverse.cli.main import app
from dyverse.errors import ModelError
from dyverse.generation.model import load_model
from tests.foreign.making import lag
from tests.robots.files import PENDULUM, written


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def model(tmp_path: Path) -> str:
    """The text that was written for an FMU."""
    place = str(tmp_path / "room.drbt")
    answer = call("import", str(lag(tmp_path)), "--trust", "-o", place)
    assert answer.exit_code == 0, answer.output
    assert "left out 'label': it is a String" in answer.stderr
    return place


def test_a_text_is_written_only_with_trust(tmp_path: Path) -> None:
    place = tmp_path / "room.drbt"
    answer = call("import", str(lag(tmp_path)), "-o", str(place), "--json")
    assert answer.exit_code == 2
    (problem,) = json.loads(answer.stdout)["problems"]
    assert "would run its code, binaries/linux64/lag.so, with all your" in problem["message"]
    assert not place.exists()


def test_what_was_read_and_what_was_left_out(tmp_path: Path) -> None:
    place = tmp_path / "room.drbt"
    answer = call("import", str(lag(tmp_path)), "--trust", "-o", str(place), "--json")
    told = json.loads(answer.stdout)
    assert told["files"] == [str(place)]
    assert told["read"] == {
        "input": ["der(x).in"],
        "parameter": ["rate"],
        "output": ["x", "calls", "warm"],
    }
    assert told["dropped"] == [{"name": "label", "why": "is a String"}]


def test_an_fmu_that_fails_at_once_is_not_written(tmp_path: Path) -> None:
    place = tmp_path / "room.drbt"
    fmu = lag(tmp_path, "} abort(); {")  # at any time
    answer = call("import", str(fmu), "--trust", "-o", str(place))
    assert answer.exit_code == 2
    assert "its code crashed (SIGABRT)" in answer.stderr
    assert not place.exists()


def test_the_text_runs_as_it_stands(model: str) -> None:
    assert load_model(model).foreign[0].file == "lag.fmu"
    assert call("check", model).exit_code == 0
    answer = call("simulate", model, "--set", "der_x_in=1", "--until", "1", "--json", "--trust")
    assert answer.exit_code == 0, answer.output
    final = json.loads(answer.stdout)["final"]
    assert final["x"] == pytest.approx(1 - 2.718281828**-1)  # exact for held inputs
    assert final["calls"] == 20
    assert "times of events in it are exact to a step" in answer.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("simulate",), "would run its code"),
        (("falsify",), "code of others, which can be simulated and animated"),
        (("prove",), "code of others, which can be simulated and animated"),
        (("abstract",), "code of others, which can be simulated and animated"),
        (("map", "--over", "rate=1:2:3"), "code of others, which can be simulated and animated"),
        (("export", "--to", "c", "-o", "none"), "code of others, which can be simulated and"),
    ],
)
def test_commands_that_must_not_run_it_say_so(
    command: tuple[str, ...], words: str, model: str
) -> None:
    answer = call(command[0], model, *command[1:])
    assert answer.exit_code == 2
    assert words in answer.stderr


def test_pages_cannot_make_it_run(model: str) -> None:
    playing = pytest.importorskip("dyverse.cli.page.playing")
    with pytest.raises(ModelError, match="would run its code"):
        playing.playable(source_of(model), playing.Order())
    play, _ = playing.playable(source_of(model), playing.Order(trust=True))
    assert play.model.foreign[0].trusted
    with pytest.raises(ModelError, match="pages cannot make FMUs run"):
        playing.requested({"text": Path(model).read_text(), "name": model})


def test_files_of_other_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.odt").write_text("")
    answer = call("import", str(tmp_path / "a.odt"), "-o", str(tmp_path / "b.drbt"))
    assert answer.exit_code == 2
    assert "files of this kind cannot be read; known: .fmu" in answer.stderr


def test_a_robot_and_what_was_left_out_of_it(tmp_path: Path) -> None:
    place = tmp_path / "pendulum.drbt"
    file = written(tmp_path, "pendulum.urdf", PENDULUM)
    answer = call("import", file, "-o", str(place), "--set", "elbow=0.7", "--json")
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert told["read"]["joint"] == ["shoulder", "elbow"]
    assert told["dropped"][0]["line"] == 10
    assert f"{file}:10: left out 'visual upper': it is there" in answer.stderr
    assert "angle 0.7" in place.read_text()
    assert call("check", str(place)).exit_code == 0


@pytest.mark.parametrize("given", ["elbow", "elbow=x", "elbw=1"])
def test_starts_of_joints_that_are_none(tmp_path: Path, given: str) -> None:
    file = written(tmp_path, "pendulum.urdf", PENDULUM)
    answer = call("import", file, "-o", str(tmp_path / "a.drbt"), "--set", given)
    assert answer.exit_code == 2
    assert "elb" in answer.stderr


def test_an_fmu_has_no_joints(tmp_path: Path) -> None:
    answer = call("import", str(lag(tmp_path)), "-o", str(tmp_path / "a.drbt"), "--set", "x=1")
    assert answer.exit_code == 2
    assert "an FMU has neither joints" in answer.stderr


def test_without_mujoco_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    file = written(tmp_path, "pendulum.urdf", PENDULUM)
    answer = call("import", file, "-o", str(tmp_path / "a.drbt"))
    assert answer.exit_code == 2
    assert "pip install 'dyverse[robots]'" in answer.stderr
