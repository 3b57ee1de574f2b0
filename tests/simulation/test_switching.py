"""Fields with functions that jump or bend: switches are found, and runs go on along jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.written.writing import automaton, location
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.piecewise import with_pieces
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.native.automata.many import simulate_many_automata
from dyverse.native.many import simulate_many
from dyverse.simulation.sensitivity import sensitivities
from dyverse.simulation.simulate import Options, simulate
from tests.simulation.pieces import assert_same, cuts_of, pieces, with_solver

SOLVERS = ["native", "reference", "cvode"]
TIGHT = 1e-9
SPIN = """
parameter c = 0.3
body ball { sphere radius 0.5  mass 1  spin (0, 0, 3)  velocity (1, 0, 0) }
torque ball (0, 0, -c*sign(ball.wz))
"""
ROLLS = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.5  mass 1  position (0, 0.5, 0)  spin (0, 0, 3)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0  friction 0.3 }
torque ball (0, 0, -0.3*sign(ball.wz))
"""
BRAKED = """
parameter grip = 0.4
body ball { sphere radius 0.5  mass 1  velocity (1, 0, 0) }
force ball (motor.pull - grip*sign(ball.vx - motor.belt), 0, 0)
automaton motor {
  clock c  real pull  real belt = 0.5
  location on { belt' = -0.1*sign(belt - 0.2)  pull' = 0.2 }
  location off { pull' = -1 }
  initial on
  edge on -> off { when pull >= 0.6  action stop }
  edge off -> on { when pull <= 0  do pull := 0  action go }
}
system motor
"""


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> str:
    if request.param == "cvode":
        pytest.importorskip("sksundae")
    return str(request.param)


def written(
    rates: dict[str, str], first: dict[str, float], **parameters: float
) -> WrittenAutomaton:
    return automaton(
        variables=" ".join(rates),
        parameters=parameters,
        locations=[location("on", rates)],
        edges=[],
        initial=("on", first),
    )


def follow(made: HybridAutomaton, until: float, solver: str, **options: object) -> Run:
    return simulate(made, until=until, options=Options(solver=solver, **options))  # type: ignore[arg-type]


def ends(run: Run) -> list[float]:
    """Where arcs end: at switches, and at the end."""
    return [float(arc.times[-1]) for arc in run.arcs]


def test_a_body_that_is_braked_by_a_sign_comes_to_rest(solver: str) -> None:
    """J = 2/5 m r² = 0.1 kg m²: with 0.3 N m it stops after 1 s and 1.5 rad, and stays."""
    run = follow(parse_model(SPIN).automaton(), 5.0, solver)
    assert run.stop is Stop.HORIZON, run.message
    assert ends(run) == pytest.approx([1.0, 5.0], abs=TIGHT)
    assert run.final["ball.wz"] == pytest.approx(0.0, abs=1e-12)
    assert run.final["ball.rz"] == pytest.approx(1.5, abs=1e-8)
    assert run.final["ball.x"] == pytest.approx(5.0, abs=1e-9)


def test_dry_friction_holds_until_the_load_is_greater(solver: str) -> None:
    """w' = -0.3 sign(w) + 0.5 sin(t): at rest until 0.5 |sin t| = 0.3 again."""
    run = follow(written({"w": "-0.3*sign(w) + 0.5*sin(t)"}, {"w": 1}), 10.0, solver)
    leaves = 3 * math.pi - math.asin(0.6)
    assert run.stop is Stop.HORIZON
    times = ends(run)[:-1]
    stuck = [
        (a, b)
        for a, b, arc in zip(times, times[1:], run.arcs[1:], strict=False)
        if math.isnan(arc.start.sides[0])
    ]
    for begin, end in stuck:
        assert abs(0.5 * math.sin(begin)) <= 0.3
        assert abs(0.5 * math.sin(end)) == pytest.approx(0.3, abs=1e-7)
    assert times[2] == pytest.approx(2 * math.pi + math.asin(0.6), abs=1e-6)
    assert leaves > times[1]


def test_a_rolling_ball_is_braked_by_a_torque_and_stops(solver: str) -> None:
    """It skids, its spin turns around, it rolls with J + m r² = 0.35 kg m², and stops for good."""
    run = follow(parse_model(ROLLS).automaton(), 5.0, solver)
    assert run.stop is Stop.HORIZON, run.message
    assert [event.kind for event in run.events] == ["touch", "stick"]
    rolls = run.times("stick")[0]
    speed = abs(run.at(rolls + 1e-9).values[run.automaton.variables.index("ball.wz")])
    assert ends(run)[-2] == pytest.approx(rolls + speed * 0.35 / 0.3, abs=1e-6)
    assert run.final["ball.vx"] == pytest.approx(0.0, abs=1e-9)
    assert run.final["ball.wz"] == pytest.approx(0.0, abs=1e-9)


def test_bodies_and_automata_switch_together(solver: str) -> None:
    made = parse_model(BRAKED).automaton()
    run, other = (follow(made, 6.0, name) for name in (solver, "reference"))
    assert run.stop is Stop.HORIZON, run.message
    assert [e.kind for e in run.events] == [e.kind for e in other.events]
    assert ends(run) == pytest.approx(ends(other), abs=1e-6)
    assert run.end.values == pytest.approx(other.end.values, abs=1e-6)
    assert any(math.isnan(side) for arc in run.arcs for side in arc.start.sides)


def test_bang_bang_is_followed_to_the_last_digits(solver: str) -> None:
    """x'' = -sign(x) from x = 1: a quarter takes √2 s, so it is at x = 1 again after 4√2."""
    run = follow(written({"x": "v", "v": "-sign(x)"}, {"x": 1}), 4 * math.sqrt(2), solver)
    assert run.end.values == pytest.approx([1.0, 0.0], abs=1e-8)
    assert ends(run)[:2] == pytest.approx([math.sqrt(2), 3 * math.sqrt(2)], abs=1e-9)


def test_sliding_mode_control_slides(solver: str) -> None:
    """v' = -sign(x + v): on x + v = 0 it is x' = -x."""
    run = follow(written({"x": "v", "v": "-sign(x + v)"}, {"x": 1}), 5.0, solver)
    met = ends(run)[0]
    assert met == pytest.approx(math.sqrt(3) - 1, abs=1e-9)
    x = 1 - met**2 / 2
    assert run.end.values == pytest.approx(
        [x * math.exp(met - 5), -x * math.exp(met - 5)], abs=1e-9
    )


@pytest.mark.parametrize(
    ("rate", "until", "exact"),
    [
        ("floor(t)", 3.5, 0 + 1 + 2 + 1.5),
        ("ceil(t)", 2.5, 1 + 2 + 1.5),
        ("floor(30*t)/30", 2.0, sum(range(60)) / 900),
        ("abs(sin(t))", 2 * math.pi, 4.0),
        ("max(sin(t), 0)", 2 * math.pi, 2.0),
        ("min(t, 1)", 3.0, 2.5),
        ("sign(t - 1)", 3.0, 1.0),
        ("sign(sin(40*t))", math.pi / 2, 0.0),
        ("atan2(sin(t), cos(t))", 2 * math.pi, 0.0),
        ("sign(1.5 - abs(t - 2))", 4.0, 2.0),
    ],
)
def test_functions_of_time_are_integrated_piece_by_piece(
    rate: str, until: float, exact: float, solver: str
) -> None:
    run = follow(written({"x": rate}, {"x": 1000}), until, solver)
    assert run.stop is Stop.HORIZON
    assert run.events == ()
    assert run.final["x"] - 1000 == pytest.approx(exact, abs=1e-6 if solver == "cvode" else 1e-7)


@pytest.mark.parametrize(
    ("rate", "exact"),
    [
        ("ceil(sin(5*t))", 3 - 2 * math.pi / 5),
        ("floor(4 - (t - 1)^2)", 4 + math.sqrt(2) + math.sqrt(3)),
        ("if (t - 1)^2 > 0 then 1 else 0", 3.0),
        ("sign((t - 1)^3)", 1.0),
        ("sign(t^2)", 3.0),
        ("ceil(sin(5*t)) + sign(sin(5*t) - 1)", -2 * math.pi / 5),
    ],
)
def test_a_function_that_touches_its_jump_stays_on_its_side(
    rate: str, exact: float, solver: str
) -> None:
    """So does one that starts there; one that passes it flat goes on behind it."""
    run = follow(written({"x": rate}, {"x": 0}), 3.0, solver)
    assert run.stop is Stop.HORIZON, run.message
    assert run.final["x"] == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize(
    ("rate", "start", "end"),
    [
        ("sign(x)", 0.0, 0.0),  # as written: sign(0) = 0
        ("sign(x)", 1e-9, 2.0 + 1e-9),
        ("sign(x) + 0.5", 0.0, 3.0),
        ("-sign(x)", 0.0, 0.0),
        ("0.5 - floor(x)", 0.0, 1.0),
        ("floor(x)", 1.0, 14 / 3),
    ],
)
def test_on_a_jump_the_field_decides_or_what_is_written(
    rate: str, start: float, end: float, solver: str
) -> None:
    run = follow(written({"x": rate}, {"x": start}), 2.0, solver)
    assert run.stop is Stop.HORIZON, run.message
    assert run.final["x"] == pytest.approx(end, abs=1e-8)


def test_several_functions_may_slide_at_once(solver: str) -> None:
    """Three axes are braked, each by its own; then a pull that two of them share."""
    rates = {"a": "-sign(a) + 0.3*sign(b) + 0.2", "b": "-sign(b) - 0.4*sign(a)", "c": "-2*sign(c)"}
    run = follow(written(rates, {"a": 1, "b": -0.5, "c": 0.7}), 5.0, solver)
    assert run.stop is Stop.HORIZON, run.message
    assert run.end.values == pytest.approx([0, 0, 0], abs=1e-9)
    assert all(map(math.isnan, run.end.sides))


def test_switches_that_accumulate_end_a_run_by_name(solver: str) -> None:
    """x'' = -sign(x) - sign(x')/2: quarters shrink by 1/√3, and pile up."""
    made = written({"x": "v", "v": "-sign(x) - 0.5*sign(v)"}, {"x": 1})
    run = follow(made, 20.0, solver)
    assert run.stop is Stop.CHATTERING
    assert "switches of sign(x) accumulate at 6.309" in run.message
    assert "`discontinuous`" in run.message
    assert run.end.values == pytest.approx([0, 0], abs=1e-3)
    assert run.end.time == pytest.approx(6.3094, abs=1e-3)


def test_a_field_that_is_not_linear_in_a_sign_has_no_one_value_on_its_jump(solver: str) -> None:
    run = follow(written({"x": "-exp(sign(x)) + 1.2"}, {"x": 1}), 5.0, solver)
    assert run.stop is Stop.CHATTERING
    assert "not linear in sign(x)" in run.message


def test_switches_count_as_events_when_there_are_too_many(solver: str) -> None:
    run = follow(written({"x": "sign(sin(40*t))"}, {"x": 0}), 10.0, solver, max_events=20)
    assert run.stop is Stop.MAX_EVENTS
    assert "the last of sign(sin(40 * t))" in run.message


def test_functions_given_a_name_switch_too(solver: str) -> None:
    text = """
    function brake(v, c) = -c*sign(v)
    input u = brake(ball.wz, 0.3)
    body ball { sphere radius 0.5  mass 1  spin (0, 0, 3) }
    torque ball (0, 0, u)
    """
    made = parse_model(text).automaton()
    run = follow(made, 3.0, solver)
    assert ends(run) == pytest.approx([1.0, 3.0], abs=TIGHT)
    assert made.observe(run.end)["u"] == pytest.approx(0.0, abs=1e-9)
    assert made.observe(run.at(0.5))["u"] == -0.3


def test_an_input_in_pieces_changes_at_its_times_without_a_bound_on_steps(solver: str) -> None:
    text = "input u\nbody ball { sphere radius 0.5  mass 1 }\nforce ball (u, 0, 0)"
    world = with_pieces(parse_model(text).world, {"u": 3}, until=3.0)
    run = follow(generate(world, {"u_1": 1.0, "u_2": -1.0, "u_3": 2.0}), 3.0, solver)
    assert ends(run) == pytest.approx([1.0, 2.0, 3.0], abs=1e-12)
    assert run.final["ball.vx"] == pytest.approx(2.0, abs=1e-9)
    assert run.final["ball.x"] == pytest.approx(0.5 + 1 - 0.5 + 0 + 1, abs=1e-9)


def test_states_between_samples_are_those_of_their_side() -> None:
    made = written({"x": "v", "v": "-sign(x)"}, {"x": 1})
    run = follow(made, 2.0, "reference")
    first = math.sqrt(2)
    for time in np.linspace(first - 0.05, first + 0.05, 21).tolist():
        late = max(time - first, 0.0)
        assert run.at(time).values[0] == pytest.approx(1 - time**2 / 2 + late**2, abs=1e-9)


SUBJECTS = {
    "spin": (SPIN, 3.0),
    "rolls": (ROLLS, 2.0),
    "braked": (BRAKED, 6.0),
}


@pytest.mark.parametrize("name", SUBJECTS)
@settings(max_examples=6, deadline=None)
@given(draw=st.data())
def test_runs_in_pieces_slide_on(name: str, draw: st.DataObject) -> None:
    text, until = SUBJECTS[name]
    made = parse_model(text).automaton()
    both = with_solver(Options(), "native", "reference")
    once = simulate(made, until=until, options=both[0])
    near = [end + by for end in ends(once)[:-1] for by in (0.0, 1e-12, -1e-12)]
    cuts = [*cuts_of(once, draw), *draw.draw(st.lists(st.sampled_from(near), max_size=2))]
    for options in ([both[0]], [both[1]], both):
        assert_same(once, pieces(made, until, cuts, options), times=1e-7)


def test_many_runs_switch_as_one_does() -> None:
    spin = parse_model(SPIN).world
    assert spin is not None
    many = simulate_many(spin, {"c": [0.1, 0.3, 0.6]}, until=2.0, workers=1)
    assert many.column("ball.wz") == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert many.column("ball.rz") == pytest.approx([4.0, 1.5, 0.75], abs=1e-9)
    made = written({"w": "-k*sign(w)"}, {"w": 1}, k=1.0)
    found = simulate_many_automata(made, {"k": [0.1, 0.5, 2.0]}, until=1.0, workers=1)
    assert found.column("w") == pytest.approx([0.9, 0.5, 0.0], abs=1e-9)


@pytest.mark.parametrize(
    ("rates", "until"),
    [
        ({"x": "v", "v": "-k*sign(x) - 0.1*v"}, 5.0),
        ({"x": "-k*sign(x) + 0.5*sin(t)"}, 8.0),
        ({"x": "k*floor(1.3*k*t)"}, 3.0),
        ({"x": "v", "v": "-sign(x + k*v)"}, 3.0),
    ],
)
def test_sensitivities_cross_switches_and_slide(rates: dict[str, str], until: float) -> None:
    def last(k: float) -> np.ndarray:
        return simulate(written(rates, {"x": 1}, k=k), until=until).end.values

    run = simulate(written(rates, {"x": 1}, k=0.7), until=until)
    found = sensitivities(run, ["k"])
    assert found.smooth
    slope = (last(0.7 + 1e-5) - last(0.7 - 1e-5)) / 2e-5
    assert found.final[:, 0] == pytest.approx(slope, abs=2e-5)


def test_sensitivities_of_bodies_cross_switches_and_slide() -> None:
    world = parse_model(ROLLS.replace("0.3*sign", "c*sign") + "parameter c = 0.3").world
    assert world is not None
    for until in (0.2, 0.6, 1.5):
        run = simulate(generate(world, {"c": 0.3}), until=until)
        found = sensitivities(run, ["c"])
        ends_ = [
            simulate(generate(world, {"c": c}), until=until).end.values
            for c in (0.3 - 1e-5, 0.3 + 1e-5)
        ]
        assert found.final[:, 0] == pytest.approx((ends_[1] - ends_[0]) / 2e-5, abs=2e-5)


@pytest.mark.parametrize(
    ("rate", "named"), [("-0.3*sqrt(x)", "sqrt(x)"), ("-1/(x - 0.5)", "-1 / (x - 0.5)")]
)
def test_a_rate_that_ceases_to_be_defined_is_named_and_what_came_before_is_kept(
    rate: str, named: str, solver: str
) -> None:
    run = follow(written({"x": rate}, {"x": 1}), 20.0, solver)
    assert run.stop is Stop.SOLVER
    assert f"{named} is hardly defined there" in run.message
    exact = 2 / 0.3 if "sqrt" in rate else 0.125
    assert run.end.time == pytest.approx(exact, rel=1e-3)
    assert np.isfinite(run.end.values).all()


def test_a_body_where_its_force_ceases_to_be_defined_stops_by_name(solver: str) -> None:
    text = "body a { sphere radius 1  mass 1  velocity (-1, 0, 0) }\nforce a (0, sqrt(1 + a.x), 0)"
    run = follow(parse_model(text).automaton(), 5.0, solver)
    assert run.stop is Stop.SOLVER
    assert "sqrt(1 + a.x) is hardly defined there" in run.message
    assert run.end.time == pytest.approx(1.0, abs=1e-3)


def test_a_guarded_root_goes_on_where_it_is_empty(solver: str) -> None:
    """h' = -0.3 √max(h, 0): empty after 2/0.3 s, and then it stays so."""
    run = follow(written({"h": "-0.3*sqrt(max(h, 0))"}, {"h": 1}), 20.0, solver)
    assert run.stop is Stop.HORIZON
    assert run.final["h"] == pytest.approx(0.0, abs=1e-9)
    assert ends(run)[0] == pytest.approx(2 / 0.3, abs=1e-3)


@pytest.mark.parametrize("away", [0.0, 1.5e-12, -1.5e-12, 1e-8, -1e-8, 3e-8, -3e-8, 1e-6, -1e-6])
@pytest.mark.parametrize("push", [0.01, -0.01])
def test_a_kink_at_the_start_is_left_the_way_that_lasts(
    away: float, push: float, solver: str
) -> None:
    """``x' = v + a - max(x - 90, 0)`` with ``v' = p``: x rises or falls but for a moment.

    Above, x = 90 + p(t - 1 + e⁻ᵗ), and below 90 + pt²/2. It ended as chattering where the rate at
    the start, a, is the other way.
    """
    text = f"""
    automaton k {{
      real x = 90, v = 0
      location l {{ x' = v + {away!r} - max(x - 90, 0)  v' = {push!r} }}
      initial l
    }}
    system k
    """
    run = simulate(parse_model(text).automaton(), until=1.0, options=Options(solver=solver))
    assert run.stop is Stop.HORIZON
    exact = push * math.exp(-1) if push > 0 else push / 2
    assert run.final["k.x"] == pytest.approx(90 + exact, abs=2 * abs(away) + 1e-7)
