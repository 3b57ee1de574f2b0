"""Proofs about bodies that are kept in planes: those of the same scenes in space."""

from pathlib import Path

import pytest

from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced

EXAMPLES = Path(__file__).parents[2] / "examples"
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


@pytest.mark.parametrize(
    ("alpha", "mu", "verdict"),
    [((0.1, 0.2), (0.3, 0.4), "safe"), ((0.6, 0.7), (0.05, 0.1), "unsafe")],
)
def test_a_ball_on_a_slope_rolls_or_slips(
    alpha: tuple[float, float], mu: tuple[float, float], verdict: str
) -> None:
    text = (EXAMPLES / "inclined-plane" / "model.drbt").read_text(encoding="utf-8")
    asked = ask(f"planar\n{text}", "rolls", ranges={"alpha": alpha, "mu": mu}, settings={})
    assert prove(reduced(asked), limits=Limits(finest=3)).verdict == verdict
