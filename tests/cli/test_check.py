"""``dyverse check``: all problems, with places, on the right stream."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.uppaal.sample_models import MODELS


def test_a_good_model_passes(invoke: Invoke) -> None:
    result = invoke("check", "bounce.drbt")
    assert result.exit_code == 0
    assert "no problems found (2 bodies, 1 contact, 2 inputs, 2 properties)" in result.stdout
    assert json.loads(invoke("check", "bounce.drbt", "--json").stdout) == {"problems": []}


def test_all_problems_are_told_with_carets(invoke: Invoke) -> None:
    result = invoke("check", "broken.drbt")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "broken.drbt:1:27: the radius of body 'ball' is -1" in result.stderr
    assert "  contact ball flor { restitution 2 }\n               ^^^^" in result.stderr
    assert "broken.drbt:2:33: restitution is 2" in result.stderr
    assert "Traceback" not in result.stderr


def test_problems_as_json_have_places(invoke: Invoke) -> None:
    result = invoke("check", "broken.drbt", "--json")
    assert result.exit_code == 2
    problems = json.loads(result.stdout)["problems"]
    assert [(p["line"], p["column"]) for p in problems] == [(1, 27), (2, 14), (2, 33)]
    assert "unknown body 'flor'" in problems[1]["message"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("bounc.drbt", "bounc.drbt: no such file; did you mean 'bounce.drbt'?"),
        ("balls-3", "did you mean 'example:balls-3'?"),
        ("example:ball-3", "unknown example 'ball-3'; did you mean 'balls-3'?"),
        ("example:nothing-like-it", "there are automatic-transmission, balls-1, "),
        (".", ".: cannot be read: Is a directory"),
    ],
)
def test_models_that_are_not_there(invoke: Invoke, model: str, message: str) -> None:
    result = invoke("check", model, "--json")
    assert result.exit_code == 2
    assert message in result.stderr
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["line"] is problem["column"] is None


def test_bytes_that_are_no_text(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "bytes.drbt").write_bytes(b"body \xff\xfe")
    result = invoke("check", "bytes.drbt")
    assert result.exit_code == 2
    assert "bytes.drbt: not a text file in UTF-8" in result.stderr


def test_what_is_read_but_plays_no_part_is_told(invoke: Invoke, tmp_path: Path) -> None:
    file = tmp_path / "model.xml"
    queries = "<queries><query><formula>A[] true</formula></query></queries>"
    text = (MODELS / "select.xml").read_text()
    file.write_text(text.replace("</nta>", f"{queries}</nta>"))
    answer = invoke("check", str(file))
    assert answer.exit_code == 0
    assert "1 queries are kept but not answered" in answer.stderr
    assert "queries" in json.loads(invoke("check", str(file), "--json").stdout)["notes"][-1]
