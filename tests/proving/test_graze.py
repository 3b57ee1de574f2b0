"""Contacts that some runs of a box touch and others miss."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import arb

from dyverse.certificate.check import check, verdict
from dyverse.certificate.file import Box, End, Graze, Leg, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.enclosure.program import Undecided
from dyverse.generation.model import parse_model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Way, _Attempt, _prepared
from dyverse.proving.writing import plain, write_certificate
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text
from tests.proving.test_prove import states_at

LOW, HIGH = 0.19995, 0.20005
PASSING = """\
parameter b = 0.2
body a { sphere radius 0.1  mass 1  position (0, 1, 0)  velocity (3, 0, 0) }
body c { sphere radius 0.1  mass 1  position (1, 1 + b, 0) }
contact a c { restitution 0.9  friction 0.2 }
property on: always a.x < 1.6 and a.vy > -0.5 until 0.5
property untouched: always a.y > 0.99999 until 0.5
"""


def asked(claim: str) -> Question:
    return reduced(ask(PASSING, claim, ranges={"b": (LOW, HIGH)}, settings={}))


@pytest.fixture(scope="module")
def proof() -> tuple[Question, Box]:
    question = asked("on")
    return question, _Attempt(_prepared(question), ()).box(Way(grazes=-1.0))


def test_a_graze_is_followed(proof: tuple[Question, Box], tmp_path: Path) -> None:
    """The balls touch for b < 0.2."""
    question, box = proof
    assert [type(leg.then) for leg in box.legs] == [Graze, End]
    write_certificate(tmp_path / "c", question, [plain(box)])
    assert check(tmp_path / "c").safe == 1


def test_runs_that_touch_and_runs_that_miss_are_enclosed(proof: tuple[Question, Box]) -> None:
    question, box = proof
    walk = Walk(System(question), box)
    assert walk.verdict() == "safe"
    model = parse_model(PASSING)
    times, impacts = np.linspace(0.3, 0.5, 41), 0
    for share in np.linspace(-1, 1, 21):
        automaton = model.automaton({"b": (LOW + HIGH) / 2 + (HIGH - LOW) / 2 * share})
        run = simulate(automaton, until=0.51, options=Options(solver="native"))
        impacts += sum(event.kind == "impact" for event in run.events)
        index = [automaton.variables.index(name) for name in question.states]
        for time, balls in zip(times, states_at(walk, float(share), times), strict=True):
            state = run.at(float(time)).values[index]
            near = zip(balls, state, strict=False)
            assert all((ball + arb(0, 1e-9)).contains(arb(number)) for ball, number in near)
    assert 9 < impacts < 12  # of 21, one of which is in between


def other(box: Box, **changes: object) -> Box:
    then = box.legs[0].then
    assert isinstance(then, Graze)
    leg = replace(box.legs[0], then=replace(then, **changes))  # type: ignore[arg-type]  # any
    return replace(box, legs=(leg, *box.legs[1:]))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, -1.0])
def test_less_than_a_graze_changes_is_refused(proof: tuple[Question, Box], share: float) -> None:
    question, box = proof
    then = box.legs[0].then
    assert isinstance(then, Graze)
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), other(box, reach=tuple(share * r for r in then.reach)))


@pytest.mark.parametrize(
    "changes",
    [
        {"moving": ()},
        {"moving": (0,)},
        {"contact": "a-d"},
        {"contact": ""},
        {"contact": "a"},
        {"reach": (1.0,)},
    ],
)
def test_another_graze_is_refused(proof: tuple[Question, Box], changes: dict[str, object]) -> None:
    question, box = proof
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), other(box, **changes))


def cut(leg: Leg, steps: slice) -> Leg:
    return replace(leg, steps=leg.steps[steps])


@pytest.mark.parametrize("steps", [slice(-1), slice(-1, None), slice(0)])
def test_a_graze_without_some_steps_is_refused(proof: tuple[Question, Box], steps: slice) -> None:
    question, box = proof
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), replace(box, legs=(cut(box.legs[0], steps), *box.legs[1:])))


def test_what_only_some_runs_do_is_left_open() -> None:
    answer = prove(asked("untouched"), limits=Limits(finest=3))
    assert answer.share("open") > 0
    for box in answer.boxes:
        low = LOW + (HIGH - LOW) * sum(h / 2 ** (k + 1) for k, h in enumerate(box.halves))
        assert box.verdict != "safe" or low >= 0.2 - 1e-12


@pytest.mark.parametrize("low", [1.594795, 2.076925])
def test_grazes_of_the_game_are_decided(low: float) -> None:
    ranges = {"K": (low, low + 6e-5)}
    question = reduced(ask(example_text("interception-game"), "caught", ranges=ranges, settings={}))
    assert prove(question, limits=Limits(finest=0)).verdict == "unsafe"
