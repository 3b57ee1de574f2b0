"""The examples of the page on languages: scripts, pages, pictures, numbers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dyverse import example_text, parse_model

HOME = Path(__file__).parents[1] / "examples"
ROWS = {"drillstring": (5, 1e-9), "belt": (7, 1e-6), "relay": (2, 1e-8)}  # numbers compared
NUMBER = r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
COMPARED = re.compile(rf"{NUMBER} +{NUMBER}$", re.M)


@pytest.mark.parametrize("name", ROWS)
def test_an_example_has_all_its_parts(name: str) -> None:
    page = (HOME / name / "README.md").read_text("utf-8")
    assert f"dyverse simulate example:{name}" in page
    assert f"dyverse abstract example:{name}" in page
    assert "(picture.png)" in page
    assert "Units:" in page
    assert len((HOME / name / "picture.png").read_bytes()) < 150_000
    assert len((HOME / name / "run.py").read_text("utf-8").splitlines()) < 65
    assert example_text(name).startswith("# ")
    assert parse_model(example_text(name)).described is not None


@pytest.mark.parametrize("name", ROWS)
def test_a_script_prints_what_is_expected_and_draws(name: str, tmp_path: Path) -> None:
    number, tolerance = ROWS[name]
    picture = tmp_path / "picture.png"
    command = [sys.executable, "-W", "error", str(HOME / name / "run.py"), "--plot", str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    rows = COMPARED.findall(done.stdout)
    assert len(rows) == number
    for got, expected in rows:
        assert float(got) == pytest.approx(float(expected), rel=tolerance, abs=tolerance)
    assert picture.read_bytes().startswith(b"\x89PNG")
