"""Passing through a node of impacts on numbers: velocities after them, and who comes to rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State, Visit
from dyverse.generation.node.forces import contact_forces
from dyverse.generation.node.found import (
    Answer,
    Found,
    Indices,
    blows,
    by_islands,
    node_of,
    visited,
)
from dyverse.generation.node.standstill import touching, without
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed, correction, held_rows, world_forces
from dyverse.mechanics.dynamics import Dynamics

SLOW = 1e-2  # m/s: only rebounds slower than this are asked whether they are the last


def visit_impact(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Visit:
    """Impulses at all contacts of the node, and the velocities after them.

    [navarro2018] §3.7: q̇ := q̇ + M⁻¹(W_N Λ_N + W_T Λ_T), by the world's law of impact. Contacts that
    touch and part stand by, for the impact may push them together. What is no blow is told as zero.
    """
    node = node_of(state)
    contacts = touching(dynamics, tolerances, node.contacts, state.values)
    closed = dynamics.close(contacts, state.values)
    part = np.arange(len(contacts)) < len(node.contacts)
    pairs = [dynamics.contacts.pairs[c] for c in contacts]
    e_N = np.array([pair.restitution for pair in pairs])
    e_T = np.array([pair.tangential_restitution for pair in pairs])
    if not dynamics.impact.keeps:
        e_N, e_T = part * e_N, part * e_T
    found = _struck(dynamics, tolerances, closed, e_N, e_T)
    values = state.values.copy()
    normals = 3 * np.flatnonzero(part)  # what touches within the tolerance now touches
    dynamics.shift(values, -correction(closed, normals, closed.gap[part]))
    values[dynamics.layout.v] += closed.MW @ found.forces.ravel()
    rest = _at_rest(dynamics, tolerances, closed, part, e_N, state.time, values)
    after = State(state.time, replace(node, place="ex"), rest.values, rest.held)
    names = dynamics.contacts.names
    rested = tuple(names[c] for c, ends in zip(contacts, rest.rested, strict=True) if ends)
    told = blows(tolerances, closed, found.forces)[:, None] * found.forces
    visit = visited(dynamics, state, after, closed, replace(found, forces=told))
    return replace(visit, accumulates=rest.accumulates, rested=rested)


def _struck(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, e_N: Array, e_T: Array
) -> Found:
    """Impulses by the law of impact, where some contact of an island approaches."""
    struck, rubs = approach(closed), ~closed.follows

    def island(members: Indices, matrix: Array) -> Answer:
        contacts = tuple(closed.contacts[k] for k in members.tolist())
        return dynamics.impact.solve(
            matrix,
            struck[members],
            e_N[members],
            e_T[members],
            lambda slips: rubs[members] * dynamics.frictions(contacts, slips),
            noise=tolerances.speed,
        )

    hit = np.asarray(struck[:, 0] < -tolerances.speed)
    found = by_islands(dynamics, closed, closed.delassus, island, involved=hit)
    one = dynamics.impact.is_one or found.failure
    return found if one else replace(found, method=dynamics.impact.name)


def approach(closed: Closed) -> Array:
    """γ as an impact meets it, (n, 3): nothing resists turning in no time."""
    return np.where(closed.follows[:, None], 0.0, closed.speed)


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """The state after an impact, and which contacts bounced their last."""

    values: Array
    rested: NDArray[np.bool_]
    accumulates: float | None = None  # when (s)
    held: Mapping[str, Array] = field(default_factory=dict)  # forces that drive contacts together


def _at_rest(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    part: NDArray[np.bool_],
    e: Array,
    time: float,
    values: Array,
) -> Rest:
    """The Zeno guard: contacts whose bouncing is over keep no normal speed; when it is over.

    A contact that parts with speed v against an acceleration a that drives it back bounces to
    v²/2a, and its impacts accumulate after 2v/(a(1 - e)). Below the tolerated height it is at rest.
    (Without having closed before it has hardly parted, and without restitution it hits once:
    nothing accumulates.) The forces that drive it back are handed on to the contact node, and those
    that stand do not begin to slip.
    ``closed`` is before the impact.
    """
    speed = dynamics.close(closed.contacts, values).speed[:, 0]
    parts = part & (speed > tolerances.speed) & (speed < SLOW)
    slow = np.flatnonzero(parts | (speed <= tolerances.speed))
    none = Rest(values, np.zeros_like(part))
    while parts[slow].any():
        after = dynamics.close(tuple(closed.contacts[k] for k in slow.tolist()), values)
        forces = contact_forces(dynamics, tolerances, after, time, values, {}).forces
        drive = (forces[:, 0] * np.diag(after.delassus)[0::3])[after.leader]
        last = _last_heights(dynamics, tolerances, after)
        rests = ~parts[slow] | (speed[slow] ** 2 <= 2 * drive * last)
        if rests.all():
            break
        slow = slow[rests]  # who leaves carries nothing
    else:
        return none
    settled = without(dynamics, after, _standing_rows(dynamics, tolerances, after), values)
    ends = parts[slow] & (closed.speed[slow, 0] < -tolerances.speed) & (e[slow] > 0)
    none.rested[slow] = ends
    sure = ends & (e[slow] < 1)
    waits = 2 * speed[slow][sure] / (drive[sure] * (1 - e[slow][sure]))
    accumulates = time + float(waits.max(initial=0.0)) if ends.any() else None
    held = world_forces(after, forces, dynamics.contacts.names)
    return Rest(settled, none.rested, accumulates, held)


def _last_heights(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> Array:
    """How high (m) a bounce may be after which a contact has come to rest.

    The cluster rule: of contacts that share bodies and lose energy at impacts, each sets the others
    bouncing again, so a bounce is the last one if it is no higher than what counts as touching; in
    a heap, than what is unseen there.
    """
    crowded = {
        contact
        for group in dynamics.contacts.islands(closed.contacts)
        for contact in group
        if len(set(dynamics.contacts.leader[list(group)].tolist())) > 1
        and dynamics.contacts.pairs[contact].restitution < 1
    }
    clusters = np.array([contact in crowded for contact in closed.contacts])
    unseen = tolerances.unseen(dynamics.contacts.company(closed.contacts))
    return np.where(clusters, np.maximum(unseen, tolerances.gap), tolerances.rest)


def _standing_rows(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> Indices:
    """Components of γ that are taken out at rest: normals, and slip where friction can hold it."""
    smooth = np.array([dynamics.is_frictionless(contact) for contact in closed.contacts])
    return held_rows(~smooth & (closed.slip_speed <= tolerances.standstill))
