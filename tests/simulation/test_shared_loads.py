"""Contacts that share a load: at rest while any forces keep them so, and then no longer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.piles import energies, pile

from dyverse import generate, simulate
from dyverse.automaton.run import Run, Stop
from dyverse.bodies.build import contact, contact_all, force, plane, sphere, torque, world
from dyverse.bodies.world import World
from dyverse.simulation.simulate import Options

G, R, MU = 9.81, 0.1, 0.5
DOWN = (0, -G, 0)
EASE = math.sqrt(0.5)


def corner(mu: float = MU) -> World:
    """A ball on a floor and against a wall, turned ever harder."""
    return world(
        sphere("ball", radius=R, mass=1, position=(0, R, 0)),
        plane("floor", normal=(0, 1, 0)),
        plane("wall", normal=(-1, 0, 0), position=(R, 0, 0)),
        torque("ball", (0, 0, "-0.2*t")),
        contact_all(restitution=0, friction=mu),
        gravity=DOWN,
    )


def groove() -> World:
    """A ball between two slopes of 45°, turned ever harder."""
    return world(
        sphere("ball", radius=R, mass=1, position=(0, R / EASE, 0)),
        plane("left", normal=(EASE, EASE, 0)),
        plane("right", normal=(-EASE, EASE, 0)),
        torque("ball", (0, 0, "-0.2*t")),
        contact_all(restitution=0, friction=MU),
        gravity=DOWN,
    )


def pyramid() -> World:
    """Three balls, two on them, one on top, which is pushed ever harder."""
    places = [
        ((i - (n - 1) / 2) * 2 * R, R + (3 - n) * R * math.sqrt(3))
        for n in (3, 2, 1)
        for i in range(n)
    ]
    balls = [sphere(f"b{k}", radius=R, mass=1, position=(*p, 0)) for k, p in enumerate(places)]
    return world(
        *balls,
        plane("floor", normal=(0, 1, 0)),
        force("b5", ("0.5*t", 0, 0)),
        contact_all(restitution=0, friction=MU),
        gravity=DOWN,
    )


def squeezed() -> World:
    """A ball that two others hold by ever less force, until it falls."""
    return world(
        sphere("ball", radius=R, mass=1, position=(0, 0, 0)),
        sphere("a", radius=R, mass=1, position=(-2 * R, 0, 0)),
        sphere("b", radius=R, mass=1, position=(2 * R, 0, 0)),
        plane("floor", normal=(0, 1, 0), position=(0, -R, 0)),
        force("a", ("30 - 5*t", 0, 0)),
        force("b", ("-30 + 5*t", 0, 0)),
        contact("ball", "floor", restitution=0, friction=MU),
        contact_all(restitution=0, friction=MU),
        gravity=DOWN,
    )


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize(
    ("made", "moment"),
    [
        (corner(), R * MU * G * (1 + MU) / (1 + MU**2)),
        (groove(), math.sqrt(2) * R * MU * G / (1 + MU**2)),
    ],
    ids=["corner", "groove"],
)
def test_sticking_ends_when_no_forces_keep_it(made: World, moment: float, solver: str) -> None:
    """Both contacts slip at once, at a moment that has a closed form."""
    due = moment / 0.2
    run = simulate(generate(made), until=due + 1e-3, options=Options(solver=solver))
    assert run.stop == Stop.HORIZON
    slips = [event.time for event in run.events if event.kind == "slip"]
    assert slips
    assert slips == pytest.approx([due] * len(slips), abs=1e-7)
    assert not [event for event in run.events if event.time < due - 1e-7 and event.time > 0]


@pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
def test_what_has_begun_to_slip_goes_on_by_the_closed_form(solver: str) -> None:
    """The slip starts without acceleration: for a while it is as slow as it is stiff."""
    if solver == "cvode":
        pytest.importorskip("sksundae")
    due = R * MU * G * (1 + MU) / (1 + MU**2) / 0.2
    run = simulate(generate(corner()), until=due + 0.5, options=Options(solver=solver))
    assert run.final["ball.wz"] == pytest.approx(-0.2 * 0.5**2 / (2 * 0.4 * R**2), rel=1e-6)


def test_with_a_friction_of_one_the_corner_is_just_not_a_wedge() -> None:
    run = simulate(generate(corner(mu=1.0)), until=5, options=Options(solver="native"))
    assert run.times("slip") == pytest.approx([R * G / 0.2], abs=1e-7)


@pytest.mark.parametrize("solver", ["native", "reference"])
def test_a_ball_that_friction_wedges_never_slips(solver: str) -> None:
    """With μ > 1 the corner may press on it as hard as it likes."""
    run = simulate(generate(corner(mu=1.2)), until=50, options=Options(solver=solver))
    assert run.stop == Stop.HORIZON
    assert not run.times("slip")
    assert run.final["ball.wz"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("made", "until"), [(pyramid(), 4), (squeezed(), 6)])
def test_redundant_contacts_reach_their_horizon(made: World, until: float) -> None:
    automaton = generate(made)
    run = simulate(automaton, until=until, options=Options(solver="native"))
    assert run.stop == Stop.HORIZON
    assert deepest(run) > -1e-9


@pytest.mark.parametrize("balls", [3, 6])
def test_a_pile_comes_to_rest(balls: int) -> None:
    automaton = generate(pile(balls))
    run = simulate(automaton, until=5, options=Options(solver="native"))
    assert run.stop == Stop.HORIZON
    assert deepest(run) > -1e-9
    assert np.diff(energies(run)).max() < 1e-8


def test_forces_that_could_be_others_have_no_rate() -> None:
    """A ball in a corner, and one on the floor alone: how its forces change is only not known."""
    made = world(
        sphere("ball", radius=R, mass=1, position=(0, R, 0)),
        sphere("other", radius=R, mass=1, position=(-1, R, 0)),
        plane("floor", normal=(0, 1, 0)),
        plane("wall", normal=(-1, 0, 0), position=(R, 0, 0)),
        force("ball", (1, 0, 0)),
        contact_all(restitution=0, friction=MU),
        gravity=DOWN,
    )
    run = simulate(generate(made), until=0.1)
    found = run.automaton.flow(run.end).sample(np.array([0.1]), run.end.values[None])
    forces = found.rates[0, -6:]
    assert (forces == 0).sum() == 4
    assert np.isnan(forces).sum() == 2


def test_the_reference_engine_follows_a_pile_too() -> None:
    run = simulate(generate(pile(2)), until=2)
    native = simulate(generate(pile(2)), until=2, options=Options(solver="native"))
    assert run.stop == Stop.HORIZON
    assert run.end.values == pytest.approx(native.end.values, abs=1e-6)


def deepest(run: Run) -> float:
    """The least gap in all that was sampled (m)."""
    gaps = [name for name in run.seen(run.end) if name.startswith("gap[")]
    seen = (known for arc in run.arcs for known in run.observed(arc, gaps))
    return min(known[name] for known in seen for name in gaps)


@pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
def test_an_accumulation_is_told_of_the_contact_that_comes_to_rest(solver: str) -> None:
    """A ball rolls on a table and is pressed against a cushion, along which it bounces."""
    if solver == "cvode":
        pytest.importorskip("sksundae")
    table = world(
        sphere(
            "ball", radius=R, mass=1, position=(-0.5, R, 0), velocity=(0, 0, 1), spin=(10, 0, 0)
        ),
        plane("table", normal=(0, 1, 0)),
        plane("cushion", normal=(-1, 0, 0), position=(R, 0, 0)),
        force("ball", (2.0, 0, 0)),
        contact("ball", "table", restitution=0.3, friction=0.05),
        contact("ball", "cushion", restitution=0.5, friction=0),
        gravity=DOWN,
    )
    run = simulate(generate(table), until=6, options=Options(solver=solver))
    assert run.stop == Stop.HORIZON
    told = [event for event in run.events if event.kind == "accumulation"]
    assert [event.contacts for event in told] == [("ball-cushion",)]
    after = run.automaton.observe(run.at(told[0].time + 1e-3))
    assert after["gap[ball,cushion]"] == pytest.approx(0, abs=1e-9)
    assert after["normal_force[ball,cushion]"] > 1
