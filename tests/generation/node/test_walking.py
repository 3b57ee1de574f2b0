"""A computation node walked place by place gives what the fast visit gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.interface import State
from dyverse.automaton.run import Run
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.errors import SolverError
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.node.walking import walk
from dyverse.generation.skeleton.location import Node
from dyverse.simulation.simulate import simulate
from tests import scenes


def oblique() -> World:
    """A spinning ball that lands on another one at rest on the floor, with friction."""
    return world(
        sphere("a", radius=0.5, mass=2, position=(0, 0.5, 0)),
        sphere(
            "b", radius=0.3, mass=1, position=(0.3, 2, 0.1), velocity=(0, -1, 0), spin=(1, 2, 3)
        ),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution=0.4, friction=0.3),
        gravity=scenes.DOWN,
    )


MODELS = {
    "game": (scenes.interception_game, 2.0),
    "three balls": (scenes.three_balls, 0.75),
    "slide": (scenes.slide, 1.0),
    "stack": (scenes.stack, 1.0),
    "oblique": (oblique, 1.0),
}


@pytest.mark.parametrize("name", MODELS)
def test_walking_through_a_node_gives_what_the_visit_gives(name: str) -> None:
    build, until = MODELS[name]
    run = simulate(generate(build()), until=until)
    assert run.visits
    for visit in run.visits[:6]:
        numbers = _walked(run, visit.before)
        for contact, force in visit.result.items():
            walked = _world_force(run, visit.before, contact, numbers)
            assert walked == pytest.approx(force, rel=1e-8, abs=1e-9)


def test_an_impact_node_resets_the_velocities() -> None:
    run = simulate(generate(oblique()), until=1)
    visit = next(
        v
        for v in run.visits
        if isinstance(v.before.location, Node) and np.any(v.before.values != v.after.values)
    )
    numbers = _walked(run, visit.before)
    names = run.automaton.variables[12:]
    after = [numbers[name] for name in names]
    assert after == pytest.approx(visit.after.values[12:].tolist(), rel=1e-9, abs=1e-9)


def test_one_contact_has_the_places_of_the_paper() -> None:
    """[navarro2018] §3.8.1 draws I_en, I_1 … I_5, I_ex, with I_5 → I_1 as the loop."""
    run = simulate(generate(scenes.interception_game(), {"K": 1}), until=1)
    automaton = run.automaton
    assert isinstance(automaton, RigidBodyAutomaton)
    places = [place.place for place, _ in walk(automaton, run.visits[0].before)]
    assert places[:2] == ["en", "1"]
    assert places[-2:] == ["5", "ex"]
    assert set(places) == {"en", "1", "2", "3", "4", "5", "ex"}


def test_a_walk_that_does_not_converge_ends_before_the_exit() -> None:
    run = simulate(generate(scenes.three_balls()), until=0.75)
    automaton = run.automaton
    assert isinstance(automaton, RigidBodyAutomaton)
    *_, (place, _) = walk(automaton, run.visits[0].before, tolerance=0.0, most=3)
    assert place.place != "ex"


def _walked(run: Run, state: State) -> dict[str, float]:
    assert isinstance(run.automaton, RigidBodyAutomaton)
    *_, (place, numbers) = walk(run.automaton, state)
    assert place.place == "ex"
    return numbers


def _world_force(
    run: Run, state: State, contact: str, numbers: dict[str, float]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    assert isinstance(run.automaton, RigidBodyAutomaton)
    dynamics = run.automaton.dynamics
    frame = dynamics.close((dynamics.contacts.index[contact],), state.values).frame[0]
    suffix = f"[{contact.replace('-', ',')}]"
    local = [numbers[f + suffix] for f in ("lambda_N", "lambda_T1", "lambda_T2")]
    return np.asarray(frame @ np.array(local))


def test_a_sequence_of_impacts_is_no_walk_through_one_node() -> None:
    run = simulate(generate(replace(oblique(), impact="sequence")), until=1)
    visit = next(v for v in run.visits if "impact" in str(v.before.location))
    assert isinstance(run.automaton, RigidBodyAutomaton)
    with pytest.raises(SolverError, match="impact at all contacts at once"):
        next(walk(run.automaton, visit.before))
