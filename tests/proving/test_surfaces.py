"""Proofs about systems with a surface of discontinuity: they are automata of five locations."""

import pytest

from dyverse.automaton.surface.discontinuous import WIDTH
from dyverse.expr.term import Number
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.text import literals
from dyverse.text.examples import example_text

DRILLSTRING = example_text("drillstring")
RELAY = example_text("relay")


def answered(text: str, claim: str, **ranges: tuple[float, float]) -> Answer:
    question = reduced(ask(text, claim, ranges=ranges, settings={}))
    return prove(question, limits=Limits(finest=0))


@pytest.mark.parametrize(("most", "verdict"), [(0.09, "safe"), (0.08, "unsafe")])
def test_a_bit_breaks_loose_at_about_3_s(most: float, verdict: str) -> None:
    """It moves from 3.03 s on, and turns at 0.088 rad/s at 3.2 s."""
    text = f"{DRILLSTRING}property slow: always x3 < {most} until 3.2"
    assert answered(text, "slow", W_ob=(54999.0, 55001.0)).verdict == verdict


@pytest.mark.parametrize(("most", "verdict"), [(1.0, "safe"), (0.9, "unsafe")])
def test_a_relay_slides_and_leaves_its_surface_again(most: float, verdict: str) -> None:
    """On the surface from 0.555 s to 1.333 s, below it until 2.428 s; x3 ends at 0.947."""
    text = f"{RELAY}property near: always x3 <= {most} until 2.5"
    assert answered(text, "near", zeta=(0.0999, 0.1001)).verdict == verdict


def test_a_surface_may_have_the_usual_width() -> None:
    """1e-6 is not written in the text, but means a millionth all the same."""
    text = f"{RELAY.replace('width 1e-7', '')}property near: always x1 <= 1 until 0.1"
    assert answered(text, "near").verdict == "safe"
    assert Number(float(literals.WIDTH)) == WIDTH


def test_sides_that_are_alike_make_no_surface() -> None:
    """With k = 0 both fields are the same: then other edges would be there."""
    text = f"{RELAY}property near: always x3 <= 9 until 0.1"
    answer = answered(text, "near", k=(-1.0, 1.0))
    assert "sides may be alike" in answer.boxes[0].why
