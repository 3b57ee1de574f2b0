"""Sensitivities against closed forms and against differences of runs nearby."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import Array, State
from dyverse.automaton.run import Run
from dyverse.bodies.build import (
    contact,
    contact_all,
    force,
    parameter,
    plane,
    sphere,
    spring,
    world,
)
from dyverse.bodies.world import World
from dyverse.errors import ModelError, SolverError
from dyverse.generation.automaton import generate
from dyverse.simulation.sensitivity import margin_gradient, sensitivities
from dyverse.simulation.simulate import simulate
from dyverse.text.parse import parse_formula
from tests import scenes
from tests.simulation.varied import bodies, checked_sensitivities


def ball() -> World:
    return world(
        parameter("e", 0.8),
        parameter("h", 10.0),
        parameter("g", 9.81),
        sphere("ball", radius=0.1, mass=1, position=(0, "h + 0.1", 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution="e"),
        gravity=(0, "-g", 0),
    )


@pytest.mark.parametrize("count", [1, 3, 10])
def test_a_bouncing_ball_meets_closed_forms(count: int) -> None:
    """t_n = t₁(1 + 2Σeⁱ) and v_n = eⁿ√(2gh), differentiated by hand."""
    e, h, g = 0.8, 10.0, 9.81
    first = math.sqrt(2 * h / g)
    whole = 1 + 2 * sum(e**i for i in range(1, count))
    after = first * (whole + e**count)  # halfway to the next impact: the ball is at its top
    run = simulate(generate(ball()), until=after)
    found = sensitivities(run, ("e", "h", "g"))
    slope = 2 * sum(i * e ** (i - 1) for i in range(1, count))
    expected = [first * slope, first * whole / (2 * h), -first * whole / (2 * g)]
    assert len(found.events) == count
    assert found.event_times[-1] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    speed = e**count * math.sqrt(2 * g * h)  # vy(T) = speed - g (T - t_n) = 0
    by_e = count * speed / e + g * expected[0]
    by_h = speed / (2 * h) + g * expected[1]
    by_g = speed / (2 * g) - (after - first * whole) + g * expected[2]
    assert found.final[7] == pytest.approx([by_e, by_h, by_g], rel=1e-8, abs=1e-9)
    assert found.smooth


def test_a_bouncing_ball_meets_differences() -> None:
    checked_sensitivities(bodies(ball(), 6.0), "e", "h", "g", "floor.y")


def test_a_sliding_ball_meets_the_closed_form_of_rolling() -> None:
    """Sticks at 2v₀/(7μg) with 5v₀/7, having gone 12v₀²/(49μg)."""
    model = world(
        parameter("mu", 0.2),
        parameter("v0", 5.0),
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0), velocity=("v0", 0, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0, friction="mu"),
        gravity=scenes.DOWN,
    )
    found = checked_sensitivities(bodies(model, 1.0), "mu", "v0", "ball.wz", "ball.vz")
    time = 2 * 5 / (7 * 0.2 * scenes.G)
    assert found.event_times[-1][:2] == pytest.approx([-time / 0.2, time / 5], rel=1e-8)
    # x(1) = 12v₀²/(49μg) + (5v₀/7)(1 - t)
    by_mu = -12 * 25 / (49 * 0.04 * scenes.G) + 25 / 7 * time / 0.2
    by_v = 24 * 5 / (49 * 0.2 * scenes.G) + 5 / 7 * (1 - time) - 25 / 7 * time / 5
    assert found.final[0, :2] == pytest.approx([by_mu, by_v], rel=1e-8)
    assert found.final[6, :2] == pytest.approx([0, 5 / 7], abs=1e-8)


def test_a_ball_that_slides_askew_turns_as_it_slows() -> None:
    """Slip whose direction is not constant, to the end of which it has no derivative."""
    model = scenes.slide(speed=2.0, mu="0.1 + 0.2/(1 + slip_speed)")
    run = bodies(model, 1.0, {"ball.wx": 7.0, "ball.vz": -1.0})
    checked_sensitivities(run, "ball.vx", "ball.wx", "ball.wz", step=1e-3)


def test_the_interception_game_before_and_after_its_impacts() -> None:
    game = scenes.interception_game()
    assert not checked_sensitivities(bodies(game, 0.5), "K").events
    checked_sensitivities(bodies(game, 1.1), "K", "ball1.vx", "ball2.wz")


@pytest.mark.parametrize("solver", ["cvode", "native"])
def test_runs_of_all_solvers_have_the_same_sensitivities(solver: str) -> None:
    names = ("K", "ball1.vx")
    runs = [bodies(scenes.interception_game(), 1.1, solver=s) for s in ("reference", solver)]
    expected, found = (sensitivities(run("", 0.0), names) for run in runs)
    assert found.final == pytest.approx(expected.final, rel=1e-6, abs=1e-6)
    assert found.event_times == pytest.approx(expected.event_times, rel=1e-6)


@pytest.mark.parametrize("k", [1.0, 1.4])
def test_three_balls_meet_at_once_whatever_their_springs(k: float) -> None:
    """Both gaps close together for every k, so the run is differentiable in it."""
    found = checked_sensitivities(bodies(scenes.three_balls(), 0.75, {"k": k}), "k", "ball1.vy")
    assert found.smooth
    assert found.events[0].event.contacts == ("ball1-ball2", "ball1-ball3")


def test_a_start_that_parts_two_impacts_has_no_derivative() -> None:
    run = simulate(generate(scenes.three_balls()), until=0.75)
    (event,) = sensitivities(run, ("ball2.x",)).events
    assert not event.smooth
    assert "at once" in event.remark


def test_a_spring_and_a_wall() -> None:
    model = world(
        parameter("k", 20.0),
        parameter("L", 1.0),
        parameter("c", 0.1),
        sphere("ball", radius=0.1, mass=1, position=(1, 0, 0)),
        plane("wall", normal=(1, 0, 0), position=(-0.2, 0, 0)),
        spring("ball", (-1, 0, 0), stiffness="k", length="L", damping="c"),
        contact_all(restitution=0.7),
    )
    checked_sensitivities(bodies(model, 3.0), "k", "L", "c", "wall.x", "ball.x")


def test_a_ball_that_is_pulled_begins_to_slip() -> None:
    """It rolls until (2/7) a t = μ g, so that dt/dμ = 7g/(2a)."""
    model = world(
        parameter("mu", 0.3),
        parameter("a", 8.0),
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0)),
        plane("floor", normal=(0, 1, 0)),
        force("ball", ("a*t", 0, 0)),
        contact_all(restitution=0, friction="mu"),
        gravity=scenes.DOWN,
    )
    found = checked_sensitivities(bodies(model, 2.0), "mu", "a")
    assert found.event_times[-1, 0] == pytest.approx(3.5 * scenes.G / 8, rel=1e-8)


def test_a_ball_that_rolls_off_another_slips_and_is_released() -> None:
    model = world(
        parameter("v", 0.5),
        parameter("mu", 0.5),
        sphere("peg", radius=1, fixed=True),
        sphere("ball", radius=0.1, mass=1, position=(0, 1.1, 0), velocity=("v", 0, 0)),
        contact_all(restitution=0, friction="mu"),
        gravity=scenes.DOWN,
    )
    found = checked_sensitivities(bodies(model, 1.2), "v", "mu")
    assert [e.event.kind for e in found.events] == ["touch", "stick", "slip", "release"]


def test_a_rolling_ball_that_hits_another_on_the_floor() -> None:
    """Impacts with contacts that stay closed, slip, release and many bounces after them."""
    model = world(
        parameter("e", 0.5),
        parameter("mu", 0.3),
        sphere("a", radius=0.5, mass=1, position=(0, 0.5, 0)),
        sphere("b", radius=0.5, mass=2, position=(-3, 0.5, 0.2), velocity=(3, 0, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution="e", friction="mu"),
        gravity=scenes.DOWN,
    )
    found = checked_sensitivities(bodies(model, 1.0), "e", "mu", "b.vx", "b.z")
    assert len({e.event.kind for e in found.events}) == 5


def test_derivatives_between_events_are_at_hand() -> None:
    """Of a falling ball: y = h - gt²/2, then up again from the floor."""
    run = simulate(generate(ball()), until=3.0)
    found = sensitivities(run, ("h", "g"))
    assert found.at(1.0)[1] == pytest.approx([1, -0.5])
    shifted = bodies(ball(), 3.0)
    up, down = shifted("g", 1e-5), shifted("g", -1e-5)
    slope = (up.at(2.5).values - down.at(2.5).values) / 2e-5
    assert found.at(2.5)[:, 1] == pytest.approx(slope, abs=1e-6)


def test_a_margin_at_an_impact_moves_with_it() -> None:
    """The speed is greatest at the first impact, √(2gh)."""
    run = simulate(generate(ball()), until=3.0)
    found = sensitivities(run, ("h", "g"))
    formula = parse_formula("ball.vy >= -20")
    gradient = margin_gradient(run, found, formula, run.events[0].time)
    speed = math.sqrt(2 * 9.81 * 10)
    assert gradient == pytest.approx([-speed / 20, -speed / (2 * 9.81)], rel=1e-9)


def test_a_margin_inside_an_arc_and_one_of_a_force() -> None:
    """A ball on a spring comes down to h - 2g/k; a ball on the floor weighs m g."""
    hung = world(
        parameter("k", 20.0),
        sphere("ball", radius=0.1, mass=1, position=(0, 1, 0)),
        spring("ball", (0, 1, 0), stiffness="k"),
        gravity=(0, -9.81, 0),
    )
    run = simulate(generate(hung), until=1.0)
    lowest = math.pi / math.sqrt(20)
    formula = parse_formula("ball.y >= 0 and ball.x <= 1")
    found = margin_gradient(run, sensitivities(run, ("k",)), formula, lowest)
    assert found == pytest.approx([2 * 9.81 / 400], rel=1e-8)
    heavy = world(
        parameter("m", 2.0),
        sphere("ball", radius=0.1, mass="m", position=(0, 0.1, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0, friction=0.3),
        gravity=scenes.DOWN,
    )
    run = simulate(generate(heavy), until=1.0)
    formula = parse_formula("normal_force[ball,floor] <= 20")
    found = margin_gradient(run, sensitivities(run, ("m",)), formula, 0.5)
    assert found == pytest.approx([-9.81])


def test_a_run_from_a_state_given_by_hand() -> None:
    model = generate(ball())
    values = model.start().values.copy()
    values[[1, 6]] = 5.1, 1.0
    run = simulate(model, State(0.0, model.start().location, values), until=0.5)
    found = sensitivities(run, ("h", "ball.vx", "g"))
    assert found.final[0] == pytest.approx([0, 0.5, 0])
    assert found.final[1] == pytest.approx([0, 0, -0.125])


def test_what_is_not_differentiable_is_said() -> None:
    touching = sensitivities(simulate(generate(scenes.slide()), until=0.1), ("ball.y",))
    assert "would not stay" in touching.events[0].remark
    pile = simulate(generate(scenes.drop(height=0.1, e=0.5)), until=1.0)
    rest = [e for e in sensitivities(pile, ("ball.y",)).events if e.event.kind == "accumulation"]
    assert [e.smooth for e in rest] == [False]
    assert "accumulate" in rest[0].remark
    model = world(
        sphere("a", radius=0.5, mass=1, position=(-2, 1, 0), velocity=(1, 0, 0)),
        sphere("b", radius=0.5, mass=1),
        contact_all(restitution=0.5),
    )
    for height in (1.0, 1.0 + 1e-10):
        run = simulate(generate(model, {"a.y": height}), until=4.0)
        (graze,) = sensitivities(run, ("a.y",)).events
        assert not graze.smooth


def corner() -> World:
    """A spinning ball that meets two walls at once, with coefficients that would create energy."""
    angle = 1.95
    normals = np.array([[0, 1], [math.sin(angle), math.cos(angle)]])
    place, velocity = (np.linalg.solve(normals, [c, c]).tolist() for c in (0.22, -1.0))
    return world(
        parameter("e", 0.8),
        sphere(
            "ball",
            radius=0.2,
            mass=1,
            position=(*place, 0),
            velocity=(*velocity, 0),
            spin=(0, 0, -5),
        ),
        plane("floor", normal=(0, 1, 0)),
        plane("wall", normal=(*normals[1].tolist(), 0)),
        contact("ball", "floor", restitution="e", friction=0.72, tangential_restitution=-0.9),
        contact("ball", "wall", restitution=0.34, friction=0.35, tangential_restitution=0.14),
    )


def test_guarded_restitution_is_differentiated_and_remarked() -> None:
    """How much restitution is granted depends on the settings; bisection tells it to 1e-7."""
    run = bodies(corner(), 0.03)
    found = checked_sensitivities(run, "e", "ball.wz", rel=1e-4, step=5e-3)
    assert "to keep energy" in found.events[0].remark
    assert not found.smooth


def test_only_known_names_and_automata_are_taken() -> None:
    run = simulate(generate(ball()), until=0.1)
    with pytest.raises(ModelError, match="cannot set 'q'"):
        sensitivities(run, ("q",))
    with pytest.raises(SolverError, match="no time has passed"):
        sensitivities(replace(run, parts=()), ("e",))


def two_balls(seed: int, e: float, mu: float, tangential: float) -> World:
    random = np.random.default_rng(seed)
    place, aim = random.normal(size=3), random.normal(size=3)
    place *= 3 / np.linalg.norm(place)
    aim *= 0.5 / np.linalg.norm(aim)
    return world(
        parameter("e", e),
        parameter("mu", mu),
        sphere(
            "a",
            radius=0.6,
            mass=1.5,
            position=tuple(place.tolist()),
            velocity=tuple((2 * (aim - place)).tolist()),
            spin=tuple(random.normal(size=3).tolist()),
        ),
        sphere("b", radius=0.4, mass=1, spin=tuple(random.normal(size=3).tolist())),
        contact_all(restitution="e", friction="mu", tangential_restitution=tangential),
    )


@settings(deadline=None, max_examples=12)
@given(
    seed=st.integers(0, 9999),
    e=st.floats(0.1, 0.9),
    mu=st.floats(0.05, 0.8),
    tangential=st.sampled_from([0.0, 0.3]),
)
def test_random_impacts_of_two_balls_meet_differences(
    seed: int, e: float, mu: float, tangential: float
) -> None:
    run = bodies(two_balls(seed, e, mu, tangential), 1.0)
    names = ("e", "mu", "b.x", "a.wz")
    middle = run("", 0.0)
    assume(len(middle.events) == 1 and not middle.events[0].remark)
    modes = {_modes(run(name, by)) for name in names for by in (-1e-5, 0.0, 1e-5)}
    assume(len(modes) == 1)  # at the rim of the friction disc there are two derivatives
    assert checked_sensitivities(run, *names, rel=1e-5).smooth


def _modes(run: Run) -> bool:
    """Whether the impact of a run sticks: ξ_T vanishes."""
    (visit, *_) = run.visits
    model = run.automaton
    assert hasattr(model, "dynamics")
    before, after = (model.dynamics.close((0,), s.values) for s in (visit.before, visit.after))
    share = model.scene.contacts[0].tangential_restitution  # type: ignore[attr-defined]
    xi: Array = after.speed[0, 1:] + share * before.speed[0, 1:]
    return bool(np.hypot(*xi) < 1e-9)
