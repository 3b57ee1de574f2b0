"""Steps of the native engine: of order 8 where errors and not events make them short."""

from __future__ import annotations

import pytest

from dyverse.bodies.world import World
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, prepared
from dyverse.native.model import native_model
from dyverse.native.running import Code
from dyverse.simulation.simulate import Options as ReferenceOptions
from dyverse.simulation.simulate import simulate
from tests import scenes


def steps(model: World, relative: float, until: float) -> tuple[int, list[float]]:
    """How many a run took, and where it came to."""
    automaton = generate(model)
    native = native_model(automaton.world, automaton.scene)
    options = Options(relative=relative, absolute=relative / 100)
    engine = prepared(native, automaton, automaton.start(), options)
    while engine.run(until) is Code.PAUSED:
        pass
    return engine.counts["steps"], list(engine.x)


def test_order_eight_takes_over_in_long_flights_that_are_to_be_exact() -> None:
    """Of order 5, two seconds of the game take 493 steps at 1e-10."""
    count, end = steps(scenes.interception_game(), 1e-10, 2.0)
    assert count < 100
    follow = FollowOptions(accuracy=Accuracy(relative=1e-12, absolute=1e-14))
    exact = simulate(
        generate(scenes.interception_game()), until=2.0, options=ReferenceOptions(follow=follow)
    )
    assert end == pytest.approx(exact.end.values, abs=1e-8)


def test_ten_times_the_accuracy_costs_what_the_order_says() -> None:
    """A step of order p is 10^(1/p) times as short: 1.33 for 8, 1.58 for 5."""
    counts = [steps(scenes.interception_game(), 10.0**-k, 2.0)[0] for k in (9, 12)]
    assert counts[1] / counts[0] < 1.42**3
    coarse = [steps(scenes.interception_game(), 10.0**-k, 2.0)[0] for k in (5, 6)]
    assert coarse[1] / coarse[0] > 1.42


def test_events_alone_make_no_steps_of_order_eight_worth_while() -> None:
    count, _ = steps(scenes.drop(), 1e-10, 10.0)
    assert count < 20
