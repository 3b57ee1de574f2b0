"""`simulate` and `falsify` never contradict each other: random questions about one point.

In either engine, and across them: what a run breaks is not *not found*, what it keeps is not
*unsafe*, and what it leaves open is neither.
"""

from __future__ import annotations

import pytest

from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.question import Question
from dyverse.falsification.verdict import NotFound, Unknown, Unsafe, Verdict
from dyverse.generation.model import Model, parse_model
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Outcome, outcome
from dyverse.simulation.simulate import Options, simulate
from tests.falsification.questions import random_model

SEEDS = range(17)  # of 167, for each kind of model: 501 questions
LONG = range(17, 167, 10)


def simulated(model: Model, solver: str) -> Outcome:
    """As the command does it, for the first property."""
    until, (claim,) = model.until({}, 10.0), model.properties
    run = simulate(model.automaton(), until=until, options=Options(solver=solver))
    assert run.solver == solver
    return outcome(run, claim, model.values({}))


def at_its_point(model: Model) -> Question:
    (parameter,) = model.parameters
    own = model.values({})[parameter.name]
    return ask(model, ranges={parameter.name: (own, own)}, depth=5000)


def contradicts(told: Outcome, verdict: Verdict) -> bool:
    match told:
        case Broken():
            return isinstance(verdict, NotFound)
        case Kept():
            return isinstance(verdict, Unsafe)
        case Open():
            return not isinstance(verdict, Unknown)


@pytest.mark.filterwarnings("ignore::dyverse.simulation.simulate.NoNativeEngineWarning")
@pytest.mark.parametrize("kind", ["automata", "bodies", "coupled"])
@pytest.mark.parametrize("seed", SEEDS)
def test_simulation_and_falsification_agree(
    seed: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = random_model(seed, kind)
    check(text, monkeypatch)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::dyverse.simulation.simulate.NoNativeEngineWarning")
@pytest.mark.parametrize("kind", ["automata", "bodies", "coupled"])
@pytest.mark.parametrize("start", LONG)
def test_they_agree_on_very_many_questions(
    start: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(start, start + 10):
        check(random_model(seed, kind, nested=seed % 3 == 0), monkeypatch)


def check(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Outcome], list[Verdict]]:
    """Both engines simulate, and both search; without a compiler the reference engine does.

    The variants of a witness take most of the time and are left out: they change no verdict.
    """
    model = parse_model(text)
    for variant in ("nearest", "deepest", "simplest"):
        monkeypatch.setattr(f"dyverse.falsification.falsify.{variant}", lambda *_, **__: None)
    with monkeypatch.context() as patch:
        patch.setenv("CC", "no-such-compiler")
        verdicts = [falsify(at_its_point(model))]
    verdicts.append(falsify(at_its_point(model)))
    told = [simulated(model, solver) for solver in ("reference", "native")]
    for one in told:
        for verdict in verdicts:
            assert not contradicts(one, verdict), (text, one, verdict)
    return told, verdicts
