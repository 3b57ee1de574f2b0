"""What is done by hand: choices, signals from outside, bodies put elsewhere."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import Edge, State
from dyverse.automaton.network.component import Variable
from dyverse.automaton.network.writing import component, edge, network
from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError, SolverError
from dyverse.generation.model import Model, parse_model
from dyverse.session.asking import label
from dyverse.session.session import Session, open_session
from dyverse.simulation.choice import Ask, Latest
from dyverse.simulation.simulate import Options, simulate
from tests.session.test_session import BALL, ball
from tests.simulation.pieces import assert_same
from tests.simulation.test_pieces import KICKED, subjects

SOLVERS = ("native", "reference")
TWO = """
automaton a { clock c  int n
  location p { invariant c <= 3 }  location q  location r
  initial p
  edge p -> q { when c >= 1  action left }
  edge p -> r { when c >= 2  action right }
}
automaton b { location x  location y  initial x  edge x -> y { when a.c >= 1  action other } }
system a || b
"""
BELL = """
channel ring { broadcast }
channel key
automaton one { int n  clock c  location idle  location up { invariant c <= 0.5 }  initial idle
  edge idle -> up { when n < 2  do n := n + 1, c := 0  sync ring? }
  edge up -> idle { when c >= 0.5  action down }
  edge idle -> idle { do n := 0  sync key? } }
automaton two { int m  location idle  initial idle
  edge idle -> idle { do m := m + 1  sync ring? }
  edge idle -> idle { do m := 10  sync key? } }
"""
HAND = """
automaton hand(every) { clock h  location l  location never  initial l
  edge l -> l { when h >= every  do h := 0  sync ring! }
  edge never -> l { sync key! } }
system one || two || hand(%s)
"""


def bell(every: float = 1e9) -> Model:
    """A bell that is rung every so often (s), or never: then by who is outside."""
    return parse_model(BELL + HAND % every)


class Diary:
    """Answers in turn, and writes down the questions."""

    def __init__(self, answers: list[int | None]) -> None:
        self.answers, self.given = answers, 0

    def __call__(self, state: State, edges: tuple[Edge, ...], may_wait: bool) -> int | None:
        answer = self.answers[self.given % len(self.answers)]
        self.given += 1
        if answer is None:
            return None if may_wait else 0
        return answer % len(edges)


def answered(session: Session, until: float, diary: Diary) -> list[Run]:
    """Go on, and answer whatever is asked as the diary does."""
    runs = [session.advance(until)]
    while session.question is not None:
        question = session.question
        place = diary(question.state, question.edges, question.may_wait)
        runs.append(session.wait() if place is None else session.take(question.edges[place]))
        if session.question is None:
            runs.append(session.advance(until))
    return runs


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["two", "waiting", "points", "robot", "coupled"])
@settings(max_examples=12, deadline=None)
@given(answers=st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=6))
def test_taking_edges_is_what_asking_would_have_done(
    name: str, solver: str, answers: list[int | None]
) -> None:
    made, until = (parse_model(TWO).automaton(), 4.0) if name == "two" else subjects()[name]
    options = Options(solver=solver, choice=Ask(Diary(answers)))
    once = simulate(made, until=until, options=options)
    session = open_session(made, solver=solver, asks=True)
    runs = answered(session, until, Diary(answers))
    assert_same(once, runs, times=5e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_edge_that_was_left_alone_can_be_taken_at_any_time(solver: str) -> None:
    session = open_session(parse_model(TWO), options=Options(solver=solver, choice=Latest()))
    session.advance(1.5)
    left, other = session.enabled()
    assert [label(edge).partition(" ")[0] for edge in (left, other)] == ["left", "other"]
    (event,) = session.take(other).events
    assert (event.kind, event.time) == ("other", 1.5)
    (still,) = session.enabled()
    assert (still.source, still.target) == (("p", "y"), ("q", "y"))
    late = session.advance(5)
    assert late.events[0].time == pytest.approx(3.0)  # as late as can be


def test_an_edge_that_is_not_enabled_is_refused_with_those_that_are() -> None:
    session = open_session(parse_model(TWO), options=Options(choice=Latest()))
    session.advance(1.5)
    other = session.enabled()[1]
    session.take(other)
    with pytest.raises(SolverError, match=r"other .* is not enabled here; enabled: left"):
        session.take(other)
    with pytest.raises(SolverError, match="nothing is asked"):
        session.wait()


def test_a_question_survives_a_snapshot() -> None:
    session = open_session(parse_model(TWO), asks=True)
    session.advance(10)
    assert session.question is not None
    asked = session.snapshot()
    session.take(session.enabled()[0])
    session.restore(asked)
    assert session.question is not None
    assert [getattr(edge, "action", "") for edge in session.enabled()] == ["left", "other"]
    assert session.advance(10).events == ()  # the question is still open
    copy = session.fork()
    assert copy.question is not None


@pytest.mark.parametrize("solver", SOLVERS)
def test_signals_from_outside_are_what_another_automaton_would_have_sent(solver: str) -> None:
    inside = simulate(bell(0.2).automaton(), until=1.9, options=Options(solver=solver))
    session = open_session(bell(), solver=solver)
    runs = []
    for number in range(1, 10):
        runs.append(session.advance(0.2 * number))
        runs.append(session.signal("ring"))
    runs.append(session.advance(1.9))
    told = [(e.kind, round(e.time, 9)) for run in runs for e in run.events]
    assert told == [(e.kind, round(e.time, 9)) for e in inside.events]
    found = session.observe("one.n", "two.m", "one.idle")
    assert found == {name: inside.automaton.observe(inside.end)[name] for name in found}


def test_on_a_plain_channel_one_hears() -> None:
    session = open_session(bell())
    session.signal("ring")
    session.advance(1.0)
    (event,) = session.signal("key").events
    assert event.remark.startswith("one")
    assert session.observe("one.n", "two.m") == {"one.n": 0.0, "two.m": 1.0}
    assert len(session.called("key")) == 2


def test_nobody_hears() -> None:
    session = open_session(bell())
    assert session.signal("silence").events == ()
    assert session.time == 0.0
    with pytest.raises(SolverError, match="no channels"):
        open_session(ball()).signal("ring")


@pytest.mark.parametrize("solver", SOLVERS)
def test_automata_beside_bodies_hear_too(solver: str) -> None:
    session = open_session(parse_model(KICKED), solver=solver)
    session.advance(0.1)
    (event,) = session.signal("hit").events
    assert event.kind == "hit"
    assert session.observe("foot.hits") == {"foot.hits": 1.0}
    run = session.advance(1.0)  # two more hits of the ball, and it is kicked
    assert run.times("rest")[0] == pytest.approx(run.times("hit")[1] + 0.05)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_body_that_was_put_elsewhere_goes_on_from_there(solver: str) -> None:
    session = open_session(ball(), solver=solver)
    session.advance(3.0)
    session.place({"ball.y": 2.1, "ball.vy": 0.0, "ball.x": 1.0})
    run = session.advance(session.time + 2)
    impacts = [event.time - 3.0 for event in run.events if event.kind == "impact"]
    assert impacts[0] == pytest.approx(math.sqrt(2 * 2.0 / 9.81), rel=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_body_that_is_put_on_the_floor_rests_there(solver: str) -> None:
    session = open_session(ball(), solver=solver)
    session.advance(0.2)
    session.place({"ball.y": 0.1, "ball.vy": 0.0})
    session.tick(0.5)
    assert session.observe("closed[ball,floor]", "ball.y") == pytest.approx(
        {"closed[ball,floor]": 1.0, "ball.y": 0.1}
    )


def test_what_cannot_be_is_refused_and_the_session_stays() -> None:
    session = open_session(ball())
    session.advance(0.2)
    before = session.snapshot()
    with pytest.raises(ModelError, match=r"'ball-floor' overlap by 0.05 m"):
        session.place({"ball.y": 0.05})
    with pytest.raises(ModelError, match=r"no variable 'ball.h'"):
        session.place({"ball.h": 1.0})
    assert session.snapshot() is before
    numbers = open_session(bell())
    with pytest.raises(ModelError, match="not a whole number"):
        numbers.place({"one.n": 0.5})


@pytest.mark.parametrize("solver", SOLVERS)
def test_other_numbers_that_move_surfaces_are_looked_at(solver: str) -> None:
    """A ball at rest that shrinks falls to the floor, and one that grows would be in it."""
    text = "parameter r = 0.1\n" + BALL.replace("radius 0.1", "radius r")
    session = open_session(parse_model(text), solver=solver)
    session.advance(4.0)
    assert session.observe("closed[ball,floor]") == {"closed[ball,floor]": 1.0}
    with pytest.raises(ModelError, match=r"'ball-floor' overlap by 0.1 m"):
        session.set_input(r=0.2)
    session.set_input(r=0.05)
    run = session.advance(5.0)
    assert run.times("impact")[0] == pytest.approx(4 + math.sqrt(2 * 0.05 / 9.81), rel=1e-6)


def test_an_assignment_that_a_signal_makes_may_be_a_fault() -> None:
    n = Variable("n", "int", low=0.0, high=1.0)
    made = network(
        component("a", "l", edge("l", "l", reset={"n": "n + 1"}, sync="up?")), shared=(n,)
    )
    session = open_session(made)
    session.signal("up")
    assert session.signal("up").stop is Stop.FAULT
    assert "leaves its range" in session.message
