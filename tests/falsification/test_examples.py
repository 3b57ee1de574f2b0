"""The examples of falsification: their pages, and their scripts, which know the answers.

Each script prints rows that end with what was found and what is known, from a closed form or from a
calculation of its own: words must be equal, numbers agree to the digits that are printed.
"""

import re
import runpy
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dyverse import example_text, parse_world, world_text
from dyverse.cli.main import app

HOME = Path(__file__).parents[2] / "examples"
ROWS = {
    "ceiling": 5,
    "contact-force": 5,
    "drop-on-incline": 4,
    "energy-budget": 2,
    "four-unknowns": 4,
    "juggling-paddle": 3,
    "shielded-target": 4,
    "stick-or-slide": 6,
    "ten-impacts": 4,
    "window": 7,
}
NUMBER = r"-?\d+(?:\.\d+)?"
WORD = "unsafe|not_found|unknown|safe"
ROW = re.compile(rf" ({NUMBER}|{WORD}) +({NUMBER}|{WORD})$", re.M)
COMMAND = re.compile(r"^dyverse falsify (example:[\w-]+.*?) +# .*\b(unsafe|not found)\b", re.M)
TOLERANCE = {"juggling-paddle": 2e-5}  # the paddle gives way by a millionth


@pytest.mark.parametrize("name", ROWS)
def test_a_script_finds_what_is_known_and_draws(
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    picture = tmp_path / "picture.png"
    monkeypatch.setattr(sys, "argv", ["run.py", "--plot", str(picture)])
    runpy.run_path(str(HOME / name / "run.py"), run_name="__main__")
    rows = ROW.findall(capsys.readouterr().out)
    assert len(rows) == ROWS[name]
    for found, known in rows:
        if re.fullmatch(NUMBER, known):
            tolerance = TOLERANCE.get(name, 1e-6)
            assert float(found) == pytest.approx(float(known), abs=tolerance)
        else:
            assert found == known
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["ceiling", "drop-on-incline", "stick-or-slide"])
def test_the_commands_of_a_page_answer_as_it_says(name: str) -> None:
    page = (HOME / name / "README.md").read_text(encoding="utf-8")
    commands = COMMAND.findall(page)
    assert commands[0][0] == f"example:{name}"
    for arguments, known in commands:
        result = CliRunner().invoke(app, ["falsify", *arguments.split(), "--json"])
        assert result.exit_code == {"unsafe": 1, "not found": 0}[known]


@pytest.mark.parametrize("name", ROWS)
def test_an_example_is_complete(name: str) -> None:
    page = (HOME / name / "README.md").read_text(encoding="utf-8")
    for part in (f"dyverse simulate example:{name}", "(picture.png)", "Known answer", "Units:"):
        assert part in page
    assert len((HOME / name / "picture.png").read_bytes()) < 150_000
    assert len((HOME / name / "run.py").read_text(encoding="utf-8").splitlines()) < 60
    text = example_text(name)
    assert text.startswith("# ")
    assert parse_world(world_text(parse_world(text))) == parse_world(text)
