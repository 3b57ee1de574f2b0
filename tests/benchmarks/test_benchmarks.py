"""The benchmarks say what they ought to; how long anything takes is not tested."""

from __future__ import annotations

import json
import re
import socket
from itertools import pairwise

import numpy as np
import pytest
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.enumerate import as_networkx, everything, skeleton
from benchmarks.event import impacts, involved, touched_by
from benchmarks.machine import ROOT, commit, machine
from benchmarks.results import JSON, MARKDOWN, markdown, renewed, results
from benchmarks.simulate import bounces, scipy_bounces
from benchmarks.table import Requirement, Table, shown, verdict

from benchmarks import omega, solve
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text

TABLE = Table(
    question="how long",
    columns=("n", "s"),
    rows=((1, 0.25), (1000, 1234.5)),
    requirements=(Requirement(text="s", value=0.25, limit=1.0),),
    remarks=("on a quiet machine",),
)


def test_networkx_holds_the_same_nodes_and_edges() -> None:
    found = everything(skeleton(3, "complete", "paper"))
    graph = as_networkx(found)
    assert [len(part) for part in found] == [64, 14, 524]
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (64 + 2 * 14, 524)


def test_an_impact_touches_only_the_contacts_involved() -> None:
    """Seven balls have 21 contacts; no impact among them has more than a few."""
    automaton = generate(parse_world(example_text("balls-7")))
    found = impacts(simulate(automaton, until=5.0))
    assert found
    for visit in found:
        touched = touched_by(automaton, visit)
        assert sum(touched.solved) == involved(visit)
        assert max(touched.assembled) == involved(visit)


def test_the_peer_bounces_where_it_should() -> None:
    assert all(b - a > c - b for (a, b), (_, c) in pairwise(pairwise(bounces(9))))
    assert scipy_bounces() < 1e-9


@pytest.mark.parametrize("n", [1, 4, 30])
def test_contact_problems_have_the_size_asked_for(n: int) -> None:
    for problem in (solve.stack(n), solve.pack(n, np.random.default_rng(0))):
        assert len(problem) == n
        assert np.linalg.eigvalsh(problem.matrix).min() > -1e-9


def test_results_name_the_commit_and_the_machine_but_not_the_host() -> None:
    found = json.dumps(results({"some": TABLE}))
    assert {"cpu", "cores", "python", "libraries"} <= machine().keys()
    assert re.fullmatch(r"[0-9a-f]{40}( with changes)?|unknown", commit())
    assert str(ROOT) not in found
    assert socket.gethostname() not in found


def test_a_page_shows_tables_and_requirements() -> None:
    page = markdown(json.loads(json.dumps(results({"some": TABLE}))))
    assert "## some: how long" in page
    assert "| 1,000 | 1,234 |" in page
    assert "- met: s (0.25, at most 1)" in page
    assert "- on a quiet machine" in page


def test_a_table_measured_again_says_when_and_leaves_the_others() -> None:
    before = results({"some": TABLE, "other": TABLE})
    after = renewed({**before, "date": "then"}, {"other": TABLE})
    assert after["date"] == "then"
    assert after["benchmarks"]["some"] == before["benchmarks"]["some"]
    assert list(after["benchmarks"]) == ["some", "other"]
    assert re.search(r"- measured by itself, \d{4}-.* at commit .*, load", markdown(after))


def test_random_automata_are_as_dense_as_asked_for() -> None:
    for automaton in omega.pair(30, 1.5, seed=3):
        assert len(automaton.lts.steps) == 2 * 45
        assert len(automaton.accepting) == 10
    assert omega.pair(30, 1.5, seed=3) == omega.pair(30, 1.5, seed=3)
    assert omega.pair(30, 1.5, seed=3) != omega.pair(30, 1.5, seed=4)


def test_a_missed_requirement_is_said() -> None:
    assert verdict(Requirement(text="s", value=2.0, limit=1.0)) == "MISSED: s (2, at most 1)"


@pytest.mark.parametrize(("cell", "text"), [(0.012345, "0.0123"), (231284, "231,284"), ("–", "–")])
def test_cells_are_short(cell: str | int | float, text: str) -> None:
    assert shown(cell) == text


def test_the_committed_page_is_made_from_the_committed_numbers() -> None:
    found = json.loads(JSON.read_text("utf-8"))
    assert MARKDOWN.read_text("utf-8") == markdown(found)
    assert list(found["benchmarks"]) == list(BENCHMARKS)
    wanted = [r for table in found["benchmarks"].values() for r in table["requirements"]]
    assert MARKDOWN.read_text("utf-8").count("\n- MISSED: ") == sum(not r["met"] for r in wanted)


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["enumerat"])
    assert "'enumerat' is none of enumerate, initial" in capsys.readouterr().err
