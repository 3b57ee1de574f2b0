"""An impact taken apart again: by sequence into its impacts, by Poisson's law into its phases.

What `dyverse.generation.node.striking` adds up is needed one by one where it is differentiated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dyverse.automaton.interface import Array, Visit
from dyverse.contact.law.poisson import Phases, phases
from dyverse.contact.law.sequence import Blow, sequence
from dyverse.generation.node.found import scaled
from dyverse.generation.node.standstill import touching
from dyverse.generation.node.striking import approach
from dyverse.generation.skeleton.location import Node
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed, world_forces
from dyverse.mechanics.dynamics import Dynamics


def impacts_in_turn(dynamics: Dynamics, tolerances: Tolerances, visit: Visit) -> Iterator[Visit]:
    """The impacts of a visit, each from the velocities that the last one left.

    Islands share no body, so the impacts of one are taken after those of another.
    """
    node = visit.before.location
    assert isinstance(node, Node)
    contacts = touching(dynamics, tolerances, node.contacts, visit.before.values)
    closed = dynamics.close(contacts, visit.before.values)
    values = visit.before.values
    for island in dynamics.contacts.islands(contacts):
        for blow in _blows(dynamics, tolerances, closed, island):
            hit = tuple(island[k] for k in blow.members.tolist())
            own = dynamics.close(hit, visit.before.values)
            after = values.copy()
            after[dynamics.layout.v] += own.MW @ blow.found.impulses.ravel()
            names = tuple(dynamics.contacts.names[c] for c in hit)
            yield replace(
                visit,
                before=replace(visit.before, values=values),
                after=replace(visit.after, values=after),
                contacts=names,
                result=world_forces(own, blow.found.impulses, dynamics.contacts.names),
                remarks=scaled(blow.found.restitution_scale),
            )
            values = after


@dataclass(frozen=True, slots=True, eq=False)
class Struck:
    """Contacts that share bodies in an impact by Poisson's law, (n, 3) each."""

    names: tuple[str, ...]
    before: Array  # γ⁻
    phases: Phases
    pressed: Array  # γ_C
    after: Array  # γ⁺
    restitution: Array  # (n,)
    tangential_restitution: Array
    mu: Array


def impacts_in_phases(dynamics: Dynamics, tolerances: Tolerances, visit: Visit) -> Iterator[Struck]:
    """The impact of a visit, island by island where somebody is hit."""
    node = visit.before.location
    assert isinstance(node, Node)
    contacts = touching(dynamics, tolerances, node.contacts, visit.before.values)
    for island in map(tuple, map(sorted, dynamics.contacts.islands(contacts))):
        closed = dynamics.close(island, visit.before.values)
        before = approach(closed)
        if before[:, 0].min() >= -tolerances.speed:
            continue
        pairs = [dynamics.contacts.pairs[c] for c in island]
        e_N = np.array([pair.restitution for pair in pairs])
        e_T = np.array([pair.tangential_restitution for pair in pairs])
        mu, G = ~closed.follows * dynamics.frictions(island, closed.slip_speed), closed.delassus
        found = phases(G, before, e_N, e_T, mu)
        if isinstance(found, Phases):
            parts = (found.compression.forces, found.impulses)
            pressed, after = (before + (G @ p.ravel()).reshape(-1, 3) for p in parts)
            names = tuple(dynamics.contacts.names[c] for c in island)
            yield Struck(names, before, found, pressed, after, e_N, e_T, mu)


def _blows(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, island: tuple[int, ...]
) -> Iterator[Blow]:
    members = np.array([closed.contacts.index(c) for c in island])
    rows = (3 * members[:, None] + np.arange(3)).ravel()
    pairs = [dynamics.contacts.pairs[c] for c in island]
    found = sequence(
        closed.delassus[np.ix_(rows, rows)],
        approach(closed)[members],
        [pair.restitution for pair in pairs],
        [pair.tangential_restitution for pair in pairs],
        lambda slips: ~closed.follows[members] * dynamics.frictions(island, slips),
        noise=tolerances.speed,
    )
    return (blow for blow in found if isinstance(blow, Blow))
