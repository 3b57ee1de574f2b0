"""What a node finds for its contacts: island by island, put together, and told as a visit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State, Visit
from dyverse.contact.law.impact import ImpactSolution
from dyverse.contact.law.problem import Inconsistent, NotConverged, Solved
from dyverse.contact.law.sequence import Endless
from dyverse.generation.skeleton.location import Node
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed, world_forces
from dyverse.mechanics.dynamics import Dynamics

ROUNDING = 1e-10  # share of the largest change of speed of a node: less is what computation leaves

Indices = NDArray[np.intp]
Answer = ImpactSolution | Solved | NotConverged | Inconsistent | Endless


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Found:
    """Impulses or forces of all contacts of a node, put together from its islands."""

    forces: Array
    sweeps: int = 0
    residual: float = 0.0
    method: str = "sorprox"
    failure: str | None = None
    remarks: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()  # places of contacts of islands for which none were found


def by_islands(
    dynamics: Dynamics,
    closed: Closed,
    G: Array,
    solver: Callable[[Indices, Array], Answer],
    involved: NDArray[np.bool_],
) -> Found:
    """Solve each group of contacts that share bodies; groups with nothing to do keep zero."""
    found = Found(forces=np.zeros((len(closed.contacts), 3)))
    place = {contact: k for k, contact in enumerate(closed.contacts)}
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
            lost = (*found.lost, *members.tolist())
            return replace(found, failure=failure, method="inconsistent", lost=lost)
        case ImpactSolution(impulses=part) | Solved(forces=part):
            method, failure = answer.method, found.failure
        case NotConverged(forces=part):
            method, failure = "not converged", _did_not_converge(answer, names)
        case Endless(forces=part):
            method, failure = "not converged", _did_not_end(answer, names)
    forces[members] = part
    remarks = found.remarks
    if isinstance(answer, ImpactSolution):
        remarks += scaled(answer.restitution_scale)
    failed = isinstance(answer, NotConverged | Endless)
    return Found(
        forces=forces,
        sweeps=max(found.sweeps, answer.sweeps),
        residual=max(found.residual, answer.residual),
        method=method if answer.sweeps >= found.sweeps else found.method,
        failure=failure,
        remarks=remarks,
        lost=(*found.lost, *(members.tolist() if failed else ())),
    )


def blows(tolerances: Tolerances, closed: Closed, impulses: Array) -> NDArray[np.bool_]:
    """Which contacts take an impulse that is more than what computation leaves of none, (n,).

    By itself it changes the speeds at its contact, ``‖diag(G) Λ‖``, by more than an eighth of what
    counts as closing. The impulses themselves do not tell: where joints keep contacts from closing
    up to 1e-12 m/s, these ask for as much however light the impact of another contact is.
    """
    own = closed.delassus.diagonal().reshape(-1, 3)
    changed = np.linalg.norm(own * impulses, axis=1)
    least = max(tolerances.speed / 8, ROUNDING * float(changed.max(initial=0.0)))
    return np.asarray(changed > least)


def scaled(share: float) -> tuple[str, ...]:
    """What is said of an impact of whose restitution only a share could be granted."""
    return (f"restitution scaled by {share:.6g} to keep energy",) if share < 1 else ()


def _did_not_converge(answer: NotConverged, names: list[str]) -> str:
    where = ", ".join(names[j] for j in answer.worst)
    effort = f"residual {answer.residual:.1e} after {answer.sweeps} sweeps"
    return f"contact forces at {where} did not converge: {effort}"


def _did_not_end(answer: Endless, names: list[str]) -> str:
    where = ", ".join(names[j] for j in answer.still)
    effort = f"after {answer.sweeps} impacts they still approach by up to {answer.speed:.1e} m/s"
    return f"the sequence of impacts at {where} did not end: {effort}"


def node_of(state: State) -> Node:
    """The computation node that a state is in."""
    assert isinstance(state.location, Node)
    return state.location


def names_of(dynamics: Dynamics, closed: Closed) -> tuple[str, ...]:
    """The names of closed contacts, in their order."""
    return tuple(dynamics.contacts.names[contact] for contact in closed.contacts)


def visited(dynamics: Dynamics, before: State, after: State, closed: Closed, found: Found) -> Visit:
    """The visit that has led from one state to another, by what was found."""
    return Visit(
        before=before,
        after=after,
        sweeps=found.sweeps,
        residual=found.residual,
        method=found.method,
        failure=found.failure,
        contacts=node_of(before).contacts,
        result=world_forces(closed, found.forces, dynamics.contacts.names),
        remarks=found.remarks,
    )
