"""``dyverse export``: files for other programs."""

import json
import math
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from dyverse.cli.export import export
from dyverse.uppaal.files.reading import parse_document
from tests.uppaal.sample_models import MODELS

EXAMPLES = Path(__file__).parents[2] / "examples"
BALL = str(MODELS / "bouncing_ball.xml")


def call(*arguments: str) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(export)
    return CliRunner().invoke(app, list(arguments))


def test_a_ball_is_written_for_tchecker_with_observed_bounds(tmp_path: Path) -> None:
    file = tmp_path / "ball.tck"
    answer = call(
        BALL, "--to", "tck", "-o", str(file), "--observe", "8", "--unit", "0.001", "--json"
    )
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert told["files"] == [str(file)]
    assert [(item["signal"], item["marked"], item["by"]) for item in told["bounds"]] == [
        ("bounce", "observed", "a run")
    ]
    text = file.read_text()
    assert "(observed in 1 runs to 8 s with 4 signals)" in text
    assert "sync:Ball@bounce_emit:Observer@bounce_recv?" in text


def test_established_bounds_are_taken_as_given(tmp_path: Path) -> None:
    file = tmp_path / "ball.xml"
    answer = call(BALL, "--to", "uppaal", "-o", str(file), "--bound", "bounce=1:3")
    assert answer.exit_code == 0, answer.output
    assert "then every [1, 3] s (established)" in file.read_text()


def test_bounds_are_established_for_all_runs_to_a_time(tmp_path: Path) -> None:
    """Up to 8 s the ball's flights take 2 eⁿ t₁, n = 1 … 3."""
    file, first = tmp_path / "ball.xml", math.sqrt(2 * 10 / 9.81)
    common = (BALL, "--to", "uppaal", "-o", str(file), "--unit", "0.001", "--json")
    answer = call(*common, "--establish", "8")
    assert answer.exit_code == 0, answer.output
    bound = json.loads(answer.stdout)["bounds"][0]
    assert bound["marked"] == "established"
    assert bound["by"].startswith("for all runs to 8 s by the must rule")
    assert bound["first"] == pytest.approx([first, first], abs=1e-9)
    assert bound["then"] == pytest.approx([2 * 0.8**3 * first, 2 * 0.8 * first], abs=1e-9)
    assert "(established for all runs to 8 s by the must rule" in file.read_text()


def test_what_cannot_be_established_is_observed_if_that_is_asked_for(tmp_path: Path) -> None:
    model = str(EXAMPLES / "bouncing-ball-floor" / "rigid.drbt")
    wishes = ("--establish", "inf", "--observe", "6", "--json")
    answer = call(model, "--to", "tck", "-o", str(tmp_path / "ball.tck"), *wishes)
    told = json.loads(answer.stdout)
    assert [item["marked"] for item in told["bounds"]] == ["observed"]
    assert told["not_established"][0]["signal"] == "touch"
    assert "touch: not established: bodies" in answer.stderr


def test_the_rule_is_a_choice(tmp_path: Path) -> None:
    """A thermostat's invariants force it, so UPPAAL's rule gives the same."""
    swing = 20 * math.log(1.5)
    arguments = ("--to", "tck", "-o", str(tmp_path / "x.tck"), "--establish", "inf", "--json")
    answer = call("example:thermostat", *arguments, "--rule", "may")
    assert answer.exit_code == 0, answer.output
    for bound in json.loads(answer.stdout)["bounds"]:
        assert bound["then"] == pytest.approx([swing, swing], abs=1e-9)
        assert "by the may rule" in bound["by"]


def test_bodies_under_a_control_program_are_one_more_process() -> None:
    """The first impact is at √(2h/g) = 2.0203 s; later ones e, e², … times twice that apart."""
    model = str(EXAMPLES / "bouncing-ball-floor" / "rigid.drbt")
    answer = call(model, "--to", "tck", "-o", "-", "--observe", "6", "--unit", "0.001")
    assert answer.exit_code == 0, answer.output
    first, gap = 1000 * math.sqrt(2 * 20 / 9.8), 1600 * math.sqrt(2 * 20 / 9.8)
    low, more = math.floor(first), math.floor(gap) - math.floor(first)
    assert f"provided: since_touch >= ({low} + ({more} * begun_touch))" in answer.stdout
    assert "sync:bodies@touch_emit:control@touch_recv\n" in answer.stdout
    assert "edge:control:low_bounces:low_bounces:touch_recv{}" in answer.stdout
    assert "edge:control:wait:low_bounces:touch_recv{provided: control_z < 1000}" in answer.stdout


def test_all_that_contacts_offer_is_sent_by_the_bodies() -> None:
    """The tyre first slips after 0.11698 s and grips after 0.13928 s: see the example's page."""
    arguments = ("--to", "uppaal", "-o", "-", "--observe", "0.15", "--unit", "0.001")
    answer = call("example:brake", *arguments)
    assert answer.exit_code == 0, answer.output
    for channel, first in (("skids", 116), ("grips", 139)):
        assert f"broadcast chan {channel};" in answer.stdout
        assert f"since_{channel} &gt;= {first} + " in answer.stdout
        assert f">{channel}!<" in answer.stdout
        assert f">{channel}?<" in answer.stdout


@pytest.mark.parametrize("name", ["fischer.xta", "train_gate.xml"])
def test_an_uppaal_file_is_written_as_it_is_in_xml(name: str, tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    assert call(str(MODELS / name), "--to", "uppaal", "-o", str(file)).exit_code == 0
    first = parse_document((MODELS / name).read_bytes())
    assert parse_document(file.read_bytes()).templates == first.templates


@pytest.mark.parametrize(("to", "start"), [("dot", "digraph"), ("json", "{"), ("uppaal", "<?xml")])
def test_other_formats_go_to_standard_output(to: str, start: str) -> None:
    answer = call(BALL, "--to", to, "-o", "-", "--profile", "smc")
    assert answer.exit_code == 0, answer.output
    assert answer.stdout.startswith(start)


@pytest.mark.parametrize("to", ["dot", "json"])
def test_bodies_are_written_as_their_automaton(to: str) -> None:
    answer = call("example:bouncing-ball", "--to", to, "-o", "-")
    assert answer.exit_code == 0, answer.output
    assert "ball-floor" in answer.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((BALL, "--to", "tck", "-o", "-", "--bound", "bounce"), "not of the form SIGNAL=LO:HI"),
        ((BALL, "--to", "tck", "-o", "-", "--unit", "0"), "--unit: must be a finite time over 0"),
        ((BALL, "--to", "tck", "-o", "-", "--establish", "-1"), "--establish: must be a time over"),
        ((BALL, "--to", "tck", "-o", "-", "--json"), "both ask for standard output"),
        ((BALL, "--to", "hoa", "-o", "-"), "only a single automaton has a HOA text"),
        ((BALL, "--to", "tck", "-o", "/none/x"), "there is no directory"),
        (("none.xml", "--to", "tck", "-o", "-"), "none.xml"),
    ],
)
def test_what_cannot_be_written_is_told(arguments: tuple[str, ...], message: str) -> None:
    answer = call(*arguments)
    assert answer.exit_code == 2
    assert message in answer.output + answer.stderr


def test_bodies_alone_are_written_by_their_signals_or_told_how(tmp_path: Path) -> None:
    file = tmp_path / "ball.xml"
    common = ("example:bouncing-ball", "--to", "uppaal", "-o", str(file), "--unit", "0.001")
    assert call(*common, "--observe", "5").exit_code == 0
    assert "impact: first" in file.read_text()
    assert "observed in 1 runs to 5 s" in file.read_text()
    answer = call(*common)
    assert answer.exit_code == 2
    assert "--bound impact=LO:HI" in answer.stderr
    answer = call(*common, "--profile", "smc")
    assert answer.exit_code == 2
    assert "--profile stub" in answer.stderr


def test_ids_of_locations_stand_once_in_a_file(tmp_path: Path) -> None:
    """Both from an XTA file, whose processes share names, and from a network of ours."""
    source, file = tmp_path / "two.xta", tmp_path / "two.xml"
    process = "process {}() {{ state a, b; init a; trans a -> b {{ }}; }}\n"
    source.write_text(f"{process.format('P')}{process.format('Q')}system P, Q;\n")
    for model in (str(source), "example:robot"):
        options = () if model == str(source) else ("--unit", "0.001", "--observe", "1")
        assert call(model, "--to", "uppaal", "-o", str(file), *options).exit_code == 0
        ids = re.findall(r'<location id="([^"]*)"', file.read_text())
        assert len(ids) > 2
        assert len(set(ids)) == len(ids)
        parse_document(file.read_bytes())
