"""Every example is proved, or left open for a reason that has a name: none ends in an error."""

import pytest

from dyverse.certificate.file import Unproved
from dyverse.enclosure.program import Undecided
from dyverse.proving.asking import ask
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Task
from dyverse.text.examples import example_names, example_text
from tests.proving.test_kinds import KINDS

SLOW = ("spiking-neurons", "eulers-disc", "rimless-wheel", "rocking-block")
ANSWERS = {
    "billiard-break": "unsupported: 200 contacts",
    "double-pendulum": "safe",
    "newtons-cradle": "grazing: normal_force[ball2,ball3]",
    "racket": "grazing: gap[ball,racket]",
    "rattleback": "unsupported: stone-table is not plainly closed",
    "robot-arm": "safe",
    "slider-crank": "grazing: gap[rod.pin,piston]",
    "stack": "unsupported: several contacts with friction",
    "stopped-pendulum": "safe",
    "string-cradle": "unsupported: 70 contacts",
    "woodpecker": "unsupported: speeds at the start",
    "tippe-top": "unsupported: top.shell-table is not plainly closed",
}
EXAMPLES = [
    name if name in ANSWERS else pytest.param(name, marks=pytest.mark.long)
    for name in example_names()
    if name not in SLOW
]


def answered(name: str, claim: str) -> str:
    """The verdict on a hundredth of a second, or why there is none."""
    text = f"{example_text(name)}\nproperty claim_: always {claim} until 0.01\n"
    try:
        found = Task(reduced(ask(text, "claim_", ranges={}, settings={})), False)([])
    except (Unproved, Undecided) as error:
        return str(error)
    return str(found.get("verdict") or found["why"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_true_is_proved_or_the_reason_has_a_name(name: str) -> None:
    found = answered(name, "t > -1")
    assert found == "safe" or found.startswith(tuple(f"{kind}: " for kind in KINDS))
    assert found.startswith(ANSWERS.get(name, ""))


@pytest.mark.parametrize("name", ["drillstring", "three-balls", "bouncing-ball-floor", "gear"])
def test_what_is_false_is_never_safe(name: str) -> None:
    assert answered(name, "t < 0.005") == "unsafe"
