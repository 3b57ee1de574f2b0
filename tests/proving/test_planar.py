"""Proofs about bodies that are kept in planes: those of the same scenes in space."""

import pytest

from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced
from tests.proving.test_contact import EXAMPLES, ON_SLOPES

DROP = """planar
gravity (0, -9.81, 0)
parameter v = 1 in [0.9, 1.1]
body a { sphere radius 0.1  mass 1  position (0, 1, 0)  velocity (v, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact all { restitution 0.5  friction 0.3 }
force a (0, 0, v)
property low: always a.y < 1.2 until 0.8
property inside: always a.z > -1 until 0.8
"""


@pytest.mark.parametrize("claim", ["low", "inside"])
def test_an_impact_with_friction_is_proved(claim: str) -> None:
    answer = prove(reduced(ask(DROP, claim, ranges={}, settings={})))
    assert answer.verdict == "safe"


@ON_SLOPES
def test_a_ball_on_a_slope_rolls_or_slips(
    alpha: tuple[float, float], mu: tuple[float, float], verdict: str
) -> None:
    text = (EXAMPLES / "inclined-plane" / "model.drbt").read_text(encoding="utf-8")
    asked = ask(f"planar\n{text}", "rolls", ranges={"alpha": alpha, "mu": mu}, settings={})
    assert prove(reduced(asked), limits=Limits(finest=3)).verdict == verdict
