"""Sampled time against exact time: the δ-semantics tends to the dense one, by the first order."""

import math

import numpy as np
import pytest

from dyverse.automaton.component import Variable
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.writing import automaton, location
from dyverse.automaton.writing import edge as written_edge
from dyverse.automaton.writing_network import component, edge, network, place
from dyverse.errors import SolverError
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests import scenes
from tests.catalogue import thermostat, thermostat_switches

C = Variable("c", "clock")
BALL = """
automaton ball { real y = 10, v
  location fall { y' = v  v' = -9.81 } initial fall
  edge fall -> fall { when y <= 0 and v < 0  do y := 0, v := -0.8*v  sync hit! } }
automaton counter { int n  location on initial on
  edge on -> on { do n := n + 1  sync hit? } }
system ball || counter
"""


MADE = parse_model(BALL).automaton()


def ticking(tick: float, until: float = 6.0) -> Run:
    return simulate(MADE, until=until, options=Options(tick=tick))


def test_edges_are_taken_at_ticks_only() -> None:
    run = ticking(0.25)
    assert run.stop == Stop.HORIZON
    assert all(math.isclose(t / 0.25, round(t / 0.25)) for t in run.times("hit"))
    assert all(len(np.unique(arc.times)) >= 2 for arc in run.arcs)
    ends = [float(arc.times[-1]) for arc in run.arcs]
    assert ends == pytest.approx([0.25 * (i + 1) for i in range(24)])


def test_a_tick_sees_a_hit_at_the_next_tick() -> None:
    """The first hit is at √(20/9.81) = 1.4278 s, so at the tick behind it."""
    exact = math.sqrt(20 / 9.81)
    for tick in (0.3, 0.07, 0.011):
        assert ticking(tick, 2.0).times("hit")[0] == pytest.approx(
            tick * math.ceil(exact / tick), abs=1e-12
        )


def test_sampled_runs_tend_to_the_exact_one_by_the_first_order() -> None:
    """Averaged over where ticks fall, the error of the second hit is about proportional to δ."""
    exact = simulate(MADE, until=4.0).times("hit")[1]
    errors = []
    for tick in (0.04, 0.02, 0.01):
        near = [tick * (1 + k / 40) for k in range(6)]
        errors.append(np.mean([abs(ticking(t, 4.0).times("hit")[1] - exact) for t in near]))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert errors[-1] < errors[0] / 2.5
    assert 0.6 < np.mean(orders) < 1.4


def test_a_sampled_thermostat_is_late_by_less_than_a_tick_each_time() -> None:
    free = automaton(
        variables="T",
        parameters={"low": 18, "high": 22, "k": 0.1},
        locations=[location("on", {"T": "k*(30 - T)"}), location("off", {"T": "k*(10 - T)"})],
        edges=[
            written_edge("on", "off", "T >= high", action="off"),
            written_edge("off", "on", "T <= low", action="on"),
        ],
        initial=("on", {"T": 20}),
    )
    tick = 0.01
    times = [e.time for e in simulate(free, until=15.0, options=Options(tick=tick)).events]
    late = np.array(times) - thermostat_switches(len(times))
    assert len(times) == 4
    assert (late > 0).all()
    assert (np.diff([0, *late]) < 2 * tick).all()


def test_the_tick_is_independent_of_the_solver() -> None:
    pytest.importorskip("sksundae")
    ours, theirs = (
        simulate(MADE, until=4.0, options=Options(tick=0.1, solver=solver))
        for solver in ("reference", "cvode")
    )
    assert ours.times("hit") == theirs.times("hit")
    assert ours.final == pytest.approx(theirs.final, abs=1e-6)


def test_an_invariant_that_ends_within_a_tick_is_a_time_lock() -> None:
    run = simulate(thermostat(), until=15.0, options=Options(tick=0.7))
    assert run.stop == Stop.TIMELOCK
    assert run.end.time == pytest.approx(thermostat_switches(1)[0])
    assert "within a tick" in run.message


def test_end_points_alone_are_looked_at_on_request() -> None:
    """sin(t) > -0.5 fails between 7π/6 and 11π/6, and holds again at 2π."""
    made = network(component("one", [place("a", invariant="sin(c) >= -0.5")]), shared=(C,))
    strict = simulate(made, until=2 * math.pi, options=Options(tick=math.pi / 2))
    assert strict.stop == Stop.TIMELOCK
    assert strict.end.time == pytest.approx(7 * math.pi / 6)
    ends = Options(tick=2 * math.pi, invariant="endpoints")
    assert simulate(made, until=2 * math.pi, options=ends).stop == Stop.HORIZON
    bad = simulate(made, until=7.0, options=Options(tick=1.5 * math.pi, invariant="endpoints"))
    assert bad.stop == Stop.TIMELOCK
    assert "invariant does not hold" in bad.message
    dense = simulate(made, until=2 * math.pi, options=Options(invariant="endpoints"))
    assert dense.stop == Stop.HORIZON


def test_jumps_of_one_tick_go_on_until_none_is_enabled() -> None:
    made = network(
        component("one", "a b c d", *(edge(x, y, "c >= 1") for x, y in ("ab", "bc", "cd"))),
        shared=(C,),
    )
    run = simulate(made, until=2.0, options=Options(tick=0.4))
    assert [event.time for event in run.events] == pytest.approx([1.2] * 3)


def test_bodies_keep_their_exact_impacts() -> None:
    made = generate(scenes.drop())
    exact = simulate(made, until=3.0).times("impact")
    ticked = simulate(made, until=3.0, options=Options(tick=0.4, solver="native"))
    assert ticked.times("impact") == pytest.approx(exact, abs=1e-9)
    assert exact


@pytest.mark.parametrize("tick", [0.0, -1.0, math.inf, math.nan])
def test_a_tick_is_a_time(tick: float) -> None:
    with pytest.raises(SolverError, match="a tick must be a finite time over 0"):
        ticking(tick)
