"""``dyverse simulate``: events, files, settings and what is told about a run."""

import csv
import json
import math
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from dyverse.cli.main import app
from tests.cli.conftest import Invoke

FIRST = math.sqrt(2 * 2.5 / 9.81)  # of a fall of 2.5 m


def test_json_has_the_keys_of_the_contract(invoke: Invoke) -> None:
    result = invoke("simulate", "bounce.drbt", "--until", "2", "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    answer = json.loads(result.stdout)
    assert (answer["stop"], answer["time"]) == ("horizon", 2.0)
    first = answer["events"][0]
    assert first["time"] == pytest.approx(FIRST, abs=1e-9)
    assert (first["kind"], first["contacts"], first["from"]) == ("impact", ["ball-floor"], "{}")
    assert set(answer["final"]) >= {"ball.x", "ball.vx", "ball.wx"}


def test_properties_are_judged_and_the_exit_code_stays_0(invoke: Invoke) -> None:
    result = invoke("simulate", "bounce.drbt", "--json")
    up, slow = json.loads(result.stdout)["properties"]
    assert result.exit_code == 0
    assert up["held"]
    assert up["violated_at"] is None
    assert slow["violated_at"] == pytest.approx(6 / 9.81, abs=1e-8)
    told = invoke("simulate", "bounce.drbt").stdout
    assert "ball.y > 0.4: held on this run" in told
    assert "ball.vy > -6: violated at t = 0.6116" in told


@pytest.mark.parametrize(
    ("line", "until"), [("horizon 0.25", 0.25), ("", 5.0), ("property p: always true until 7", 7.0)]
)
def test_the_model_says_how_long(invoke: Invoke, tmp_path: Path, line: str, until: float) -> None:
    with (tmp_path / "bounce.drbt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    assert json.loads(invoke("simulate", "bounce.drbt", "--json").stdout)["time"] == until


def test_without_a_word_it_is_ten_seconds(invoke: Invoke) -> None:
    assert json.loads(invoke("simulate", "spring.drbt", "--json").stdout)["time"] == 10.0


def test_settings_reach_parameters_ports_and_starts(invoke: Invoke) -> None:
    settings = ("--set", "e=1/2", "--set", "wind=0.5", "--set", "ball.vz = 2")
    answer = json.loads(
        invoke("simulate", "bounce.drbt", "--until", "1", *settings, "--json").stdout
    )
    assert answer["final"]["ball.vx"] != 0
    assert answer["final"]["ball.z"] > 1
    rise = 0.5 * 9.81 * FIRST
    assert answer["final"]["ball.vy"] == pytest.approx(rise - 9.81 * (1 - FIRST))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("ee=1", "--set: unknown name 'ee'"),
        ("e=1:2", "--set: only an input without formula can come in pieces, not 'e'"),
        ("e=0,5", "'e' needs a number, found '0,5'; write a decimal point"),
        ("ball.vq=1", "unknown name 'ball.vq'; did you mean 'ball.v"),
        ("nothing=1", "known: e, wind, BODY.{x,"),
        ("gust=1", "cannot set the input 'gust': it has a formula"),
        ("e", "'e' is not of the form NAME=VALUE"),
        ("e=big", "'e' needs a number, found 'big'"),
        ("e=(1,2)", "'e' needs a number"),
        ("e=nan", "cannot set 'e' to nan"),
        ("e=2", "restitution is 2; it must lie in [0, 1]"),
        ("ball.y=0", "bodies 'ball' and 'floor' overlap by 0.5 m"),
    ],
)
def test_settings_that_cannot_be(invoke: Invoke, setting: str, message: str) -> None:
    result = invoke("simulate", "bounce.drbt", "--set", setting, "--json")
    assert result.exit_code == 2
    assert message in result.stderr
    assert json.loads(result.stdout)["problems"]


def test_a_setting_is_given_once(invoke: Invoke) -> None:
    result = invoke("simulate", "bounce.drbt", "--set", "e=0.5", "--set", "e=0.6")
    assert "'e' is set twice" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--solver", "cvod"), "unknown solver 'cvod'; did you mean 'cvode'?"),
        (("--until", "inf"), "--until: must be a finite time"),
        (("--until", "-1"), "--until: must be a finite time"),
        (("--rtol", "0"), "--rtol: must lie between"),
        (("--max-events", "0"), "--max-events: must be 1 or more"),
        (("--plot", "a.gif"), "a.gif: a picture is written by its suffix"),
        (("--csv", "no/a.csv"), "no/a.csv: cannot be written: there is no directory"),
        (("--parquet", "."), ".: cannot be written: it is a directory"),
    ],
)
def test_options_that_make_no_sense(invoke: Invoke, options: tuple[str, str], message: str) -> None:
    result = invoke("simulate", "bounce.drbt", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_all_files_are_written_in_one_go(invoke: Invoke, tmp_path: Path) -> None:
    files = ("--csv", "a.csv", "--parquet", "a.parquet", "--plot", "a.svg")
    result = invoke("simulate", "bounce.drbt", "--until", "2", *files, "--json")
    assert json.loads(result.stdout)["stop"] == "horizon"
    assert result.stderr.split() == ["wrote", "a.csv", "wrote", "a.parquet", "wrote", "a.svg"]
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[-1]["t"]) == 2.0
    assert {"wind", "gust", "energy", "gap[ball,floor]"} <= set(rows[0])
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert (tmp_path / "a.parquet").read_bytes()[:4] == b"PAR1"


def test_long_lists_of_events_are_shortened(invoke: Invoke) -> None:
    short = invoke("simulate", "bounce.drbt", "--until", "10").stdout
    whole = invoke("simulate", "bounce.drbt", "--until", "10", "--all-events").stdout
    assert "--all-events shows them" in short
    assert whole.count("impact ") > short.count("impact ") > 20
    assert "accumulat" in short


def test_the_reason_it_stopped_is_told(invoke: Invoke) -> None:
    result = invoke("simulate", "bounce.drbt", "--until", "10", "--max-events", "3")
    assert result.exit_code == 0
    assert "as many events as were allowed" in result.stdout
    answer = json.loads(invoke("simulate", "bounce.drbt", "--max-events", "3", "--json").stdout)
    assert answer["stop"] == "max_events"
    assert len(answer["events"]) == 3


def test_both_solvers_agree(invoke: Invoke) -> None:
    pytest.importorskip("sksundae")
    options = ("simulate", "spring.drbt", "--until", "3", "--json", "--solver")
    ends = [json.loads(invoke(*options, name).stdout)["final"] for name in ("reference", "cvode")]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_a_broken_model_is_bad_input(invoke: Invoke) -> None:
    result = invoke("simulate", "broken.drbt")
    assert result.exit_code == 2
    assert "broken.drbt:2:14: unknown body 'flor'" in result.stderr


AUTOMATON = """
automaton fork { clock c  location a  location b  location d  initial a
  edge a -> b { when c >= 1  action left }
  edge a -> d { when c >= 1  action right } }
horizon 2
"""


@pytest.fixture
def fork(tmp_path: Path) -> str:
    path = tmp_path / "fork.drbt"
    path.write_text(AUTOMATON, encoding="utf-8")
    return str(path)


def simulated(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["simulate", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    return cast(dict[str, Any], json.loads(done.stdout))


def test_an_automaton_is_simulated_like_bodies(fork: str) -> None:
    answer = simulated(fork)
    assert answer["stop"] == "horizon"
    assert answer["final"] == {"c": pytest.approx(2.0)}
    (event,) = answer["events"]
    assert (event["kind"], event["from"], event["to"]) == ("left", "a", "b")
    assert event["remark"] == "1 of 2 by order"


def test_the_tick_and_the_choice_are_options(fork: str) -> None:
    (event,) = simulated(fork, "--tick", "0.3", "--set", "c=0.05")["events"]
    assert event["time"] == pytest.approx(1.2)
    drawn = {simulated(fork, "--choice", f"seed:{seed}")["events"][0]["kind"] for seed in range(8)}
    assert drawn == {"left", "right"}
    asked = CliRunner().invoke(app, ["simulate", fork, "--choice", "ask"], input="7\n2\n")
    assert asked.exit_code == 0
    assert "2: right, a -> d" in asked.output
    assert "2 of 2 as asked" in asked.output


WINDOW = """
automaton door { clock c  location closed { invariant c <= 4 }  location open  initial closed
  edge closed -> open { when c >= 1 and c <= 3  action opens }
  edge closed -> open { when c >= 2  action bursts } }
horizon 5
"""


def test_who_is_asked_may_wait(tmp_path: Path) -> None:
    path = tmp_path / "door.drbt"
    path.write_text(WINDOW, encoding="utf-8")
    done = CliRunner().invoke(app, ["simulate", str(path), "--choice", "ask"], input="w\nw\nx\n1\n")
    assert done.exit_code == 0
    assert "at t = 1 s in closed these edges are enabled:" in done.output
    assert "which one (1, or w)" in done.output
    assert done.output.count("w: wait") == 3
    assert "1 of 2 as asked" in done.output
    (late,) = simulated(str(path), "--choice", "latest")["events"]
    assert (late["kind"], late["time"]) == ("bursts", pytest.approx(4.0))
    drawn = [simulated(str(path), "--choice", "seed:4:0.5")["events"] for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_a_question_that_nobody_answers_is_exit_code_2(fork: str) -> None:
    """1 would mean falsified."""
    done = CliRunner().invoke(app, ["simulate", fork, "--choice", "ask"], input="7\n")
    assert done.exit_code == 2
    assert "standard input has ended, and a question is open" in done.stderr


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--tick", "0", "must be a finite time over 0"),
        ("--choice", "luck", "'luck' is no way to choose; there are ask, priority, latest"),
        ("--choice", "seed:1:2", "'seed:1:2' is no way to choose"),
        ("--set", "d=1", "unknown name 'd'"),
    ],
)
def test_options_for_automata_are_checked(fork: str, option: str, value: str, message: str) -> None:
    done = CliRunner().invoke(app, ["simulate", fork, option, value])
    assert done.exit_code == 2
    assert message in done.output


def test_a_network_goes_on_past_its_zeno_point(invoke: Invoke) -> None:
    """The ball of UPPAAL's demonstration comes to rest at 12.85 s."""
    model = str(Path(__file__).parents[1] / "uppaal" / "models" / "bouncing_ball.xml")
    stopped = json.loads(invoke("simulate", model, "--until", "20", "--json").stdout)
    assert stopped["stop"] == "livelock"
    assert stopped["time"] == pytest.approx(12.8505881, abs=1e-6)
    rested = json.loads(
        invoke("simulate", model, "--until", "20", "--escape", "1e-3", "--json").stdout
    )
    assert (rested["stop"], rested["time"]) == ("horizon", 20.0)
    assert "air_rest" in rested["location"]
    assert invoke("simulate", "bounce.drbt", "--escape", "1e-3").exit_code == 2
