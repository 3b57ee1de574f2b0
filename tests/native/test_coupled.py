"""Bodies with automata in the native engine: the same runs as the reference engine gives."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.interface import Edge, State
from dyverse.automaton.run import Run, Stop
from dyverse.flow.events import Detection
from dyverse.flow.follow import Options as FollowOptions
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import joint
from dyverse.generation.model import parse_model
from dyverse.generation.skeleton.location import Mode, Modes
from dyverse.native.coupled.engine import is_supported, simulate_coupled
from dyverse.native.coupled.model import coupled_model
from dyverse.simulation.choice import Ask, Choice, Latest, Seeded
from dyverse.simulation.native import can_run_coupled
from dyverse.simulation.simulate import Options, simulate
from tests.native.comparing import first_difference
from tests.native.coupled_models import example_models, random_model

NATIVE = Options(solver="native")
EXAMPLES = example_models()
WALKER = "compass-walker/model"  # in every engine in tests/test_examples_agree.py, too
NAMES = [pytest.param(n, marks=pytest.mark.long) if n == WALKER else n for n in EXAMPLES]
SEEDS = [seed for seed in range(31) if seed != 25]  # that one slips too slowly for short steps
CERTAIN = 30  # events: after many, chaos makes runs differ

DROP = """
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, 5.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  offers hit }
"""
COUNTER = """
automaton counter {
  int n in [0, 3]
  location on
  initial on
  edge on -> on { sync hit?  do n := n + 1 }
}
system counter
"""
PULLED = """
gravity (0, -10, 0)
body ball { sphere radius 1  mass 2  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { friction 0.5  offers slide on slip  offers grip on stick }
force ball (hand.pull, 0, 0)
automaton hand {
  real pull
  int slides, grips
  location pulls { pull' = 35 }
  initial pulls
  edge pulls -> pulls { sync slide?  do pull := 0, slides := slides + 1 }
  edge pulls -> pulls { sync grip?  do grips := grips + 1 }
}
system hand
"""


def coupled(text: str, settings: dict[str, float] | None = None) -> CoupledAutomaton:
    found = parse_model(text).automaton(settings)
    assert isinstance(found, CoupledAutomaton)
    return found


def check_agreement(
    automaton: CoupledAutomaton, until: float, options: Options = NATIVE
) -> tuple[Run, Run]:
    """Run it in both engines, compare how they go and end, and give both."""
    assert can_run_coupled(automaton, None, options)
    theirs = simulate(automaton, until=until, options=replace(options, solver="reference"))
    ours = simulate(automaton, until=until, options=options)
    assert first_difference(ours, theirs) is None
    assert [e.remark for e in ours.events] == [e.remark for e in theirs.events]
    assert [e.source for e in ours.events] == [e.source for e in theirs.events]
    assert [type(part) for part in ours.parts] == [type(part) for part in theirs.parts]
    assert ours.stop is theirs.stop
    assert ours.end.location == theirs.end.location
    assert ours.end.time == pytest.approx(theirs.end.time, abs=1e-9)
    np.testing.assert_allclose(ours.end.values, theirs.end.values, rtol=1e-6, atol=1e-6)
    return ours, theirs


def without_numbers(message: str) -> str:
    return re.sub(r"[\d.e-]*\d", "…", message)


@pytest.mark.parametrize("name", NAMES)
def test_all_engines_agree_on_every_example(name: str) -> None:
    automaton, until = EXAMPLES[name]
    ours, _ = check_agreement(automaton, until)
    stiff = simulate(automaton, until=until, options=Options(solver="cvode"))
    assert first_difference(stiff, ours, tolerance=1e-6) is None
    assert len(ours.events) > 5


@pytest.mark.parametrize("seed", SEEDS)
def test_both_engines_tell_the_same_story(seed: int) -> None:
    check_agreement(random_model(seed), 0.6, replace(NATIVE, max_events=CERTAIN))


@pytest.mark.parametrize("tick", [0.05, 0.013])
@pytest.mark.parametrize("name", NAMES)
def test_ticks_are_the_same(name: str, tick: float) -> None:
    automaton, until = EXAMPLES[name]
    check_agreement(automaton, min(until, 4.0), replace(NATIVE, tick=tick))


def test_with_ticks_impacts_keep_their_times_and_guards_wait() -> None:
    """The ball is below 2.1 m after √0.6 s = 0.7746 s, which the next tick sees; it hits at 1 s."""
    watcher = """
automaton watcher {
  location high
  location low
  initial high
  edge high -> low { when ball.y <= 2.1  action passes }
  edge low -> low { sync hit? }
}
system watcher
"""
    run, _ = check_agreement(coupled(DROP + watcher), 1.2, replace(NATIVE, tick=0.03))
    assert run.times("passes") == pytest.approx([0.78], abs=1e-12)
    assert run.times("hit") == pytest.approx([1], abs=1e-10)


def test_a_dropped_ball_is_heard_at_the_times_of_the_closed_form() -> None:
    """h = 5 m, g = 10 m/s², e = 1/2: impacts at t = 1, then after 2, 2.5, 2.75, … s."""
    run = simulate(coupled(DROP + COUNTER.replace("in [0, 3]", "")), until=2.9, options=NATIVE)
    assert run.times("hit") == pytest.approx([1, 2, 2.5, 2.75, 2.875], abs=1e-10)
    assert run.final["counter.n"] == 5


def test_a_pulled_ball_slips_where_friction_ends_and_sticks_when_it_is_let_go() -> None:
    """Rolling under a force P takes friction 2P/7, and there is μ m g = 10 N of it: P = 35 N."""
    run, _ = check_agreement(coupled(PULLED), 3.5)
    assert run.times("slip") == pytest.approx([1, 2, 3], abs=1e-9)
    assert run.times("stick") == run.times("slip")  # let go in the instant in which it slips
    assert [e.kind for e in run.events[1:5]] == ["slip", "slide", "stick", "grip"]
    assert (run.final["hand.slides"], run.final["hand.grips"]) == (3, 3)


def test_what_is_pulled_back_as_it_begins_to_slip_slips_back() -> None:
    """It rolls with 12.5 t m/s²; from 1 s on -70 + 35 s N and friction, 10 N, act on its 2 kg."""
    text = PULLED.replace("sync slide?  do pull := 0", "sync slide?  do pull := -70")
    run, _ = check_agreement(coupled(text), 1.01)
    after = 0.01
    speed = 12.5 / 2 + (-60 * after + 35 * after**2 / 2) / 2
    assert run.final["ball.vx"] == pytest.approx(speed, abs=1e-7)
    assert run.final["hand.slides"] == 1
    assert joint(run.end).bodies == Modes((("ball-floor", "slip"),))


@pytest.mark.parametrize(("eased", "mode"), [(34.9, "stick"), (35.1, "slip")])
def test_a_pull_that_is_eased_sticks_below_the_limit_alone(eased: float, mode: Mode) -> None:
    text = PULLED.replace("pull' = 35", "pull' = 35*hand.slow").replace(
        "do pull := 0,", f"do pull := {eased}, slow := 0,"
    )
    run, _ = check_agreement(coupled(text.replace("real pull", "real pull, slow = 1")), 1.5)
    assert joint(run.end).bodies == Modes((("ball-floor", mode),))
    assert run.final["hand.slides"] == 1


def test_an_assignment_that_cannot_be_ends_the_run_at_its_signal() -> None:
    ours, theirs = check_agreement(coupled(DROP + COUNTER), 5.0)
    assert ours.stop is Stop.FAULT
    assert ours.end.time == pytest.approx(2.75, abs=1e-10)
    assert without_numbers(ours.message) == without_numbers(theirs.message)


def test_impacts_accumulate_as_they_do_without_automata() -> None:
    """From t = 1 on the hops last 1, 1/2, 1/4, … s: they end at 3 s."""
    run, _ = check_agreement(coupled(DROP + COUNTER.replace("in [0, 3]", "")), 4.0)
    (last,) = (event for event in run.events if event.kind == "accumulation")
    assert last.accumulates == pytest.approx(3, abs=1e-6)
    assert joint(run.end).bodies.contacts == ("ball-floor",)


@pytest.mark.parametrize(
    ("edge", "stop"),
    [
        ("when ball.y <= 2  action again", Stop.LIVELOCK),
        ("when ball.y <= -2  action never", Stop.TIMELOCK),
    ],
)
def test_endings_are_the_same(edge: str, stop: Stop) -> None:
    watcher = f"""
automaton watcher {{
  location looks {{ invariant ball.y >= 1 }}
  initial looks
  edge looks -> looks {{ {edge} }}
}}
system watcher
"""
    ours, theirs = check_agreement(coupled(DROP + watcher), 5.0)
    assert ours.stop is stop
    assert without_numbers(ours.message) == without_numbers(theirs.message)


def test_laws_without_a_solution_end_both_runs() -> None:
    """Two spinning balls in a corner, pressed together by an automaton: no forces obey the laws."""
    text = """
gravity (0, -9.81, 0)
body a { sphere radius 0.5  mass 1  position (0, 0.5, 0)  spin (0, 0, -1) }
body b { sphere radius 0.5  mass 3  position (0.6, 1.3, 0)  spin (0, 0, 2) }
body wall { plane normal (-1, 0, 0)  position (1.1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact all { friction 1 }
force b (-press.push, press.push, 0)
automaton press {
  real push = 20
  location pushes { push' = 1 }
  initial pushes
}
system press
"""
    ours, theirs = check_agreement(coupled(text), 0.05)
    assert ours.stop is Stop.INCONSISTENT
    assert ours.message == theirs.message


def test_a_run_goes_on_from_where_another_ended() -> None:
    automaton = coupled(PULLED)
    half = simulate(automaton, until=1.6, options=NATIVE)
    assert joint(half.end).bodies == Modes((("ball-floor", "stick"),))
    rest = simulate(automaton, half.end, until=3.5, options=NATIVE)
    whole = simulate(automaton, until=3.5, options=NATIVE)
    assert rest.times("slip") == pytest.approx(whole.times("slip")[1:], abs=1e-10)
    np.testing.assert_allclose(rest.end.values, whole.end.values, atol=1e-8)


def test_a_run_can_be_watched_and_stopped() -> None:
    seen: list[float] = []

    def progress(time: float, events: int) -> bool:
        seen.append(time)
        return time < 1.5

    automaton = coupled(DROP + COUNTER)
    run = simulate(automaton, until=9.0, options=replace(NATIVE, progress=progress))
    assert run.stop is Stop.INTERRUPTED
    assert seen == sorted(seen)
    assert run.end.time < 2.75
    assert run.times("hit")[0] == pytest.approx(1, abs=1e-10)


def test_one_library_serves_all_settings() -> None:
    models = [coupled(DROP + COUNTER, {"ball.y": height}) for height in (2.0, 3.0)]
    assert len({coupled_model(model).library for model in models}) == 1
    heights = [simulate(m, until=1.0, options=NATIVE).times("hit")[0] for m in models]
    assert heights == pytest.approx([np.sqrt(2 * 1.9 / 10), np.sqrt(2 * 2.9 / 10)], abs=1e-10)


CHOICES = """
automaton left {
  int a, b
  clock c
  location on
  initial on
  edge on -> on { sync hit?  do a := a + 1 }
  edge on -> on { sync hit?  do b := b + 1 }
  edge on -> on { when c >= 0.4  do c := 0, a := a + 10  action more }
  edge on -> on { when c >= 0.4  do c := 0, b := b + 10  action other }
}
automaton right {
  int a, b
  location on
  initial on
  edge on -> on { when left.b < 30  sync hit?  do a := a + 1 }
  edge on -> on { sync hit?  do b := b + 1 }
}
system left || right
"""


@pytest.mark.parametrize("choice", [Seeded(0), Seeded(5, wait=0.5), Latest()], ids=str)
def test_choices_are_the_same(choice: Choice) -> None:
    run, _ = check_agreement(coupled(DROP + CHOICES), 2.9, replace(NATIVE, choice=choice))
    remarks = [event.remark for event in run.events]
    assert any(" of 4 " in remark for remark in remarks)
    assert any(" of 2 " in remark for remark in remarks)


def test_someone_asked_sees_the_same_edges() -> None:
    def asked(seen: list[tuple[object, ...]]) -> Choice:
        def choose(state: State, edges: tuple[Edge, ...]) -> int:
            seen.append((state.location, [(e.source, e.target, e.reset) for e in edges]))
            return len(edges) - 1

        return Ask(choose)

    ours: list[tuple[object, ...]] = []
    theirs: list[tuple[object, ...]] = []
    automaton = coupled(DROP + CHOICES)
    for seen, solver in ((ours, "native"), (theirs, "reference")):
        options = Options(solver=solver, choice=asked(seen))
        run = simulate(automaton, until=2.9, options=options)
        assert (run.final["left.a"], run.final["right.a"]) == (0, 0)
    assert ours == theirs
    assert len(ours) > 8


def test_what_it_does_not_know_runs_in_the_reference_engine() -> None:
    fine = FollowOptions(detection=Detection(points=100))
    automaton, options = coupled(DROP + COUNTER), replace(NATIVE, follow=fine)
    assert not can_run_coupled(automaton, None, options)
    ours = simulate(automaton, until=1.5, options=options)
    theirs = simulate(automaton, until=1.5, options=replace(options, solver="reference"))
    assert ours.final == theirs.final


@pytest.mark.parametrize("name", EXAMPLES)
def test_invariants_at_end_points_are_those_of_automata_alone(name: str) -> None:
    """At impacts and changes of mode bodies are outside their domain: that ends no run."""
    automaton, until = EXAMPLES[name]
    until = min(until, 3.0)
    run, _ = check_agreement(automaton, until, replace(NATIVE, invariant="endpoints"))
    always = simulate(automaton, until=until, options=NATIVE)
    assert run.stop is Stop.HORIZON
    assert first_difference(run, always) is None


def test_an_invariant_is_left_and_entered_again_between_end_points() -> None:
    """Thrown at 5 m/s from 0.2 m, the ball is above 1 m from (5 - √9)/10 s on, and is back later.

    It hits the floor at (5 + √27)/10 s; there, where the arc ends, it is below again.
    """
    thrown = DROP.replace("position (0, 5.1, 0)", "position (0, 0.2, 0)  velocity (0, 5, 0)")
    low = COUNTER.replace("location on\n", "location on { invariant ball.y <= 1 }\n")
    automaton = coupled(thrown + low)
    always, _ = check_agreement(automaton, 1.5, NATIVE)
    assert always.stop is Stop.TIMELOCK
    assert always.end.time == pytest.approx(0.2, abs=1e-9)
    run, _ = check_agreement(automaton, 1.5, replace(NATIVE, invariant="endpoints"))
    assert run.stop is Stop.HORIZON
    assert run.times("hit")[0] == pytest.approx((5 + np.sqrt(27)) / 10, abs=1e-9)
    cut, _ = check_agreement(automaton, 0.5, replace(NATIVE, invariant="endpoints"))
    assert cut.stop is Stop.TIMELOCK
    assert cut.end.values[1] == pytest.approx(0.2 + 5 * 0.5 - 5 * 0.25, abs=1e-9)


def test_it_does_not_begin_inside_an_instant() -> None:
    automaton = coupled(DROP + COUNTER)
    start = automaton.start()
    waiting = replace(start, location=replace(joint(start), offered=("hit",)))
    assert is_supported(automaton, start)
    assert not is_supported(automaton, waiting)
    run = simulate(automaton, waiting, until=0.5, options=NATIVE)
    assert run.times("hit") == [0.0]


def test_one_run_is_like_another() -> None:
    automaton, until = EXAMPLES["racket/model"]
    first, second = (simulate_coupled(automaton, until=until) for _ in range(2))
    assert first.events == second.events
    assert np.array_equal(first.end.values, second.end.values)
