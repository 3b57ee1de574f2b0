"""The searches are measured as the page says; how long anything takes is not tested."""

from __future__ import annotations

import json
import math
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks.peers.ask import PYTHONS
from benchmarks.peers.falsify import __main__ as bench
from benchmarks.peers.falsify import with_dyverse, with_random, with_scipy
from benchmarks.peers.falsify.__main__ import JSON, PAGE, as_json, in_turn, measured
from benchmarks.peers.falsify.kept import Kept
from benchmarks.peers.falsify.page import PEERS, kept, page, quartiles, unmeasured
from benchmarks.peers.falsify.search import Counted, Ended, Search, answer
from benchmarks.peers.falsify.task import ALONE, KINDS, PROBLEMS
from benchmarks.peers.install import ROOT

from dyverse.falsification.falsify import falsify
from dyverse.falsification.question import Question, probe

FEWEST = 3  # seeds of a page
TALIRO = PYTHONS["PSY-TaLiRo"]


def margins(question: Question, *points: float) -> list[float]:
    return list(probe(question, np.array(points)[:, None]).margins)


def test_the_committed_page_is_made_from_the_committed_numbers() -> None:
    found = json.loads(JSON.read_text("utf-8"))
    assert PAGE.read_text("utf-8") == page(found)
    assert as_json(found) == JSON.read_text("utf-8")
    left = unmeasured(found["answers"])
    assert [(a["problem"], a["peer"]) for a in found["answers"]] == [
        (problem, peer)
        for problem in PROBLEMS
        for peer in PEERS
        if problem not in left and peer not in left
    ]
    told = PAGE.read_text("utf-8").partition("not measured yet: ")[2].partition("\n")[0]
    assert told == ", ".join(left)


def test_the_committed_searches_keep_to_their_seeds_and_budgets() -> None:
    found = json.loads(JSON.read_text("utf-8"))
    assert found["seeds"] >= FEWEST
    for one in found["answers"]:
        assert [len(one[column]) for column in ("found", "runs", "seconds")] == [found["seeds"]] * 3
        if not one["peer"].startswith("dyverse"):
            most = found["many" if one["peer"] == "random search" else "alone"]
            assert max(one["runs"]) <= most


def test_quartiles_count_searches_that_found_nothing_as_infinite() -> None:
    random = np.random.default_rng(0)
    runs, found = random.integers(1, 4000, 20), random.random(20) < 0.7
    pairs = zip(runs, found, strict=True)
    one = answer("p", "1", "q", [Search(int(r), 0.1, bool(f)) for r, f in pairs])
    known = np.quantile(np.where(found, runs, np.inf), [0.25, 0.5, 0.75], method="inverted_cdf")
    assert quartiles(one, "runs") == tuple(known)
    assert quartiles({**one, "found": [False] * 20}, "runs") == (math.inf,) * 3


def test_whoever_is_ahead_of_dyverse_is_named() -> None:
    found: dict[str, Any] = {**json.loads(JSON.read_text("utf-8")), "answers": []}
    for peer, runs, seconds in (("dyverse", 9, 0.5), ("fewer", 8, 0.6), ("sooner", 10, 0.4)):
        found["answers"].append(answer(peer, "1", "ten impacts", [Search(runs, seconds, True)]))
    told = "ahead of dyverse in *ten impacts*, at the median: fewer runs: fewer; less time: sooner"
    assert told in page(found)


def test_runs_are_counted_up_to_the_first_violation() -> None:
    question = PROBLEMS["game inside"].question()
    margin = Counted(question, 10)
    assert margin(np.array([30.0])) > 0
    assert not margin.search.found
    assert margin(np.array([27.996])) < 0
    assert (margin.search.runs, margin.search.found) == (2, True)
    with pytest.raises(Ended):
        margin(np.array([27.996]))


def test_a_budget_ends_a_search() -> None:
    margin = Counted(PROBLEMS["game inside"].question(), 1)
    margin(np.array([30.0]))
    with pytest.raises(Ended):
        margin(np.array([27.996]))
    assert (margin.search.runs, margin.search.found) == (1, False)


def test_games_are_lost_where_the_page_says() -> None:
    inside = PROBLEMS["game inside"].question()
    seen = margins(inside, 27.5, 27.9923, 27.9925, 27.998, 27.9984, 29.0, 32.4)
    assert np.sign(seen).tolist() == [1, 1, -1, -1, 1, 1, 1]
    end = PROBLEMS["game at the end"].question()
    assert np.sign(margins(end, 1.6513, 1.6516, 1.6518, 1.8, 2.0105)).tolist() == [-1, -1, 1, 1, 1]


@pytest.mark.parametrize("half", [1e-3, 1e-5])
def test_a_window_is_hit_by_the_speeds_of_a_closed_form(half: float) -> None:
    """After the bounce y = 0.1 + u s - g s²/2; the corners of the window bound the speeds."""
    g, fall = 9.81, math.sqrt(2 / 9.81)
    up = 0.8 * g * fall

    def late(y: float) -> float:
        return fall + (up + math.sqrt(up**2 - 2 * g * (y - 0.1))) / g

    low, high = (1 - half) / late(0.5 - half), (1 + half) / late(0.5 + half)
    inner, outer = 1e-3 * half, -1e-3 * half
    question = PROBLEMS[f"window {half:.0e}".replace("e-0", "e-")].question()
    assert all(m < 0 for m in margins(question, low + inner, high - inner))
    assert all(m > 0 for m in margins(question, low + outer, high - outer))
    assert (high - low) / 0.8 == pytest.approx(3.5 * half, rel=1e-2)


def test_the_target_behind_the_post_is_reached_from_islands() -> None:
    angles = np.linspace(0.2586, 0.26, 1401)
    broken = np.array(margins(PROBLEMS["post"].question(), *angles)) < 0
    assert angles[broken].max() < 0.2594
    assert np.count_nonzero(np.diff(broken.astype(int)) == 1) == 2
    thin = angles[broken & (angles < 0.259)]
    assert np.ptp(thin) == pytest.approx(8.7e-5 * 0.459, rel=0.1)


def test_random_search_counts_as_if_it_went_point_by_point() -> None:
    question = PROBLEMS["ten impacts"].question()
    found = with_random.search(question, 3)
    random = np.random.default_rng(3)
    points = random.uniform(question.low, question.high, (found.runs, 1))
    signs = [margins(question, point)[0] < 0 for point in points[-5:, 0]]
    assert found.found
    assert signs == [False] * 4 + [True]
    assert (probe(question, points[:-1]).margins > 0).all()


def test_annealing_is_the_same_for_the_same_seed() -> None:
    question = PROBLEMS["window 1e-3"].question()
    first, again = (with_scipy.search(question, 1) for _ in range(2))
    assert first.found
    assert first.runs == again.runs


def test_dyverse_is_measured_with_and_without_its_replays() -> None:
    question = PROBLEMS["window 1e-3"].question()
    whole, first = with_dyverse.searched(question, 1)
    assert whole.found
    assert first.found
    assert whole.runs == falsify(question, seed=1).covered.runs >= first.runs
    assert whole.seconds > first.seconds


@pytest.mark.skipif(not Path(TALIRO).exists(), reason="make bench-falsify installs PSY-TaLiRo")
def test_taliro_looks_at_the_points_of_its_seed() -> None:
    command = [TALIRO, "-m", "benchmarks.peers.falsify.with_taliro", "ten impacts", "1"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, check=True)
    uniform = json.loads(done.stdout.splitlines()[-1])[0]
    question = PROBLEMS["ten impacts"].question()
    seed = np.random.default_rng(1).integers(0, 2**32 - 1, dtype=int)
    points = np.random.default_rng(seed).uniform(question.low, question.high, (ALONE, 1))
    broken = np.flatnonzero(probe(question, points).margins < 0)
    assert uniform["peer"] == "PSY-TaLiRo UniformRandom"
    assert uniform["runs"] == [int(broken[0]) + 1]


def test_a_measurement_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    told = [answer("p", "1", "q", [Search(3, 0.1, True)])]
    first = Kept(tmp_path / "kept.jsonl", "one")
    assert first.answers("q", "s") is None
    first.add("q", "s", told)
    first.add("q", "failed", [])
    with (tmp_path / "kept.jsonl").open("a") as file:
        file.write('{"name": "one", "prob')  # cut off
    again = Kept(tmp_path / "kept.jsonl", "one")
    assert again.answers("q", "s") == told
    assert again.answers("q", "failed") is None
    again.add("q", "other", told)
    assert Kept(tmp_path / "kept.jsonl", "one").answers("q", "other") == told
    assert Kept(tmp_path / "kept.jsonl", "other").answers("q", "s") is None


def test_promises_compare_with_the_best_of_three() -> None:
    counts = {"dyverse": (8, 30), "scipy dual_annealing": (9, 40), "cma": (10, 20)}
    answers = [
        answer(peer, "1", name, [Search(runs, 0.1, True)])
        for peer, both in counts.items()
        for name, runs in zip(("post", "cup"), both, strict=True)
    ]
    told = kept(answers, ["post", "cup"])
    assert "on 1 of 2; at most 1.5 times as many (*cup*); not found with 0 of 2 seeds" in told


def test_problems_in_turn_are_all_of_them_and_each_kind_comes_early() -> None:
    ordered = in_turn()
    assert sorted(ordered) == sorted(PROBLEMS)
    assert all(set(ordered[: len(KINDS) + 1]) & set(kind) for kind in KINDS)


def test_no_problem_is_begun_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bench, "KEPT", tmp_path / "kept.jsonl")
    monkeypatch.setattr(bench, "installed", lambda *_: {})
    monkeypatch.setattr(bench, "Asker", lambda _: SimpleNamespace(failures=[]))
    found = measured(["cup", "swing"], 1, minutes=-1)
    assert found["answers"] == []
    assert unmeasured(found["answers"])
