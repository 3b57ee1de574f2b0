"""A property judged in pieces: the same outcome, and little of the run looked at in each."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Between
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.pieces import Work, done
from dyverse.simulation.requirement.properties import Broken, judging, outcome
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

LOOKS = 3  # in one interval between two samples


def test_all_pieces_at_once_give_what_was_found() -> None:
    def work() -> Work[str]:
        yield
        yield
        return "found"

    assert done(work()) == "found"


@pytest.mark.parametrize("claim", ["eventually ball.y > 2 until 1.5", "always ball.vy > -3"])
def test_a_property_in_pieces_looks_at_one_interval_each(
    claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = parse_model(f"{example_text('ten-impacts')}property asked: {claim}\n")
    run = simulate(model.automaton(), until=3.0, options=Options(solver="native"))
    asked = next(item for item in model.properties if item.name == "asked")
    plain, looks = outcome(run, asked, {}), 0
    values = Between._values

    def counted(self: Between, row: int, time: float) -> Array:
        nonlocal looks
        looks += 1
        return values(self, row, time)

    monkeypatch.setattr(Between, "_values", counted)
    work, seen = judging(run, asked, {}), [0]
    while True:
        try:
            next(work)
        except StopIteration as end:
            found = end.value
            break
        seen.append(looks)
    assert looks > LOOKS
    assert max(after - before for before, after in pairwise(seen)) <= LOOKS
    assert isinstance(found, Broken)
    assert isinstance(plain, Broken)
    assert (found.time, found.worst) == (plain.time, plain.worst)
