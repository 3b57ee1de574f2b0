"""A run continued from its end is the same run, wherever it is cut and whoever follows it."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.component import Variable
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, define, force, plane, sphere, spring, world
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.choice import Choice, Latest, Seeded
from dyverse.simulation.simulate import Options, simulate
from tests import scenes
from tests.catalogue import sign_change, swapper, thermostat
from tests.native.automata.models import models
from tests.simulation.pieces import assert_same, cuts_of, jumps, pieces, with_solver

C = Variable("c", "clock")
KICKED = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 0.4, 0)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  friction 0.3  offers hit  offers rolls on stick }
force ball (0, foot.push, 0)
automaton foot {
  int hits, rolling, sevens  real push  clock c, whole
  location idle  location kicking { invariant c <= 0.05 }
  initial idle
  edge idle -> idle { when hits < 2  do hits := hits + 1  sync hit? }
  edge idle -> kicking { when hits >= 2  do hits := 0, push := 80, c := 0  sync hit? }
  edge kicking -> idle { when c >= 0.05  do push := 0  action rest }
  edge idle -> idle { when whole == 0.7 and sevens < 1  do sevens := 1  action seven }
  edge idle -> idle { do rolling := rolling + 1  sync rolls? }
}
system foot
"""


def waiting() -> HybridAutomaton:
    """Guards that begin and cease to hold, in handshakes and alone."""
    ears = [
        component(f"ear{i}", "p q", edge("p", "q", f"c >= {i} and c <= {i + 3}", sync="call?"))
        for i in range(3)
    ]
    mouth = component(
        "mouth",
        [place("a", invariant="c <= 6"), place("b", invariant="c <= 8"), place("d")],
        edge("a", "b", "c >= 1 and c <= 5", sync="call!"),
        edge("a", "b", "c >= 2", action="hush"),
        edge("b", "d", "c >= 7", action="end"),
    )
    return network(mouth, *ears, shared=(C,))


def points() -> HybridAutomaton:
    """Guards that are met in one point only, some of them left behind there and met again."""
    made = parse_model("""
        automaton a {
          real x, y = 8  int n
          location up { x' = 1  y' = -1 }
          location down { x' = -1  y' = 1 }
          initial up
          edge up -> down { when x >= 4 and y <= 4 and n < 2  do n := n + 1  action met }
          edge down -> up { when x == 2  action turned }
          edge down -> up { when x <= 1 and y >= 7  action low }
        }
        automaton b { location on  location off  initial on
          edge on -> off { when a.x == 3  action three }
          edge off -> on { when a.x == 2.5 or a.y == 5.25  action between } }
        system a || b""")
    return made.automaton()


def rolling() -> HybridAutomaton:
    """A ball that bounces, slides and then rolls, pushed by a force that grows and fades."""
    return generate(
        world(
            sphere("ball", radius=0.1, mass=1, position=(0, 0.3, 0), velocity=(2, 0, 0.3)),
            plane("floor", normal=(0, 1, 0)),
            define("push", "3*sin(2*t)"),
            force("ball", ("push", 0, 0)),
            contact_all(restitution=0.4, friction=0.15),
            gravity=scenes.DOWN,
        )
    )


def sprung() -> HybridAutomaton:
    """Two balls on a spring that land, stick and let go."""
    return generate(
        world(
            sphere("a", radius=0.1, mass=1, position=(0, 0.3, 0), velocity=(0.5, 0, 0)),
            sphere("b", radius=0.1, mass=2, position=(0.5, 0.25, 0.1), velocity=(-0.5, 0, 0)),
            plane("floor", normal=(0, 1, 0)),
            spring("a", "b", stiffness=40, length=0.45),
            contact_all(restitution=0.3, friction=0.4),
            gravity=scenes.DOWN,
        )
    )


@cache
def subjects() -> dict[str, tuple[HybridAutomaton, float]]:
    """Automata of all kinds, and how long they run."""
    return {
        "thermostat": (thermostat(), 15.0),
        "swapper": (swapper(), 5.0),
        "equality": (sign_change(), 3.0),
        "points": (points(), 12.0),
        "waiting": (waiting(), 10.0),
        "zeno network": (models()["two-tanks"][0], 7.0),
        "robot": (models()["robot"][0], 14.0),
        "zeno bodies": (generate(scenes.drop(height=1, e=0.5, mu=0.2)), 2.0),
        "rolling": (rolling(), 4.0),
        "sprung": (sprung(), 1.5),
        "stack": (generate(scenes.stack(3)), 0.5),
        "coupled": (parse_model(KICKED).automaton(), 2.0),
    }


@cache
def whole(name: str, options: Options) -> Run:
    made, until = subjects()[name]
    return simulate(made, until=until, options=options)


CHOICES: tuple[Choice, ...] = (Latest(), Seeded(3, wait=0.5), Seeded(8))


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", sorted(subjects()))
@settings(max_examples=12, deadline=None)
@given(draw=st.data())
def test_a_run_in_pieces_is_the_same_run(name: str, solver: str, draw: st.DataObject) -> None:
    options = Options(solver=solver)
    once, (made, until) = whole(name, options), subjects()[name]
    assert_same(once, pieces(made, until, cuts_of(once, draw), [options]))


@pytest.mark.parametrize("name", ["thermostat", "zeno bodies", "coupled"])
@settings(max_examples=4, deadline=None)
@given(draw=st.data())
def test_cvode_in_pieces_makes_the_same_run(name: str, draw: st.DataObject) -> None:
    """Restarted at other times a multistep method errs otherwise, by some of its tolerance."""
    pytest.importorskip("sksundae")
    options = Options(solver="cvode")
    once, (made, until) = whole(name, options), subjects()[name]
    cuts = cuts_of(once, draw)
    parts = pieces(made, until, cuts, [options])
    if name == "zeno bodies":  # the last of its bounces are shorter than the error
        assert parts[-1].end.location == once.end.location
        first = [[e.time for e in jumps(runs)][:8] for runs in (parts, [once])]
        assert first[0] == pytest.approx(first[1], abs=1e-6)
    else:
        assert_same(once, parts, times=1e-6)


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("name", ["thermostat", "points", "waiting", "robot"])
@settings(max_examples=6, deadline=None)
@given(draw=st.data())
def test_whoever_chooses_chooses_the_same_in_pieces(
    name: str, choice: Choice, solver: str, draw: st.DataObject
) -> None:
    options = Options(solver=solver, choice=choice)
    once, (made, until) = whole(name, options), subjects()[name]
    assert_same(once, pieces(made, until, cuts_of(once, draw), [options]))


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", ["points", "waiting", "coupled"])
@settings(max_examples=6, deadline=None)
@given(draw=st.data(), choice=st.sampled_from([Seeded(2, wait=0.4), Seeded(5)]))
def test_ticks_fall_where_they_would_have(
    name: str, solver: str, choice: Choice, draw: st.DataObject
) -> None:
    options = Options(solver=solver, tick=0.07, choice=choice)
    once, (made, until) = whole(name, options), subjects()[name]
    assert_same(once, pieces(made, until, cuts_of(once, draw), [options]))


@pytest.mark.parametrize("name", sorted(subjects()))
@settings(max_examples=6, deadline=None)
@given(draw=st.data())
def test_one_engine_goes_on_where_another_has_stopped(name: str, draw: st.DataObject) -> None:
    options = Options(choice=Seeded(3, wait=0.3) if name in ("waiting", "points") else Latest())
    both = with_solver(options, "native", "reference")
    once, (made, until) = whole(name, both[0]), subjects()[name]
    cuts = cuts_of(once, draw)
    assert_same(once, pieces(made, until, cuts, both), times=2e-8)
    assert_same(once, pieces(made, until, cuts, both[::-1]), times=2e-8)


def patient(options: Options, most: int) -> Options:
    """Stopped by whoever watches, once there have been so many events."""
    return replace(options, progress=lambda _, events: events < most)


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", ["robot", "zeno bodies", "coupled", "waiting"])
def test_a_run_that_was_stopped_goes_on(name: str, solver: str) -> None:
    options = Options(solver=solver)
    once, (made, until) = whole(name, options), subjects()[name]
    count = len(once.events)
    for first in range(1, count, max(1, count // 5)):
        for limited in (patient(options, first), replace(options, max_events=first)):
            stopped = simulate(made, until=until, options=limited)
            assert stopped.stop in (Stop.INTERRUPTED, Stop.MAX_EVENTS)
            rest = simulate(made, stopped.end, until=until, options=options)
            assert_same(once, [stopped, rest])


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", ["equality", "rolling", "coupled"])
def test_an_end_can_be_sent_away_and_gone_on_from(name: str, solver: str) -> None:
    options = Options(solver=solver)
    once, (made, until) = whole(name, options), subjects()[name]
    first = simulate(made, until=until / 3, options=options)
    sent = pickle.loads(pickle.dumps(first.end))
    assert_same(once, [first, simulate(made, sent, until=until, options=options)])


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", sorted(subjects()))
def test_to_go_on_for_no_time_changes_nothing(name: str, solver: str) -> None:
    made, until = subjects()[name]
    options = Options(solver=solver, choice=Seeded(1, wait=0.5))
    first = simulate(made, until=until / 2, options=options)
    again = simulate(made, first.end, until=first.end.time, options=options)
    assert again.events == ()
    assert again.end.time == first.end.time
    assert again.end.location == first.end.location
    assert again.end.values.tolist() == first.end.values.tolist()


def test_a_state_made_by_hand_begins_with_the_jumps_of_its_instant() -> None:
    """Only what a run remembers tells that they have been taken, or that time is passing."""
    made = network(component("one", "a b", edge("a", "b", "c >= 1", action="go")), shared=(C,))
    before = simulate(made, until=0.5).end
    late = replace(before, values=np.array([2.0]))
    for state in (late, replace(late, memory=None)):
        assert simulate(made, state, until=0.5).times("go") == [0.5] * (state.memory is None)
        assert simulate(made, state, until=0.6).times("go") == [0.5]
