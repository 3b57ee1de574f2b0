"""Ctrl-C during a run raises, in every engine; nobody gets a run that looks finished."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.run import Interrupted, Stop
from dyverse.bodies.read import parse_world
from dyverse.errors import SolverError
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.simulation.choice import Ask
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text

MODELS: dict[str, tuple[str, float]] = {
    "bodies": ("interception-game", 2.0),
    "automaton": ("thermostat", 60.0),
    "network": ("robot", 20.0),
    "coupled": ("racket", 3.0),
}
ENGINES = ("reference", "native", "cvode")


def model(name: str) -> tuple[HybridAutomaton, float]:
    text, until = MODELS[name]
    return parse_model(example_text(text)).automaton(), until


def after(count: int, act: Callable[[], object]) -> Callable[[float, int], bool]:
    """A progress that acts when it has been asked so often."""
    asked = iter(range(count, -1, -1))

    def progress(_: float, __: int) -> bool:
        if next(asked, 1) == 0:
            act()
        return True

    return progress


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("solver", ENGINES)
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("count", [0, 3])
def test_ctrl_c_ends_a_run_with_what_there_is_of_it(name: str, solver: str, count: int) -> None:
    if solver == "cvode":
        pytest.importorskip("sksundae")
    automaton, until = model(name)
    options = Options(solver=solver, progress=after(count, ctrl_c))
    with pytest.raises(KeyboardInterrupt) as caught:
        simulate(automaton, until=until, options=options)
    assert isinstance(caught.value, Interrupted)
    run = caught.value.run
    assert run.stop is Stop.INTERRUPTED
    assert not run.covers(np.inf)
    if run.parts:
        assert run.end.time < until


@pytest.mark.parametrize("solver", ENGINES[:2])
def test_whoever_hears_of_progress_gets_the_run_so_far(solver: str) -> None:
    automaton, until = model("bodies")
    said = iter([True, True, True])
    options = Options(solver=solver, progress=lambda time, events: next(said, False))
    run = simulate(automaton, until=until, options=options)
    assert run.stop is Stop.INTERRUPTED
    assert 0 < run.end.time < until


def test_to_other_processes_it_is_ctrl_c_and_no_more() -> None:
    automaton, _ = model("bodies")
    run = simulate(automaton, until=0.1)
    sent = pickle.loads(pickle.dumps(Interrupted(run)))
    assert type(sent) is KeyboardInterrupt


def wait(*_: object) -> int:
    ctrl_c()
    return 0


FORK = """
automaton fork {
  clock c
  location here { invariant c <= 1 }
  location left { }
  location right { }
  initial here
  edge here -> left { when c >= 1 }
  edge here -> right { when c >= 1 }
}
system fork
"""
BODY = "body ball { sphere radius 0.1  mass 1  velocity (1, 0, 0) }\n"


@pytest.mark.parametrize("text", [FORK, BODY + FORK], ids=["network", "coupled"])
def test_ctrl_c_in_a_function_that_c_calls_is_not_lost(text: str) -> None:
    automaton = parse_model(text).automaton()
    options = Options(solver="native", choice=Ask(wait))
    with pytest.raises(KeyboardInterrupt):
        simulate(automaton, until=2.0, options=options)


def test_a_choice_that_is_none_of_those_there_are_is_refused_by_c() -> None:
    """What is answered for a function that has failed may be any number at all."""
    from dyverse.native.automata.host import Host

    automaton, until = model("network")
    broken = partial(_answered_with, 2**30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "_choose", broken)
        with pytest.raises(SolverError, match="an answer that is none"):
            simulate(automaton, until=until, options=Options(solver="native", choice=Ask(wait)))


def _answered_with(number: int, *_: object) -> int:
    return number


def test_many_runs_are_interrupted_as_one() -> None:
    world = parse_world(example_text("interception-game"))
    assert generate(world).contacts
    with pytest.raises(KeyboardInterrupt):
        simulate_many(
            world,
            {"K": np.linspace(1, 3, 500)},
            until=2,
            progress=lambda done, total: wait() == 0,
        )
