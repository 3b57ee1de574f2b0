"""``dyverse falsify``: the contract, limits, a kill and bad input."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

GAME = "example:interception-game"


def test_unsafe_has_the_keys_of_the_contract(invoke: Invoke) -> None:
    done = invoke("falsify", GAME, "--json")
    assert done.exit_code == 1
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "unsafe"
    assert {"parameters", "initial", "time", "path", "command"} <= answer["witness"].keys()
    assert {"covered", "stats"} <= answer.keys()
    again = invoke(*answer["witness"]["command"].split()[1:], "--json")
    (caught,) = json.loads(again.stdout)["properties"]
    assert caught["violated_at"] == pytest.approx(answer["witness"]["time"], abs=1e-7)


def test_not_found_is_no_failure(invoke: Invoke) -> None:
    done = invoke("falsify", GAME, "--range", "K=1.75:1.85", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["verdict"] == "not_found"


def test_three_balls_are_safe_by_default_and_not_when_faster(invoke: Invoke) -> None:
    assert invoke("falsify", "example:three-balls").exit_code == 0
    faster = invoke("falsify", "example:three-balls", "--range", "ball1.vy=-3.5:-3")
    assert faster.exit_code == 1
    assert "UNSAFE" in faster.stdout


def test_a_limit_leaves_it_undecided(invoke: Invoke) -> None:
    done = invoke("falsify", GAME, "--range", "K=1.75:1.85", "--runs", "10", "--json")
    assert done.exit_code == 3
    answer = json.loads(done.stdout)
    assert (answer["verdict"], answer["why"]) == ("unknown", "the limit of 10 runs was reached")


def test_the_published_algorithms_find_it_too(invoke: Invoke) -> None:
    done = invoke("falsify", GAME, "--method", "paper", "--range", "K=2.5:3", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["witness"]["parameters"]["K"] >= 2.5


def test_an_input_in_pieces_is_replayed(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "push.drbt").write_text(
        "body ball { sphere radius 0.1  mass 1 }\ninput u\nforce ball (u, 0, 0)\n"
        "property near: always abs(ball.x) < 1.9 until 2\n"
    )
    done = invoke("falsify", "push.drbt", "--range", "u=-1:1:3", "--json")
    witness = json.loads(done.stdout)["witness"]
    again = json.loads(invoke(*witness["command"].split()[1:], "--json").stdout)
    assert again["properties"][0]["violated_at"] == pytest.approx(witness["time"], abs=1e-6)


def test_the_best_time_to_turn_back_is_found(invoke: Invoke, tmp_path: Path) -> None:
    """Forward to s, then back: x = -v at 2 s where s² - 6 s + 4 = 0, and nothing breaks it more."""
    (tmp_path / "push.drbt").write_text(
        "body ball { sphere radius 0.1  mass 1 }\ninput u\nforce ball (u, 0, 0)\n"
        "property near: always ball.x < 0.45 or ball.vx > -0.45 until 2\n"
    )
    asked = ("falsify", "push.drbt", "--range", "u=-1:1:2:switching", "--witness", "found.json")
    done = invoke(*asked, "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 1
    worst = answer["deepest"]
    assert worst["parameters"]["u_t2"] == pytest.approx(3 - math.sqrt(5), abs=1e-3)
    assert worst["margin"] == pytest.approx(0.45 + 2 * (2 - math.sqrt(5)), abs=1e-4)
    again = json.loads(invoke(*worst["command"].split()[1:], "--json").stdout)
    assert again["properties"][0]["violated_at"] == pytest.approx(worst["time"], abs=1e-6)
    witness = json.loads(invoke("simulate", "found.json", "--json").stdout)
    assert not witness["properties"][0]["held"]
    assert invoke("falsify", "found.json", "--json").exit_code == 1


def test_several_witnesses_of_lines_with_open_times_are_told(
    invoke: Invoke, tmp_path: Path
) -> None:
    """The ball breaks it on either side; every witness replays by its own command."""
    (tmp_path / "push.drbt").write_text(
        "body ball { sphere radius 0.1  mass 1 }\ninput u\nforce ball (u, 0, 0)\n"
        "property near: always abs(ball.x) < 0.5 until 2\n"
    )
    asked = ("falsify", "push.drbt", "--range", "u=-1:1:2:linear:switching", "--witnesses", "2")
    done = invoke(*asked, "--report", "page.html", "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    found = [answer["witness"], *answer["others"]]
    assert len(found) == 2
    assert {one["final"]["ball.x"] > 0 for one in found} == {True, False}
    for one in found:
        again = json.loads(invoke(*one["command"].split()[1:], "--json").stdout)
        assert again["properties"][0]["violated_at"] == pytest.approx(one["time"], abs=1e-6)
    assert "u_t2" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--witnesses", "0"), "--witnesses"),
        (("--range", "K=1:2:3:bent"), "not of the form NAME=LO:HI"),
        (("--range", "K=3:1"), "is empty; write 1:3"),
        (("--range", "Q=1:3"), "unknown name 'Q'"),
        (("--range", "K=1"), "not of the form NAME=LO:HI"),
        (("--range", "K=1:2:3"), "only an input without formula can come in pieces"),
        (("--range", "K=1:inf"), "not finite"),
        (("--range", "ball1.y=0.1:3", "--range", "ball1.x=0:1.5"), "overlap"),
        (("--range", "K=1:3", "--set", "K=2"), "both set and given a range"),
        (("--until", "0"), "must be a finite time after 0"),
        (("--depth", "0"), "must be 1 event or more"),
        (("--property", "cought"), "did you mean 'caught'"),
        (("--method", "magic"), "must be one of shooting, paper"),
        (("--workers", "0"), "must be 1 or more"),
        (("--report", "no/such/folder/page.html"), "no/such/folder"),
        (("--scheduler", "tcp://127.0.0.1:9"), "no Dask scheduler answers"),
        (("--never", "x"), "one automaton with real variables"),
    ],
)
def test_bad_input_is_told(invoke: Invoke, arguments: tuple[str, ...], words: str) -> None:
    done = invoke("falsify", GAME, *arguments)
    assert done.exit_code == 2
    assert words in done.stderr


def test_properties_must_be_there_and_be_named(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "none.drbt").write_text("body b { sphere radius 1  mass 1 }\n")
    (tmp_path / "odd.drbt").write_text(
        "body b { sphere radius 1  mass 1 }\nproperty p: always c.y > 0\n"
    )
    assert "no property to break" in invoke("falsify", "none.drbt").stderr
    assert "name one: up, slow" in invoke("falsify", "bounce.drbt").stderr
    unknown = invoke("falsify", "odd.drbt")
    assert unknown.exit_code == 2
    assert "odd.drbt:2:20: unknown body 'c'" in unknown.stderr


def test_a_journal_of_other_work_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("dear diary\n")
    done = invoke("falsify", GAME, "--journal", "notes.txt")
    assert done.exit_code == 2
    assert "is not a journal" in done.stderr
    assert (tmp_path / "notes.txt").read_text() == "dear diary\n"


def test_a_killed_search_goes_on_where_it_was(invoke: Invoke, tmp_path: Path) -> None:
    """Kill -9 in the middle; the journal has results, which the next search does not make again."""
    arguments = ("falsify", GAME, "--range", "K=1.75:1.85", "--journal", "kept.jsonl", "--json")
    killed = subprocess.Popen([sys.executable, "-m", "dyverse", *arguments], cwd=tmp_path)
    kept = tmp_path / "kept.jsonl"
    for _ in range(1200):
        if kept.exists() and len(kept.read_text().splitlines()) > 3:
            break
        time.sleep(0.05)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    before = kept.read_text().splitlines()
    assert len(before) > 3
    resumed = invoke(*arguments)
    assert resumed.exit_code == 0
    assert kept.read_text().splitlines()[: len(before) - 1] == before[:-1]
    whole = invoke("falsify", GAME, "--range", "K=1.75:1.85", "--json")
    assert json.loads(resumed.stdout) == json.loads(whole.stdout)
