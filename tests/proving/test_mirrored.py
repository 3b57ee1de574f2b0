"""Contacts that close at once because a scene is its own mirror image."""

from dataclasses import replace

import numpy as np
import pytest

from dyverse.certificate.check import check, verdict
from dyverse.certificate.file import Box, Certificate, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.generation.model import parse_model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Way, _Attempt, _prepared
from dyverse.proving.writing import write_certificate
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

BALLS = example_text("three-balls")
K = {"k": (1.0, 1.5)}


def asked(text: str) -> Question:
    return reduced(ask(text, "slow", ranges=K, settings={}))


@pytest.fixture(scope="module")
def proof() -> tuple[Question, Box]:
    question = asked(BALLS)
    return question, _Attempt(_prepared(question), ()).box(Way())


def test_a_ball_that_hits_two_at_once_is_never_faster() -> None:
    assert prove(asked(BALLS)).verdict == "safe"


@pytest.mark.parametrize("most", ["2.9", "2.99999"])
def test_a_lower_bound_is_broken(most: str) -> None:
    answer = prove(asked(BALLS.replace("abs(ball1.vy) <= 3", f"abs(ball1.vy) <= {most}")))
    assert answer.share("unsafe") == 1


def test_runs_stay_in_the_tubes_of_their_proof(proof: tuple[Question, Box]) -> None:
    question, box = proof
    walk = Walk(System(question), box)
    assert walk.verdict() == "safe"
    automaton = parse_model(BALLS)
    for k in np.linspace(1.0, 1.5, 6).tolist():
        run = simulate(automaton.automaton({"k": k}), until=0.75, options=Options(solver="native"))
        names = ("ball1.y", "ball2.x", "ball2.y", "ball1.vy", "ball2.vx", "ball2.vy")
        last, found = walk.tubes[-1].box(-1.0, 1.0), run.final
        for i, name in enumerate(question.states):
            if name in names:
                low, high = (float(x) for x in (last[i].lower(), last[i].upper()))
                assert low - 1e-7 <= found[name] <= high + 1e-7


def test_a_certificate_keeps_the_mirror(proof: tuple[Question, Box], tmp_path: object) -> None:
    question, _ = proof
    path = f"{tmp_path}/balls.gz"
    boxes: list[object] = []
    prove(question, keep=boxes.append)
    write_certificate(path, question, boxes)
    assert check(path).safe == 1
    assert Certificate(path).question == question


def wrong(question: Question, name: str, sign: str) -> Question:
    images = ((a, b, sign if a == name else s) for a, b, s in question.mirrored)
    return replace(question, mirrored=tuple(images))


@pytest.mark.parametrize(("name", "sign"), [("ball3.x", "+"), ("ball3.vx", "+"), ("ball3.vy", "-")])
def test_a_mirror_that_is_none_is_refused(
    proof: tuple[Question, Box], name: str, sign: str
) -> None:
    question, box = proof
    with pytest.raises(Unproved, match="image"):
        verdict(System(wrong(question, name, sign)), box)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("position (1.5, 0, 0)", "position (1.50001, 0, 0)"),
        ("mass 1  position (1.5", "mass 1.001  position (1.5"),
        ("velocity (0, -3, 0)", "velocity (0.001, -3, 0)"),
        ("spring ball3 (0, 0, 0) { stiffness k }", "spring ball3 (0, 0, 0) { stiffness 1 }"),
    ],
)
def test_a_scene_that_is_not_quite_symmetric_has_no_mirror(
    old: str, new: str, proof: tuple[Question, Box]
) -> None:
    text = BALLS.replace(old, new)
    assert text != BALLS
    assert not asked(text).mirrored
    question, box = proof
    with pytest.raises(Unproved):
        verdict(System(replace(question, text=text)), box)


def test_an_image_of_what_is_not_followed_is_no_question(proof: tuple[Question, Box]) -> None:
    with pytest.raises(ValueError, match="mirrored"):
        replace(proof[0], mirrored=(("ball3.x", "ball9.x", "-"),))


def test_where_the_halves_differ_nothing_is_proved() -> None:
    """Without the mirror both contacts would have to be told apart."""
    question = replace(asked(BALLS), mirrored=())
    plain = reduced(replace(question, text=BALLS.replace("(1.5, 0, 0)", "(1.50001, 0, 0)")))
    assert prove(plain, limits=Limits(finest=0)).share("safe") < 1
