"""The native engine against closed forms and against the reference engine."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, force, plane, sphere, spring, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, prepared, simulate_native
from dyverse.native.model import native_model
from dyverse.native.running import Code
from dyverse.simulation.simulate import simulate
from tests import scenes
from tests.native.comparing import first_difference


def run(model: World, until: float, **settings: float) -> Run:
    return simulate_native(generate(model, settings), until=until)


def test_thirty_impacts_of_a_dropped_ball() -> None:
    """h = 20 m, e = 0.8: impacts at t₁(1 + 2Σeⁱ), to 1e-9 and better."""
    assert run(scenes.drop(), 25).times("impact")[:30] == pytest.approx(
        scenes.bounces(30), rel=1e-12
    )


def test_impacts_accumulate_and_the_ball_rests() -> None:
    result = run(scenes.drop(), 25)
    (accumulation,) = [event for event in result.events if event.kind == "accumulation"]
    assert "accumulated at 18.1735 s" in accumulation.remark
    assert result.stop is Stop.HORIZON
    assert abs(result.final["ball.y"] - 0.1) <= 1e-9


def test_a_sliding_ball_rolls_after_its_time() -> None:
    """Sticks at 2v₀/(7μg) with 5v₀/7."""
    result = run(scenes.slide(speed=5, mu=0.2), 3)
    assert result.times("stick") == pytest.approx([2 * 5 / (7 * 0.2 * scenes.G)], rel=1e-9)
    assert result.final["ball.vx"] == pytest.approx(25 / 7, rel=1e-10)


@pytest.mark.parametrize("factor", [0.2, 0.999, 1.001, 3.0])
def test_an_inclined_plane_rolls_a_ball_if_it_is_rough_enough(factor: float) -> None:
    mu = factor * 2 / 7 * math.tan(0.3)
    slides = scenes.G * (math.sin(0.3) - mu * math.cos(0.3))
    expected = slides if factor < 1 else 5 / 7 * scenes.G * math.sin(0.3)
    assert run(scenes.incline(angle=0.3, mu=mu), 2).final["ball.vx"] == pytest.approx(
        2 * expected, rel=1e-9
    )


def test_a_stack_stays_at_rest_for_a_hundred_seconds() -> None:
    result = run(scenes.stack(), 100)
    assert str(result.end.location) == "{ball1-ball2: stick, ball1-floor: stick}"
    assert result.final["ball2.y"] == pytest.approx(1.5, abs=1e-9)


def test_a_tall_stack_is_solved_by_the_fallback() -> None:
    visit = run(scenes.stack(30), 0.01).visits[-1]
    weights = [np.linalg.norm(visit.result[f"ball{i}-ball{i + 1}"]) for i in range(1, 30)]
    assert visit.method != "sorprox"
    assert weights == pytest.approx([(30 - i) * scenes.G for i in range(1, 30)], rel=1e-8)


def cradle() -> World:
    balls = [
        sphere(
            f"b{i}", radius=0.1, mass=1, position=(0.2 * i, 0, 0), velocity=(2.0 * (i == 0), 0, 0)
        )
        for i in range(5)
    ]
    return world(*balls, contact_all(restitution=1))


def rubbing_spheres() -> World:
    return world(
        sphere("a", radius=0.5, mass=1, velocity=(1, 0, 0), spin=(0, 0, 7)),
        sphere("b", radius=0.3, mass=2, position=(1, 0.2, 0.1), spin=(2, -3, 1)),
        plane("floor", normal=(0, 1, 0), position=(0, -2, 0)),
        contact_all(restitution=0.6, friction=0.4),
        gravity=scenes.DOWN,
    )


def ball_on_peg() -> World:
    """Slip begins so slowly that its direction is stiff."""
    return world(
        sphere("peg", radius=1, fixed=True),
        sphere(
            "ball", radius=0.3, mass=1, position=(0, 1.3, 0), velocity=(0.2, 0, 0.1), spin=(0, 5, 0)
        ),
        contact_all(restitution=0, friction=0.6),
        gravity=scenes.DOWN,
    )


def stribeck() -> World:
    return scenes.slide(mu="0.1*(1 + exp(-slip_speed))")


def on_a_spring() -> World:
    return world(
        sphere("mass", radius=0.1, mass=1, position=(1, 0, 0)),
        plane("wall", normal=(1, 0, 0), position=(-0.1, 0, 0)),
        spring("mass", (0, 0, 0), stiffness=4),
        contact_all(restitution=1),
    )


@pytest.mark.parametrize(
    ("model", "until", "settings"),
    [
        (scenes.interception_game(), 2.0, {"K": 1.0}),
        (scenes.interception_game(), 2.0, {"K": 1.8}),
        (scenes.three_balls(), 0.75, {"k": 1.0}),
        (scenes.three_balls(), 0.75, {"k": 1.5}),
        (cradle(), 0.5, {}),
        (rubbing_spheres(), 2.0, {}),
        (ball_on_peg(), 2.0, {}),
        (stribeck(), 3.0, {}),
        (on_a_spring(), 10.0, {}),
    ],
)
def test_both_engines_tell_the_same_story(
    model: World, until: float, settings: dict[str, float]
) -> None:
    automaton = generate(model, settings)
    native, reference = simulate_native(automaton, until=until), simulate(automaton, until=until)
    assert first_difference(native, reference) is None
    assert native.stop is reference.stop
    assert native.end.values == pytest.approx(reference.end.values, abs=1e-6)


def test_a_run_goes_on_from_any_state() -> None:
    automaton = generate(scenes.slide())
    half = simulate_native(automaton, until=0.3)
    rest = simulate_native(automaton, half.end, until=3)
    assert rest.times("stick") == pytest.approx([2 * 5 / (7 * 0.2 * scenes.G)], rel=1e-9)


def test_a_run_saved_and_restored_goes_on_as_it_would_have() -> None:
    automaton = generate(rubbing_spheres())
    model = native_model(automaton.world, automaton.scene)
    engine = prepared(model, automaton, automaton.start(), Options())
    assert engine.run(0.7) is Code.HORIZON
    saved = engine.save()
    engine.run(2.0)
    other = prepared(model, automaton, automaton.start(), Options())
    other.restore(saved)
    other.run(2.0)
    assert other.time == engine.time
    assert other.x.tolist() == engine.x.tolist()
    assert other.counts["events"] == engine.counts["events"]


def test_derivatives_and_indicators_are_those_of_the_reference() -> None:
    automaton = generate(scenes.slide())
    model = native_model(automaton.world, automaton.scene)
    engine = prepared(model, automaton, automaton.start(), Options())
    assert engine.event_update() is Code.OK
    state = simulate_native(automaton, until=0.1).end
    flow = automaton.flow(state)
    assert engine.derivatives(0.1, state.values) == pytest.approx(
        flow.rate(0.1, state.values), abs=1e-12
    )
    watched = flow.sample(np.array([0.1]), state.values[None]).values[0]
    assert engine.indicators(0.1, state.values) == pytest.approx(watched, abs=1e-9)


def test_counting_in_c_agrees_with_naming_in_python() -> None:
    automaton = generate(rubbing_spheres())
    model = native_model(automaton.world, automaton.scene)
    engine = prepared(model, automaton, automaton.start(), Options())
    engine.run(2.0)
    assert engine.counts["events"] == len(simulate_native(automaton, until=2.0).events)


def test_as_many_events_as_allowed() -> None:
    result = simulate_native(generate(scenes.drop()), until=25, options=Options(max_events=5))
    assert result.stop is Stop.MAX_EVENTS
    assert len(result.events) == 5


def test_a_run_stops_when_progress_says_so() -> None:
    options = Options(progress=lambda time, events: events < 3)
    result = simulate_native(generate(scenes.drop()), until=25, options=options)
    assert result.stop is Stop.INTERRUPTED
    assert len(result.events) == 3


def nearly_stopping() -> World:
    """Hardly any friction, and a force that turns the slip round: least slip 3e-9 m/s, sideways."""
    return world(
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0), velocity=(1, 0, 3e-9)),
        plane("floor", normal=(0, 1, 0)),
        force("ball", (-2, 0, 0)),
        contact_all(restitution=0, friction=1e-12),
        gravity=scenes.DOWN,
    )


def test_a_slip_that_turns_below_its_tolerance_has_stopped_in_both_engines() -> None:
    automaton = generate(nearly_stopping())
    modes = []
    for run in (simulate_native(automaton, until=1), simulate(automaton, until=1)):
        locations = [str(arc.location) for arc in run.arcs if len(arc.times) > 1]
        modes.append(locations)
        (begun,) = [arc.times[0] for arc in run.arcs if "trans" in str(arc.location)]
        assert begun == pytest.approx(0.5, abs=1e-8)
    assert modes[0] == modes[1]
    assert modes[0] == [f"{{ball-floor: {mode}}}" for mode in ("slip", "trans", "slip")]


@pytest.mark.parametrize(
    ("model", "until"),
    [
        (scenes.drop(height=1, e=0.5), 2.0),  # without friction: it bounces, then slips
        (scenes.slide(), 3.0),  # slips from the start
        (scenes.incline(angle=0.3, mu=0.5), 1.0),  # rolls
        (scenes.stack(), 0.5),
        (rubbing_spheres(), 2.0),
    ],
)
def test_the_rules_of_the_paper_end_runs_where_the_reference_ends_them(
    model: World, until: float
) -> None:
    """The printed rules have no edge from a contact node to where all contacts slip."""
    automaton = generate(model, rules="paper")
    ours, theirs = simulate_native(automaton, until=until), simulate(automaton, until=until)
    assert ours.stop is theirs.stop
    assert first_difference(ours, theirs) is None
    assert ours.end.location == theirs.end.location
    assert ours.message.split(" at ")[0] == theirs.message.split(" at ")[0]
    assert ours.end.time == pytest.approx(theirs.end.time, abs=1e-9)
    complete = simulate_native(generate(model), until=until)
    assert complete.stop is Stop.HORIZON
    assert (ours.stop is Stop.DEADLOCK) == any("slip" in str(e.target) for e in complete.events)
