"""Through a computation node place by place, by its guards and resets alone.

`dyverse.generation.node.visiting` passes a node on arrays, as fast as it can. Here the same node is
walked as the automaton it is: the numbers behind the names in its guards and resets, and a run
through its places. A test compares both.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.contact.impacts import NEWTON
from dyverse.contact.law.problem import ContactProblem, contact_problem, impact_problem, residual
from dyverse.errors import SolverError
from dyverse.expr.value import holds, value
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.node.forces import rubbing
from dyverse.generation.node.striking import approach
from dyverse.generation.skeleton.location import EXIT, Node
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.places import DIRECTIONS, FORCES
from dyverse.mechanics.closed import Closed, led
from dyverse.mechanics.dynamics import Dynamics

Numbers = dict[str, float]


def walk(
    automaton: RigidBodyAutomaton, state: State, *, tolerance: float = 1e-12, most: int = 10_000
) -> Iterator[tuple[Node, Numbers]]:
    """Every place from the entrance ``state.location`` to the exit, with all numbers there.

    It ends before the exit if ``most`` sweeps do not converge.
    """
    place = state.location
    assert isinstance(place, Node)
    if place.kind == "impact" and automaton.dynamics.impact is not NEWTON:
        raise SolverError("one walk through a node is an impact at all contacts at once, by Newton")
    problem = node_problem(automaton, state)
    numbers = node_numbers(automaton, state) | {"tolerance": tolerance}
    last = automaton.skeleton.node(place.kind, place.contacts).last
    for _ in range(2 + last * most):
        numbers[f"residual[{place.name}]"] = _residual(problem, place, numbers)
        yield place, dict(numbers)
        if place.place == EXIT:
            return
        edge = next(e for e in automaton.outgoing(place) if holds(e.guard, numbers))
        numbers |= {a.target: value(a.value, numbers) for a in edge.reset}
        assert isinstance(edge.target, Node)
        place = edge.target


def node_problem(automaton: RigidBodyAutomaton, state: State) -> ContactProblem:
    """The problem that the node at ``state`` solves."""
    closed = _closed(automaton.dynamics, state)
    pairs = [automaton.dynamics.contacts.pairs[c] for c in closed.contacts]
    assert isinstance(state.location, Node)
    if state.location.kind == "impact":
        e_N = [pair.restitution for pair in pairs]
        e_T = [pair.tangential_restitution for pair in pairs]
        mu = automaton.dynamics.frictions(closed.contacts, closed.slip_speed)
        return impact_problem(closed.delassus, approach(closed), e_N, e_T, ~closed.follows * mu)
    mu, sliding = rubbing(automaton.dynamics, automaton.tolerances, closed)
    free = automaton.dynamics.free_acceleration(state.time, state.values)
    matrix, second = led(closed, closed.delassus), closed.W.T @ free + closed.bias
    return contact_problem(matrix, second, mu, sliding=sliding)


def node_numbers(automaton: RigidBodyAutomaton, state: State) -> Numbers:
    """The numbers behind the names in a node's guards and resets, at its entrance."""
    dynamics, problem = automaton.dynamics, node_problem(automaton, state)
    closed = _closed(dynamics, state)
    names = [dynamics.contacts.names[c] for c in closed.contacts]
    numbers = dict(automaton.read(state))
    assert isinstance(state.location, Node)
    met = approach(closed) if state.location.kind == "impact" else closed.speed
    for k, name in enumerate(names):
        pair = dynamics.contacts.pairs[closed.contacts[k]]
        free = problem.free[3 * k : 3 * k + 3]
        own = {
            "restitution": pair.restitution,
            "tangential_restitution": pair.tangential_restitution,
            "friction": float(problem.friction[k]),
            "slip_1": float(met[k, 1]),
            "slip_2": float(met[k, 2]),
            "normal_speed": float(met[k, 0]),
            **dict(zip(("free_normal", "free_slip_1", "free_slip_2"), free.tolist(), strict=True)),
        }
        numbers |= {signal_name(quantity, name): number for quantity, number in own.items()}
    numbers |= _delassus(names, problem.matrix)
    free_acceleration = dynamics.free_acceleration(state.time, state.values)
    return numbers | _masses(automaton, names, closed, free_acceleration)


def _closed(dynamics: Dynamics, state: State) -> Closed:
    assert isinstance(state.location, Node)
    contacts = tuple(dynamics.contacts.index[name] for name in state.location.contacts)
    return dynamics.close(contacts, state.values)


def _delassus(names: list[str], G: Array) -> Numbers:
    """A, B and C of [navarro2018] Appendix A, entry by entry."""
    blocks = {"A": (0, 0), "B1": (0, 1), "B2": (0, 2)}
    blocks |= {f"C{i}{k}": (i, k) for i in (1, 2) for k in (1, 2)}
    return {
        f"{block}[{row},{column}]": float(G[3 * i + a, 3 * j + b])
        for block, (a, b) in blocks.items()
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    }


def _masses(
    automaton: RigidBodyAutomaton, names: list[str], closed: Closed, free: Array
) -> Numbers:
    """M⁻¹ W and M⁻¹ h by speed and contact."""
    speeds = automaton.dynamics.layout.speeds
    numbers = {f"minv_h[{speed}]": float(a) for speed, a in zip(speeds, free, strict=True)}
    for row, speed in enumerate(speeds):
        for k, name in enumerate(names):
            for d, direction in enumerate(DIRECTIONS):
                key = f"minv_W_{direction}[{speed},{name.replace('-', ',', 1)}]"
                numbers[key] = float(closed.MW[row, 3 * k + d])
    return numbers


def _residual(problem: ContactProblem, place: Node, numbers: Numbers) -> float:
    forces = [[numbers.get(signal_name(f, c), 0.0) for f in FORCES] for c in place.contacts]
    return residual(problem, np.array(forces))
