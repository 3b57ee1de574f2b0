"""Rolling and spinning resistance: closed forms in three engines, energy, and what it leaves alone.

A ball that rolls on level ground has m v̇ = -F and (2/5) m R² ω̇ = F R - ρ m g with v = R ω, so that
v̇ = -(5/7) ρ g/R. By the other road it has lost all of its energy (7/10) m v² when the moment ρ m g
has done its work along the angle x/R: x = (7/10) v² R/(ρ g).
"""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse import Options, Run, generate, parse_model, parse_world, sensitivities, simulate
from dyverse.native.many import simulate_many
from dyverse.session.session import open_session

G, R, RHO, SPUN = 9.81, 0.1, 0.005, 0.002
ENGINES = pytest.mark.parametrize("solver", ["reference", "cvode", "native"])
ROLLING, SPINNING = "ball.rolling-floor", "ball.spinning-floor"
LEVEL = f"gravity (0, {-G}, 0)"
FLOOR = "body floor { plane normal (0, 1, 0) }"


def ball(more: str = "", law: str = f"friction 0.5  rolling {RHO}", gravity: str = LEVEL) -> str:
    return f"""{gravity}
body ball {{ sphere radius {R}  mass 2  position (0, {R}, 0)  {more} }}
{FLOOR}
contact ball floor {{ restitution 0  {law} }}
"""


def played(text: str, solver: str, until: float = 4.0) -> Run:
    run = simulate(parse_model(text).automaton(), until=until, options=Options(solver=solver))
    assert run.stop == "horizon", run.message
    return run


def times(run: Run, kind: str, contact: str) -> list[float]:
    return [e.time for e in run.events if e.kind == kind and contact in e.contacts]


@ENGINES
def test_a_ball_rolls_to_rest_where_the_closed_form_says(solver: str) -> None:
    run = played(ball("velocity (1, 0, 0)  spin (0, 0, -10)"), solver)
    assert times(run, "stick", ROLLING) == pytest.approx([7 * R / (5 * RHO * G)], abs=1e-9)
    assert run.final["ball.x"] == pytest.approx(0.7 * R / (RHO * G), abs=1e-9)
    assert run.final["ball.vx"] == pytest.approx(0, abs=1e-12)


@ENGINES
def test_a_ball_stops_spinning_where_the_closed_form_says(solver: str) -> None:
    run = played(ball("spin (0, 3, 0)", f"friction 0.5  spinning {SPUN}"), solver)
    assert times(run, "stick", SPINNING) == pytest.approx([0.4 * R**2 * 3 / (SPUN * G)], abs=1e-9)
    assert run.final["ball.x"] == 0


@ENGINES
@pytest.mark.parametrize("share", [0.99, 1.5])
def test_on_a_slope_it_stays_or_rolls_as_its_steepness_says(solver: str, share: float) -> None:
    angle = math.atan(share * RHO / R)
    tilted = f"gravity ({G * math.sin(angle)}, {-G * math.cos(angle)}, 0)"
    run = played(ball(gravity=tilted), solver, 2.0)
    rate = 5 / 7 * G * max(0.0, math.sin(angle) - RHO / R * math.cos(angle))
    assert run.final["ball.vx"] == pytest.approx(2 * rate, abs=1e-8)
    assert run.final["ball.x"] == pytest.approx(2 * rate, abs=1e-8)


@ENGINES
def test_a_push_that_is_too_weak_moves_nothing_and_a_stronger_one_does(solver: str) -> None:
    """F = 0.9 ρ m g/R, and 2 ρ m g/R from 0.5 s on, which leaves the half of it for (7/5) m v̇."""
    weight = RHO * 2 * G / R
    push = f"force ball (if t >= 0.5 then {2 * weight} else {0.9 * weight}, 0, 0)\n"
    run = played(ball() + push, solver, 1.5)
    assert times(run, "slip", ROLLING) == pytest.approx([0.5], abs=1e-9)
    assert run.final["ball.vx"] == pytest.approx(5 * weight / (7 * 2), abs=1e-8)


@pytest.mark.parametrize("solver", ["cvode", "native"])  # explicit steps crawl from standstill
def test_rolling_begins_at_a_located_event(solver: str) -> None:
    """Pushed by k t at its middle, it begins to roll where k t R = ρ m g."""
    run = played(ball() + "force ball (0.5*t, 0, 0)\n", solver)
    begins = times(run, "slip", ROLLING)
    assert begins == pytest.approx([RHO * 2 * G / (0.5 * R)], abs=1e-7)


@ENGINES
def test_without_friction_it_slides_on_while_its_spin_is_braked(solver: str) -> None:
    run = played(ball("velocity (1, 0, 0)  spin (0, 0, 4)", f"rolling {RHO}"), solver, 2.0)
    assert times(run, "stick", ROLLING) == pytest.approx([0.4 * R**2 * 4 / (RHO * G)], abs=1e-9)
    assert run.final["ball.x"] == pytest.approx(2, abs=1e-12)


@ENGINES
def test_who_spins_and_rolls_slows_down_against_its_rolling_alone(solver: str) -> None:
    """The moments are bounded apart: each stops where it would without the other."""
    law = f"friction 0.5  rolling {RHO}  spinning {SPUN}"
    run = played(ball("velocity (0.6, 0, 0.8)  spin (8, 3, -6)", law), solver)
    assert times(run, "stick", ROLLING) == pytest.approx([7 * R / (5 * RHO * G)], abs=1e-8)
    assert times(run, "stick", SPINNING) == pytest.approx([0.4 * R**2 * 3 / (SPUN * G)], abs=1e-8)
    assert run.final["ball.z"] == pytest.approx(0.8 * 0.7 * R / (RHO * G), abs=1e-8)


@ENGINES
def test_an_impact_leaves_spin_alone(solver: str) -> None:
    """Resistance is of forces: a bounce without friction takes no spin, however hard it is."""
    text = ball("velocity (0, 2, 0)  spin (1, 2, 3)", "rolling 0.1  spinning 0.1").replace(
        "restitution 0", "restitution 0.5"
    )
    run = played(text, solver, 0.5)
    assert [e.kind for e in run.events] == ["impact"]
    assert [run.final[f"ball.w{a}"] for a in "xyz"] == [1, 2, 3]
    assert run.events[0].contacts == ("ball-floor",)


@ENGINES
def test_a_ball_that_turns_on_another_gives_it_its_spin(solver: str) -> None:
    """Two balls pressed together: spin about the line of centres ends where both turn alike."""
    text = f"""
body a {{ sphere radius {R}  mass 2  position ({-R}, 0, 0)  spin (6, 0, 0) }}
body b {{ sphere radius {R}  mass 2  position ({R}, 0, 0) }}
force a (10, 0, 0)
force b (-10, 0, 0)
contact a b {{ restitution 0  spinning {SPUN} }}
"""
    run = played(text, solver, 3.0)
    moment = 0.4 * 2 * R**2
    assert times(run, "stick", "a.spinning-b") == pytest.approx(
        [3 * moment / (SPUN * 10)], abs=1e-9
    )
    assert run.final["a.wx"] == pytest.approx(3, abs=1e-10)
    assert run.final["b.wx"] == pytest.approx(3, abs=1e-10)


@ENGINES
def test_automata_run_beside_it(solver: str) -> None:
    text = ball("velocity (1, 0, 0)  spin (0, 0, -10)").replace("restitution 0", "offers hit")
    watch = """
channel hit { broadcast }
automaton watch {
  real c = 0
  location on { c' = 1 }
  initial on
}
system watch
"""
    run = played(text + watch, solver)
    assert times(run, "stick", ROLLING) == pytest.approx([7 * R / (5 * RHO * G)], abs=1e-9)


def test_how_the_end_depends_on_the_coefficient() -> None:
    """x = (7/10) v² R/(ρ g)."""
    text = "parameter rho = 0.005\nparameter v = 1\n" + ball(
        "velocity (v, 0, 0)  spin (0, 0, -10*v)", "friction 0.5  rolling rho"
    )
    found = sensitivities(simulate(generate(parse_world(text)), until=4.0), ["v", "rho"])
    row = found.final[0]  # ball.x
    whole = 0.7 * R / (RHO * G)
    assert row == pytest.approx([2 * whole, -whole / RHO], rel=1e-6)


def test_many_runs_and_sessions_are_the_same_run() -> None:
    text = ball("velocity (1, 0, 0)  spin (0, 0, -10)")
    run = played(text, "native")
    many = simulate_many(parse_world(text), {"ball.z": [0.0, 1.0]}, until=4.0)
    assert many.final[:, 0] == pytest.approx([run.final["ball.x"]] * 2, abs=1e-12)
    session = open_session(parse_model(text))
    session.advance(1.0)
    session.advance(4.0)
    assert session.observe("ball.x")["ball.x"] == pytest.approx(run.final["ball.x"], abs=1e-9)


def test_a_box_that_slides_and_turns_on_four_corners_is_the_same_in_two_engines() -> None:
    """Twelve contacts, of which four would do: the normal forces of corners are shared."""
    text = f"""{LEVEL}
body box {{ box size (0.4, 0.2, 0.3)  mass 1  position (0, 0.1, 0)  velocity (1, 0, 0.3)
  spin (0, 2, 0) }}
{FLOOR}
contact box floor {{ restitution 0  friction 0.3  rolling 0.01  spinning 0.01 }}
"""
    one, other = (played(text, solver, 0.22) for solver in ("native", "reference"))
    assert [e.contacts for e in one.events] == [e.contacts for e in other.events]
    assert [e.time for e in one.events] == pytest.approx([e.time for e in other.events], abs=1e-8)
    for name, value in other.final.items():
        assert one.final[name] == pytest.approx(value, abs=1e-9)


def scattered(seed: int) -> str:
    """One to three balls, thrown on a tilted floor."""
    draw = random.Random(seed)

    def some(size: float) -> str:
        return f"({', '.join(f'{draw.uniform(-size, size):.3f}' for _ in range(3))})"

    lines = [f"gravity ({draw.uniform(-2, 2):.3f}, -9.81, {draw.uniform(-2, 2):.3f})", FLOOR]
    for i in range(draw.choice((1, 1, 2, 3))):
        place = f"position ({0.45 * i:.3f}, {draw.uniform(0.15, 0.4):.3f}, 0)"
        moves = f"velocity {some(1)}  spin {some(5)}"
        lines.append(f"body b{i} {{ sphere radius 0.1  mass 1  {place}  {moves} }}")
    law = f"restitution {draw.uniform(0, 0.5):.2f}  friction {draw.uniform(0, 0.6):.2f}"
    resists = f"rolling {draw.choice((0.003, 0.01, 0.05))}  spinning {draw.choice((0, 0.01))}"
    return "\n".join([*lines, f"contact all {{ {law}  {resists} }}"])


def assert_agree(text: str, until: float) -> None:
    """The same events at the same times, to the end or to where small differences have grown."""
    one, other = (played(text, solver, until) for solver in ("native", "reference"))
    for a, b in zip(one.events, other.events, strict=False):
        if abs(a.time - b.time) > 1e-8:  # many bounces have made a difference large
            break
        assert (a.kind, a.contacts) == (b.kind, b.contacts)
    else:
        for name, value in other.final.items():
            assert one.final[name] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("seed", [1, 3])
def test_engines_agree(seed: int) -> None:
    assert_agree(scattered(seed), 0.5)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_engines_agree_on_many_scenes(seed: int) -> None:
    assert_agree(scattered(seed), 1.5)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=5, deadline=None)
def test_energy_never_grows(seed: int) -> None:
    run = played(scattered(seed), "native", 1.0)
    energy = run.signal("energy")[1]
    assert np.diff(energy).max() <= 1e-9 * np.abs(energy).max()


def test_the_whole_scene_may_be_turned() -> None:
    """About x by a right angle: y becomes z, and z becomes -y."""
    text = ball("velocity (0.6, 0, 0.8)  spin (8, 3, -6)", f"friction 0.4  rolling {RHO}")
    turned = f"""gravity (0, 0, {-G})
body ball {{ sphere radius {R}  mass 2  position (0, 0, {R})  velocity (0.6, -0.8, 0)
  spin (8, 6, 3) }}
body floor {{ plane normal (0, 0, 1) }}
contact ball floor {{ restitution 0  friction 0.4  rolling {RHO} }}
"""
    one, other = played(text, "native"), played(turned, "native")
    assert [(e.kind, e.contacts) for e in one.events] == [
        (e.kind, e.contacts) for e in other.events
    ]
    for a, b in zip(one.events, other.events, strict=True):
        assert a.time == pytest.approx(b.time, abs=1e-9)
    assert other.final["ball.y"] == pytest.approx(-one.final["ball.z"], abs=1e-9)
    assert other.final["ball.x"] == pytest.approx(one.final["ball.x"], abs=1e-9)
