"""Proofs beyond the accumulation of impacts, and claims about it that are false."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from dyverse.certificate.check import verdict
from dyverse.certificate.file import Box, Impact, Leg, Question, Rest, Unproved
from dyverse.certificate.system import System
from dyverse.enclosure.program import Undecided
from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Task, Way, _Attempt, _prepared

DROP = """\
parameter e = 0.65
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0)  SPEED }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e  FRICTION }
property claim: CLAIM
"""


def dropped(claim: str, e: tuple[float, float] = (0.6, 0.62), more: str = "") -> Question:
    """A ball dropped from 1 m; ``more`` is its speed and the friction, if there are any."""
    speed, _, friction = more.partition("|")
    text = DROP.replace("CLAIM", claim).replace("SPEED", speed).replace("FRICTION", friction)
    return reduced(ask(text, "claim", ranges={"e": e}, settings={}))


def answer(question: Question, finest: int = 4) -> str:
    return prove(question, limits=Limits(finest=finest)).verdict


@pytest.mark.parametrize("more", ["", "|friction 0.3", "velocity (1, 0, 0)|friction 0.3"])
def test_a_ball_comes_to_rest_below_a_ceiling(more: str) -> None:
    """Impacts accumulate at √(2h/g)(1 + e)/(1 - e), 1.8 to 1.9 s."""
    claim = "always ball.y < 1.2 and (t < 2.2 or ball.y < 0.101) until 100"
    assert answer(dropped(claim, more=more)) == "safe"


def test_a_ball_that_slides_comes_to_roll() -> None:
    """Friction takes 2/7 of the speed, whatever the impacts: 5/7 is left."""
    claim = "always t < 3 or (ball.vx > 0.714 and ball.vx < 0.7145) until 4"
    assert answer(dropped(claim, more="velocity (1, 0, 0)|friction 0.5"), 6) == "safe"


@pytest.mark.parametrize(
    "claim",
    [
        "always t < 1.4 or ball.y < 0.1001 until 100",  # it still bounces, by 3 mm
        "always ball.y > 0.1001 until 100",
        "always t < 3 or ball.y > 0.1001 until 100",
        "always t < 3 or ball.vy < 0 until 100",
    ],
)
def test_false_claims_are_not_proved(claim: str) -> None:
    assert answer(dropped(claim), 2) != "safe"


@pytest.fixture(scope="module")
def proof() -> tuple[System, Box]:
    prepared = _prepared(dropped("always ball.y < 1.2 until 100"))
    box = _Attempt(prepared, ()).box(Way())
    assert verdict(prepared.system, box) == "safe"
    return prepared.system, box


def rests(box: Box) -> int:
    return next(i for i, leg in enumerate(box.legs) if isinstance(leg.then, Rest))


def changed(box: Box, leg: int, change: Callable[[Leg], Leg]) -> Box:
    return replace(box, legs=(*box.legs[:leg], change(box.legs[leg]), *box.legs[leg + 1 :]))


def other_rest(box: Box, change: Callable[[Rest], Rest]) -> Box:
    def rested(leg: Leg) -> Leg:
        assert isinstance(leg.then, Rest)
        return replace(leg, then=change(leg.then))

    return changed(box, rests(box), rested)


WRONG: dict[str, Callable[[Box], Box]] = {
    "too little room": lambda box: other_rest(
        box, lambda rest: replace(rest, reach=tuple(0.3 * r for r in rest.reach))
    ),
    "no room for one state": lambda box: other_rest(
        box, lambda rest: replace(rest, reach=(0.0, *rest.reach[1:]))
    ),
    "room below zero": lambda box: other_rest(
        box, lambda rest: replace(rest, reach=tuple(-r for r in rest.reach))
    ),
    "no impulse": lambda box: other_rest(box, lambda rest: replace(rest, moving=())),
    "another contact": lambda box: other_rest(box, lambda rest: replace(rest, contact="a-b")),
    "fewer states": lambda box: other_rest(
        box, lambda rest: replace(rest, after=rest.after[1:], reach=rest.reach[1:])
    ),
    "no impact before": lambda box: replace(box, legs=box.legs[rests(box) :]),
    "twice": lambda box: replace(box, legs=(*box.legs[: rests(box) + 1], *box.legs[rests(box) :])),
    "steps on the way": lambda box: changed(
        box, rests(box), lambda leg: replace(leg, steps=box.legs[0].steps)
    ),
    "rest in the air": lambda box: changed(
        box, 0, lambda leg: replace(leg, then=box.legs[rests(box)].then)
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_weakened_proof_is_refused(proof: tuple[System, Box], name: str) -> None:
    system, box = proof
    with pytest.raises((Unproved, Undecided)):
        verdict(system, WRONG[name](box))


def test_impacts_that_do_not_slow_down_do_not_accumulate(proof: tuple[System, Box]) -> None:
    _, box = proof
    question = dropped("always ball.y < 1.2 until 100", (0.999, 1.0))
    first = next(i for i, leg in enumerate(box.legs) if isinstance(leg.then, Impact))
    assert first < rests(box)
    found = Task(question, keep=False)([])
    assert "verdict" not in found
