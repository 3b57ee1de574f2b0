"""The traps that event-driven simulators fall into, one by one, and named outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, define, force, plane, sphere, spring, world
from dyverse.bodies.world import World
from dyverse.contact.law.problem import Inconsistent, Solved, contact_problem, residual
from dyverse.contact.law.solve import solve
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import Options, simulate
from tests import scenes

SOLVERS = ("reference", "cvode")


def coarse(longest: float, solver: str = "reference") -> Options:
    return Options(solver=solver, follow=FollowOptions(accuracy=Accuracy(longest_step=longest)))


def impacts(run: Run) -> list[float]:
    return run.times("impact")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("e", [0.0, 0.2, 0.5, 0.8, 0.95])
def test_zeno_ends_at_rest_for_every_restitution(solver: str, e: float) -> None:
    """Impacts accumulate at t₁(1 + e)/(1 - e); the ball is on the floor ever after."""
    run = simulate(generate(scenes.drop(height=1, e=e)), until=30, options=Options(solver=solver))
    rest = (2 / scenes.G) ** 0.5 * (1 + e) / (1 - e)
    assert run.stop is Stop.HORIZON
    assert abs(run.final["ball.y"] - 0.1) <= 1e-9
    last = [event for event in run.events if event.kind in {"impact", "accumulation"}][-1]
    assert last.time == pytest.approx(rest, abs=1e-3)


def test_zeno_on_a_moving_partner_ends_in_contact() -> None:
    """A ball that bounces on a ball that bounces on the floor: all come to rest."""
    model = world(
        sphere("low", radius=0.3, mass=3, position=(0, 0.6, 0)),
        sphere("high", radius=0.2, mass=1, position=(0, 1.6, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0.5, friction=0.3),
        gravity=scenes.DOWN,
    )
    run = simulate(generate(model), until=6)
    assert run.stop is Stop.HORIZON
    assert str(run.end.location) == "{low-high: stick, low-floor: stick}"
    assert run.final["high.y"] == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("longest", [0.01, 0.3, 10.0, 1000.0])
@pytest.mark.parametrize("speed", [1.0, 30.0, 1000.0])
def test_no_collision_is_stepped_over(solver: str, longest: float, speed: float) -> None:
    """A fast ball meets a small one: the gap closes and opens within a fraction of a step."""
    start = -speed * 2.0  # it is there after two seconds
    model = world(
        sphere("fast", radius=0.01, mass=1, position=(start, 0.005, 0), velocity=(speed, 0, 0)),
        sphere("small", radius=0.01, mass=1),
        contact_all(restitution=1),
    )
    reach = (0.02**2 - 0.005**2) ** 0.5
    until = 3.0 if longest < 0.1 else 1000.0  # s: of short steps these are enough
    run = simulate(generate(model), until=until, options=coarse(longest, solver))
    assert impacts(run) == pytest.approx([2 - reach / speed], abs=1e-8)


def test_contacts_that_close_together_are_one_problem_whatever_their_order() -> None:
    """Three balls, symmetric: one impact with both contacts, the same for every order of bodies."""
    results = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        balls = [
            sphere("top", radius=0.6, mass=1, position=(0, 2, 0), velocity=(0, -1, 0)),
            sphere("left", radius=0.6, mass=1, position=(-0.9, 0, 0)),
            sphere("right", radius=0.6, mass=1, position=(0.9, 0, 0)),
        ]
        run = simulate(
            generate(world(*(balls[i] for i in order), contact_all(restitution=0.8))), until=2
        )
        assert [len(event.contacts) for event in run.events] == [2]
        results.append([run.final[f"{b}.v{a}"] for b in ("top", "left", "right") for a in "xy"])
    assert results[1] == pytest.approx(results[0], abs=1e-12)
    assert results[2] == pytest.approx(results[0], abs=1e-12)


def test_a_contact_is_armed_again_only_after_it_has_opened() -> None:
    """Every impact of a bouncing ball is one event: no second one at the same time."""
    run = simulate(generate(scenes.drop(height=0.3, e=0.9)), until=3)
    times = np.array(impacts(run))
    assert len(times) > 3
    assert np.diff(times).min() > 1e-6
    assert [len(visit.contacts) for visit in run.visits] == [1] * len(run.visits)


def test_sweeps_stop_on_the_residual_and_a_tall_stack_is_solved() -> None:
    """A stack of 30: what the increment test would accept is far off; the answer is not."""
    automaton = generate(scenes.stack(30))
    run = simulate(automaton, until=0.01)
    visit = run.visits[-1]
    assert visit.method != "sorprox"  # sweeps alone would crawl
    assert visit.residual <= 1e-10
    weights = [np.linalg.norm(visit.result[f"ball{i}-ball{i + 1}"]) for i in range(1, 30)]
    assert weights == pytest.approx([(30 - i) * scenes.G for i in range(1, 30)], rel=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_sustained_contact_does_not_drift(solver: str) -> None:
    """A ball rolls round in a corner of three planes on springs: the gaps stay shut for 20 s."""
    model = world(
        sphere("ball", radius=0.2, mass=1, position=(0.5, 0.2, 0), velocity=(0, 0, 1)),
        plane("floor", normal=(0, 1, 0)),
        spring("ball", (0, 0.2, 0), stiffness=3),
        contact_all(restitution=0, friction=0.4),
        gravity=scenes.DOWN,
    )
    automaton = generate(model)
    run = simulate(automaton, until=20, options=Options(solver=solver))
    gaps = [abs(automaton.observe(s)["gap[ball,floor]"]) for s in run.states() if s.time > 0]
    assert max(gaps) <= 1e-9
    slips = [automaton.observe(s)["slip_speed[ball,floor]"] for s in run.states() if sticks(s)]
    assert slips
    assert max(slips) <= 1e-8


def sticks(state: object) -> bool:
    return "stick" in str(getattr(state, "location", ""))


@pytest.mark.parametrize(("solver", "until"), [("reference", 1.1), ("native", 2.0)])
def test_a_ball_rolling_on_a_ball_keeps_touching_it(solver: str, until: float) -> None:
    """A curved constraint, where drift would show: the gap stays below 1e-9 until release."""
    model = world(
        sphere("peg", radius=1, fixed=True),
        sphere(
            "ball", radius=0.3, mass=1, position=(0, 1.3, 0), velocity=(0.2, 0, 0.1), spin=(0, 5, 0)
        ),
        contact_all(restitution=0, friction=0.6),
        gravity=scenes.DOWN,
    )
    automaton = generate(model)
    run = simulate(automaton, until=until, options=Options(solver=solver))
    closed = [s for s in run.states() if "peg-ball" in str(s.location)]
    assert len(closed) > 50
    assert max(abs(automaton.observe(s)["gap[peg,ball]"]) for s in closed) <= 1e-9


def test_grazing_is_a_named_event_without_impulse() -> None:
    """A ball passes another at a distance of 0.5 nm."""
    run = simulate(generate(passing(5e-10)), until=4)
    assert [event.kind for event in run.events] == ["graze"]
    assert run.events[0].time == pytest.approx(2.0, abs=1e-4)
    assert run.final["moving.vx"] == 1.0


def test_a_pass_at_a_safe_distance_is_no_event() -> None:
    assert simulate(generate(passing(1e-6)), until=4).events == ()


def passing(distance: float) -> World:
    return world(
        sphere("moving", radius=0.5, mass=1, position=(-2, 1 + distance, 0), velocity=(1, 0, 0)),
        sphere("still", radius=0.5, mass=1),
        contact_all(restitution=1),
    )


def test_painleve_inconsistency_is_a_named_outcome() -> None:
    """A rod's contact matrix with much friction: no force obeys the laws."""
    G = np.array([[1.0, 1.5, 0.0], [1.5, 4.0, 0.0], [0.0, 0.0, 1.0]])
    found = solve(contact_problem(G, [-1.0, 0.0, 0.0], [0.9], sliding=[[1.0, 0.0]]))
    assert isinstance(found, Inconsistent)


@pytest.mark.parametrize(("mu", "stop"), [(1.0, Stop.INCONSISTENT), (0.2, Stop.HORIZON)])
def test_balls_that_jam_one_another_end_a_run_by_name(mu: float, stop: Stop) -> None:
    """Two spinning balls in a corner, pressed together: with much friction no forces exist."""
    model = world(
        sphere("a", radius=0.5, mass=1, position=(0, 0.5, 0), spin=(0, 0, -1)),
        sphere("b", radius=0.5, mass=3, position=(0.6, 1.3, 0), spin=(0, 0, 2)),
        plane("wall", normal=(-1, 0, 0), position=(1.1, 0, 0)),
        plane("floor", normal=(0, 1, 0)),
        force("b", (-20, 20, 0)),
        contact_all(restitution=0, friction=mu),
        gravity=scenes.DOWN,
    )
    run = simulate(generate(model), until=0.05)
    assert run.stop is stop
    if stop is Stop.INCONSISTENT:
        assert "no contact forces at a-b, a-floor" in run.message


def test_the_same_rod_with_little_friction_has_a_solution() -> None:
    G = np.array([[1.0, 1.5, 0.0], [1.5, 4.0, 0.0], [0.0, 0.0, 1.0]])
    problem = contact_problem(G, [-1.0, 0.0, 0.0], [0.3], sliding=[[1.0, 0.0]])
    found = solve(problem)
    assert isinstance(found, Solved)
    assert residual(problem, found.forces) <= 1e-12


def test_a_force_ramp_makes_a_resting_ball_slip_when_friction_gives_way() -> None:
    """F = t pulls a ball at its centre: it rolls until (2/7) t = μ m g, then slips."""
    model = world(
        sphere("ball", radius=0.1, mass=1, position=(0, 0.1, 0)),
        plane("floor", normal=(0, 1, 0)),
        define("pull", "t"),
        force("ball", ("pull", 0, 0)),
        contact_all(restitution=0, friction=0.1),
        gravity=scenes.DOWN,
    )
    run = simulate(generate(model), until=5)
    assert run.times("slip") == pytest.approx([3.5 * 0.1 * scenes.G], abs=1e-6)
    assert str(run.end.location) == "{ball-floor: slip}"


def test_a_ball_wedged_between_two_planes_rests_on_redundant_contacts() -> None:
    """Two sticking contacts on one ball: six constraints, rank five."""
    model = world(
        sphere("ball", radius=0.2, mass=1, position=(0, 0.2 * 2**0.5, 0)),
        plane("left", normal=(1, 1, 0)),
        plane("right", normal=(-1, 1, 0)),
        contact_all(restitution=0, friction=0.5),
        gravity=scenes.DOWN,
    )
    run = simulate(generate(model), until=10)
    assert run.stop is Stop.HORIZON
    assert str(run.end.location) == "{ball-left: stick, ball-right: stick}"
    assert run.final["ball.y"] == pytest.approx(0.2 * 2**0.5, abs=1e-12)


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_the_printed_rules_have_nowhere_to_go_when_all_contacts_slide(solver: str) -> None:
    """The hole of [navarro2018] §3.5: with ``paper`` a sliding ball is a deadlock."""
    options = Options(solver=solver)
    printed, complete = (generate(scenes.slide(), rules=r) for r in ("paper", "complete"))
    assert simulate(printed, until=1, options=options).stop is Stop.DEADLOCK
    assert simulate(complete, until=1, options=options).stop is Stop.HORIZON


def test_events_can_be_limited_and_what_was_computed_is_kept() -> None:
    run = simulate(generate(scenes.drop()), until=25, options=Options(max_events=5))
    assert run.stop is Stop.MAX_EVENTS
    assert impacts(run) == pytest.approx(scenes.bounces(5))


def test_a_run_stops_when_progress_says_so() -> None:
    def patience(time: float, events: int) -> bool:
        return events < 3

    run = simulate(generate(scenes.drop()), until=25, options=Options(progress=patience))
    assert run.stop is Stop.INTERRUPTED
    assert impacts(run) == pytest.approx(scenes.bounces(3))
    assert run.end.time >= impacts(run)[-1]
