"""Ten thousand runs of each problem about bodies agree with what was proved of their numbers."""

import random

import numpy as np
import pytest
from benchmarks.prove import PROBLEMS, Problem

from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends

BODIES = {
    f"{problem.name} {sorted(problem.ranges)} {i}": problem
    for i, problem in enumerate(PROBLEMS)
    if parse_model(problem.text).described is None
}
FINEST = 6  # halvings: what is decided by then is enough to sample
SHORT = "stick-or-slide"


def drawn(answer: Answer, count: int) -> tuple[list[str], np.ndarray]:
    """Numbers in boxes that are decided, and what is said of them."""
    chance = random.Random(1)
    boxes = [box for box in answer.boxes if box.verdict != "open"]
    chosen = [chance.choice(boxes) for _ in range(count if boxes else 0)]
    said, numbers = [box.verdict for box in chosen], []
    for box in chosen:
        sides = ends(answer.question, box.halves).tolist()
        numbers.append([low + chance.random() * (high - low) for low, high in sides])
    return [str(word) for word in said], np.array(numbers).reshape(len(said), -1)


def disagreements(problem: Problem, count: int) -> list[tuple[str, list[float]]]:
    """Numbers for which simulations say otherwise; what they cannot tell is none."""
    asked = ask(problem.text, problem.claim, ranges=problem.ranges, settings={})
    answer = prove(reduced(asked), limits=Limits(finest=min(FINEST, problem.finest)))
    said, numbers = drawn(answer, count)
    if not said:
        return []
    model = parse_model(problem.text)
    place = [claim.name for claim in model.properties].index(problem.claim)
    names = [name for name, _, _ in answer.question.unknowns]
    columns = dict(zip(names, numbers.T, strict=True))
    many = simulate_many(model.world, columns, until=model.until({}, 1.0), workers=1)
    found = zip(said, numbers.tolist(), many.least[:, place].tolist(), strict=True)
    return [(word, row) for word, row, x in found if abs(x) > 1e-6 and (x > 0) != (word == "safe")]


@pytest.mark.parametrize("name", [name for name in BODIES if name.startswith(SHORT)])
def test_some_runs_agree_with_what_is_proved(name: str) -> None:
    assert disagreements(BODIES[name], 1000) == []


@pytest.mark.long
@pytest.mark.parametrize("name", BODIES)
def test_ten_thousand_runs_agree_with_what_is_proved(name: str) -> None:
    assert disagreements(BODIES[name], 10_000) == []
