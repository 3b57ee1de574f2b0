"""Models in several files: what is read, what is refused, and which file an error is in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dyverse import load_model, parse_model
from dyverse.cli.arguments.opened import opened
from dyverse.cli.main import app
from dyverse.errors import ModelError
from dyverse.text.file import MAX_LENGTH, including_again, model_file_text
from dyverse.text.parse import parse

BALL = "body ball { sphere radius 0.1  mass 1  position (0, k, 0) }"


def written(folder: Path, **files: str) -> Path:
    """Files of these names in a folder; the path of the first."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.drbt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / f"{next(iter(files))}.drbt"


def problem(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_model(path)
    return str(caught.value).replace(f"{path.parent}{os.sep}", "")


def test_what_is_included_is_as_if_it_stood_there(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        model='parameter k = 2\n  include "parts/ball.drbt"  # the ball\nhorizon 3',
        parts__ball=f'{BALL}\ninclude "floor.drbt"',
        parts__floor="body floor { plane normal (0, 1, 0) }",
    )
    plain = f"parameter k = 2\n{BALL}\nbody floor {{ plane normal (0, 1, 0) }}\nhorizon 3"
    assert parse(model_file_text(path)) == parse(plain)
    assert [body.name for body in load_model(path).world.bodies] == ["ball", "floor"]


def test_a_file_can_be_included_in_a_repeat(tmp_path: Path) -> None:
    path = written(
        tmp_path, model='repeat i in 1..2 {\ninclude "b.drbt"\n}', b="body b[i] { point mass 1 }"
    )
    assert [body.name for body in load_model(path).world.bodies] == ["b_1", "b_2"]


def test_an_error_names_the_file_and_the_line_it_is_in(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        model='include "parts/one.drbt"\n\ncontact ball flor off',
        parts__one='# first\ninclude "two.drbt"\nparameter k = j',
        parts__two=f"\n{BALL}\nhorizon z",
    )
    told = problem(path)
    assert f"parts{os.sep}two.drbt:3:9: unknown name 'z'" in told
    assert f"parts{os.sep}one.drbt:3:15: unknown name 'j'" in told
    assert "model.drbt:3:14: unknown body 'flor'" in told
    assert "  horizon z\n          ^" in told


def test_json_has_the_file_of_a_problem_that_is_in_another(tmp_path: Path) -> None:
    path = written(tmp_path, model=f'{BALL}\ninclude "a.drbt"\nhorizon x', a="\nparameter k = y")
    done = CliRunner().invoke(app, ["check", str(path), "--json"])
    assert done.exit_code == 2
    first, second = json.loads(done.stdout)["problems"]
    assert (first["file"], first["line"]) == (str(tmp_path / "a.drbt"), 2)
    assert "file" not in second
    assert second["line"] == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "lag.drbt",
            "model.drbt:2:9: 'lag.drbt' is no file that is there; did you mean 'leg.drbt'?",
        ),
        ("../other.drbt", "is not below the folder of the model"),
        ("/etc/hostname", "is no file named from here"),
        ("", "is no file named from here"),
        ("parts", "is no file that is there"),
        ("link.drbt", "is not below the folder of the model"),
        ("pipe.drbt", "is no file that is there"),
        ("binary.drbt", "not a text file in UTF-8"),
        ("again.drbt", "'model.drbt' includes itself: model.drbt -> again.drbt -> model.drbt"),
        ("long.drbt", f"makes this more than {MAX_LENGTH:,} characters"),
    ],
)
def test_what_cannot_be_included(tmp_path: Path, name: str, message: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    written(tmp_path, other="horizon 1")
    written(home, leg="horizon 1", again='include "model.drbt"', long="#" * MAX_LENGTH)
    (home / "parts").mkdir()
    (home / "link.drbt").symlink_to(tmp_path / "other.drbt")
    (home / "binary.drbt").write_bytes(b"\xff\xfe")
    os.mkfifo(home / "pipe.drbt")
    assert message in problem(written(home, model=f'# one\ninclude "{name}"'))


def test_files_that_multiply_are_refused(tmp_path: Path) -> None:
    """Each of twelve files includes the next four times: four million in all."""
    files = {f"f{n}": f'include "f{n + 1}.drbt"\n' * 4 for n in range(12)}
    path = written(tmp_path, **files, f12="horizon 1")
    assert "is too much: 1000 files can be included" in problem(path)


@pytest.mark.parametrize("text", ['include "a.drbt"', 'horizon 1  include "a.drbt"', "include a"])
def test_text_from_nowhere_includes_nothing(text: str) -> None:
    with pytest.raises(ModelError, match="text from elsewhere includes none"):
        parse_model(text)


def test_a_statement_that_shares_its_line_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, model='horizon 1  include "a.drbt"', a="horizon 2")
    assert "model.drbt:1:12: 'include' stands on a line of its own" in problem(path)


def test_what_is_kept_of_a_model_is_all_of_it(tmp_path: Path) -> None:
    """Witnesses, certificates and journals keep this text, and read it without the files."""
    path = written(tmp_path, model=f'{BALL}\ninclude "a.drbt"', a="parameter k = 2")
    kept = opened(str(path)).source
    (tmp_path / "a.drbt").unlink()
    assert parse_model(kept) == parse_model(f"{BALL}\nparameter k = 2")


def test_an_edited_model_includes_again_what_it_included(tmp_path: Path) -> None:
    text = f'{BALL}\n  include "a.drbt"  # numbers\nhorizon 1\n'
    path = written(tmp_path, model=text, a='parameter k = 2\ninclude "b.drbt"', b="")
    whole = model_file_text(path)
    assert including_again(whole, whole) == text
    longer = whole.replace("horizon 1", "horizon 2\n# end")
    assert including_again(longer, whole) == text.replace("horizon 1", "horizon 2\n# end")
    assert including_again("horizon 1", whole) == "horizon 1\n"
    assert including_again(whole.replace("k = 2", "k = 3"), whole) is None
