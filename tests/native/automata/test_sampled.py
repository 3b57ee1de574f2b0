"""Ticks, end points and choices in the native engine: the runs of the reference engine."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.network.component import Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Stop
from dyverse.simulation.choice import Choice, Latest, Seeded
from dyverse.simulation.simulate import Options, simulate
from tests.automaton.exact import MOST_JUMPS, Exact
from tests.automaton.test_boundaries import built, systems
from tests.catalogue import thermostat
from tests.native.automata.comparing import NATIVE, check_agreement, jumps, story
from tests.native.automata.models import models

C = Variable("c", "clock")
TICKED = sorted(name for name, (made, _) in models().items() if isinstance(made, Network))
SHORT = 6.0  # s: the reference engine is slow
FINE = 1e-9  # s: a function that switches on a tick may leave an arc of less
CHOICES: list[Choice] = [Latest(), Seeded(1), Seeded(2, wait=0.5), Seeded(3, wait=0.9)]


@pytest.mark.parametrize("name", TICKED)
@pytest.mark.parametrize("invariant", ["always", "endpoints"])
def test_ticks_show_the_same_as_in_the_reference_engine(
    name: str, invariant: Literal["always", "endpoints"]
) -> None:
    made, until = models()[name]
    options = replace(NATIVE, tick=0.05, invariant=invariant)
    ours, theirs = check_agreement(made, min(until, SHORT), options)
    assert ours.message == theirs.message
    passing = (
        [arc for arc in run.arcs if arc.times[-1] > arc.times[0] + FINE] for run in (ours, theirs)
    )
    ends = [[arc.times[-1] for arc in arcs] for arcs in passing]
    assert ends[0] == pytest.approx(ends[1], abs=FINE)
    assert [e.time for e in jumps(ours)] == [e.time for e in jumps(theirs)]


@pytest.mark.parametrize("tick", [0.5, 0.3, 0.1])
@pytest.mark.parametrize("name", TICKED)
def test_ticks_of_any_length_lock_no_more_and_no_less(name: str, tick: float) -> None:
    made, until = models()[name]
    ours, theirs = check_agreement(made, min(until, 80 * tick), replace(NATIVE, tick=tick))
    assert ours.message == theirs.message
    assert [e.time for e in jumps(ours)] == [e.time for e in jumps(theirs)]


def test_sampled_switches_are_late_by_half_a_tick_in_the_mean() -> None:
    """Over ticks of all phases the delay is uniform in (0, δ]: its mean falls by order 1."""
    made = network(component("one", "a b", edge("a", "b", "c*c >= 2", action="go")), shared=(C,))
    means = []
    for tick in (0.1, 0.05, 0.025):
        ticks = [tick * (1 + k / 64) for k in range(64)]
        runs = [simulate(made, until=2.0, options=replace(NATIVE, tick=t)) for t in ticks]
        means.append(sum(run.times("go")[0] - math.sqrt(2) for run in runs) / len(runs))
    orders = [math.log2(a / b) for a, b in pairwise(means)]
    assert all(0.7 < order < 1.3 for order in orders)
    assert means[0] == pytest.approx(0.5 * 0.1 * 1.5, rel=0.2)


def test_an_invariant_that_ends_within_a_tick_is_a_time_lock() -> None:
    ours, theirs = check_agreement(thermostat(), 15.0, replace(NATIVE, tick=0.7))
    assert ours.stop is Stop.TIMELOCK
    assert ours.message == theirs.message
    assert "within a tick" in ours.message


@pytest.mark.parametrize("tick", [None, math.pi / 2, 1.5 * math.pi, 2 * math.pi])
def test_end_points_alone_are_looked_at_on_request(tick: float | None) -> None:
    made = network(component("one", [place("a", invariant="sin(c) >= -0.5")]), shared=(C,))
    options = replace(NATIVE, tick=tick, invariant="endpoints")
    ours, theirs = check_agreement(made, 2 * math.pi, options)
    assert ours.message == theirs.message
    assert ours.stop is (Stop.TIMELOCK if tick in (math.pi / 2, 1.5 * math.pi) else Stop.HORIZON)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("tick", [None, 0.25])
def test_who_waits_waits_in_both_engines(choice: Choice, tick: float | None) -> None:
    ears = [
        component(f"ear{i}", "p q", edge("p", "q", f"c >= {i} and c <= {i + 3}", sync="call?"))
        for i in range(3)
    ]
    made = network(
        component(
            "mouth",
            [place("a", invariant="c <= 6"), place("b", invariant="c <= 8"), place("d")],
            edge("a", "b", "c >= 1 and c <= 5", sync="call!"),
            edge("a", "b", "c >= 2", action="hush"),
            edge("b", "d", "c >= 7", action="end"),
        ),
        *ears,
        shared=(C,),
    )
    ours, theirs = check_agreement(made, 10.0, replace(NATIVE, choice=choice, tick=tick))
    assert ours.message == theirs.message
    assert len(ours.arcs) == len(theirs.arcs)


@settings(max_examples=8, deadline=None)
@given(system=systems(), seed=st.integers(0, 99), ticked=st.booleans())
def test_random_networks_wait_alike(system: Exact, seed: int, ticked: bool) -> None:
    options = Options(
        solver="native",
        choice=Seeded(seed, wait=0.6),
        tick=0.3 if ticked else None,
        max_events=60,
        max_jumps=MOST_JUMPS,
    )
    ours, theirs = check_agreement(built(system), 5.03125, options)
    assert story(ours) == story(theirs)
