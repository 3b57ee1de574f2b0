"""``dyverse abstract``: behaviours, languages, files and exit codes."""

import json
import math
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

THERMOSTAT = """\
# A thermostat without actions: its letters are made up.
automaton thermostat {
  real T = 20
  location on { T' = 0.1*(30 - T)  invariant T <= 22 }
  location off { T' = 0.1*(10 - T)  invariant T >= 18 }
  edge on -> off { when T >= 22 }
  edge off -> on { when T <= 18 }
  initial on
}
horizon 100
"""
PAPER = ("abstract", "example:drillstring", "--rules", "paper", "--json")


@pytest.fixture
def heat(invoke: Invoke, tmp_path: Path) -> Invoke:
    (tmp_path / "heat.drbt").write_text(THERMOSTAT, encoding="utf-8")
    (tmp_path / "still.drbt").write_text("automaton a { location x  initial x }\n", "utf-8")
    return invoke


def test_the_contract_of_the_json(invoke: Invoke) -> None:
    answer = json.loads(invoke(*PAPER, "--set", "W_ob=45000").stdout)
    assert answer["locations"] == ["slip_plus", "slip_minus", "stick", "trans_minus", "trans_plus"]
    assert answer["alphabet"] == ["a", "b", "c", "d"]
    assert answer["languages"] == {"equilibrium in slip_plus": "[(b+c)(ε+d)a]*bd"}
    assert answer["behaviour"] == answer["whole"] == "equilibrium in slip_plus"
    assert answer["accepted"] == ["equilibrium in slip_plus"]
    assert answer["word"] == "bd"
    assert answer["proved"] is True
    assert answer["equilibria"][0]["values"]["x3"] == pytest.approx(5.222, abs=5e-4)
    assert "proved complete" in answer["searched"]["slip_plus"]


def test_two_equilibria_in_one_location_are_told_apart(invoke: Invoke) -> None:
    answer = json.loads(invoke(*PAPER).stdout)
    assert len(answer["violations"]) == len(answer["cuts"]) == 1
    assert answer["violations"][0].startswith("case 1, several equilibria in one location")
    assert answer["left"] == []
    assert len(set(answer["languages"].values())) == 4
    assert answer["word"] == "(bdefa)^ω"
    assert answer["accepted"] == [answer["behaviour"]]
    assert answer["period"] == pytest.approx(4.633, abs=5e-4)
    assert answer["proved"] is True


def test_edges_without_actions_get_letters(heat: Invoke) -> None:
    answer = json.loads(heat("abstract", "heat.drbt", "--json").stdout)
    assert answer["word"] == "(ab)^ω"
    assert answer["alphabet"] == ["a", "b"]
    assert answer["accepted"] == list(answer["languages"]) == ["off on for ever"]


def test_files_are_written(heat: Invoke, tmp_path: Path) -> None:
    done = heat("abstract", "heat.drbt", "--dot", "heat.dot", "--hoa", "heat.hoa")
    assert done.exit_code == 0
    assert (tmp_path / "heat.dot").read_text("utf-8").startswith("digraph")
    assert (tmp_path / "heat.hoa").read_text("utf-8").startswith("HOA: v1")
    assert "the run: off on for ever, word (ab)^ω" in done.stdout


def test_a_bad_behaviour_is_exit_code_1(heat: Invoke) -> None:
    done = heat("abstract", "heat.drbt", "--bad", "off on for ever", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["bad"] == ["off on for ever"]


@pytest.mark.parametrize("command", ["abstract", "map"])
def test_an_unknown_behaviour_is_bad_input(heat: Invoke, command: str) -> None:
    more = ("--over", "T=19,20") if command == "map" else ()
    done = heat(command, "heat.drbt", *more, "--bad", "equilibrium in of")
    assert done.exit_code == 2
    assert "--bad:1:16: unknown location 'of'; did you mean 'off'?" in done.stderr


BLOCK = """\
# A mass on a spring with dry friction; it can rest anywhere in |x| <= 0.5.
discontinuous block {
  real x = 3.2, v
  surface v
  above { x' = v  v' = -x - 0.5 }
  below { x' = v  v' = -x + 0.5 }
  along v
  initial slip_minus
}
"""
WELLS = """\
# Two wells with damping.
automaton ball {
  real x = 1, v = 1.2
  location here { x' = v  v' = x - x^3 - 0.3*v }
  initial here
}
"""


def test_a_continuum_of_equilibria_is_a_set(invoke: Invoke, tmp_path: Path) -> None:
    """It loses 1 of its amplitude in each half round: 3.2, 2.2, 1.2, 0.2."""
    (tmp_path / "block.drbt").write_text(BLOCK, encoding="utf-8")
    done = invoke("abstract", "block.drbt", "--until", "60", "--json")
    answer = json.loads(done.stdout)
    assert answer["behaviour"] == "equilibrium in stick"
    assert answer["equilibrium"] == pytest.approx([-0.2, 0], abs=1e-4)
    assert answer["certainty"] == "proved"
    (held,) = answer["sets"]
    assert held["along"] == ["x"]
    assert held["bounds"]["x"] == pytest.approx([-0.5, 0.5], abs=1e-4)
    assert held["bounds"]["v"] == [0, 0]
    assert answer["equilibria"] == []
    assert "x in [-0.5" in invoke("abstract", "block.drbt", "--until", "60").stdout


def test_all_attractors_in_a_box_come_with_their_shares(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "wells.drbt").write_text(WELLS, encoding="utf-8")
    box = ("--box", "x=-2:2", "--box", "v=-2:2", "--starts", "12")
    answer = json.loads(invoke("abstract", "wells.drbt", *box, "--json").stdout)
    where = {entry["behaviour"]: entry["values"]["x"] for entry in answer["equilibria"]}
    assert sorted(where.values()) == pytest.approx([-1, 0, 1], abs=1e-9)
    assert sum(answer["shares"].values()) == pytest.approx(1)
    assert {round(where[name]) for name in answer["shares"]} == {-1, 1}
    assert answer["box"] == {"x": [-2, 2], "v": [-2, 2]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["y=0:1"], "unknown variable 'y'"),
        (["x=1:0", "v=0:1"], "LO must be less than HI"),
        (["x=1", "v=0:1"], "is not of the form NAME=LO:HI"),
        (["x=0:1"], "a box needs all variables; v is missing"),
        (["x=0:1", "x=0:2", "v=0:1"], "'x' is there twice"),
    ],
)
def test_a_box_that_is_none_is_bad_input(
    invoke: Invoke, tmp_path: Path, options: list[str], message: str
) -> None:
    (tmp_path / "wells.drbt").write_text(WELLS, encoding="utf-8")
    given = [item for text in options for item in ("--box", text)]
    done = invoke("abstract", "wells.drbt", *given)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_run_that_blows_up_is_an_answer(invoke: Invoke, tmp_path: Path) -> None:
    text = "automaton a { real x = 1  location on { x' = x^2 }  initial on }"
    (tmp_path / "blow.drbt").write_text(text, encoding="utf-8")
    done = invoke("abstract", "blow.drbt", "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 0
    assert answer["behaviour"] == answer["whole"] == "escapes"
    assert answer["blow_up"] == pytest.approx(1, abs=1e-6)
    assert answer["certainty"] == "numerical"
    assert invoke("abstract", "blow.drbt", "--bad", "escapes").exit_code == 1


def test_too_short_a_time_is_exit_code_3(heat: Invoke) -> None:
    done = heat("abstract", "heat.drbt", "--until", "5")
    assert done.exit_code == 3
    assert "undecided" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("example:gear",), "needs bodies, one automaton with real variables"),
        (("still.drbt",), "needs bodies, one automaton with real variables"),
        (("heat.drbt", "--until", "0"), "--until: must be a finite time after 0"),
        (("heat.drbt", "--starts", "-1"), "--starts: must be 0 or more"),
        (("heat.drbt", "--set", "x=1"), "unknown name 'x'"),
        (("heat.drbt", "--dot", "no/such/folder.dot"), "folder"),
        (("nothing.drbt",), "no such file"),
    ],
)
def test_bad_input_is_exit_code_2(heat: Invoke, arguments: tuple[str, ...], message: str) -> None:
    done = heat("abstract", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_what_lasts_is_proved_if_that_is_wanted(heat: Invoke, tmp_path: Path) -> None:
    """The period is 10 (ln(12/8) + ln(12/8)) s."""
    model = str(tmp_path / "heat.drbt")
    (orbit,) = json.loads(heat("abstract", model, "--prove", "--json").stdout)["orbits"]
    low, high = orbit["proof"]["period"]
    assert low - 1e-14 <= 20 * math.log(1.5) <= high + 1e-14
    assert high - low < 1e-11
    assert orbit["proof"]["stable"] is True
    told = heat("abstract", model, "--prove").stdout
    assert "proved: off on for ever: there is exactly one near T in [" in told


def test_what_never_moves_keeps_its_value_in_a_proof(heat: Invoke, tmp_path: Path) -> None:
    file = tmp_path / "still.drbt"
    text = "automaton a { real x  real y  location s { x' = -x }  initial s }\nhorizon 50\n"
    file.write_text(text, encoding="utf-8")
    found = json.loads(heat("abstract", str(file), "--prove", "--json").stdout)
    proofs = [entry["proof"] for entry in (*found["equilibria"], *found["sets"])]
    assert [proof["proved"] for proof in proofs] == [True]


def test_bodies_are_judged_by_one_run(invoke: Invoke) -> None:
    answer = json.loads(invoke("abstract", "example:rimless-wheel", "--json").stdout)
    assert answer["behaviour"] == "orbit of 1"
    assert answer["period"] == pytest.approx(0.838635, abs=2e-6)
    assert answer["alphabet"] == ["impact wheel-ground, release wheel-ground", "touch wheel-ground"]
    assert answer["certainty"] == "numerical"
    told = invoke("abstract", "example:rimless-wheel", "--until", "2")
    assert told.exit_code == 3
    assert "the run: undecided" in told.stdout
    bad = invoke("abstract", "example:rimless-wheel", "--bad", "orbit of 1")
    assert bad.exit_code == 1
    assert "of runs from elsewhere it says nothing" in bad.stdout


def test_orbits_of_bodies_are_proved_if_that_is_wanted(invoke: Invoke) -> None:
    found = json.loads(invoke("abstract", "example:vibrating-table", "--prove", "--json").stdout)
    proof = found["proof"]
    assert proof["stable"] is True
    low, high = proof["period"]
    assert low <= math.pi / 30 <= high
    assert high - low < 1e-12
    told = invoke("abstract", "example:rimless-wheel", "--prove").stdout
    assert "not proved: orbit of 1: unsupported" in " ".join(told.split())


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--hoa", "wheel.hoa"), "bodies have no written automaton"),
        (("--starts", "3"), "bodies have no written automaton"),
        (("--bad", "cycle (on off)"), "bodies do rest, 'orbit of N'"),
    ],
)
def test_what_bodies_cannot_be_asked_for(
    invoke: Invoke, option: tuple[str, ...], message: str
) -> None:
    asked = invoke("abstract", "example:vibrating-table", "--until", "0.5", *option)
    assert asked.exit_code == 2
    assert message in asked.stderr
