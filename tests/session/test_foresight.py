"""What is seen ahead is what then happens."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.run import Run
from dyverse.generation.model import parse_model
from dyverse.session.session import Session, open_session
from dyverse.simulation.choice import Choice, Latest, Priority
from dyverse.simulation.simulate import Options
from tests.session.test_session import ball
from tests.simulation.test_pieces import subjects

LATE = 0.8  # of a run: what is looked for in


def happened(run: Run) -> float | None:
    """When something happened that was no near miss."""
    return next((event.time for event in run.events if event.kind != "graze"), None)


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", sorted(subjects()))
@settings(max_examples=8, deadline=None)
@given(share=st.floats(0, LATE))
def test_the_first_crossing_ahead_is_the_next_event(name: str, solver: str, share: float) -> None:
    made, until = subjects()[name]
    session = open_session(made, solver=solver)
    session.advance(share * until)
    seen = session.ahead(until - session.time)
    assert [item.time for item in seen] == sorted(item.time for item in seen)
    found = happened(session.next_event(until))
    if found is None:
        assert not seen
    else:
        assert seen[0].time == pytest.approx(found, abs=1e-7)


WINDOW = """
automaton a { clock c  location p { invariant c <= 6 }  location q  initial p
  edge p -> q { when c >= 1 and c <= 4  action go } }
automaton b { real x = 3  location l { x' = -1 }  location m  initial l
  edge l -> m { when x <= 0  action zero } }
system a || b
"""


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (Priority(), {"guard[a,p,q]": 1, "guard[b,l,m]": 3, "invariant[a,p]": 6}),
        (Latest(), {"guard[a,p,q]": 4, "guard[b,l,m]": 3, "invariant[a,p]": 6}),
    ],
    ids=str,
)
def test_every_signal_is_seen_as_if_it_were_the_first(
    choice: Choice, told: dict[str, float]
) -> None:
    """Who waits hears of a guard when it ceases to hold."""
    session = open_session(parse_model(WINDOW), options=Options(solver="native", choice=choice))
    session.advance(0.5 if choice == Priority() else 2.0)
    seen = {item.signal: item.time for item in session.ahead(10.0)}
    assert seen == pytest.approx(told)
    assert len(session.ahead(10.0, most=1)) == 1
    assert session.ahead(0.1) == ()


def test_with_ticks_edges_are_taken_at_the_next_one_and_bodies_keep_their_time() -> None:
    session = open_session(parse_model(WINDOW), options=Options(solver="native", tick=0.35))
    session.advance(0.5)
    assert session.ahead(5.0)[0].time == pytest.approx(1.05)
    assert happened(session.next_event(5.0)) == pytest.approx(1.05)
    bouncing = open_session(ball(), options=Options(solver="native", tick=0.35))
    fall = math.sqrt(2 * 0.9 / 9.81)
    assert bouncing.ahead(5.0)[0].time == pytest.approx(fall)


def test_functions_that_switch_on_the_way_are_followed() -> None:
    """x' = 1, then 3 from x = 1 on: x = 4 is reached at 2 s."""
    made = parse_model(
        "automaton a { real x  location l { x' = 2 + sign(x - 1) }  location m  initial l"
        "  edge l -> m { when x >= 4  action there } }\nsystem a"
    )
    session: Session = open_session(made)
    session.advance(0.5)
    (seen,) = session.ahead(5.0)
    assert seen.time == pytest.approx(2.0)


def test_a_run_that_is_over_or_asks_has_nothing_ahead() -> None:
    session = open_session(parse_model(WINDOW), asks=True)
    session.advance(2.0)
    assert session.question is not None
    assert session.ahead(5.0) == ()
