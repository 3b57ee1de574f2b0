"""A file of witnesses in the place of a model."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Invoke

GAME = "example:interception-game"
PUSH = """\
body ball { sphere radius 0.1  mass 1 }
input u
force ball (u, 0, 0)
property near: always abs(ball.x) < 1.9 until 2
property slow: always ball.vx < 100 until 2
"""
MENDED = PUSH.replace("< 1.9", "< 2.1")


def answer(invoke: Invoke, *arguments: str) -> dict[str, Any]:  # JSON
    found: dict[str, Any] = json.loads(invoke(*arguments, "--json").stdout)
    return found


@pytest.fixture
def pushed(invoke: Invoke, tmp_path: Path) -> dict[str, Any]:
    """The answer to a question about an input in pieces; its witnesses are in w.json."""
    (tmp_path / "push.drbt").write_text(PUSH)
    ask = ("falsify", "push.drbt", "--property", "near", "--range", "u=-1:1:3")
    return answer(invoke, *ask, "--witness", "w.json")


def test_a_witness_is_simulated_without_its_model(
    invoke: Invoke, tmp_path: Path, pushed: dict[str, Any]
) -> None:
    (tmp_path / "push.drbt").unlink()
    for kind, told in (("", "witness"), ("#nearest", "nearest"), ("#3", "deepest")):
        near, _ = answer(invoke, "simulate", f"w.json{kind}")["properties"]
        assert near["violated_at"] == pytest.approx(pushed[told]["time"], abs=1e-6)


def test_settings_and_the_end_can_be_replaced(invoke: Invoke, pushed: dict[str, Any]) -> None:
    run = answer(invoke, "simulate", "w.json", "--set", "u=0", "--until", "1")
    assert (run["time"], run["final"]["ball.x"]) == (1.0, 0.0)


def test_the_same_question_is_answered_by_its_witness(
    invoke: Invoke, pushed: dict[str, Any]
) -> None:
    again = answer(invoke, "falsify", "w.json")
    assert again["witness"]["parameters"] == pushed["witness"]["parameters"]
    assert again["covered"]["ranges"] == pushed["covered"]["ranges"]
    (first,) = {again["property"], pushed["property"]}
    assert first == "near"


def test_a_command_may_ask_a_file_something_else(invoke: Invoke, pushed: dict[str, Any]) -> None:
    other = answer(invoke, "falsify", "w.json", "--property", "slow", "--until", "1", "--runs", "9")
    assert (other["verdict"], other["covered"]["until"]) == ("unknown", 1.0)


def test_a_search_begins_where_a_witness_is(invoke: Invoke, tmp_path: Path) -> None:
    """A thin strip of eleven unknowns: too many for corners, and far from the middle."""
    names = [f"a{i}" for i in range(11)]
    text = "\n".join(f"parameter {name} = 0 in [0, 1]" for name in names)
    far = " + ".join(f"abs({name} - 0.3)" for name in names)
    body = f"\nbody ball {{ sphere radius 0.1  mass 1 }}\nproperty p: always {far} > 1e-3 until 1\n"
    (tmp_path / "strip.drbt").write_text(text + body)
    here = [option for name in names for option in ("--range", f"{name}=0.3:0.3")]
    answer(invoke, "falsify", "strip.drbt", *here, "--witness", "there.json")
    limited = ("falsify", "strip.drbt", "--runs", "20")
    assert answer(invoke, *limited)["verdict"] == "unknown"
    found = answer(invoke, *limited, "--from", "there.json")
    assert set(found["witness"]["parameters"].values()) == {0.3}


def test_a_mended_model_is_looked_at_where_it_broke(
    invoke: Invoke, tmp_path: Path, pushed: dict[str, Any]
) -> None:
    (tmp_path / "mended.drbt").write_text(MENDED)
    ask = ("falsify", "mended.drbt", "--property", "near", "--range", "u=-1:1:3")
    found = answer(invoke, *ask, "--from", "w.json", "--runs", "1")["covered"]
    assert found["nearest"] == pushed["witness"]["parameters"]
    assert found["least_margin"] == pytest.approx(0.1)


def test_nothing_found_writes_no_file(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("falsify", GAME, "--range", "K=1.75:1.85", "--witness", "none.json")
    assert "none.json is not written" in done.stderr
    assert not (tmp_path / "none.json").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("simulate", "w.json#worst"), "no witness 'worst'; there are witness, nearest, "),
        (
            ("falsify", "push.drbt", "--property", "near", "--from", "push.drbt"),
            "push.drbt is no file of witnesses",
        ),
        (("falsify", "w.json", "--witness", "w.json"), "is the model itself"),
        (
            ("falsify", "push.drbt", "--property", "near", "--from", "w.json", "--method", "paper"),
            "method 'paper' begins with no run",
        ),
    ],
)
def test_what_cannot_be_is_refused(
    invoke: Invoke, pushed: dict[str, Any], arguments: tuple[str, ...], words: str
) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr
