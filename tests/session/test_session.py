"""A session is one run, in whatever pieces, looked at, taken back and branched."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError, SolverError
from dyverse.generation.model import Model, parse_model
from dyverse.session.session import Session, open_session
from dyverse.simulation.choice import Choice, Latest, Priority, Seeded
from dyverse.simulation.simulate import Options, simulate
from tests.simulation.pieces import assert_same, cuts_of
from tests.simulation.test_pieces import subjects

SOLVERS = ("native", "reference")
BALL = """
parameter e = 0.8 in [0, 1]
gravity (0, -9.81, 0)
input wind
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
force ball (wind, 0, 0)
contact ball floor { restitution e  friction 0.2 }
"""


def ball() -> Model:
    return parse_model(BALL)


@pytest.mark.parametrize("solver", [*SOLVERS, "cvode"])
def test_the_next_event_may_be_asked_for_without_an_end(solver: str) -> None:
    """The ball falls 0.9 m."""
    if solver == "cvode":
        pytest.importorskip("sksundae")
    session = open_session(ball(), options=Options(solver=solver))
    (event,) = session.next_event().events
    assert event.time == pytest.approx(math.sqrt(2 * 0.9 / 9.81), abs=1e-9)


@pytest.mark.parametrize("solver", [*SOLVERS, "cvode"])
@pytest.mark.parametrize(
    "text",
    [
        "gravity (0, -9.81, 0) body b { sphere radius 1  mass 1 }",
        "body b { sphere radius 1  mass 1 } force b (-b.vx/50 - 2, 0, 0)",
        "automaton a { real x = 1  location on { x' = x/1000 }  initial on } system a",
        """gravity (0, -9.81, 0)
        body b { sphere radius 1  mass 1  position (0, 1, 0)  velocity (1, 0, 0) }
        body floor { plane normal (0, 1, 0) }
        contact b floor { friction 0.5 }""",
    ],
    ids=["falling", "drifting", "growing", "rolling"],
)
def test_a_session_stays_where_nothing_follows(solver: str, text: str) -> None:
    if solver == "cvode":
        pytest.importorskip("sksundae")
    session = open_session(parse_model(text), solver=solver)
    session.advance(3.0)
    before = session.observe(*session.automaton.variables)
    for _ in range(2):
        run = session.next_event()
        assert (run.stop, run.events) == (Stop.HORIZON, ())
        assert (session.time, session.stop) == (3.0, None)
        assert session.observe(*before) == before
    session.advance(4.0)
    assert session.time == 4.0


def disturb(session: Session, draw: st.DataObject) -> None:
    """Look, go on and come back, branch, and go through a pickle: none of it shows in the run."""
    match draw.draw(st.sampled_from(["nothing", "back", "fork", "pickle", "look", "step"])):
        case "back":
            before = session.snapshot()
            session.tick(draw.draw(st.floats(0, 1)))
            session.restore(before)
        case "fork":
            session.fork().tick(0.3)
        case "pickle":
            session.restore(pickle.loads(pickle.dumps(session.snapshot())))
        case "look":
            session.observe(*session.automaton.variables)
            session.enabled()
        case "step":
            before = session.snapshot()
            session.next_event(session.time + 1)
            session.restore(before)
        case _:
            pass


def in_pieces(session: Session, until: float, cuts: list[float], draw: st.DataObject) -> list[Run]:
    runs: list[Run] = []
    for end in (*sorted(cuts), until):
        runs.append(session.advance(end))
        disturb(session, draw)
        if session.stop is not None:
            break
    return runs


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", sorted(subjects()))
@settings(max_examples=8, deadline=None)
@given(
    draw=st.data(),
    choice=st.sampled_from([Priority(), Latest(), Seeded(3, wait=0.4)]),
    tick=st.sampled_from([None, None, 0.07]),
)
def test_a_session_in_pieces_is_the_whole_run(
    name: str, solver: str, choice: Choice, tick: float | None, draw: st.DataObject
) -> None:
    made, until = subjects()[name]
    options = Options(solver=solver, choice=choice, tick=tick)
    once = simulate(made, until=until, options=options)
    cuts = cuts_of(once, draw)
    runs = in_pieces(open_session(made, options=options), until, cuts, draw)
    assert_same(once, runs, times=5e-8)  # where a slip ends is known that well


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["robot", "zeno bodies", "coupled", "waiting", "points"])
def test_event_by_event_it_is_the_same_run(name: str, solver: str) -> None:
    made, until = subjects()[name]
    options = Options(solver=solver)
    once, session = simulate(made, until=until, options=options), open_session(made, solver=solver)
    runs = [session.next_event(until)]
    while runs[-1].stop is Stop.MAX_EVENTS:
        runs.append(session.next_event(until))
    assert_same(once, runs)
    assert all(len({event.time for event in run.events}) <= 1 for run in runs)


@pytest.mark.parametrize("solver", SOLVERS)
@settings(max_examples=20, deadline=None)
@given(at=st.floats(0, 3), e=st.floats(0.1, 0.9), wind=st.floats(-3, 3))
def test_a_fork_is_a_run_started_there_with_other_settings(
    solver: str, at: float, e: float, wind: float
) -> None:
    model, changed = ball(), {"e": e, "wind": wind}
    session = open_session(model, {"e": 0.7}, solver=solver)
    session.advance(at)
    branch = session.fork(changed)
    found = branch.advance(at + 2)
    there = replace(session.state, memory=None)
    options = Options(solver=solver)
    begun = simulate(model.automaton(changed), there, until=at + 2, options=options)
    assert_same(begun, [found])
    assert (session.time, session.settings) == (at, {"e": 0.7})
    session.set_input(**changed)
    assert_same(begun, [session.advance(at + 2)])


def test_what_was_set_is_taken_back_with_a_snapshot() -> None:
    session = open_session(ball())
    session.tick(0.2)
    before = session.snapshot()
    session.set_input(wind=2.0)
    session.tick(0.1)
    assert session.observe("ball.vx", "wind") == pytest.approx({"ball.vx": 0.2, "wind": 2.0})
    session.restore(before)
    session.tick(0.1)
    assert session.observe("ball.vx", "wind") == {"ball.vx": 0.0, "wind": 0.0}


def test_signals_are_observed_by_name_and_only_those() -> None:
    session = open_session(ball())
    session.tick(0.1)
    fallen = 9.81 * 0.1**2 / 2
    found = session.observe("gap[ball,floor]", "ball.vy", "nothing", "closed[ball,floor]", "t")
    assert math.isnan(found.pop("nothing"))
    expected = {
        "gap[ball,floor]": 0.9 - fallen,
        "ball.vy": -0.981,
        "closed[ball,floor]": 0,
        "t": 0.1,
    }
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_that_is_over_stays_where_it_ended(solver: str) -> None:
    lock = parse_model(
        "automaton a { clock c  location l { invariant c <= 1 }  initial l }\nsystem a"
    )
    session = open_session(lock, solver=solver)
    assert session.advance(5).stop is Stop.TIMELOCK
    assert session.stop is Stop.TIMELOCK
    assert session.message
    again = session.tick(1)
    assert (again.stop, again.events) == (Stop.TIMELOCK, ())
    assert session.time == pytest.approx(1.0)
    assert session.enabled() == ()


def test_settings_that_cannot_be_leave_the_session_as_it_is() -> None:
    session = open_session(ball())
    session.tick(0.1)
    with pytest.raises(ModelError, match="wnd"):
        session.set_input(wnd=1.0)
    assert session.settings == {}
    assert session.tick(0.1).end.time == pytest.approx(0.2)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_snapshot_keeps_nothing_of_the_run_that_led_to_it(solver: str) -> None:
    """Else thousands of them, to go back to, would keep all samples of a long run."""
    session = open_session(ball(), solver=solver)
    for _ in range(3):
        session.tick(1.0)
        assert session.snapshot().state.values.base is None


def test_an_automaton_has_no_settings() -> None:
    made: HybridAutomaton = ball().automaton()
    assert open_session(made).tick(0.1).end.time == 0.1
    with pytest.raises(SolverError, match="open its model"):
        open_session(made, {"e": 0.5})


def test_a_session_asks_by_itself() -> None:
    with pytest.raises(SolverError, match="asks=True"):
        open_session(ball(), seed=1, asks=True)
