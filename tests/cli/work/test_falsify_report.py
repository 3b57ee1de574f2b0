"""The page of a falsification: well-formed, loads nothing, and shows the numbers of the JSON."""

import base64
import gzip
import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dyverse import __version__, parse_world
from dyverse.animation.replays.replay import SLOT
from dyverse.animation.serving import built
from dyverse.cli.main import app
from dyverse.cli.work.falsify_report import write_report
from dyverse.cli.work.falsifying import answer_json
from dyverse.exporters.page import number
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.verdict import Safe, Unknown, Unsafe
from tests.parsed_page import ParsedPage

GAME = "example:interception-game"
FALL = """
parameter h = 1 in [0, 2]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, h, 0) }
property high: always ball.y > -1 until 0.5
"""


@pytest.fixture(autouse=True)
def unbuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the animator's page, whether this machine has it or not."""
    monkeypatch.setattr(built, "STATIC", tmp_path / "static")


def report(tmp_path: Path, *options: str, model: str = GAME) -> tuple[ParsedPage, dict[str, Any]]:
    """The page and the JSON of one command."""
    file = tmp_path / "report.html"
    command = ["falsify", model, *options, "--report", str(file), "--json"]
    result = CliRunner().invoke(app, command)
    assert not result.exception or isinstance(result.exception, SystemExit), result.output
    return ParsedPage(file.read_text(encoding="utf-8")), json.loads(result.stdout)


def check_page(page: ParsedPage) -> None:
    assert page.links == []
    assert all(image.startswith("data:image/") for image in page.images)
    assert not {"script", "link", "iframe", "object"} & set(page.tags)
    assert f"dyverse {__version__}" in page.text


def numbers(answer: Any) -> Iterator[float]:
    """All numbers in an answer."""
    match answer:
        case dict():
            for part in answer.values():
                yield from numbers(part)
        case list():
            for part in answer:
                yield from numbers(part)
        case bool():
            pass
        case int() | float():
            yield answer


DOOR = """
parameter a = 0.1 in [0, 1]
automaton door {
  clock c
  location shut
  location open
  initial shut
  edge shut -> open { when c >= 1 and a > 2 }
}
system door
property stays: always not door.open until 2
"""


def test_a_margin_without_distances_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "door.drbt"
    file.write_text(DOOR, encoding="utf-8")
    page, answer = report(tmp_path, "--runs", "8", model=str(file))
    assert answer["covered"]["least_margin"] == 0
    assert "A margin of 0 keeps the property" in page.text
    assert "-0" not in re.split(r"[\s|]+", page.text)


def test_the_page_of_a_violation_shows_the_numbers_of_the_json(tmp_path: Path) -> None:
    page, answer = report(tmp_path)
    check_page(page)
    assert answer["verdict"] == "unsafe"
    (contact,) = answer["covered"]["visited"]["contacts"].items()
    assert page.row(contact[0]) == [str(n) if n else "never" for n in contact[1].values()]
    assert len(page.images) == 3  # witness, nearest, search; the worst is the witness
    names = [name for name in ("witness", "nearest", "deepest", "simplest") if answer[name]]
    assert page.row("K") == ["1", "3", "2"]  # the range, and the model's own
    assert page.row("broken at (s)") == [number(answer[name]["time"]) for name in names]
    assert page.row("margin at its worst") == [number(answer[name]["margin"]) for name in names]
    for name in names:
        assert {number(x) for x in numbers(answer[name]["events"])} <= page.cells
        assert {number(x) for x in numbers(answer[name]["initial"])} <= page.cells
        assert answer[name]["command"] in page.text
        assert f"decides: {number(answer[name]['margin'])} at" in page.text
        assert answer[name]["decides"] == "ball1.y > 0"
        assert " → ".join(answer[name]["path"]) in page.text
    assert page.row("runs") == [str(answer["covered"]["runs"])]
    assert "always ball1.y > 0" in page.text
    assert "parameter K = 2 in [1, 3]" in page.text
    assert "says nothing about which other values" in page.text


def test_the_page_of_no_violation_says_that_it_proves_nothing(tmp_path: Path) -> None:
    page, answer = report(tmp_path, "--range", "K=1.75:1.85")
    check_page(page)
    assert answer["verdict"] == "not_found"
    assert "not a proof" in page.text
    assert "Witnesses" not in page.text
    least = number(answer["covered"]["least_margin"])
    where = number(answer["covered"]["nearest"]["K"])
    assert page.row("least margin") == [f"{least} at K = {where}"]
    assert sum(int(row[1]) for row in page.tables[-1][1:]) <= answer["covered"]["runs"]


def test_the_page_of_an_unfinished_search_says_why(tmp_path: Path) -> None:
    page, answer = report(tmp_path, "--range", "K=1.75:1.85", "--runs", "10")
    check_page(page)
    assert answer["verdict"] == "unknown"
    assert answer["why"] in page.text
    assert "neither a violation nor its absence" in page.text


def test_a_question_without_unknowns_has_one_run(tmp_path: Path) -> None:
    page, answer = report(tmp_path, "--set", "K=3")
    check_page(page)
    assert answer["verdict"] == "unsafe"
    assert "there is one run" in page.text
    assert page.row("K") == ["3"]


def test_a_model_without_ranges_has_one_run_too(tmp_path: Path) -> None:
    model = tmp_path / "fall.drbt"
    model.write_text(FALL.replace("in [0, 2]", ""))
    page, answer = report(tmp_path, model=str(model))
    assert answer["verdict"] == "not_found"
    assert page.row("runs") == ["1"]
    assert answer["covered"]["least_margin"] == pytest.approx(1 - 10 / 2 * 0.25 + 1, abs=1e-9)


def test_a_fall_is_broken_when_the_closed_form_says(tmp_path: Path) -> None:
    """From h = 0 with g = 10 the ball is at -1 m after √0.2 s; at 0.5 s at -1.25 m."""
    model = tmp_path / "fall.drbt"
    model.write_text(FALL)
    page, _ = report(tmp_path, model=str(model))
    assert page.row("broken at (s)")[0] == number(0.2**0.5)
    assert float(page.row("margin at its worst")[0]) == pytest.approx(-0.25, abs=1e-9)


def test_hostile_names_and_texts_stay_text(tmp_path: Path) -> None:
    model = tmp_path / "<img src=x onerror=a>$x_$.drbt"
    model.write_text(f"# </pre><script src='https://example.org'></script>\n{FALL}")
    page, _ = report(tmp_path, model=str(model))
    check_page(page)
    assert model.name in page.text
    assert "</pre><script src=" in page.text


def test_a_marginal_witness_is_called_so(tmp_path: Path) -> None:
    question = ask(parse_world(FALL))
    verdict = falsify(question)
    assert isinstance(verdict, Unsafe)
    witness = replace(verdict.witness, marginal=True)
    doubtful = Unknown(why="it is marginal", covered=verdict.covered, marginal=witness)
    file = tmp_path / "a.html"
    write_report(
        file, "gone.drbt", question, doubtful, answer_json("gone.drbt", question, doubtful)
    )
    page = ParsedPage(file.read_text(encoding="utf-8"))
    assert "Marginal: within the error" in page.text
    assert "neither a violation nor its absence is claimed" in page.text


def test_a_certificate_and_a_record_are_shown(tmp_path: Path) -> None:
    question = ask(parse_world(FALL), ranges={"h": (1, 2)})
    verdict = Safe(certificate="it starts high enough", covered=falsify(question).covered)
    sizes = {"clauses1": 5, "clauses2": 3, "clauses3": 2}
    record = [{"time": 0.1, "calls": 1, **sizes, "iterations": 2}]
    answer = answer_json("fall.drbt", question, verdict)
    write_report(tmp_path / "a.html", "fall.drbt", question, verdict, answer, record=record)
    page = ParsedPage((tmp_path / "a.html").read_text(encoding="utf-8"))
    assert "Safe: it starts high enough." in page.text
    assert len(page.images) == 2


def test_where_the_animator_is_built_the_witness_can_be_played(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "replay.html").write_text(f"<!doctype html><body>{SLOT}</body>")
    model = tmp_path / "fall.drbt"
    model.write_text(FALL.replace("-1 until", "0.2 until"))
    page, answer = report(tmp_path, model=str(model))
    assert page.tags.count("iframe") == 1
    assert not {"script", "link", "object"} & set(page.tags)  # but inside of the frame
    text = html.unescape((tmp_path / "report.html").read_text())
    (packed,) = re.findall(r'gzip\+base64" id="run">([^<]+)<', text)
    said = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert said[0]["name"] == "fall.drbt"
    (broken,) = [e for m in said for e in m.get("events", ()) if e["kind"] == "violation"]
    assert broken["time"] == pytest.approx(answer["witness"]["time"], abs=1e-6)
