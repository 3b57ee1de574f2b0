"""`enabled` gives exactly the edges whose guards hold, shown by listing all of them."""

from __future__ import annotations

import pytest

from dyverse.automaton.interface import State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Arc, Part, end_of
from dyverse.bodies.build import contact_all, plane, sphere, world
from dyverse.bodies.world import World
from dyverse.expr.value import holds
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.simulation.simulate import Options, simulate
from tests import scenes
from tests.generation.node.test_walking import oblique

NATIVE = Options(solver="native")  # the soonest to have a run


def rolling_down_a_ball() -> World:
    return world(
        sphere("peg", radius=1, fixed=True),
        sphere("ball", radius=0.1, mass=1, position=(0, 1.1, 0), velocity=(0.3, 0, 0.1)),
        contact_all(restitution=0, friction=0.4),
        gravity=scenes.DOWN,
    )


def corner() -> World:
    """A ball with spin that slides into a corner."""
    return world(
        sphere(
            "ball", radius=0.2, mass=1, position=(0, 0.2, 0), velocity=(2, 0, 0.5), spin=(3, 1, 9)
        ),
        plane("floor", normal=(0, 1, 0)),
        plane("wall", normal=(-1, 0, 0), position=(1, 0, 0)),
        contact_all(restitution=0.3, friction=0.5),
        gravity=scenes.DOWN,
    )


SCENES = {
    "game": (scenes.interception_game, 2.0),
    "slide": (scenes.slide, 1.5),
    "drop": (lambda: scenes.drop(height=0.5, e=0.4, mu=0.3), 3.0),
    "stack": (scenes.stack, 0.5),
    "oblique": (oblique, 1.5),
    "peg": (rolling_down_a_ball, 1.5),
    "corner": (corner, 2.0),
    "slips": (lambda: scenes.incline(angle=0.5, mu=0.05), 0.5),
    "smooth": (lambda: scenes.drop(height=0.1, e=0.3), 1.0),
    "smooth slide": (lambda: scenes.slide(mu=0), 0.5),
}
SOONER = {"peg": 1.1}  # s: then it begins to slip, so slowly that steps are short


def listed(automaton: RigidBodyAutomaton, state: State) -> list[object]:
    """The targets of all edges whose guards hold, found by trying every edge."""
    known = automaton.read(state)
    return [edge.target for edge in automaton.outgoing(state.location) if holds(edge.guard, known)]


def found(automaton: RigidBodyAutomaton, state: State) -> list[object]:
    return [edge.target for edge in automaton.enabled(state)]


@pytest.mark.parametrize("name", SCENES)
def test_enabled_agrees_with_listing_all_edges(name: str) -> None:
    build, until = SCENES[name]
    automaton = generate(build())
    run = simulate(automaton, until=until, options=NATIVE)
    checked = 0
    for part in run.parts:
        for state in _instant(automaton, part):
            assert listed(automaton, state) == found(automaton, state), state
            checked += 1
    assert checked > len(run.parts)


@pytest.mark.parametrize("name", SCENES)
def test_the_domain_holds_inside_every_arc(name: str) -> None:
    build, until = SCENES[name]
    automaton = generate(build())
    for arc in simulate(automaton, until=SOONER.get(name, until)).arcs:
        for row in range(1, len(arc.times) - 1, 3):
            state = arc.state(row)
            known = automaton.read(state)
            if "trans" not in str(arc.location):
                assert holds(automaton.domain(arc.location), known), (state, known)


def _instant(automaton: RigidBodyAutomaton, part: Part) -> list[State]:
    """States to look at: inside an arc, and each place of the jumps that follow it."""
    if not isinstance(part, Arc):
        return [end_of(part)]
    state, states = part.end, [part.state(len(part.times) // 2)]
    states.append(state)
    while edges := automaton.enabled(state):
        state = jump(automaton, edges[0], state)
        if not automaton.is_dynamical(state.location):
            break
        states.append(state)
    return states
