"""Closed contacts as they are drawn: where they touch, the normal, the force, and the friction.

The arm to a contact point is read off the Jacobian, whose turning part is -(arm × d) for the
normal and both tangents d: so it holds for every pair of shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dyverse.animation.parts import Parts
from dyverse.automaton.interface import Array, State
from dyverse.bodies.world import ORIENTED
from dyverse.expr.rotation import matrix
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.skeleton.location import Modes


@dataclass(frozen=True, slots=True, eq=False)
class Touching:
    """One closed contact."""

    contact: str
    at: Array  # m
    normal: Array  # from the first body to the second
    force: Array  # on the first body, N
    mode: str
    friction: float  # the coefficient


def touching(parts: Parts, state: State) -> Iterator[Touching]:
    """The contacts that are closed at ``state``."""
    rigid, bodies = parts.rigid, parts.bodies(state)
    if rigid is None or bodies is None or not isinstance(bodies.location, Modes):
        return
    closed, contacts = bodies.location.closed, rigid.dynamics.contacts
    if not closed:
        return
    numbers = tuple(contacts.index[name] for name, _ in closed)
    motion = rigid.plain_flow(bodies).motion(bodies.time, bodies.values)
    places = contacts.bodies(bodies.values)
    rows = contacts.kinematics(places, numbers)
    first = contacts.ends[list(numbers), 0].tolist()
    arms = _arms(_in_world(rigid, first, rows.jacobian[..., 3:6], places), rows.frame)
    pushes = np.einsum("nij,nj->ni", rows.frame, motion.forces)
    friction = rigid.dynamics.frictions(numbers, motion.closed.slip_speed)
    drawn = np.flatnonzero(~contacts.follows[list(numbers)]).tolist()  # moments are not drawn
    for k, (name, mode) in ((k, closed[k]) for k in drawn):
        at = places[first[k], :3] + arms[k]
        normal = rows.frame[k, :, 0]
        yield Touching(name, at, normal, -pushes[k], mode, float(friction[k]))


def _in_world(rigid: RigidBodyAutomaton, first: list[int], turning: Array, places: Array) -> Array:
    """The same in axes of the world: bodies with an orientation have it in their own."""
    found = turning.copy()
    for k, body in enumerate(first):
        if rigid.scene.bodies[body].motion == ORIENTED and not rigid.scene.bodies[body].fixed:
            own = matrix(tuple(places[body, -4:].tolist()))
            found[k] = turning[k] @ np.array(own).T
    return found


def _arms(turning: Array, frames: Array) -> Array:
    """The arms of the first bodies from the rows -(arm × d), d = n, t₁, t₂."""
    n, first, second = np.moveaxis(frames, 2, 0)
    across, along = -turning[:, 0], -turning[:, 1]  # arm × n, arm × t₁
    parts = (_dot(along, second), -_dot(across, second), _dot(across, first))
    return np.asarray(
        sum(part[:, None] * axis for part, axis in zip(parts, (n, first, second), strict=True))
    )


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("ni,ni->n", a, b))
