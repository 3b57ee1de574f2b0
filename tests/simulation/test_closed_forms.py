"""Simulation against closed forms: the numbers that the product promises."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact_all, plane, sphere, spring, world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests import scenes
from tests.scenes import momentum


def run(model: World, until: float, *, solver: str = "reference", **settings: float) -> Run:
    return simulate(generate(model, settings), until=until, options=Options(solver=solver))


def test_thirty_impacts_of_a_dropped_ball() -> None:
    """h = 20 m, e = 0.8, g = 9.81 m/s²: impacts at t₁(1 + 2Σeⁱ), to 1e-9 relative."""
    impacts = run(scenes.drop(), 25).times("impact")
    assert impacts[:30] == pytest.approx(scenes.bounces(30), rel=1e-12)


def test_impacts_of_a_dropped_ball_accumulate_and_it_rests() -> None:
    """t∞ = t₁(1 + e)/(1 - e) = 18.1735 s; at 25 s the ball lies on the floor."""
    result = run(scenes.drop(), 25)
    (accumulation,) = [event for event in result.events if event.kind == "accumulation"]
    assert "accumulated at 18.1735 s" in accumulation.remark
    assert result.stop is Stop.HORIZON
    assert abs(result.final["ball.y"] - 0.1) <= 1e-9


@pytest.mark.parametrize("e", [0.3, 0.8, 0.9])
@pytest.mark.parametrize("height", [0.1, 5.0, 100.0])
def test_every_solver_meets_every_impact_before_an_accumulation(height: float, e: float) -> None:
    """The last flights rise by 1e-11 m over a ball of 0.1 m: all impacts to 1e-9 s and 3e-10 t."""
    until = math.sqrt(2 * height / scenes.G) * (1 + e) / (1 - e)
    counts = set()
    for solver in ("reference", "native", "cvode"):
        events = run(scenes.drop(height=height, e=e), until + 1, solver=solver).events
        hits = [event.time for event in events if event.kind in ("impact", "accumulation")]
        counts.add(len(hits))
        exact = scenes.bounces(len(hits), height=height, e=e)
        assert hits == pytest.approx(exact, rel=3e-10, abs=1e-9)
        (end,) = [event.accumulates for event in events if event.kind == "accumulation"]
        assert end == pytest.approx(until, rel=3e-10, abs=1e-9)
    assert len(counts) == 1


@pytest.mark.parametrize("floor", [0, 1, 100])
@pytest.mark.parametrize("solver", ["reference", "native", "cvode"])
def test_a_written_ball_bounces_on_time_on_any_floor(solver: str, floor: int) -> None:
    """Fifty impacts; the 50th flight takes 70 µs and rises 6 nm over a floor of up to 100 m."""
    ball = f"""automaton ball {{
      real y = {floor + 20}, u
      location fly {{ y' = u  u' = -{scenes.G} }}
      initial fly
      edge fly -> fly {{ when y <= {floor} and u < 0  do y := {floor}, u := -0.8*u }}
    }}"""
    exact = scenes.bounces(50)
    automaton = parse_model(ball).automaton()
    result = simulate(automaton, until=exact[-1] + 1e-6, options=Options(solver=solver))
    assert [event.time for event in result.events] == pytest.approx(exact, rel=4e-10)


@pytest.mark.parametrize(("speed", "mu"), [(5.0, 0.2), (1.0, 0.05), (0.3, 0.7)])
def test_a_sliding_ball_rolls_after_its_time(speed: float, mu: float) -> None:
    """Sticks at 2v₀/(7μg) with 5v₀/7."""
    result = run(scenes.slide(speed=speed, mu=mu), 2 * speed / (7 * mu * scenes.G) + 1)
    assert result.times("stick") == pytest.approx([2 * speed / (7 * mu * scenes.G)], rel=1e-9)
    assert result.final["ball.vx"] == pytest.approx(5 * speed / 7, rel=1e-10)
    assert result.final["ball.wz"] == pytest.approx(-5 * speed / 7 / 0.1, rel=1e-10)


@pytest.mark.parametrize("factor", [0.2, 0.9, 0.999, 1.001, 1.1, 3.0])
def test_an_inclined_plane_rolls_a_ball_if_it_is_rough_enough(factor: float) -> None:
    """Rolls iff μ ≥ (2/7) tan α, then with (5/7) g sin α; else slides with g(sin α - μ cos α)."""
    angle = 0.3
    mu = factor * 2 / 7 * math.tan(angle)
    result = run(scenes.incline(angle=angle, mu=mu), 2)
    slides = scenes.G * (math.sin(angle) - mu * math.cos(angle))
    expected = slides if factor < 1 else 5 / 7 * scenes.G * math.sin(angle)
    assert result.final["ball.vx"] == pytest.approx(2 * expected, rel=1e-9)
    mode = "slip" if factor < 1 else "stick"
    assert str(result.end.location) == f"{{ball-floor: {mode}}}"


def test_elastic_impacts_of_ten_balls_conserve_energy_and_momentum() -> None:
    """Ten balls thrown at one another in a box: energy to 1e-10 over more than 100 impacts."""
    rng = np.random.default_rng(7)
    places = [(x, y, z) for x in (-1.2, 0.1, 1.2) for y in (-1, 0.3) for z in (-1, 0.8)][:10]
    balls = [
        sphere(
            f"b{i}", radius=0.4, mass=1 + i / 5, position=p, velocity=tuple(2 * rng.normal(size=3))
        )
        for i, p in enumerate(places)
    ]
    model = world(*balls, *scenes.box(), contact_all(restitution=1))
    automaton = generate(model)
    result = simulate(automaton, until=8)
    energies = [automaton.observe(arc.end)["energy"] for arc in result.arcs]
    assert len(result.times("impact")) > 100
    assert energies == pytest.approx([energies[0]] * len(energies), rel=1e-10)


def test_ten_balls_on_their_own_conserve_momentum() -> None:
    rng = np.random.default_rng(3)
    places = [(x, y, z) for x in (-1.2, 0.1, 1.2) for y in (-1, 0.3) for z in (-1, 0.8)][:10]
    balls = [
        sphere(f"b{i}", radius=0.4, mass=1 + i / 5, position=p, velocity=tuple(-2 * np.array(p)))
        for i, p in enumerate(places)
    ]
    pull = [
        spring(f"b{i}", f"b{(i + 3) % 10}", stiffness=float(rng.uniform(1, 9))) for i in range(10)
    ]
    automaton = generate(world(*balls, *pull, contact_all(restitution=1)))
    result = simulate(automaton, until=20)
    before = momentum(automaton, automaton.start())
    assert len(result.times("impact")) > 100
    for arc in result.arcs:
        assert momentum(automaton, arc.end) == pytest.approx(before, abs=1e-10)


def test_a_mass_on_a_spring_hits_a_wall_every_half_period() -> None:
    """k = 4 N/m, m = 1 kg, wall at the rest position: impacts at odd multiples of π/4."""
    model = world(
        sphere("mass", radius=0.1, mass=1, position=(1, 0, 0)),
        plane("wall", normal=(1, 0, 0), position=(-0.1, 0, 0)),
        spring("mass", (0, 0, 0), stiffness=4),
        contact_all(restitution=1),
    )
    expected = [math.pi / 4 * (2 * n + 1) for n in range(6)]
    assert run(model, 10).times("impact") == pytest.approx(expected, rel=1e-9)


def test_a_stack_stays_at_rest() -> None:
    automaton = generate(scenes.stack())
    result = simulate(automaton, until=100)
    gaps = [abs(automaton.observe(s)[f"gap[{c}]"]) for s in result.states() for c in GAPS]
    assert result.stop is Stop.HORIZON
    assert max(gaps) <= 1e-9
    assert str(result.end.location) == "{ball1-ball2: stick, ball1-floor: stick}"


GAPS = ("ball1,ball2", "ball1,floor")


@pytest.mark.parametrize(
    ("K", "impacts", "lost"),
    [
        (1.0, [0.7732, 1.0408], 1.0555),
        (1.8, [0.7620, 0.9798, 1.1509], None),
        (3.0, [0.7634], 1.0320),
    ],
)
@pytest.mark.parametrize("solver", ["reference", "cvode"])
def test_the_interception_game(
    solver: str, K: float, impacts: list[float], lost: float | None
) -> None:
    """Design page: K = 1 is lost at about 1.06 s, K = 3 at about 1.03 s, K = 1.8 survives 2 s."""
    result = run(scenes.interception_game(), 2, solver=solver, K=K)
    _, heights = result.signal("ball1.y")
    assert result.times("impact") == pytest.approx(impacts, abs=1e-4)
    assert (heights.min() <= 0) == (lost is not None)
    if lost is not None:
        before, after = result.at(lost - 0.005), result.at(lost + 0.005)
        assert before.values[1] > 0 > after.values[1]


@pytest.mark.parametrize(("k", "time", "speed"), [(1.0, 0.7361, -0.8218), (1.5, 0.6743, 0.3456)])
@pytest.mark.parametrize("solver", ["reference", "cvode"])
def test_three_balls_meet_at_once(solver: str, k: float, time: float, speed: float) -> None:
    """Design page: both contacts close at once, and ẏ1 after."""
    result = run(scenes.three_balls(), 0.75, solver=solver, k=k)
    (impact,) = result.events
    assert impact.contacts == ("ball1-ball2", "ball1-ball3")
    assert impact.time == pytest.approx(time, abs=1e-4)
    assert result.final["ball1.vy"] == pytest.approx(speed, abs=1e-4)


@pytest.mark.parametrize(("mu", "cosine", "within"), [(0, 2 / 3, 1e-5), (1e4, 10 / 17, 1e-4)])
def test_a_ball_leaves_a_fixed_ball_where_the_normal_force_ends(
    mu: float, cosine: float, within: float
) -> None:
    """From the top, sliding without friction it leaves at cos θ = 2/3, rolling at 10/17."""
    model = world(
        sphere("peg", radius=1, fixed=True),
        sphere("ball", radius=0.1, mass=1, position=(0, 1.1, 0), velocity=(1e-3, 0, 0)),
        contact_all(restitution=0, friction=mu),
        gravity=scenes.DOWN,
    )
    result = run(model, 5)
    (release,) = [event for event in result.events if event.kind == "release"]
    assert result.at(release.time).values[1] / 1.1 == pytest.approx(cosine, abs=within)


def test_friction_that_falls_with_speed_lets_a_ball_slide_longer() -> None:
    """μ(v) = 0.1 + 0.2/(1 + v): slip speed obeys v' = -(7/2) μ(v) g, integrated by hand."""
    result = run(scenes.slide(speed=2.0, mu="0.1 + 0.2/(1 + slip_speed)"), 3)
    # dt = dv (1 + v)/((7/2) g (0.1 (1 + v) + 0.2)), from 0 to 2
    expected = (10 * 2 - 20 * math.log((3 + 2) / 3)) / (3.5 * scenes.G)
    assert result.times("stick") == pytest.approx([expected], rel=1e-8)
