"""A proof ends in time, also in the middle of one long box, and whoever looks at it."""

import math
import time
from itertools import count

import pytest

from dyverse.campaign.campaign import GIVEN_UP
from dyverse.campaign.crew import crew
from dyverse.certificate.file import Question
from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Task

FALLING = """\
parameter k = 1 in [1, 1.1]
body b { sphere radius 0.1  mass 1 }
force b (0, -k, 0)
property slow: always b.vy > -3 until 2
"""


def asked() -> Question:
    return reduced(ask(FALLING, "slow", ranges={"k": (1.0, 1.1)}, settings={}))


@pytest.mark.parametrize("patience", [1, 10, 30])
def test_a_box_in_hand_is_left_when_time_is_over(
    monkeypatch: pytest.MonkeyPatch, patience: int
) -> None:
    """The clock jumps when programs have asked it so often: the one box is then being looked at."""
    question, now, asks = asked(), time.time(), count()
    assert prove(question).verdict == "safe"
    monkeypatch.setattr(
        "dyverse.enclosure.deadline.clock", lambda: now if next(asks) < patience else math.inf
    )
    answer = prove(question, limits=Limits(seconds=1000.0))
    assert [box.why for box in answer.boxes] == ["time: there was none left"]
    assert answer.looked_at == 1


def test_workers_give_up_boxes_that_were_handed_out_too_late() -> None:
    question, now = asked(), time.time()
    with crew(2) as workers:
        late = workers.results(Task(question, keep=False, end=now - 1), [[], [0], [1]])
        assert list(late) == [GIVEN_UP] * 3
        (found,) = workers.results(Task(question, keep=False, end=now + 1000), [[]])
    assert found["verdict"] == "safe"
