"""Bodies that automata move: closed forms, and what the same motion does as a function of time."""

import math

import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError
from dyverse.generation.model import Model, parse_model
from dyverse.simulation.simulate import Options, simulate

G = 9.81
ENGINES = pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
BALL = "sphere radius 0.1  mass 1  position (0, 0.1, 0)"
STARTS = "real h = 0  clock s  location wait  location up { h' = 0.5 }  initial wait"
LATE = "edge wait -> up { when s >= 0.3 }"


def model(moves: str, automaton: str, body: str = BALL) -> Model:
    return parse_model(
        f"gravity (0, -{G}, 0)\n"
        f"body table {{ plane normal (0, 1, 0)  {moves} }}\n"
        f"body top {{ {body} }}\n"
        f"automaton lift {{ {automaton} }}\n"
        "system lift\ncontact all { restitution 0.5  friction 0.3 }"
    )


def run_of(asked: Model, solver: str, until: float = 0.7) -> Run:
    return simulate(asked.automaton(), until=until, options=Options(solver=solver))


@ENGINES
def test_what_stands_on_a_lift_that_starts_at_once_is_hit_by_it(solver: str) -> None:
    """At 0.5 m/s it leaves with e times that, and is back after 2 e v/g, e² as fast."""
    run = run_of(model("moves (0, lift.h, 0)", f"{STARTS}  {LATE}"), solver, 0.4)
    hits = [event.time for event in run.events if event.kind == "impact"]
    flights = [2 * 0.5 ** (n + 1) * 0.5 / G for n in range(4)]
    assert hits[:4] == pytest.approx([0.3 + sum(flights[:n]) for n in range(4)], abs=1e-8)
    assert run.automaton.observe(run.end)["table.y"] == pytest.approx(0.05, abs=1e-9)


@ENGINES
def test_what_stands_on_a_lift_that_stops_at_once_flies_on(solver: str) -> None:
    stops = STARTS.replace("initial wait", "initial up") + "  edge up -> wait { when s >= 0.3 }"
    rising = f"{BALL}  velocity (0, 0.5, 0)"
    run = run_of(model("moves (0, lift.h, 0)", stops, rising), solver, 0.42)
    hit = next(event.time for event in run.events if event.kind == "impact")
    assert hit == pytest.approx(0.3 + 2 * 0.5 / G, abs=1e-8)


@ENGINES
def test_a_block_slips_on_a_belt_that_starts_at_once(solver: str) -> None:
    """Until friction has brought it to the speed of the belt: v = μ g t."""
    block = "box size (0.4, 0.2, 0.2)  mass 1  position (0, 0.1, 0)"
    for moves in ("moves (lift.h, 0, 0)", "drags (lift.up*0.5, 0, 0)"):
        run = run_of(model(moves, f"{STARTS}  {LATE}", block), solver, 0.6)
        told = [(event.kind, event.time) for event in run.events if event.kind in ("slip", "stick")]
        assert [kind for kind, _ in told] == ["slip", "stick"]
        times = [time for _, time in told]
        assert times == pytest.approx([0.3, 0.3 + 0.5 / (0.3 * G)], abs=1e-8)
        assert run.automaton.observe(run.end)["top.vx"] == pytest.approx(0.5, abs=1e-9)


@ENGINES
def test_a_swing_of_an_automaton_is_that_of_a_function_of_time(solver: str) -> None:
    swing = "real h = 0, v = 0.3  location on { h' = v  v' = -225*h }  initial on"
    for word, size in (("moves (0, {}, 0)", 0.02), ("turns (0, 0, {})", 0.02)):
        ways = ("lift.h", f"{size}*sin(15*t)")
        steered, timed = (run_of(model(word.format(way), swing), solver, 0.4) for way in ways)
        assert [e.time for e in steered.events] == pytest.approx(
            [e.time for e in timed.events], abs=1e-7
        )
        last = [run.automaton.observe(run.end) for run in (steered, timed)]
        for name in ("top.x", "top.y", "top.vy", "table.y", "table.vy"):
            assert last[0][name] == pytest.approx(last[1][name], abs=1e-7)


@ENGINES
def test_what_rests_on_a_lift_is_pressed_by_the_rate_of_its_velocity(solver: str) -> None:
    """The law of control may read the ball: here v' = -4 (h - y) - v."""
    law = "real h = 0, v = 0  location on { h' = v  v' = -4*(h - top.y) - v }  initial on"
    run = run_of(model("moves (0, lift.h, 0)", law), solver, 0.5)
    seen = run.automaton.observe(run.end)
    rate = -4 * (seen["lift.h"] - seen["top.y"]) - seen["lift.v"]
    assert seen["lift.h"] == pytest.approx(seen["top.y"] - 0.1, abs=1e-9)
    assert seen["normal_force[table,top]"] == pytest.approx(G + rate, abs=1e-7)
    assert math.isclose(rate, 0.4 - seen["lift.v"], rel_tol=1e-7)


@ENGINES
def test_a_body_that_would_jump_ends_the_run(solver: str) -> None:
    edge = "edge on -> on { when s >= 0.3  do h := 1, s := 0 }"
    leaps = f"real h  clock s  location on  initial on  {edge}"
    run = run_of(model("moves (0, lift.h, 0)", leaps), solver)
    assert run.stop is Stop.FAULT
    assert run.end.time == pytest.approx(0.3)
    assert "body 'table' would jump" in run.message


def test_a_lift_starts_where_its_variable_is_set() -> None:
    asked = model("moves (0, lift.h, 0)", f"{STARTS}  {LATE}")
    start = asked.automaton({"lift.h": -0.2}).start()
    assert asked.automaton({"lift.h": -0.2}).observe(start)["table.y"] == -0.2
    with pytest.raises(ModelError, match=r"overlap by 0\.2 m at the start"):
        asked.automaton({"lift.h": 0.2})


@pytest.mark.parametrize(
    ("moves", "rate", "wrong"),
    [
        ("(0, lift.h, 0)", "top.vy", "the velocity of body 'table' would depend on 'top.vy'"),
        ("(0, lift.h, 0)", "abs(t - 1)", r"has a kink or a jump, in abs\(t - 1\)"),
        ("(0, abs(lift.h), 0)", "1", "has a kink or a jump, in abs"),
        ("(0, top.y, 0)", "1", "'top.y' is none of these; let a variable follow it"),
    ],
)
def test_motions_that_cannot_be_are_named(moves: str, rate: str, wrong: str) -> None:
    with pytest.raises(ModelError, match=wrong):
        model(f"moves {moves}", f"real h  location on {{ h' = {rate} }}  initial on")
