"""Runs that can go on in several ways: choices between edges, outcomes of impacts."""

from dataclasses import replace
from pathlib import Path

import pytest

from dyverse.certificate.check import are_all, check, verdict
from dyverse.certificate.file import Box, Broken, Impact, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Fork
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import WAYS, _Attempt, _prepared
from dyverse.proving.writing import plain, write_certificate
from dyverse.simulation.choice import Seeded
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

WALKER = """\
parameter k = 1
automaton walker {
  real x
  clock c
  location at { invariant c <= 1 }
  initial at
  edge at -> at { when c >= 1  do x := x + k, c := 0 }
  edge at -> at { when c >= 1  do x := x - 0.5*k, c := 0 }
}
system walker
property low: always walker.x < 3.4 until 3.5
property lower: always walker.x < 2.5 until 3.5
property right: eventually walker.x > 0.8 until 3.5
property somewhere: eventually walker.x > 0.8 or walker.x < -1.3 until 3.5
property away: eventually walker.x > 0.8 or walker.x < -0.4 until 3.5
"""


def asked(claim: str) -> Question:
    return reduced(ask(WALKER, claim, ranges={"k": (0.9, 1.1)}, settings={}))


def answered(claim: str) -> Answer:
    return prove(asked(claim), limits=Limits(finest=2))


@pytest.fixture(scope="module")
def walk() -> tuple[Question, Box]:
    question = asked("low")
    return question, _Attempt(_prepared(question), ()).box(WAYS[0])


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("low", "safe"),
        ("lower", "unsafe"),
        ("right", "unsafe"),
        ("somewhere", "unsafe"),
        ("away", "safe"),
    ],
)
def test_choices_are_followed_as_a_claim_asks(claim: str, found: str) -> None:
    """Three steps, each of k to the right or k/2 to the left; k is 0.9 to 1.1."""
    assert answered(claim).share(found) == 1  # type: ignore[arg-type]  # a verdict


def test_a_proof_has_a_list_of_legs_for_each_way(walk: tuple[Question, Box]) -> None:
    question, box = walk
    assert len(box.others) == 7
    assert verdict(System(question), box) == "safe"


@pytest.mark.parametrize("left_out", range(7))
def test_a_way_that_is_left_out_is_missed(walk: tuple[Question, Box], left_out: int) -> None:
    question, box = walk
    others = (*box.others[:left_out], *box.others[left_out + 1 :])
    with pytest.raises(Unproved, match="other ways"):
        verdict(System(question), replace(box, others=others))


def test_a_way_does_not_stand_in_for_another(walk: tuple[Question, Box]) -> None:
    question, box = walk
    with pytest.raises(Unproved, match="other ways"):
        verdict(System(question), replace(box, others=(box.legs, *box.others[1:])))


def test_one_run_that_breaks_a_property_is_enough() -> None:
    question = asked("lower")
    box = _Attempt(_prepared(question), ()).box(WAYS[0])
    assert box.others == ()
    assert isinstance(box.legs[-1].then, Broken)


@pytest.mark.parametrize("seed", range(8))
def test_drawn_runs_keep_what_was_proved_of_all(seed: int) -> None:
    model = parse_model(WALKER)
    automaton = model.automaton({"k": 0.9 + 0.025 * seed})
    found = simulate(automaton, until=3.5, options=Options(choice=Seeded(seed)))
    assert max(arc.states[:, 0].max() for arc in found.arcs) < 3.4


FORKS: dict[str, tuple[list[list[str]], bool]] = {
    "nowhere": ([[]], True),
    "twice": ([[], []], False),
    "both": ([["a"], ["b"]], True),
    "one": ([["a"]], False),
    "another": ([["a"], ["b"], ["c"]], False),
    "later": ([["a", "a"], ["a", "b"], ["b"]], True),
    "not later": ([["a", "a"], ["b"]], False),
    "once too often": ([["a"], ["a"], ["b"]], False),
    "at one end": ([["a"], []], False),
}


@pytest.mark.parametrize("name", FORKS)
def test_all_ways_must_be_there(name: str) -> None:
    ways, fine = FORKS[name]
    both = frozenset({"a", "b"})
    assert are_all([[Fork(both, word) for word in way] for way in ways]) is fine


@pytest.fixture(scope="module")
def border() -> tuple[Question, Box]:
    """K = 2.05715… is where the second impact of the game ceases to stick."""
    ranges = {"K": (2.05712890625, 2.05718994140625)}
    question = reduced(ask(example_text("interception-game"), "caught", ranges=ranges, settings={}))
    return question, _Attempt(_prepared(question), ()).box(WAYS[-1])


def words(box: Box) -> list[str]:
    """The outcome of the impact at which ways part."""
    ways = [
        [leg.then.pattern[0][1] for leg in way if isinstance(leg.then, Impact)]
        for way in (box.legs, *box.others)
    ]
    k = next(k for k in range(len(ways[0])) if len({way[k] for way in ways}) > 1)
    return [way[k] for way in ways]


def test_both_sides_of_the_border_of_sticking_are_followed(
    border: tuple[Question, Box], tmp_path: Path
) -> None:
    question, box = border
    assert sorted(words(box)) == ["separated", "slip+", "slip-", "stick"]
    write_certificate(tmp_path / "c", question, [plain(box)])
    assert check(tmp_path / "c").unsafe == 1


@pytest.mark.parametrize("left_out", range(3))
def test_an_outcome_that_is_left_out_is_missed(border: tuple[Question, Box], left_out: int) -> None:
    question, box = border
    others = (*box.others[:left_out], *box.others[left_out + 1 :])
    with pytest.raises(Unproved, match="other ways"):
        verdict(System(question), replace(box, others=others))


def test_a_way_without_legs_is_refused(border: tuple[Question, Box], tmp_path: Path) -> None:
    question, box = border
    write_certificate(tmp_path / "c", question, [plain(replace(box, others=((),)))])
    with pytest.raises(ModelError, match="not proved"):
        check(tmp_path / "c")


def test_an_outcome_that_some_runs_have_is_not_one_that_none_has(
    border: tuple[Question, Box],
) -> None:
    """A way that ends at an impact which may be so has no verdict."""
    question, box = border
    at = next(k for k, way in enumerate(box.others) if len(way) == len(box.legs))
    shorter = next(
        box.others[at][: k + 1]
        for k, (one, other) in enumerate(zip(box.legs, box.others[at], strict=True))
        if one.then != other.then
    )
    cut = (*box.others[:at], shorter, *box.others[at + 1 :])
    with pytest.raises(Unproved, match="no end"):
        verdict(System(question), replace(box, others=cut))
