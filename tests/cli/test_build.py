"""``dyverse build``: Table 2 of the paper, and files that can be read."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dyverse.cli.main import app
from tests.cli.conftest import Invoke

KEYS = ("contacts", "dynamical_locations", "contact_nodes", "impact_nodes", "edges")
TABLE_2 = {  # [navarro2018] Table 2
    1: (0, 1, 0, 0, 0),
    2: (1, 4, 1, 1, 11),
    3: (3, 64, 7, 7, 524),
    4: (6, 4096, 63, 63, 231_284),
}


@pytest.mark.parametrize("number", TABLE_2)
def test_the_rules_of_the_paper_give_its_table(invoke: Invoke, number: int) -> None:
    answer = json.loads(
        invoke("build", f"example:balls-{number}", "--rules", "paper", "--json").stdout
    )
    assert tuple(answer[key] for key in KEYS) == TABLE_2[number]
    assert sum(answer["per_rule"].values()) == answer["edges"]


@pytest.mark.parametrize(("number", "edges"), [(1, 0), (2, 12), (3, 531), (4, 231_347)])
def test_the_default_rules_close_the_hole(invoke: Invoke, number: int, edges: int) -> None:
    assert json.loads(invoke("build", f"example:balls-{number}", "--json").stdout)["edges"] == edges


def test_the_feasible_graph_is_counted_as_well(invoke: Invoke) -> None:
    answer = json.loads(invoke("build", "example:balls-3", "--json").stdout)
    assert answer["feasible"]["edges"] < answer["edges"]
    chosen = json.loads(invoke("build", "example:balls-3", "--graph", "feasible", "--json").stdout)
    assert chosen["edges"] == answer["feasible"]["edges"]
    assert chosen["graph"] == "feasible"


def test_twenty_balls_are_told_in_powers(invoke: Invoke) -> None:
    result = invoke("build", "example:balls-20")
    assert result.exit_code == 0
    assert "4^190 ≈ 2.46e114" in result.stdout
    assert "2^190 − 1 ≈ 1.57e57" in result.stdout
    assert len(result.stdout) < 4000
    exact = json.loads(invoke("build", "example:balls-20", "--json").stdout)
    assert exact["dynamical_locations"] == 4**190


def test_files_are_written(invoke: Invoke, tmp_path: Path) -> None:
    files = ("--display", "a.txt", "--dot", "a.dot", "--model-json", "a.json")
    result = invoke("build", "bounce.drbt", *files)
    assert result.exit_code == 0
    assert "wrote a.dot" in result.stderr
    assert "ball-floor" in (tmp_path / "a.txt").read_text(encoding="utf-8")
    assert (tmp_path / "a.dot").read_text(encoding="utf-8").startswith("digraph")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["edges"]


def test_a_listing_goes_to_standard_output_alone(invoke: Invoke) -> None:
    result = invoke("build", "bounce.drbt", "--display", "-")
    assert result.stdout.startswith("Multi-rigid-body hybrid automaton")
    assert "feasible graph" not in result.stdout
    both = invoke("build", "bounce.drbt", "--display", "-", "--json")
    assert both.exit_code == 2
    assert "both ask for standard output" in both.stderr


def test_a_drawing_that_is_too_large_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("build", "example:balls-4", "--dot", "a.dot")
    assert result.exit_code == 2
    assert "too many to draw" in result.stderr
    assert not (tmp_path / "a.dot").exists()


@pytest.mark.parametrize("option", [("--rules", "papers"), ("--graph", "full")])
def test_unknown_choices_are_bad_input(invoke: Invoke, option: tuple[str, str]) -> None:
    assert invoke("build", "bounce.drbt", *option).exit_code == 2


def test_a_file_that_cannot_be_written(invoke: Invoke) -> None:
    result = invoke("build", "bounce.drbt", "--display", "no/such/file.txt")
    assert result.exit_code == 2
    assert "no/such/file.txt: cannot be written: there is no directory" in result.stderr


def test_automata_are_counted_and_written(tmp_path: Path) -> None:
    model, files = "example:two-tanks", ("list.txt", "net.dot", "net.json")
    display, dot, model_json = (str(tmp_path / name) for name in files)
    order = ["build", model, "--display", display, "--dot", dot, "--model-json", model_json]
    done = CliRunner().invoke(app, [*order, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {
        "automata": 3,
        "variables": 3,
        "dynamical_locations": 4,
        "edges": 2,
        "channels": 0,
        "combinations": 2,
        "contacts": 0,
        "contact_nodes": 0,
        "impact_nodes": 0,
    }
    assert "    when right.level <= low\n" in Path(display).read_text(encoding="utf-8")
    assert '"hose.at_left" -> "hose.at_right"' in Path(dot).read_text(encoding="utf-8")
    written = json.loads(Path(model_json).read_text(encoding="utf-8"))
    assert [item["name"] for item in written["automata"]] == ["left", "right", "hose"]


def test_automata_are_told_in_a_table() -> None:
    done = CliRunner().invoke(app, ["build", "example:thermostat"])
    assert done.exit_code == 0
    assert "1 automaton, 2 variables" in done.output


def test_bodies_beside_automata_are_counted_too() -> None:
    done = CliRunner().invoke(app, ["build", "example:racket", "--json"])
    answer = json.loads(done.stdout)
    assert (answer["automata"], answer["dynamical_locations"]) == (1, 3)
    bodies = answer["bodies"]
    assert (bodies["contacts"], bodies["dynamical_locations"], bodies["edges"]) == (2, 16, 80)
    assert [answer[key] for key in KEYS] == [2, 3, 3, 3, answer["edges"]]
    told = CliRunner().invoke(app, ["build", "example:racket"]).output
    assert "1 automaton" in told
    assert "2 contacts: ball-racket, ball-floor" in told
