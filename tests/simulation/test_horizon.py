"""Events at the very end of a run: they happen, and the last state is the one behind them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import State
from dyverse.automaton.network.network import Network
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.build import always
from dyverse.expr.formula import compare
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import parse_model
from dyverse.native.automata.many import simulate_many_automata
from dyverse.native.automata.options import Options as NativeOptions
from dyverse.native.many import simulate_many
from dyverse.simulation.choice import Ask
from dyverse.simulation.requirement.properties import outcome
from dyverse.simulation.simulate import Options, simulate
from tests import scenes

SOLVERS = ["native", "reference", "cvode"]
ALONE = """
automaton a {
  real x  clock c
  location on  location off  location done
  initial on
  edge on -> off { when c >= 2  do x := 5  action go }
  edge off -> done { when x >= 5  do x := x + 1  action then }
}
"""
TOGETHER = ALONE + "system a"
BODIES = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 2.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  offers hit }
automaton ear { int n  real x  location on  initial on
  edge on -> on { do n := n + 1, x := ball.vy  sync hit? } }
system ear
"""
FALL = math.sqrt(4 / 9.81)  # s: two metres


@pytest.fixture(params=SOLVERS)
def options(request: pytest.FixtureRequest) -> Options:
    if request.param == "cvode":
        pytest.importorskip("sksundae")
    return Options(solver=request.param)


def run(text: str, until: float, options: Options) -> Run:
    return simulate(parse_model(text).automaton(), until=until, options=options)


@pytest.mark.parametrize("text", [ALONE, TOGETHER], ids=["alone", "network"])
@pytest.mark.parametrize("tick", [None, 0.5, 0.1, 2.0])
def test_a_jump_at_the_end_is_taken_with_all_that_follow_in_its_instant(
    text: str, tick: float | None, options: Options
) -> None:
    found = run(text, 2.0, replace(options, tick=tick))
    assert [event.kind for event in found.events] == ["go", "then"]
    assert found.times("go") == pytest.approx([2.0], abs=1e-12)
    name = "a.x" if text is TOGETHER else "x"
    assert found.final[name] == 6.0
    assert str(found.end.location) == "done"
    assert found.signal(name)[1][-1] == 6.0
    assert found.at(2.0).values.tolist() == found.end.values.tolist()
    assert found.end.time == pytest.approx(2.0, abs=1e-12)


def test_an_impact_at_the_end_is_taken(options: Options) -> None:
    made = generate(scenes.drop(height=2, e=0.5))
    found = simulate(made, until=FALL, options=options)
    assert found.times("impact") == pytest.approx([FALL], abs=1e-10)
    assert found.final["ball.vy"] == pytest.approx(0.5 * 9.81 * FALL, rel=1e-9)
    short = simulate(made, until=FALL - 1e-6, options=options)
    assert short.events == ()
    assert short.final["ball.vy"] == pytest.approx(-9.81 * FALL, rel=1e-5)


@pytest.mark.parametrize("tick", [None, 0.1, FALL / 7])
def test_automata_hear_an_impact_at_the_end(tick: float | None, options: Options) -> None:
    found = run(BODIES, FALL, replace(options, tick=tick))
    assert [event.kind for event in found.events] == ["impact", "hit"]
    assert found.final["ear.n"] == 1
    assert found.final["ear.x"] == pytest.approx(0.5 * 9.81 * FALL, abs=1e-8)
    assert found.final["ball.vy"] == pytest.approx(0.5 * 9.81 * FALL, abs=1e-8)
    assert found.end.time == pytest.approx(FALL, abs=1e-15)


def test_a_run_of_no_time_takes_the_jumps_of_its_instant(options: Options) -> None:
    text = ALONE.replace("c >= 2", "c >= 0")
    found = run(text, 0.0, options)
    assert [event.kind for event in found.events] == ["go", "then"]
    assert (found.stop, found.end.time, found.final["x"]) == (Stop.HORIZON, 0.0, 6.0)
    still = simulate(generate(scenes.drop()), until=0.0, options=options)
    assert (still.stop, still.end.time, still.final["ball.y"]) == (Stop.HORIZON, 0.0, 20.1)


def test_a_run_with_ticks_ends_at_the_time_asked_for(options: Options) -> None:
    """Not at the last tick before it; and an edge waits for its tick, however long that is."""
    found = run(TOGETHER, 2.05, replace(options, tick=0.3))
    assert (found.end.time, found.events) == (2.05, ())
    assert found.final["a.c"] == pytest.approx(2.05, abs=1e-12)
    assert run(TOGETHER, 2.2, replace(options, tick=0.3)).times("go") == pytest.approx([2.1])


@given(tick=st.floats(1e-3, 3), count=st.integers(1, 300))
@settings(max_examples=60, deadline=None)
def test_a_tick_at_the_end_is_a_tick_whatever_rounding_makes_of_it(tick: float, count: int) -> None:
    """Written k δ, or as a sum of ticks, or by k - 1 ticks and one more."""
    made = parse_model(TOGETHER.replace("c >= 2", f"c >= {(count - 0.5) * tick!r}")).automaton()
    chosen = Options(solver="native", tick=tick)
    for end in (count * tick, float(np.full(count, tick).sum()), (count - 1) * tick + tick):
        found = simulate(made, until=end, options=chosen)
        assert found.times("go") == [count * tick]
        assert found.final["a.x"] == 6.0


@pytest.mark.parametrize("tick", [None, 0.25])
def test_many_runs_end_behind_the_jumps_of_their_last_instant(tick: float | None) -> None:
    for text in (ALONE, TOGETHER):
        made = parse_model(text).automaton()
        assert isinstance(made, WrittenAutomaton | Network)
        name = "a.x" if text is TOGETHER else "x"
        low = compare(name, "<", 5.5)
        chosen = NativeOptions(tick=tick)
        many = simulate_many_automata(
            made, [{}, {}], until=2.0, watched=[low], options=chosen, workers=1
        )
        assert many.column(name).tolist() == [6.0, 6.0]
        assert many.counts.tolist() == [2, 2]
        assert many.least[:, 0].tolist() == [-0.5, -0.5]
        assert many.failed_at[:, 0].tolist() == pytest.approx([2.0, 2.0])


def test_many_runs_of_bodies_judge_what_is_behind_an_impact_at_the_end() -> None:
    """The ball leaves the floor at 3.13 m/s in the very last instant."""
    falling = always("falling", "ball.vy < 3")
    model = replace(scenes.drop(height=2, e=0.5), properties=(falling,))
    many = simulate_many(model, [{}], until=FALL, workers=1)
    assert many.column("ball.vy")[0] == pytest.approx(0.5 * 9.81 * FALL, rel=1e-9)
    assert many.least[0, 0] == pytest.approx(3 - 0.5 * 9.81 * FALL, rel=1e-9)
    assert many.failed_at[0, 0] == pytest.approx(FALL)
    made = generate(model)
    assert isinstance(made, RigidBodyAutomaton)
    for solver in ("native", "reference"):
        once = simulate(made, until=FALL, options=Options(solver=solver))
        found = outcome(once, falling, {}).worst.margin
        assert found == pytest.approx(many.least[0, 0], rel=1e-9)


def test_who_waits_is_not_asked_at_the_end(options: Options) -> None:
    """More time may pass there; only what happens is a reason to ask."""
    asked: list[float] = []

    def never(state: State, edges: object, may_wait: bool) -> int | None:
        asked.append(state.time)
        return None if may_wait else 0

    found = run(TOGETHER, 5.0, replace(options, choice=Ask(never)))
    assert found.stop is Stop.HORIZON
    assert asked == pytest.approx([2.0], abs=1e-9)
