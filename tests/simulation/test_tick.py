"""Sampled time against exact time: the δ-semantics tends to the dense one, by the first order."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.network.component import Variable
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.written.writing import automaton, location
from dyverse.automaton.written.writing import edge as written_edge
from dyverse.errors import SolverError
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text
from tests import scenes
from tests.catalogue import thermostat, thermostat_switches

C = Variable("c", "clock")
KICKED = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  offers hit }
force ball (0, foot.push, 0)
automaton foot {
  int hits  real push  clock c
  location idle  location kicking { invariant c <= 0.05 }
  initial idle
  edge idle -> idle { when hits < 2  do hits := hits + 1  sync hit? }
  edge idle -> kicking { when hits >= 2  do hits := 0, push := 80, c := 0  sync hit? }
  edge kicking -> idle { when c >= 0.05  do push := 0  action rest }
}
system foot
"""
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


@pytest.mark.parametrize("solver", ["reference", "native", "cvode"])
def test_the_end_of_a_piece_is_no_tick(solver: str) -> None:
    """A cut a moment before an invariant ends: the edge that is due then waits for a tick."""
    if solver == "cvode":
        pytest.importorskip("sksundae")
    made, options = thermostat(), Options(tick=0.07, solver=solver)
    locked = simulate(made, until=8.0, options=options)
    assert (locked.stop, locked.events) == (Stop.TIMELOCK, ())
    for before in (1e-9, 2e-15, 7e-15):
        piece = simulate(made, until=locked.end.time - before, options=options)
        assert piece.events == ()
        if piece.stop is Stop.HORIZON:
            rest = simulate(made, piece.end, until=8.0, options=options)
            assert (rest.stop, rest.events) == (Stop.TIMELOCK, ())


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


SOLVERS = ("native", "reference")
PUMP = """
automaton pump(rest) {{
  clock c  int n
  location idle {{ invariant c <= rest }}
  location done
  initial idle
  edge idle -> idle {{ when c >= rest and n < 4  do c := 0, n := n + 1  action stroke }}
}}
system pump({rest})
"""


def pumping(rest: float, tick: float, until: float, solver: str) -> Run:
    made = parse_model(PUMP.format(rest=repr(rest))).automaton()
    return simulate(made, until=until, options=Options(tick=tick, solver=solver))


@pytest.mark.parametrize("solver", SOLVERS)
@given(tick=st.floats(1e-3, 0.7), count=st.integers(1, 9), offset=st.floats(-4e-10, 4e-10))
@settings(max_examples=25, deadline=None)
def test_an_invariant_may_end_at_a_tick(
    solver: str, tick: float, count: int, offset: float
) -> None:
    """There the edge is taken, also if rounding puts the end a little before or behind the tick."""
    run = pumping(count * tick + offset, tick, 4.5 * count * tick, solver)
    assert run.stop is Stop.HORIZON, run.message
    ticks = [(k + 1) * count for k in range(4)]
    assert run.times("stroke") == [k * tick for k in ticks]


@pytest.mark.parametrize("solver", SOLVERS)
@given(tick=st.floats(1e-3, 0.7), count=st.integers(1, 9), early=st.floats(1e-8, 1e-4))
@settings(max_examples=15, deadline=None)
def test_one_that_ends_before_the_tick_is_a_time_lock(
    solver: str, tick: float, count: int, early: float
) -> None:
    rest = count * tick - early
    run = pumping(rest, tick, 4.5 * count * tick, solver)
    assert run.stop is Stop.TIMELOCK
    assert run.end.time == pytest.approx(rest, abs=1e-12)
    assert "within a tick" in run.message


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_invariant_that_ends_at_a_tick_without_an_edge_is_a_time_lock_there(solver: str) -> None:
    """After the last stroke nothing is left to do."""
    run = pumping(0.3, 0.1, 9.0, solver)
    assert run.stop is Stop.TIMELOCK
    assert run.end.time == pytest.approx(1.5, abs=1e-12)
    assert len(run.times("stroke")) == 4


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("tick", "rounds"), [(0.5, 2), (0.1, 2), (0.01, 1)])
def test_the_robot_works_in_sampled_time(solver: str, tick: float, rounds: int) -> None:
    """It rests for one second, which is a whole number of ticks."""
    made, until = parse_model(example_text("robot")).automaton(), 12.0 * rounds
    if solver == "reference" and tick < 0.1:
        until = 3.0
    run = simulate(made, until=until, options=Options(tick=tick, solver=solver))
    assert run.stop is Stop.HORIZON, run.message
    assert run.times("move2pickup")[0] == pytest.approx(1.0, abs=1e-12)
    exact = simulate(made, until=until, options=Options(solver="native"))
    kinds = [[event.kind for event in found.events] for found in (run, exact)]
    assert kinds[0] == kinds[1][: len(kinds[0])]
    assert len(kinds[1]) - len(kinds[0]) <= 2


def test_the_robot_cannot_rest_for_ten_thirds_of_a_tick() -> None:
    made = parse_model(example_text("robot")).automaton()
    for solver in SOLVERS:
        run = simulate(made, until=24.0, options=Options(tick=0.3, solver=solver))
        assert run.stop is Stop.TIMELOCK
        assert run.end.time == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("tick", [0.01, 0.07])
def test_what_automata_begin_when_they_hear_bodies_may_end_between_ticks(
    solver: str, tick: float
) -> None:
    """An impact has its exact time, and so has the end of a kick of 0.05 s that it starts."""
    made = parse_model(KICKED).automaton()
    run = simulate(made, until=5.0, options=Options(tick=tick, solver=solver))
    assert run.stop is Stop.HORIZON, run.message
    exact = simulate(made, until=5.0, options=Options(solver=solver))
    assert run.times("rest") == pytest.approx(exact.times("rest"), abs=1e-8)
    assert len(run.times("rest")) >= 2
    stuck = parse_model(KICKED.replace("when c >= 0.05", "when c >= 0.06")).automaton()
    locked = simulate(stuck, until=5.0, options=Options(tick=tick, solver=solver))
    assert locked.stop is Stop.TIMELOCK
    assert locked.end.time == pytest.approx(exact.times("rest")[0], abs=1e-8)


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
