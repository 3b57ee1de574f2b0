"""Proofs about bodies that run with automata: who hears impacts, and what automata do to bodies."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from flint import arb

from dyverse.certificate.check import verdict
from dyverse.certificate.file import Box, Jump, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.enclosure.program import Undecided
from dyverse.generation.model import parse_model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Way, _Attempt, _prepared
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

PUSHED = """\
# A ball on a floor, and a controller that hears each hit and pushes the ball down for 0.1 s
gravity (0, -9.81, 0)
parameter push = 3 in [2, 4]
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.8  offers hit }
automaton pusher {
  real f
  clock c
  int hits
  location wait
  location press { invariant c <= 0.1 }
  initial wait
  edge wait -> press { do f := -push, c := 0, hits := hits + 1  sync hit? }
  edge press -> wait { when c >= 0.1  do f := 0  action off }
}
system pusher
input u = pusher.f*(1 + 0*pusher.hits)
force ball (0, u, 0)
property claim: always pusher.hits <= 2 until 1.4
"""


def asked(text: str, **ranges: tuple[float, float]) -> Question:
    return reduced(ask(text, "claim", ranges=ranges, settings={}))


def answered(text: str, finest: int = 6, **ranges: tuple[float, float]) -> Answer:
    return prove(asked(text, **ranges), limits=Limits(finest=finest))


@pytest.fixture(scope="module")
def proof() -> tuple[Question, Box]:
    question = asked(PUSHED, push=(2.0, 4.0))
    box = _Attempt(_prepared(question), ()).box(Way())
    assert verdict(System(question), box) == "safe"
    return question, box


def test_a_controller_pushes_where_it_hears_a_hit(proof: tuple[Question, Box]) -> None:
    """Hits at 0.43 s and before 1.12 s, the third after 1.4 s; each push ends after 0.1 s."""
    _, box = proof
    edges = [leg.then.edges for leg in box.legs if isinstance(leg.then, Jump)]
    assert edges == [(0,), (1,), (0,), (1,)]


def test_later_there_are_more_hits() -> None:
    answer = answered(PUSHED.replace("until 1.4", "until 1.7"), push=(2.0, 4.0))
    assert answer.verdict == "unsafe"


def test_runs_stay_in_their_enclosure(proof: tuple[Question, Box]) -> None:
    question, box = proof
    walk = Walk(System(question), box)
    assert walk.verdict() == "safe"
    for share in np.random.default_rng(0).uniform(-1, 1, size=10).tolist():
        automaton = parse_model(PUSHED).automaton({"push": 3 + share})
        run = simulate(automaton, until=1.4, options=Options(solver="native"))
        index = [automaton.variables.index(name) for name in question.states]
        for tube in walk.tubes:
            for place in (-0.9, 0.1, 0.8):
                balls = [
                    tube.models.over(path, [arb(place), arb(share)]) + arb(0, spread + 1e-6)
                    for path, spread in zip(tube.path, tube.spread, strict=True)
                ]
                time = float(balls[-1].mid())
                if time < 1.4:
                    state = run.at(time).values[index]
                    assert all(b.contains(arb(x)) for b, x in zip(balls, state, strict=False))


def deaf(box: Box) -> Box:
    """Without the jump that hears the first hit."""
    (k, *_) = (i for i, leg in enumerate(box.legs) if isinstance(leg.then, Jump))
    return replace(box, legs=(*box.legs[:k], *box.legs[k + 1 :]))


def other_edge(box: Box) -> Box:
    (k, *_) = (i for i, leg in enumerate(box.legs) if isinstance(leg.then, Jump))
    then = box.legs[k].then
    assert isinstance(then, Jump)
    leg = replace(box.legs[k], then=replace(then, edges=(1,)))
    return replace(box, legs=(*box.legs[:k], leg, *box.legs[k + 1 :]))


def other_count(box: Box) -> Box:
    place = tuple(
        (name, "0" if name == "pusher.hits =" else word) for name, word in box.legs[2].place
    )
    leg = replace(box.legs[2], place=place)
    return replace(box, legs=(*box.legs[:2], leg, *box.legs[3:]))


@pytest.mark.parametrize("damage", [deaf, other_edge, other_count])
def test_a_damaged_proof_is_refused(
    proof: tuple[Question, Box], damage: Callable[[Box], Box]
) -> None:
    question, box = proof
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), damage(box))


def test_a_ball_is_kept_between_floor_and_racket() -> None:
    """The example, with a racket that does not touch the ball at the start."""
    text = example_text("racket").replace("position (0, 1.5, 0)", "position (0, 1.51, 0)")
    text = text.replace("property kept", "property claim").replace("horizon 3.5", "horizon 1")
    assert answered(text, down=(0.199, 0.201)).verdict == "safe"


@pytest.fixture(scope="module")
def brake() -> tuple[Question, Box]:
    """The tyre slips and grips, the brake hears it, for 0.15 s: one leg of no time for each."""
    text = example_text("brake").replace("property steers", "property claim")
    question = reduced(ask(text, "claim", ranges={"late": (0.02, 0.0201)}, settings={}, until=0.15))
    box = _Attempt(_prepared(question), ()).box(Way())
    assert verdict(System(question), box) == "safe"
    return question, box


def test_a_brake_hears_that_its_tyre_slips(brake: tuple[Question, Box]) -> None:
    _, box = brake
    jumps = [leg.then for leg in box.legs if isinstance(leg.then, Jump)]
    assert [(then.closing == "", then.edges) for then in jumps][:3] == [
        (True, (0,)),
        (False, (1,)),
        (True, (2,)),
    ]


@pytest.mark.parametrize("mode", ["stick", "slip-", "slip"])
def test_modes_of_an_instant_are_those_after_it(brake: tuple[Question, Box], mode: str) -> None:
    question, box = brake
    k = next(i for i, leg in enumerate(box.legs) if not leg.steps)
    assert dict(box.legs[k].place)["wheel-road"] == "slip+"
    place = tuple(
        (name, mode if name == "wheel-road" else word) for name, word in box.legs[k].place
    )
    leg = replace(box.legs[k], place=place)
    with pytest.raises((Unproved, Undecided)):
        verdict(System(question), replace(box, legs=(*box.legs[:k], leg, *box.legs[k + 1 :])))


def test_a_push_while_a_contact_changes_is_not_believed(brake: tuple[Question, Box]) -> None:
    """The brake lets go as soon as it hears that the tyre slips: perhaps it does not, then."""
    question, box = brake
    text = question.text.replace(
        "do c := 0, skids := skids + 1", "do c := 0, skids := skids + 1, moment := moment"
    )
    with pytest.raises(Unproved, match="automata push it at once"):
        verdict(System(replace(question, text=text)), box)
