"""Verdicts against scans, closed forms and each other."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from dyverse import generate, simulate
from dyverse.campaign.crew import Work, crew
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import verdict_json
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import Limits
from dyverse.falsification.verdict import NotFound, Unknown, Unsafe
from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.simulation.requirement.properties import Broken, outcome
from tests.falsification.models import BOUNCE, FLIGHT, asked, peak, world

GAME = world("example:interception-game")


@pytest.fixture(scope="module")
def lost() -> tuple[np.ndarray, np.ndarray]:
    """400 values of K, and which of them lose the game."""
    K = np.linspace(1, 3, 400)
    return K, simulate_many(GAME, {"K": K}, until=2).least[:, 0] < 0


def loses(K: float) -> bool:
    """By the reference engine, on its own."""
    run = simulate(generate(GAME, {"K": K}), until=2)
    (claim,) = GAME.properties
    return isinstance(outcome(run, claim, {"K": K}), Broken)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (1.66, 2.0),  # kept
        (1.8, 1.8),
        (1.652, 1.7),
        (1.0, 1.5),  # lost
        (2.1, 3.0),
        (2.5, 2.6),
        (1.0, 3.0),  # both
        (1.5, 1.8),
        (1.9, 2.2),
        (1.7, 3.0),
        (1.646, 1.7),  # a thin strip of lost ones
        (1.9, 2.013),
    ],
)
def test_the_interception_game_agrees_with_a_scan(
    low: float, high: float, lost: tuple[np.ndarray, np.ndarray]
) -> None:
    K, bad = lost
    inside = bad[(low <= K) & (high >= K)]
    verdict = falsify(asked("example:interception-game", ranges={"K": (low, high)}))
    assert isinstance(verdict, Unsafe) == bool(inside.any())
    if isinstance(verdict, Unsafe):
        assert low <= verdict.witness.settings["K"] <= high
        assert loses(verdict.witness.settings["K"])
        assert not verdict.witness.marginal
    else:
        assert isinstance(verdict, NotFound)
        assert verdict.covered.least_margin > 0


@pytest.mark.parametrize(
    ("ranges", "broken"),
    [
        ({}, False),
        ({"k": (38.0, 55.0)}, False),
        ({"k": (1.0, 60.0)}, True),
        ({"k": (20.0, 22.0)}, True),
        ({"ball1.vy": (-3.2, -2.8)}, True),
        ({"ball1.vy": (-2.95, -2.7), "k": (1.0, 30.0)}, True),
    ],
)
def test_three_balls_agree_with_a_scan(
    ranges: dict[str, tuple[float, float]], broken: bool
) -> None:
    """41 values of each; at the paper's own start the margin is zero, which is no violation."""
    question = asked("example:three-balls", ranges=ranges)
    grid = np.meshgrid(*(np.linspace(u.low, u.high, 41) for u in question.unknowns))
    columns = {u.name: x.ravel() for u, x in zip(question.unknowns, grid, strict=True)}
    scan = simulate_many(world("example:three-balls"), columns, until=0.75).least[:, 0]
    assert bool((scan < -1e-9).any()) == broken
    verdict = falsify(question)
    assert isinstance(verdict, Unsafe if broken else NotFound)
    if isinstance(verdict, Unsafe):
        assert verdict.witness.margin <= scan.min() + 0.5  # about as deep as the scan


RANGES = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted)


@settings(max_examples=6, deadline=None)
@given(e=RANGES, v=RANGES)
def test_random_boxes_agree_with_the_closed_form(e: list[float], v: list[float]) -> None:
    """The peak e² (0.5 + v²/2g) grows with both: the upper corner of the box decides."""
    box = {
        "e": (0.5 + 0.4 * e[0], 0.5 + 0.4 * e[1]),
        "v": (1 + 2 * v[0], 1 + 2 * v[1]),
    }
    highest = peak(box["e"][1], box["v"][1])
    limit = 0.6 if abs(highest - 0.6) > 1e-6 else 0.61
    verdict = falsify(asked(BOUNCE, ranges=box, settings={"limit": limit}), limits=Limits(runs=70))
    assert isinstance(verdict, Unsafe) == (highest > limit)


def test_a_property_that_is_only_just_kept_is_not_broken() -> None:
    """For v = √20 the peak is 1 m, which is allowed; above it is not."""
    edge = 20**0.5
    kept = falsify(asked(FLIGHT, ranges={"v": (1, edge - 1e-9)}))
    assert isinstance(kept, NotFound)
    assert kept.covered.least_margin == pytest.approx(0, abs=1e-8)
    broken = falsify(asked(FLIGHT, ranges={"v": (1, edge + 1e-5)}))
    assert isinstance(broken, Unsafe)
    assert broken.witness.margin == pytest.approx(-edge * 1e-5 / 10, rel=1e-3)


def answer(question: Question, **choices: object) -> dict[str, object]:
    return verdict_json(question, falsify(question, **choices))  # type: ignore[arg-type]


def test_the_number_of_workers_does_not_matter() -> None:
    question = asked("example:window")
    with crew(workers=2) as two:
        shared = answer(question, crew=two, seed=3)
    assert shared == answer(question, seed=3)
    assert shared["verdict"] == "unsafe"


def test_a_journal_is_gone_on_with(tmp_path: Path) -> None:
    """Cut anywhere, as by a kill, it leads to the same answer with less work."""
    question, file = asked("example:window"), tmp_path / "journal"
    whole = answer(question, journal=file)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) > 3
    told: list[int] = []
    file.write_text("".join(lines[:3]) + lines[3][:40])
    again = answer(question, journal=file, tell=lambda progress: told.append(progress.runs))
    assert again == whole
    assert file.read_text().splitlines()[1:3] == [line.strip() for line in lines[1:3]]
    assert answer(question, journal=file, crew=Idle()) == whole  # all of it is in the journal


class Idle:
    """A crew that has nothing to do."""

    def results(self, work: Work, tasks: Iterable[object]) -> Iterator[object]:
        """Nobody may ask for any."""
        raise AssertionError(list(tasks))


def test_limits_make_it_unknown() -> None:
    question = asked("example:three-balls")
    by_runs = falsify(question, limits=Limits(runs=50))
    assert isinstance(by_runs, Unknown)
    assert by_runs.why == "the limit of 50 runs was reached"
    by_time = falsify(question, limits=Limits(seconds=1e-9))
    assert isinstance(by_time, Unknown)
    assert "time limit" in by_time.why


def test_a_depth_that_hides_what_comes_later_leaves_it_unknown() -> None:
    """The tenth impact is the first that matters; nine events end every run before it."""
    verdict = falsify(asked("example:ten-impacts", depth=9))
    assert isinstance(verdict, Unknown)
    assert verdict.covered.deepest == 9
    assert verdict.covered.at_depth > 0
    assert "cut off by --depth 9 before the property ends" in verdict.why


BOUNCES = """
parameter e = 0.5 in [0.5, 0.8]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
property p: always ball.y < 2 until 1.8
"""


def test_the_depth_that_would_do_does_and_one_less_does_not() -> None:
    """Impacts are at √0.2 (1 + 2e + …): before 1 s there are two if e < 0.618, else one."""
    cut = falsify(asked(BOUNCES, depth=1, until=1.0))
    assert isinstance(cut, Unknown)
    enough = int(cut.why.partition("; --depth ")[2].split()[0])
    assert cut.why.endswith("--depth 3 would do")
    assert isinstance(falsify(asked(BOUNCES, depth=enough, until=1.0)), NotFound)
    short = falsify(asked(BOUNCES, depth=enough - 1, until=1.0))
    assert isinstance(short, Unknown)
    assert short.why.endswith(f"--depth {enough} would do")


def test_a_depth_that_is_reached_after_the_end_of_the_property_hides_nothing() -> None:
    """The property ends before the first impact, the search goes on to 1.8 s."""
    text = BOUNCES.replace("until 1.8", "until 0.4") + "horizon 1.8\n"
    verdict = falsify(asked(text, depth=1))
    assert isinstance(verdict, NotFound)
    assert verdict.covered.at_depth == 0


ENDLESS = """
parameter d = 1 in [0.5, 1.5]
automaton a {
  clock c
  location go { invariant c <= 0.001*d }
  initial go
  edge go -> go { when c >= 0.001*d  do c := 0 }
}
property p: always c < 1 until 100
"""


def test_a_depth_that_nothing_would_do_for_is_told() -> None:
    verdict = falsify(ask(parse_model(ENDLESS)), limits=Limits())
    assert isinstance(verdict, Unknown)
    assert "not even --depth 20000 would do" in verdict.why


STUCK = ENDLESS.replace("  edge go -> go { when c >= 0.001*d  do c := 0 }\n", "")


def test_a_run_that_ends_in_a_time_lock_leaves_it_unknown() -> None:
    verdict = falsify(ask(parse_model(STUCK)))
    assert isinstance(verdict, Unknown)
    assert "undecided at the end: no edge to take, and an invariant lets no time pass" in (
        verdict.why
    )
    assert verdict.covered.incomplete > 0


FALLS = """
automaton m {
  real x = 1
  location a { x' = -1 }
  initial a
  edge a -> a { when x <= 0  do x := 1  action fall }
}
property never: always not action[fall] until 3
"""


def test_what_happens_where_nothing_is_open_is_a_witness() -> None:
    """Its margin has no slope, and there are no unknowns to try instead."""
    verdict = falsify(ask(parse_model(FALLS)))
    assert isinstance(verdict, Unsafe)
    assert verdict.witness.time == pytest.approx(1.0)


def test_contacts_that_no_run_closes_are_remarked() -> None:
    verdict = falsify(asked("example:shielded-target"), limits=Limits(runs=70))
    assert verdict.covered.remarks == ("never closed in any run: ball-target",)
    assert verdict_json(asked("example:shielded-target"), verdict)["covered"]["remarks"]
