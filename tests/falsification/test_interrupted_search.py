"""Ctrl-C at random moments of a search: never an answer, never another one later."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import Method, falsify
from dyverse.falsification.plain import verdict_json
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import Limits
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_text
from tests.falsification.models import FLIGHT, asked

TRIES = 8


@contextmanager
def ctrl_c_in(seconds: float, come: list[bool]) -> Iterator[None]:
    """Ctrl-C after so much time; ``come`` tells whether it has come."""

    def press(_: int, __: FrameType | None) -> None:
        come.append(True)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


COUNTER = """
parameter d = 1 in [0.5, 1.5]
automaton a {
  int n = 0 in [0, 9]
  clock c
  location go { invariant c <= d }
  initial go
  edge go -> go { when c >= d  do n := n + 1, c := 0 }
}
property p: always not (n == 3) until 3.2
"""


def questions() -> dict[str, tuple[Question, Method, int]]:
    """Each with how to search it, and how many runs or questions to make."""
    game = "example:interception-game"
    return {
        "bodies": (asked(game, ranges={"K": (1.75, 1.85)}), "shooting", 300),
        "found": (asked(game), "shooting", 300),
        "automata": (ask(parse_model(COUNTER)), "shooting", 300),
        "coupled": (ask(parse_model(example_text("racket")), until=1.0), "shooting", 20),
        "paper": (asked(FLIGHT, ranges={"v": (4.6, 5.0)}, until=0.5), "paper", 30),
    }


@pytest.mark.filterwarnings(  # Hypothesis measures garbage collection; what it drops is not ours
    "ignore:Exception ignored in. <function gc_cumul:pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("name", ["bodies", "found", "automata", "coupled", "paper"])
def test_ctrl_c_is_never_an_answer_and_never_changes_one(name: str, tmp_path: Path) -> None:
    question, method, runs = questions()[name]

    def answer(journal: Path | None = None) -> dict[str, object]:
        verdict = falsify(question, method=method, limits=Limits(runs=runs), journal=journal)
        return verdict_json(question, verdict)

    answer()  # so that everything is compiled
    began = time.perf_counter()
    whole = answer()
    took, draw, came = time.perf_counter() - began, Random(name), 0
    for i in range(5 * TRIES):
        if came > TRIES / 2:
            break
        come: list[bool] = []
        try:
            with ctrl_c_in(draw.uniform(0.01, 0.9) * took, come):
                found = answer(tmp_path / f"journal{i}")
                too_late = not come
            assert too_late, "there was an answer after Ctrl-C"
            assert found == whole
            took *= 0.8  # the machine has more time for us than it had
        except KeyboardInterrupt:
            came += 1
    assert came > TRIES / 4
    for i in (0, 4):
        assert answer(tmp_path / f"journal{i}") == whole
