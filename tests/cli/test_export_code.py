"""``dyverse export --to c`` and its kin: what is written, and what is refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dyverse.cli.main import app
from dyverse.text.examples import example_text


def test_a_folder_of_sources(tmp_path: Path) -> None:
    place = tmp_path / "ball"
    answer = CliRunner().invoke(
        app, ["export", "example:bouncing-ball", "--to", "c", "-o", str(place), "--json"]
    )
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout) == {"files": [str(place)]}
    names = {path.relative_to(place).as_posix() for path in place.rglob("*")}
    assert {"unit.c", "model.c", "facts.c", "runtime/model/dyverse_model.h"} <= names
    assert not any(name.startswith("runtime/automata") for name in names)


def test_an_archive_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        order = ["export", "example:gear", "--to", "c", "-o", str(tmp_path / name)]
        assert CliRunner().invoke(app, order).exit_code == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert "unit.c" in archive.namelist()


def test_an_fmu_carries_where_it_comes_from(tmp_path: Path) -> None:
    place = tmp_path / "gear.fmu"
    order = ["export", "example:gear", "--to", "fmu2", "-o", str(place)]
    assert CliRunner().invoke(app, order).exit_code == 0
    with zipfile.ZipFile(place) as archive:
        assert archive.read("resources/model.drbt").decode() == example_text("gear")
        assert b"Network of hybrid automata" in archive.read("documentation/listing.txt")
        assert archive.read("model.png").startswith(b"\x89PNG")
        licence = archive.read("documentation/licenses/license.txt").decode()
    assert licence == (Path(__file__).parents[2] / "LICENSE").read_text()


@pytest.mark.parametrize(("drawn", "there"), [(b"\x89PNG of a gear", True), (b"GIF", False)])
def test_an_fmu_carries_the_picture_beside_its_model(
    drawn: bytes, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    (tmp_path / "my.gear.drbt").write_text(example_text("gear"))
    (tmp_path / "my.gear.png").write_bytes(drawn)
    order = ["export", str(tmp_path / "my.gear.drbt"), "--to", "fmu3", "-o"]
    assert CliRunner().invoke(app, [*order, str(tmp_path / "gear.fmu")]).exit_code == 0
    with zipfile.ZipFile(tmp_path / "gear.fmu") as archive:
        assert ("model.png" in archive.namelist()) is there
        assert not there or archive.read("model.png") == drawn


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "-"], "name a folder or an archive"),
        (["-o", "out", "--outputs", "gap"], "did you mean 'gaps'"),
        (["-o", "full"], "is there already"),
    ],
)
def test_what_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    answer = CliRunner().invoke(app, ["export", "example:bouncing-ball", "--to", "c", *more])
    assert answer.exit_code == 2
    assert said in answer.output
    assert (tmp_path / "full" / "mine").read_text() == "mine"
