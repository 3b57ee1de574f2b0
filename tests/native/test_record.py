"""What native runs are made of: the log read late, in pieces or by halves tells the same story."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.interface import Array, Event, State, Visit
from dyverse.automaton.run import Arc, Moment, Part, Run, Stop, end_of
from dyverse.bodies.build import plane, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native import engine
from dyverse.native.engine import Options, simulate_native
from dyverse.native.idle import Idle
from tests import scenes
from tests.native.test_engine import ball_on_peg, nearly_stopping, rubbing_spheres

STORIES = [
    (scenes.drop(), 25.0),
    (scenes.slide(), 3.0),
    (scenes.stack(), 1.0),
    (scenes.stack(), 0.0),
    (scenes.three_balls(), 0.75),
    (rubbing_spheres(), 2.0),
    (ball_on_peg(), 2.0),
    (nearly_stopping(), 1.0),
    (world(plane("floor", normal=(0, 1, 0))), 1.0),
]


def state_of(state: State) -> tuple[object, ...]:
    held = {name: force.tolist() for name, force in state.held.items()}
    return state.time, state.location, state.values.tolist(), held


def arc_of(arc: Arc) -> tuple[object, ...]:
    return state_of(arc.start), arc.times.tolist(), arc.states.tolist()


def visit_of(visit: Visit) -> tuple[object, ...]:
    found = {name: force.tolist() for name, force in visit.result.items()}
    numbers = visit.sweeps, visit.residual, visit.method, visit.failure, visit.accumulates
    return state_of(visit.before), state_of(visit.after), found, numbers, visit.remarks


def all_of(run: Run) -> tuple[object, ...]:
    """Everything in a run, as values that compare."""
    return run.stop, run.message, [part_of(part) for part in run.parts], run.events


def part_of(part: Part) -> tuple[object, ...]:
    match part:
        case Arc():
            return arc_of(part)
        case Visit():
            return visit_of(part)
        case Moment(state=state):
            return state_of(state)


def named_again(run: Run) -> list[Event]:
    """The events that the automaton itself sees in the parts of a run."""
    before, visits = run.automaton.start(), list[Visit]()
    found: list[Event] = []
    for part in run.parts:
        if isinstance(part, Visit):
            visits.append(part)
        elif isinstance(part, Arc):
            found.extend(run.automaton.events(before, tuple(visits), part.start))
            before, visits = part.end, []
    return found


@pytest.mark.parametrize(("model", "until"), STORIES)
def test_the_last_state_is_known_before_the_run_is_read(model: World, until: float) -> None:
    automaton = generate(model)
    early = state_of(simulate_native(automaton, until=until).end)
    run = simulate_native(automaton, until=until)
    assert early == state_of(end_of(run.parts[-1]))
    assert run.end.time == until


@pytest.mark.parametrize(("model", "until"), STORIES)
def test_events_are_those_that_the_automaton_names(model: World, until: float) -> None:
    run = simulate_native(generate(model), until=until)
    assert [event for event in run.events if event.kind != "graze"] == named_again(run)


@pytest.mark.parametrize(("model", "until"), STORIES)
def test_a_log_in_many_pieces_tells_the_same(
    model: World, until: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = simulate_native(generate(model), until=until, options=Options(samples=7))
    monkeypatch.setattr(engine, "STEPS", 0)  # a call makes one step
    monkeypatch.setattr(engine, "_IDLE", Idle(1))  # others make many
    split = simulate_native(generate(model), until=until, options=Options(samples=7))
    assert state_of(split.end) == state_of(whole.end)
    assert all_of(split) == all_of(whole)


def test_a_run_read_late_is_the_run_read_at_once() -> None:
    automaton = generate(rubbing_spheres())
    late = simulate_native(automaton, until=2)
    first = simulate_native(automaton, until=2)
    told = all_of(first)
    for height in range(1, 20):  # the same engine, and other numbers in its log
        simulate_native(automaton, until=0.1 * height)
    assert all_of(late) == told


def test_what_was_read_stays() -> None:
    run = simulate_native(generate(scenes.drop()), until=5)
    assert run.events is run.events
    assert run.parts is run.parts
    assert state_of(run.end) == state_of(run.parts[-1].end)  # type: ignore[union-attr]


def arrays(run: Run) -> list[Array]:
    found = [array for arc in run.arcs for array in (arc.times, arc.states, arc.start.values)]
    for visit in run.visits:
        found += [visit.before.values, visit.after.values, *visit.result.values()]
    return [*found, run.end.values]


def test_no_array_of_a_native_run_can_be_changed() -> None:
    for until in (0.0, 2.0):
        run = simulate_native(generate(scenes.slide()), until=until)
        assert not any(array.flags.writeable for array in arrays(run))


@pytest.mark.parametrize("read", [False, True])
def test_a_native_run_survives_pickling(read: bool) -> None:
    run = simulate_native(generate(scenes.three_balls(), {"k": 1.5}), until=0.75)
    if read:
        all_of(run)
    copy = pickle.loads(pickle.dumps(run))
    assert copy.automaton.scene.values["k"] == 1.5
    assert copy.final == run.final
    assert all_of(copy) == all_of(run)


def test_a_run_not_read_yet_can_be_changed_into_another() -> None:
    run = simulate_native(generate(scenes.drop()), until=5)
    other = replace(run, parts=(), message="cut")
    assert other.parts == ()
    assert other.message == "cut"
    assert other.events == run.events != ()
    assert len(run.parts) > 2


def test_a_failure_is_told_at_once() -> None:
    """Three points in contact at once, but one jump is not enough to settle them."""
    run = simulate_native(generate(scenes.stack()), until=1, options=Options(max_jumps=1))
    assert run.stop is Stop.LIVELOCK
    assert "over 1 jumps" in run.message
    assert run.message.endswith("at 0.0 s")


def test_a_column_of_a_run_is_what_is_observed() -> None:
    run = simulate_native(generate(rubbing_spheres()), until=0.5)
    times, heights = run.signal("a.y")
    states = list(run.states())
    assert times.tolist() == [state.time for state in states]
    assert heights.tolist() == [run.automaton.observe(state)["a.y"] for state in states]
    assert np.diff(times).min() >= 0
