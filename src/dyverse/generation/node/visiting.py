"""Passing through a node of contacts on numbers: forces, and what they halt or jam.

The node's places, guards and resets are in `dyverse.generation.skeleton.places`; walking through
them one by one gives the same forces, and a test says so. Here the sweeps run on arrays, contacts
that share no body are solved apart, and the fallback of `dyverse.contact.law.solve` may step in.
"""

from __future__ import annotations

from dataclasses import replace

from dyverse.automaton.interface import State, Visit
from dyverse.generation.node.forces import contact_forces
from dyverse.generation.node.found import names_of, node_of, visited
from dyverse.generation.node.heaps import lost_in_heaps, through_jams
from dyverse.generation.node.painleve import JAMMED, jammed, jamming
from dyverse.generation.node.standstill import at_standstill, halted, halting
from dyverse.generation.skeleton.location import Node
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import NO_FORCE, world_forces
from dyverse.mechanics.dynamics import Dynamics


def visit_contact(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Visit:
    """Forces at all contacts of the node at once; they are held for the location that follows.

    Contacts that the forces before have parted are held too, without force, until the next impact.
    """
    node = node_of(state)
    contacts = tuple(dynamics.contacts.index[name] for name in node.contacts)
    values = at_standstill(dynamics, tolerances, contacts, state.values)
    closed = dynamics.close(contacts, values)
    found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
    jams = jamming(dynamics, tolerances, closed, found)
    if jams.any():
        before, values = state.values, jammed(dynamics, closed, jams, values)
        closed = dynamics.close(contacts, values)
        found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
        if found.failure is None:
            found = replace(found, method="shock", remarks=(JAMMED,))
        else:
            values = before
    halts = halting(dynamics, tolerances, closed, state.time, values, found)
    if halts.any():
        values = halted(dynamics, tolerances, closed, halts, values)
        closed = dynamics.close(contacts, values)
        found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
    names = dynamics.contacts.names
    struck = {names[c] for c, one in zip(contacts, jams, strict=True) if one}
    if lost_in_heaps(dynamics, closed, found).any():
        heap = through_jams(dynamics, tolerances, closed, values, found, state)
        closed, values, found, struck = heap
    held = world_forces(closed, found.forces, names)
    parted = {name: NO_FORCE for name in state.held if name not in held}
    left = names_of(dynamics, closed)
    after = State(state.time, Node("contact", left, "ex"), values, parted | held)
    visit = visited(dynamics, state, after, closed, found)
    shocked = found.method == "shock"
    return replace(visit, rested=tuple(n for n in left if n in struck)) if shocked else visit
