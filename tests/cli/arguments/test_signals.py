"""``--set`` for inputs in pieces: what it means, and what is wrong with it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

PUSHED = "body ball { sphere radius 0.1  mass 1 }\ninput u\nforce ball (u, 0, 0)\nhorizon 2\n"


@pytest.mark.parametrize(
    ("signal", "speed"),
    [
        ("1:3", 4.0),
        ("1:3@1.5", 3.0),
        ("1:3@0.5:0@1", 2.0),
        ("1:3:linear", 4.0),
        ("0:4@0.5:0:linear", 4.0),
        ("0:4:0:linear", 4.0),
    ],
)
def test_numbers_follow_each_other(
    signal: str, speed: float, invoke: Invoke, tmp_path: Path
) -> None:
    """The speed is the area under the push."""
    (tmp_path / "push.drbt").write_text(PUSHED)
    told = json.loads(invoke("simulate", "push.drbt", "--set", f"u={signal}", "--json").stdout)
    assert told["final"]["ball.vx"] == pytest.approx(speed, abs=1e-9)


@pytest.mark.parametrize(
    ("signal", "words"),
    [
        ("1:2@3", "between 0 and 2 s"),
        ("1:2@1:3@1", "must follow each other"),
        ("1:2@1:3", "each number but the first needs a time"),
        ("1@0:2@1", "the first number begins at 0 s"),
        ("1:2:3@1.5:linear", "each number but the first and the last needs a time"),
        ("1:2@x", "'x' is no time"),
        ("1::3", "write numbers with ':' between them"),
        ("1:linear", "a straight line needs two numbers"),
        ("1:b", "needs a number, found 'b'"),
    ],
)
def test_what_is_wrong_is_said(signal: str, words: str, invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "push.drbt").write_text(PUSHED)
    done = invoke("simulate", "push.drbt", "--set", f"u={signal}")
    assert done.exit_code == 2
    assert words in done.stderr
