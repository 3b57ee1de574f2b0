"""Passing through a computation node on numbers: impacts and contact forces.

The node's places, guards and resets are in `dyverse.generation.node`; walking through them one by
one gives the same forces, and a test says so. Here the sweeps run on arrays, contacts that share
no body are solved apart, and the fallback of `dyverse.contact.law.solve` may step in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State, Visit
from dyverse.contact.law.impact import ImpactSolution, solve_impact
from dyverse.contact.law.problem import ContactProblem, Inconsistent, NotConverged, Solved
from dyverse.contact.law.solve import solve
from dyverse.generation.dynamics import Closed, Dynamics, correction, world_forces
from dyverse.generation.location import Node
from dyverse.generation.tolerances import Tolerances

Indices = NDArray[np.intp]
Answer = ImpactSolution | Solved | NotConverged | Inconsistent
SLOW = 1e-2  # m/s: only rebounds slower than this are asked whether they are the last


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Found:
    """Impulses or forces of all contacts of a node, put together from its islands."""

    forces: Array
    sweeps: int = 0
    residual: float = 0.0
    method: str = "sorprox"
    failure: str | None = None
    remarks: tuple[str, ...] = ()


def visit_impact(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Visit:
    """Impulses at all contacts of the node at once, and the velocities after them.

    [navarro2018] §3.7: q̇ := q̇ + M⁻¹(W_N Λ_N + W_T Λ_T).
    """
    node = _node(state)
    contacts = tuple(dynamics.contacts.index[name] for name in node.contacts)
    closed = dynamics.close(contacts, state.values)
    pairs = [dynamics.contacts.pairs[c] for c in contacts]
    e_N = np.array([pair.restitution for pair in pairs])
    e_T = np.array([pair.tangential_restitution for pair in pairs])
    mu = dynamics.frictions(contacts, closed.slip_speed)

    def island(members: Indices, matrix: Array) -> Answer:
        approach = closed.speed[members]
        return solve_impact(matrix, approach, e_N[members], e_T[members], mu[members])

    found = _by_islands(dynamics, closed, island, involved=closed.speed[:, 0] < -tolerances.speed)
    values = state.values.copy()
    normals = 3 * np.arange(len(contacts))  # what touches within the tolerance now touches
    values[: dynamics.size] -= correction(closed, normals, closed.gap)
    values[dynamics.size :] += closed.MW @ found.forces.ravel()
    values, accumulates = _at_rest(dynamics, tolerances, closed, e_N, state.time, values)
    after = State(state.time, replace(node, place="ex"), values)
    return _visit(dynamics, state, after, closed, found, accumulates)


def _at_rest(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    e: Array,
    time: float,
    values: Array,
) -> tuple[Array, float | None]:
    """The Zeno guard: contacts whose bouncing is over keep no normal speed; when it is over.

    A contact that parts with speed v against an acceleration a that drives it back bounces to
    v²/2a, and its impacts accumulate after 2v/(a(1 - e)). Below the tolerated height it is at rest.
    """
    after = dynamics.close(closed.contacts, values)
    parting = after.speed[:, 0]
    slow = (parting > tolerances.speed) & (parting < SLOW)
    if not slow.any():
        return values, None
    forces = contact_forces(dynamics, tolerances, after, time, values).forces
    drive = forces[:, 0] * np.diag(after.delassus)[0::3]
    last = slow & (parting**2 <= 2 * drive * tolerances.rest)
    if not last.any():
        return values, None
    stay = last | (parting <= tolerances.speed)
    settled = values.copy()
    settled[dynamics.size :] -= correction(after, 3 * np.flatnonzero(stay), parting[stay])
    sure = last & (e < 1)
    waits = 2 * parting[sure] / (drive[sure] * (1 - e[sure]))
    return settled, time + float(waits.max(initial=0.0))


def visit_contact(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Visit:
    """Forces at all contacts of the node at once; they are held for the location that follows."""
    node = _node(state)
    contacts = tuple(dynamics.contacts.index[name] for name in node.contacts)
    closed = dynamics.close(contacts, state.values)
    found = contact_forces(dynamics, tolerances, closed, state.time, state.values)
    held = world_forces(closed, found.forces, dynamics.contacts.names)
    after = State(state.time, replace(node, place="ex"), state.values, held)
    return _visit(dynamics, state, after, closed, found, None)


def contact_forces(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, time: float, values: Array
) -> Found:
    """Signorini and Coulomb on the acceleration level, with the direction of slip given."""
    free = closed.W.T @ dynamics.free_acceleration(time, values) + closed.bias
    mu, sliding = rubbing(dynamics, tolerances, closed)

    def island(members: Indices, matrix: Array) -> Answer:
        c = free.reshape(-1, 3)[members].ravel()
        return solve(
            ContactProblem(matrix=matrix, free=c, friction=mu[members], sliding=sliding[members])
        )

    return _by_islands(dynamics, closed, island, involved=free[0::3] < 0)


def rubbing(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> tuple[Array, Array]:
    """μ of each contact, and the direction of those that slip (n, 2), not a number for others."""
    slips = closed.slip_speed
    slipping = slips > tolerances.slip
    mu = dynamics.frictions(closed.contacts, np.where(slipping, slips, 0.0))
    sliding = np.full((len(slips), 2), np.nan)
    sliding[slipping] = closed.speed[slipping, 1:] / slips[slipping, None]
    return mu, sliding


def _by_islands(
    dynamics: Dynamics,
    closed: Closed,
    solver: Callable[[Indices, Array], Answer],
    involved: NDArray[np.bool_],
) -> Found:
    """Solve each group of contacts that share bodies; groups with nothing to do keep zero."""
    found = Found(forces=np.zeros((len(closed.contacts), 3)))
    place = {contact: k for k, contact in enumerate(closed.contacts)}
    G = closed.delassus
    for group in dynamics.contacts.islands(closed.contacts):
        members = np.array([place[c] for c in group])
        if not involved[members].any():
            continue
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        answer = solver(members, G[np.ix_(rows, rows)])
        names = [dynamics.contacts.names[c] for c in group]
        found = _joined(found, members, answer, names)
    return found


def _joined(found: Found, members: Indices, answer: Answer, names: list[str]) -> Found:
    forces = found.forces.copy()
    method: str
    failure: str | None
    match answer:
        case Inconsistent(contacts=worst, why=why):
            failure = f"no contact forces at {', '.join(names[j] for j in worst)}: {why}"
            return replace(found, failure=failure, method="inconsistent")
        case ImpactSolution(impulses=part) | Solved(forces=part):
            method, failure = answer.method, found.failure
        case NotConverged(forces=part, worst=worst):
            method, failure = "not converged", _did_not_converge(answer, names)
    forces[members] = part
    remarks = found.remarks
    if isinstance(answer, ImpactSolution) and answer.restitution_scale < 1:
        remarks += (f"restitution scaled by {answer.restitution_scale:.6g} to keep energy",)
    return Found(
        forces=forces,
        sweeps=max(found.sweeps, answer.sweeps),
        residual=max(found.residual, answer.residual),
        method=method if answer.sweeps >= found.sweeps else found.method,
        failure=failure,
        remarks=remarks,
    )


def _did_not_converge(answer: NotConverged, names: list[str]) -> str:
    where = ", ".join(names[j] for j in answer.worst)
    effort = f"residual {answer.residual:.1e} after {answer.sweeps} sweeps"
    return f"contact forces at {where} did not converge: {effort}"


def _node(state: State) -> Node:
    assert isinstance(state.location, Node)
    return state.location


def _visit(
    dynamics: Dynamics,
    before: State,
    after: State,
    closed: Closed,
    found: Found,
    accumulates: float | None,
) -> Visit:
    return Visit(
        before=before,
        after=after,
        sweeps=found.sweeps,
        residual=found.residual,
        method=found.method,
        failure=found.failure,
        contacts=_node(before).contacts,
        result=world_forces(closed, found.forces, dynamics.contacts.names),
        accumulates=accumulates,
        remarks=found.remarks,
    )
