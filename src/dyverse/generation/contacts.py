"""The contacts of a scene and their kinematics: of a few contacts in full, of all just the gaps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.scene import Ball, ContactPair, PlacedBody, Scene, Wall
from dyverse.contact.pair.kinematics import BODY
from dyverse.contact.pair.sphere_half_space import sphere_half_space
from dyverse.contact.pair.sphere_sphere import sphere_sphere
from dyverse.expr.buffered import Buffered
from dyverse.generation.layout import DOF, Layout

KINDS: dict[tuple[type, type], Any] = {(Ball, Ball): sphere_sphere, (Ball, Wall): sphere_half_space}


@dataclass(frozen=True, slots=True, eq=False)
class Kinematics:
    """Some contacts at one state, stacked: see `dyverse.contact.pair.kinematics.kinematics`."""

    gap: Array  # (n,)
    speed: Array  # γ: normal, tangent 1, tangent 2, (n, 3)
    bias: Array  # γ̇ = J q̈ + bias, (n, 3)
    jacobian: Array  # (n, 3, 12)
    frame: Array  # (n, 3, 3), columns normal, tangent 1, tangent 2


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Contacts of one kind, evaluated together: their place in a result, and the function."""

    places: NDArray[np.intp]
    contacts: NDArray[np.intp]
    call: Buffered


class Contacts:
    """All contacts of a scene. Of two bodies that touch, the sphere comes first."""

    def __init__(self, scene: Scene, layout: Layout) -> None:
        index = {body.name: i for i, body in enumerate(scene.bodies)}
        self.pairs: tuple[ContactPair, ...] = scene.contacts
        self.names = tuple(pair.name for pair in scene.contacts)
        self.index = {name: j for j, name in enumerate(self.names)}
        ends = [_ordered(scene.bodies, index[p.a], index[p.b]) for p in scene.contacts]
        self.ends: NDArray[np.intp] = np.array(ends, dtype=np.intp).reshape(-1, 2)
        shapes = [_shape(body) for body in scene.bodies]
        self._shapes = [np.concatenate([shapes[a], shapes[b]]) for a, b in self.ends]
        self._kinds = [_kind(scene.bodies[a], scene.bodies[b]) for a, b in self.ends]
        self._moving = np.array(layout.moving, dtype=np.intp)
        self._place = {body: row for row, body in enumerate(layout.moving)}
        self._still = np.zeros((len(scene.bodies), BODY))
        self._still[:, :3] = [body.position for body in scene.bodies]
        self._groups = lru_cache(maxsize=256)(self._grouped)
        self._survey = self._grouped(tuple(range(len(self))), only_gaps=True)

    def __len__(self) -> int:
        return len(self.names)

    def _grouped(self, contacts: tuple[int, ...], only_gaps: bool = False) -> list[Group]:
        """The given contacts by kind, each kind as one mapped function with its shapes."""
        groups = []
        for kind in dict.fromkeys(self._kinds[c] for c in contacts):
            places = [k for k, c in enumerate(contacts) if self._kinds[c] is kind]
            members = [contacts[k] for k in places]
            function = _gaps(kind()) if only_gaps else kind()
            call = Buffered(function.map(len(members)))
            call.arguments[1][:] = np.concatenate([self._shapes[c] for c in members])
            groups.append(Group(np.array(places), np.array(members), call))
        return groups

    def bodies(self, values: Array) -> Array:
        """Position, velocity and spin of every body, fixed ones too: (bodies, 9)."""
        half = len(values) // 2
        table = self._still.copy()
        table[self._moving, :3] = values[:half].reshape(-1, DOF)[:, :3]
        table[self._moving, 3:] = values[half:].reshape(-1, DOF)
        return table

    def gaps(self, bodies: Array) -> tuple[Array, Array, Array]:
        """Gap, normal speed and normal bias of all contacts."""
        gap, speed, bias = np.empty((3, len(self)))
        for group in self._survey:
            results = group.call(bodies[self.ends[group.contacts]].ravel())
            gap[group.places], speed[group.places], bias[group.places] = results
        return gap, speed, bias

    def kinematics(self, bodies: Array, contacts: tuple[int, ...]) -> Kinematics:
        """Everything about the given contacts."""
        shapes = ((), (3,), (3,), (3, 12), (3, 3))
        stacked = [np.empty((len(contacts), *shape)) for shape in shapes]
        for group in self._groups(contacts):
            results = group.call(bodies[self.ends[group.contacts]].ravel())
            for whole, part, shape in zip(stacked, results, shapes, strict=True):
                whole[group.places] = part.reshape(-1, *shape)
        gap, speed, bias, jacobian, frame = stacked
        return Kinematics(gap, speed, bias, jacobian, frame.transpose(0, 2, 1))

    def directions(self, contacts: tuple[int, ...], jacobian: Array, size: int) -> Array:
        """W = (… w_N w_T1 w_T2 …): generalised directions of the given contacts, (size, 3n)."""
        W = np.zeros((size, 3 * len(contacts)))
        for k, contact in enumerate(contacts):
            for side in (0, 1):
                place = self._place.get(int(self.ends[contact, side]))
                if place is not None:
                    block = jacobian[k, :, DOF * side : DOF * (side + 1)]
                    W[DOF * place : DOF * (place + 1), 3 * k : 3 * k + 3] = block.T
        return W

    def islands(self, contacts: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The given contacts in groups that share no moving body: each can be solved alone."""
        groups: list[tuple[set[int], list[int]]] = []
        for contact in contacts:
            bodies = {int(b) for b in self.ends[contact] if int(b) in self._place}
            members = [contact]
            apart = []
            for group in groups:
                if group[0] & bodies:
                    bodies |= group[0]
                    members = group[1] + members
                else:
                    apart.append(group)
            groups = [*apart, (bodies, members)]
        return [tuple(sorted(members)) for _, members in groups]


def _ordered(bodies: tuple[PlacedBody, ...], a: int, b: int) -> tuple[int, int]:
    return (b, a) if isinstance(bodies[a].shape, Wall) else (a, b)


def _kind(a: PlacedBody, b: PlacedBody) -> Any:
    return KINDS[type(a.shape), type(b.shape)]


def _shape(body: PlacedBody) -> Array:
    match body.shape:
        case Ball(radius=radius):
            return np.array([radius])
        case Wall(normal=normal):
            return np.array(normal)


def _gaps(function: Any) -> Any:
    """The cheap part of a pair's kinematics, for looking at all contacts at once."""
    bodies, shapes = (ca.SX.sym(name, function.nnz_in(i)) for i, name in enumerate("bs"))
    gap, speed, bias, _, _ = function(bodies, shapes)
    return ca.Function(function.name() + "_gap", [bodies, shapes], [gap, speed[0], bias[0]])
