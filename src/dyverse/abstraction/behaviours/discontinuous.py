"""Systems with one surface of discontinuity: the initial abstraction and its behaviours.

Two vector fields meet on s(x) = 0, read as |s| ≤ δ, and u is the equivalent control of sliding
along it. [carter2011] Figs. 2 and 3

The paper has no steps across the surface: a run that reaches the band in slip⁺ while u < -1 has
nowhere to go. The rules `complete` let it cross, by q1 –c→ q4 and q2 –b→ q5; the rules `paper`
leave that out and give Table 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dyverse.abstraction.behaviours.behaviour import Behaviour, Cycle, Equilibrium
from dyverse.abstraction.omega.lts import Lts, Step, lts

Rules = Literal["paper", "complete"]

LOCATIONS = {"q1": "slip⁺", "q2": "slip⁻", "q3": "stick", "q4": "trans⁻", "q5": "trans⁺"}
LETTERS = {
    "a": "|s| <= δ and |u| <= 1, s := 0",
    "b": "|s| <= δ and u > 1",
    "c": "|s| <= δ and u < -1",
    "d": "s > δ from q5, s < -δ from q4",
}
CROSSINGS = (Step("q1", "c", "q4"), Step("q2", "b", "q5"))
BEHAVIOURS: tuple[Behaviour, ...] = (
    Equilibrium("q1"),
    Equilibrium("q2"),
    Equilibrium("q3"),
    Cycle(("q3", "q5", "q1"), "slip+ for ever"),
    Cycle(("q3", "q4", "q2"), "slip- for ever"),
    Cycle(("q3", "q5", "q1", "q3", "q4", "q2"), "alternating"),
)
_PAPER = lts("q1 a q3, q2 a q3, q3 b q5, q3 c q4, q4 d q2, q4 a q3, q5 d q1, q5 a q3", initial="q3")


def discontinuous_lts(*, rules: Rules = "complete", initial: tuple[str, ...] = ("q3",)) -> Lts:
    """The initial abstraction of a system with one surface. [carter2011] Fig. 3"""
    crossings = CROSSINGS if rules == "complete" else ()
    return replace(_PAPER, steps=_PAPER.steps + crossings, initial=initial)
