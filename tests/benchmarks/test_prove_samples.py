"""Ten thousand runs of each problem agree with what was proved of their numbers."""

import random
from collections.abc import Mapping

import numpy as np
import pytest
from benchmarks.prove import PROBLEMS, Problem

from dyverse.automaton.interface import Array
from dyverse.falsification.many_runs import many_runs
from dyverse.falsification.system import watchable
from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends
from dyverse.simulation.requirement.properties import margin_of
from dyverse.simulation.simulate import Options, simulate

NAMED = {f"{problem.name}, {problem.shows}": problem for problem in PROBLEMS}
FINEST = 6  # halvings: what is decided by then is enough to sample
ALL = 10_000  # runs
SLOW_TO_PROVE = ("interception-game, all of it", "thermostat", "pendulum", "double pendulum")
SLOW_TO_RUN = ("brake", "racket")


def counted(name: str) -> list[object]:
    """Some of the runs, fewer where they are slow, and all of them where there is time."""
    some, slow = ALL // (500 if name.startswith(SLOW_TO_RUN) else 50), []
    if name.startswith(SLOW_TO_PROVE):
        slow = [pytest.mark.long]
    return [pytest.param(name, some, marks=slow), pytest.param(name, ALL, marks=pytest.mark.long)]


def drawn(answer: Answer, count: int) -> tuple[list[str], Array]:
    """Numbers in boxes that are decided, and what is said of them."""
    chance = random.Random(1)
    boxes = [box for box in answer.boxes if box.verdict != "open"]
    chosen = [chance.choice(boxes) for _ in range(count if boxes else 0)]
    numbers = []
    for box in chosen:
        sides = ends(answer.question, box.halves).tolist()
        numbers.append([low + chance.random() * (high - low) for low, high in sides])
    unknowns = len(answer.question.unknowns)
    return [box.verdict for box in chosen], np.array(numbers).reshape(-1, unknowns)


def margins(problem: Problem, columns: Mapping[str, Array]) -> list[float]:
    """How well runs keep the property, by simulation: less than nothing where they break it."""
    model = parse_model(problem.text)
    place = [claim.name for claim in model.properties].index(problem.claim)
    until = model.until({}, 1.0)
    if model.described is None:
        many = simulate_many(model.world, columns, until=until, workers=1)
        return [float(margin) for margin in many.least[:, place]]
    claim, options = model.properties[place], Options(solver="native")
    plain = watchable(claim)
    assert place == 0
    assert plain is not None
    found = many_runs(model, plain, columns, until=until, options=options)
    if found is not None:
        return [float(margin) for margin in found.least[:, 0]]
    rows = (
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    )  # what it asks for is seen in whole runs alone
    runs = ((own, simulate(model.automaton(own), until=until, options=options)) for own in rows)
    return [margin_of(run, claim, model.values(own))[0].margin for own, run in runs]


def disagreements(problem: Problem, count: int) -> list[tuple[str, list[float]]]:
    """Numbers for which simulations say otherwise; what they cannot tell is none."""
    asked = ask(problem.text, problem.claim, ranges=problem.ranges, settings={})
    answer = prove(reduced(asked), limits=Limits(finest=min(FINEST, problem.finest)))
    said, numbers = drawn(answer, count)
    assert len(said) == count, "nothing is decided"
    names = [name for name, _, _ in answer.question.unknowns]
    found = margins(problem, dict(zip(names, numbers.T, strict=True)))
    rows = zip(said, numbers.tolist(), found, strict=True)
    return [(word, row) for word, row, x in rows if abs(x) > 1e-6 and (x > 0) != (word == "safe")]


@pytest.mark.parametrize(("name", "count"), [own for name in NAMED for own in counted(name)])
def test_runs_agree_with_what_is_proved(name: str, count: int) -> None:
    assert disagreements(NAMED[name], count) == []
