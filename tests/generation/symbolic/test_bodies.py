"""Expressions of rigid bodies against the numeric engine, and their derivatives against it."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest

from dyverse.automaton.interface import Array, State, Visit
from dyverse.automaton.symbolic import SymbolicAutomaton
from dyverse.bodies.build import contact_all, force, parameter, plane, port, sphere, world
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.expr.symbolic import SX
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes
from dyverse.generation.symbolic.bodies import SymbolicBodies
from dyverse.generation.symbolic.impact import pattern_of
from dyverse.generation.symbolic.motion import Near
from dyverse.mechanics.closed import local_forces
from dyverse.simulation.simulate import simulate
from tests import scenes


def rubbing() -> World:
    """Two balls and a floor, all numbers from parameters; friction falls with speed."""
    return world(
        parameter("mu", 0.4),
        parameter("e", 0.5),
        parameter("r", 0.5),
        parameter("m", 2.0),
        port("wind"),
        sphere("a", radius="r", mass="m", position=(0, "r", 0), velocity=(1, 0, 0.5)),
        sphere("b", radius=0.3, mass=1, position=(2, 0.3, 0.2), spin=(1, 2, 3)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution="e", friction="mu/(1 + slip_speed)", tangential_restitution=0.2),
        force("a", ("wind", 0, 0)),
        gravity=(0, -9.81, 0),
    )


RUNS = {
    "free": (scenes.interception_game(), 2.0),
    "slide to roll": (scenes.slide(mu=0.2), 1.0),
    "slip from rest": (scenes.incline(angle=0.3, mu=0.05), 0.5),
    "roll": (scenes.incline(angle=0.3, mu=0.5), 0.5),
    "stack": (scenes.stack(2), 0.1),
    "smooth": (scenes.drop(height=0.0, e=0.0), 0.2),
    "rubbing": (rubbing(), 0.7),
}


def evaluate(bodies: SymbolicBodies, state: State, *expressions: SX) -> list[Array]:
    function = ca.Function("f", bodies.arguments, [ca.densify(ca.SX(e)) for e in expressions])
    memory = bodies.remembered(state)
    results = function.call([state.time, state.values, bodies.numbers, memory])
    return [np.asarray(result) for result in results]


@pytest.mark.parametrize("name", RUNS)
def test_rates_and_signals_are_those_of_the_engine(name: str) -> None:
    """Along runs that are free, slip, begin to slip, stick and roll."""
    model, until = RUNS[name]
    automaton, bodies = generate(model), SymbolicBodies(model)
    states = [s for arc in simulate(automaton, until=until).arcs for s in (arc.start, arc.end)]
    for state in states:
        signals = bodies.signals(state.location)
        column = ca.vertcat(*signals.values())
        rate, observed = evaluate(bodies, state, bodies.rate(state.location), column)
        expected = automaton.observe(state)
        assert set(signals) == set(expected)
        numbers = [expected[signal] for signal in signals]
        assert observed.ravel() == pytest.approx(numbers, rel=1e-9, abs=1e-8)
        engine = automaton.flow(state).rate(state.time, state.values)
        assert rate.ravel() == pytest.approx(engine, rel=1e-9, abs=1e-8)


def corner() -> World:
    """A ball in a corner of three walls, pressed into it: sticking there is redundant.

    With so much friction the least forces that keep the balance are admissible.
    """
    return world(
        sphere("ball", radius=0.2, mass=1, position=(0.2, 0.2, 0.2)),
        *(plane(axis, normal=tuple(float(a == axis) for a in "xyz")) for axis in "xyz"),
        contact_all(restitution=0, friction=3),
        gravity=(-2, -2.5, -3),
    )


def test_redundant_constraints_have_the_least_forces() -> None:
    automaton, bodies = generate(corner()), SymbolicBodies(corner())
    state = State(
        0.0, Modes(tuple((name, "stick") for name in automaton.contacts)), automaton.start().values
    )
    signals = bodies.signals(state.location)
    names = [name for name in signals if "force" in name]
    forces, rate = evaluate(
        bodies, state, ca.vertcat(*(signals[n] for n in names)), bodies.rate(state.location)
    )
    expected = automaton.observe(state)
    assert forces.ravel() == pytest.approx([expected[n] for n in names], abs=1e-12)
    assert rate.ravel() == pytest.approx(np.zeros(12), abs=1e-12)


def test_ranks_may_be_looked_at_near_a_given_state() -> None:
    automaton, bodies = generate(scenes.stack(3)), SymbolicBodies(scenes.stack(3))
    state = simulate(automaton, until=0.01).end
    near = Near(state.time, state.values, bodies.numbers, bodies.remembered(state))
    (rate,) = evaluate(bodies, state, bodies.rate(state.location, near=near))
    assert rate.ravel() == pytest.approx(np.zeros(36), abs=1e-9)


def test_forces_as_unknowns_solve_their_residual() -> None:
    """The implicit form, at the forces of the engine."""
    model = rubbing()
    automaton, bodies = generate(model), SymbolicBodies(model)
    state = simulate(automaton, until=0.05).end
    assert isinstance(state.location, Modes)
    found = bodies.equations(state.location)
    motion = automaton.plain_flow(state).motion(state.time, state.values)
    sticks = [k for k, (_, mode) in enumerate(state.location.closed) if mode == "stick"]
    y = np.concatenate([motion.forces[:, 0], motion.forces[sticks, 1:].ravel()])
    arguments = [*bodies.arguments, found.forces]
    function = ca.Function("f", arguments, [found.residual, found.acceleration])
    memory = bodies.remembered(state)
    residual, acceleration = function(state.time, state.values, bodies.numbers, memory, y)
    assert np.asarray(residual) == pytest.approx(0, abs=1e-12)
    assert np.asarray(acceleration).ravel() == pytest.approx(motion.acceleration, abs=1e-12)


def differences(function: Callable[[Array], Array], at: Array, step: float = 1e-6) -> Array:
    """Central differences, one column per entry of ``at``."""
    columns = [
        (function(at + step * unit) - function(at - step * unit)) / (2 * step)
        for unit in np.eye(len(at))
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(function(at)), 0))


@pytest.mark.parametrize("name", RUNS)
def test_derivatives_of_rates_agree_with_differences(name: str) -> None:
    model, until = RUNS[name]
    automaton, bodies = generate(model), SymbolicBodies(model)
    run = simulate(automaton, until=until)
    for arc in run.arcs:
        state = arc.state(len(arc.times) // 2)
        rate = bodies.rate(state.location)
        by_state, by_values = evaluate(
            bodies, state, ca.jacobian(rate, bodies.state), ca.jacobian(rate, bodies.values)
        )
        if "trans" in str(state.location):
            continue  # as slow as this, the slip itself is smaller than the step of differences
        flow = automaton.plain_flow(state)
        expected = differences(lambda x, f=flow, s=state: f.rate(s.time, x), state.values)  # type: ignore[misc]
        assert by_state == pytest.approx(expected, abs=2e-6 * (1 + np.abs(expected).max()))

        def at(numbers: Array, state: State = state) -> Array:
            settings = dict(zip(bodies.settings, numbers.tolist(), strict=True))
            return generate(model, settings).flow(state).rate(state.time, state.values)

        by_differences = differences(at, bodies.numbers)
        assert by_values == pytest.approx(by_differences, abs=1e-6)


def test_the_start_follows_settings_and_their_definitions() -> None:
    model = world(
        parameter("h", 2.0),
        parameter("high", "2*h"),
        sphere("ball", radius=0.1, mass=1, position=(0, "high", 0), velocity=(0, "h", 0)),
        plane("floor", normal=(0, 1, 0)),
    )
    chain = SymbolicBodies(model)
    assert chain.settings == ("h",)
    (slope,) = evaluate(chain, generate(model).start(), ca.jacobian(chain.start(), chain.values))
    assert slope[[1, 7], 0] == pytest.approx([2.0, 1.0])
    cut = SymbolicBodies(model, {"high": 5.0}, ("h", "ball.vx", "floor.y"))
    assert cut.numbers.tolist() == [2.0, 0.0, 0.0]
    state = generate(model, {"high": 5.0}).start()
    gap = cut.signals(FREE_FLIGHT)["gap[ball,floor]"]
    start, slope, fall = evaluate(
        cut,
        state,
        cut.start(),
        ca.jacobian(cut.start(), cut.values),
        ca.jacobian(gap, cut.values),
    )
    assert start.ravel() == pytest.approx(state.values)
    assert slope[[1, 6, 7]] == pytest.approx(np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]]))
    assert fall.ravel() == pytest.approx([0, 0, -1])


def test_a_name_that_cannot_be_set_cannot_be_unknown() -> None:
    with pytest.raises(ModelError, match=r"cannot set 'ball.vq'.*did you mean"):
        SymbolicBodies(scenes.drop(), unknowns=("ball.vq",))


def impacts(model: World, until: float) -> tuple[RigidBodyAutomaton, list[Visit]]:
    automaton = generate(model)
    run = simulate(automaton, until=until)
    found = [v for v in run.visits if "impact" in str(v.before.location) and _strikes(v)]
    assert found
    return automaton, found


def _strikes(visit: Visit) -> bool:
    return max(float(np.linalg.norm(i)) for i in visit.result.values()) > 1e-6


def local(automaton: RigidBodyAutomaton, visit: Visit) -> Array:
    """The impulses of an impact in the frames of its contacts."""
    dynamics = automaton.dynamics
    contacts = tuple(dynamics.contacts.index[name] for name in visit.contacts)
    closed = dynamics.close(contacts, visit.before.values)
    return local_forces(closed, visit.result, dynamics.contacts.names)


def thrown(*, mu: float, spin: float) -> World:
    return world(
        sphere("a", radius=0.4, mass=1.5, position=(0, 1, 0), velocity=(1, -2, 0.3)),
        sphere("b", radius=0.5, mass=1, position=(0.5, 0, 0.1), spin=(spin, 1, -spin)),
        contact_all(restitution=0.7, friction=mu, tangential_restitution=0.1),
    )


IMPACTS = {
    "game": (scenes.interception_game(), 1.2),
    "three": (scenes.three_balls(), 0.75),
    "slip": (thrown(mu=0.05, spin=8.0), 1.0),
    "stick": (thrown(mu=2.0, spin=0.5), 1.0),
    "rubbing": (scenes.drop(height=1.0, mu=0.3), 1.5),
}


@pytest.mark.parametrize("name", IMPACTS)
def test_impacts_solve_the_equations_of_their_pattern(name: str) -> None:
    automaton, visits = impacts(*IMPACTS[name])
    bodies = SymbolicBodies(automaton.world)
    for visit in visits:
        x, impulses = visit.before.values, local(automaton, visit)
        pattern = pattern_of(
            automaton.dynamics, dict(zip(visit.contacts, impulses, strict=True)), x
        )
        law = bodies.impact(pattern)
        function = law.function(law.equalities, law.inequalities, law.after)
        equal, weak, after = function(x, bodies.numbers, impulses.ravel())
        assert np.asarray(equal) == pytest.approx(0, abs=1e-9)
        assert np.asarray(weak).min() >= -1e-9
        v = automaton.dynamics.layout.v
        assert np.asarray(after).ravel()[v] == pytest.approx(visit.after.values[v])


@pytest.mark.parametrize("name", IMPACTS)
def test_derivatives_of_impacts_agree_with_differences(name: str) -> None:
    """Of the engine itself, passing the same node from states and with settings nearby."""
    automaton, visits = impacts(*IMPACTS[name])
    bodies, visit = SymbolicBodies(automaton.world), visits[0]
    x, half = visit.before.values, automaton.dynamics.layout.v.start
    impulses = local(automaton, visit)
    pattern = pattern_of(automaton.dynamics, dict(zip(visit.contacts, impulses, strict=True)), x)
    found = bodies.impact(pattern).derivative(x, bodies.numbers, impulses)

    def at(values: Array) -> Array:
        state = State(visit.before.time, visit.before.location, values)
        return automaton.visit(state).after.values[half:]

    expected = differences(at, x)
    assert found.after_by_state[half:] == pytest.approx(expected, abs=1e-6)
    assert found.after_by_state[:half] == pytest.approx(np.eye(2 * half)[:half])


def test_an_impact_knows_its_coefficients() -> None:
    """v⁺ = -e v⁻ and, slipping, ω⁺ r = (5/2) μ (1 + e) |v⁻|."""
    model = world(
        parameter("e", 0.6),
        parameter("mu", 0.1),
        sphere("ball", radius=0.2, mass=1.3, position=(0, 0.2, 0), velocity=(3, -2, 0)),
        plane("floor", normal=(0, 1, 0)),
        contact_all(restitution="e", friction="mu"),
    )
    automaton, bodies = generate(model), SymbolicBodies(model)
    law = bodies.impact({"ball-floor": "slip"})
    normal = 1.3 * (1 + 0.6) * 2
    visit = simulate(automaton, until=0.1).visits[0]
    impulses = local(automaton, visit)
    assert impulses[0, 0] == pytest.approx(normal)
    found = law.derivative(automaton.start().values, bodies.numbers, impulses)
    assert found.after_by_values[7] == pytest.approx([2.0, 0.0])
    assert found.after_by_values[6] == pytest.approx([-0.1 * 2, -1.6 * 2])
    assert found.after_by_values[11] == pytest.approx(np.array([-0.2, -3.2]) * 2.5 / 0.2)


def test_rigid_bodies_answer_the_common_interface() -> None:
    answer: SymbolicAutomaton = SymbolicBodies(scenes.drop())
    assert answer.rate(FREE_FLIGHT).shape == (12, 1)
