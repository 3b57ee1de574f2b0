"""Engines of all kinds: saved and restored, and stepped by others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dyverse.automaton.interface import Array
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.native import engine as bodies
from dyverse.native.automata import engine as automata
from dyverse.native.automata.model import automaton_model
from dyverse.native.automata.options import Options
from dyverse.native.coupled import engine as coupled
from dyverse.native.coupled.model import coupled_model
from dyverse.native.model import native_model
from dyverse.native.running import Code, Running
from tests import scenes
from tests.native.automata.models import models
from tests.native.coupled_models import example_models, random_model

Make = Callable[[], Running]


def of_bodies(world: World) -> Make:
    automaton = generate(world)
    model = native_model(automaton.world, automaton.scene)
    return lambda: bodies.prepared(model, automaton, automaton.start(), bodies.Options())


def of_automata(name: str, tick: float | None = None) -> Make:
    automaton, _ = models()[name]
    options, start = Options(tick=tick), automaton.start()
    return lambda: automata.prepared(automaton_model(automaton), automaton, start, options)


def of_both(automaton: CoupledAutomaton) -> Make:
    start = automaton.start()
    return lambda: coupled.prepared(coupled_model(automaton), automaton, start, Options())


ENGINES: dict[str, tuple[Callable[[], Make], float]] = {
    "drop": (lambda: of_bodies(scenes.drop()), 12.0),
    "slide": (lambda: of_bodies(scenes.slide()), 3.0),
    "thermostat": (lambda: of_automata("thermostat"), 30.0),
    "two-tanks": (lambda: of_automata("two-tanks"), 30.0),
    "robot": (lambda: of_automata("robot"), 30.0),
    "racket": (lambda: of_both(example_models()["racket/model"][0]), 3.0),
    "brake": (lambda: of_both(example_models()["brake/model"][0]), 3.0),
    "random": (lambda: of_both(random_model(3)), 2.0),
}
TICKED = {"thermostat by ticks": (lambda: of_automata("thermostat", 0.25), 30.0)}


def story(engine: Running) -> tuple[object, ...]:
    counts = engine.counts
    told = (counts["events"], counts["steps"], counts["jumps"], counts["impacts"])
    return engine.time, engine.x.tolist(), told


@pytest.mark.parametrize("name", [*ENGINES, *TICKED])
def test_a_run_saved_anywhere_and_restored_goes_on_as_it_would_have(name: str) -> None:
    made, until = (ENGINES | TICKED)[name]
    make = made()
    whole, other = make(), make()
    other.run(0.9 * until)  # a restored engine has forgotten what it did
    for share in (0.0, 0.21, 0.47, 0.83):
        whole.run(share * until)
        saved = whole.save()
        other.restore(saved)
        assert other.save() == saved
        ahead = min(until, (share + 0.3) * until)
        code = other.run(ahead)
        expected = make()
        for past in (0.0, 0.21, 0.47, 0.83):
            if past <= share:
                expected.run(past * until)
        assert expected.run(ahead) is code
        assert story(other) == story(expected)


def settled(engine: Running) -> None:
    """All jumps of this instant, until time may pass."""
    while True:
        assert engine.event_update() is Code.OK
        code = engine.set_off()
        if code is Code.OK:
            return
        assert code is Code.EVENT


def crossing(engine: Running, number: int) -> Callable[[float, Array], float]:
    def event(time: float, x: Array) -> float:
        return float(engine.indicators(time, np.ascontiguousarray(x))[number])

    event.terminal = True  # type: ignore[attr-defined]
    event.direction = -1.0  # type: ignore[attr-defined]
    return event


def stepped_by_others(engine: Running, until: float) -> None:
    """As an importer of a model-exchange unit does it: their integrator, their root finder."""

    def rate(time: float, x: Array) -> Array:
        return engine.derivatives(time, np.ascontiguousarray(x))

    settled(engine)
    while engine.time < until:
        now, x = engine.time, engine.x
        shown = engine.indicators(now, x)
        assert (shown > 0).all()
        watched = [crossing(engine, number) for number in range(shown.size)]
        end = min(until, now + 0.5)
        found = solve_ivp(
            rate, (now, end), x, "DOP853", events=watched, max_step=0.02, rtol=1e-11, atol=1e-12
        )
        states = np.ascontiguousarray(found.y.T)
        for time, state in zip(found.t[1:-1], states[1:-1], strict=True):
            engine.pass_by(time, state)
        if found.status == 1:
            engine.arrive_at(found.t[-1], states[-1])
            settled(engine)
        else:
            engine.pass_by(found.t[-1], states[-1])


@pytest.mark.parametrize(
    ("name", "until"),
    [("slide", 1.0), ("drop", 5.0), ("thermostat", 8.0), ("racket", 1.5), ("brake", 1.0)],
)
def test_engines_stepped_by_others_run_as_they_do_by_themselves(name: str, until: float) -> None:
    make = ENGINES[name][0]()
    own, other = make(), make()
    own.run(until)
    stepped_by_others(other, until)
    assert other.x == pytest.approx(own.x, abs=1e-6)
    assert other.counts["impacts"] == own.counts["impacts"]
    assert own.counts["events"] > 0
