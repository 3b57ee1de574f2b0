"""The contacts of a scene and their kinematics: of a few contacts in full, of all just the gaps.

Contacts of one kind are evaluated in one call, also at several states at once: arrays may have a
leading axis for the states, and whatever is per contact then is per state and contact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.pairs import ends, leaders
from dyverse.bodies.placed import ContactPair, Scene
from dyverse.bodies.world import ORIENTED
from dyverse.contact.pair.kinematics import BODY, TURNED_BODY, Pair
from dyverse.expr.buffered import Buffered
from dyverse.expr.rotation import matrix
from dyverse.mechanics.layout import DOF, Layout
from dyverse.mechanics.turning import entries

Shapes = tuple[tuple[int, ...], ...]
AXES = np.arange(3)
FAR_OFF = 1e6  # m: how far bodies are that cannot touch at present
PILE = 4  # bodies that move, from which on an island is a pile,
HEAP = 6  # and from which on a heap


@dataclass(frozen=True, slots=True, eq=False)
class Kinematics:
    """Some contacts at one state, stacked: see `dyverse.contact.pair.kinematics.Pair.rows`."""

    gap: Array  # (…, n)
    speed: Array  # γ: normal, tangent 1, tangent 2, (…, n, 3)
    bias: Array  # γ̇ = J q̈ + bias, (…, n, 3)
    jacobian: Array  # (…, n, 3, 12), for speeds as in the state
    frame: Array  # (…, n, 3, 3), columns normal, tangent 1, tangent 2


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Contacts of one kind, evaluated together: their place in a result, bodies and shapes."""

    kind: Pair
    places: NDArray[np.intp]
    ends: NDArray[np.intp]
    shapes: Array


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """Where the entries of some contacts' Jacobians go in W, both counted along flat arrays."""

    entries: NDArray[np.intp]
    places: NDArray[np.intp]


class Contacts:
    """All contacts of a scene. Of two bodies that touch, the first of their pair comes first."""

    def __init__(self, scene: Scene, layout: Layout) -> None:
        self.pairs: Sequence[ContactPair] = scene.contacts
        self.names = tuple(pair.name for pair in scene.contacts)
        self.index = {name: j for j, name in enumerate(self.names)}
        self.ends: NDArray[np.intp] = ends(scene.contacts).astype(np.intp)
        sorts, own = scene.contacts.sorts, scene.contacts.sort.tolist()
        self._shapes = [sorts[one].met.numbers for one in own]
        self._kinds = [sorts[one].met.pair for one in own]
        self.leader = leaders(scene.contacts)  # whose normal force each has
        resists = [sorts[one].met.pair.resistance for one in own]
        self.follows = np.array([kind is not None for kind in resists], dtype=bool)
        self.single = np.array([sorts[one].met.pair.is_single for one in own], dtype=bool)
        self._layout, self._moving = layout, np.array(layout.moving, dtype=np.intp)
        self._place = {body: row for row, body in enumerate(layout.moving)}
        self._pushed = _joined_groups(
            scene, [i for i in layout.moving if not scene.bodies[i].driven]
        )
        self._rows = np.full(len(scene.bodies), -1)  # the same as an array, -1 for fixed bodies
        self._rows[self._moving] = np.arange(len(self._moving))
        self._still = _still(scene)
        self._positions = np.array([q.start for q in layout.q_of], dtype=np.intp)[:, None] + AXES
        self._from, self._to = self._copied()
        self._groups = lru_cache(maxsize=256)(self._grouped)
        self._scatters = lru_cache(maxsize=256)(self._scattered)
        self._calls = lru_cache(maxsize=256)(_mapped)
        self._forms = lru_cache(maxsize=16)(_repeated)
        self.places = lru_cache(maxsize=256)(self._places)
        self.leading = lru_cache(maxsize=256)(self._leading)
        self.company = lru_cache(maxsize=256)(self._company)
        self.all = tuple(range(len(self)))
        self.off: NDArray[np.bool_] = np.zeros(len(self), dtype=bool)  # those that are not there
        self._some_off = False

    def __len__(self) -> int:
        return len(self.names)

    def switch(self, off: NDArray[np.bool_]) -> None:
        """From now on, these contacts are not there."""
        self.off, self._some_off = off, bool(off.any())

    def _copied(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Where places and speeds of moving bodies are among values, and in a table of bodies."""
        speeds = np.arange(self._layout.v.start, self._layout.v.stop).reshape(-1, DOF)
        own = np.concatenate([self._positions, speeds], axis=1)
        return own.ravel(), (self._still.shape[1] * self._moving[:, None] + np.arange(BODY)).ravel()

    def _grouped(self, contacts: tuple[int, ...]) -> list[Group]:
        """The given contacts by kind."""
        groups = []
        for kind in dict.fromkeys(self._kinds[c] for c in contacts):
            places = [k for k, c in enumerate(contacts) if self._kinds[c] is kind]
            members = [contacts[k] for k in places]
            shapes = np.array([self._shapes[c] for c in members]).ravel()
            groups.append(Group(kind, np.array(places), self.ends[members], shapes))
        return groups

    def _evaluated(
        self, bodies: Array, contacts: tuple[int, ...], shapes: Shapes, *, only_gaps: bool
    ) -> list[Array]:
        """What the functions of the contacts' kinds give, of the given shapes per contact."""
        states = bodies if bodies.ndim == 3 else bodies[None]
        count, groups = (len(states), len(contacts)), self._groups(contacts)
        if len(groups) == 1:  # all of one kind, in their own order
            results = zip(self._called(groups[0], states, only_gaps), shapes, strict=True)
            stacked = [part.reshape(*count, *shape).copy() for part, shape in results]
        else:
            stacked = [np.empty((*count, *shape)) for shape in shapes]
            for group in groups:
                results = zip(self._called(group, states, only_gaps), shapes, strict=True)
                for whole, (part, shape) in zip(stacked, results, strict=True):
                    whole[:, group.places] = part.reshape(len(states), -1, *shape)
        return stacked if bodies.ndim == 3 else [whole[0] for whole in stacked]

    def _called(self, group: Group, states: Array, only_gaps: bool) -> list[Array]:
        """What the function of a kind gives at all its contacts and all states, until next time."""
        call = self._calls(group.kind, len(states) * len(group.ends), only_gaps)
        return call(
            states[:, group.ends, : group.kind.body].ravel(), self._forms(group, len(states))
        )

    def bodies(self, values: Array) -> Array:
        """Position, velocity and spin of every body, fixed ones too: (…, bodies, 9).

        If some body has an orientation, those of all follow: (…, bodies, 13).
        """
        table = np.empty((*values.shape[:-1], *self._still.shape))
        table[:] = self._still
        table.reshape(*values.shape[:-1], -1)[..., self._to] = values[..., self._from]
        for row in self._layout.turning:
            body, first = self._layout.moving[row], self._positions[row, 0]
            table[..., body, BODY:] = values[..., first + 3 : first + 7]
            turned = _matrices(table[..., body, BODY:])
            table[..., body, 6:BODY] = (turned @ table[..., body, 6:BODY, None])[..., 0]
        return table

    def approach(self, values: Array) -> tuple[Array, Array]:
        """g_N and ġ_N of all contacts, (…, contacts)."""
        gap, speed = self._evaluated(self.bodies(values), self.all, ((), ()), only_gaps=True)
        return (np.where(self.off, FAR_OFF, gap), speed) if self._some_off else (gap, speed)

    def kinematics(self, bodies: Array, contacts: tuple[int, ...]) -> Kinematics:
        """Everything about the given contacts."""
        shapes = ((), (3,), (3,), (3, 12), (3, 3))
        gap, speed, bias, jacobian, frame = self._evaluated(
            bodies, contacts, shapes, only_gaps=False
        )
        for row in self._layout.turning:
            body = self._layout.moving[row]
            self._turn(jacobian, contacts, body, _matrices(bodies[..., body, BODY:]))
        return Kinematics(gap, speed, bias, jacobian, frame.swapaxes(-1, -2))

    def _turn(self, jacobian: Array, contacts: tuple[int, ...], body: int, turned: Array) -> None:
        """Let the Jacobians of a body's contacts take its spin in its own axes, ω = R s."""
        for end in (0, 1):
            own = np.flatnonzero(self.ends[list(contacts), end] == body)
            spin = slice(DOF * end + 3, DOF * end + 6)
            jacobian[..., own, :, spin] = jacobian[..., own, :, spin] @ turned[..., None, :, :]

    def accelerations(
        self, rows: Kinematics, contacts: tuple[int, ...], acceleration: Array
    ) -> Array:
        """γ̇ = J q̈ + bias of the given contacts, (…, n, 3), without assembling W."""
        many = acceleration.shape[:-1]
        table = np.zeros((*many, len(self._rows), DOF))
        table[..., self._moving, :] = acceleration.reshape(*many, -1, DOF)
        both = table[..., self.ends[list(contacts)], :].reshape(*many, len(contacts), 2 * DOF)
        second = np.einsum("...nij,...nj->...ni", rows.jacobian, both) + rows.bias
        second[..., 0] = second[..., self.leading(contacts), 0]
        return np.asarray(second)

    def directions(self, contacts: tuple[int, ...], jacobian: Array) -> Array:
        """W = (… w_N w_T1 w_T2 …): generalised directions of the given contacts, (…, v, 3n)."""
        scatter, many, size = (
            self._scatters(contacts),
            jacobian.shape[:-3],
            len(self._layout.speeds),
        )
        W = np.zeros((*many, 3 * size * len(contacts)))
        W[..., scatter.places] = jacobian.reshape(*many, -1)[..., scatter.entries]
        return W.reshape(*many, size, 3 * len(contacts))

    def _scattered(self, contacts: tuple[int, ...]) -> Scatter:
        k, direction, entry = np.indices((len(contacts), 3, 2 * DOF))
        body = self._rows[self.ends[list(contacts)][k, entry // DOF]]
        place = (DOF * body + entry % DOF) * 3 * len(contacts) + 3 * k + direction
        moves = np.flatnonzero(body >= 0)
        return Scatter(moves, place.ravel()[moves])

    def islands(self, contacts: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The given contacts in groups that share no moving body, nor bodies that are joined.

        Each can be solved alone.
        """
        groups: list[tuple[set[int], list[int]]] = []
        for contact in contacts:
            ends = (int(b) for b in self.ends[contact])
            bodies = {self._pushed[b] for b in ends if b in self._pushed}
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

    def _company(self, contacts: tuple[int, ...]) -> NDArray[np.intp]:
        """How many bodies that move the islands of the given contacts have, (n,)."""
        company = np.zeros(len(contacts), dtype=np.intp)
        for members in self.places(contacts):
            ends = self.ends[[contacts[k] for k in members.tolist()]]
            company[members] = len(self._pushed.keys() & set(ends.ravel().tolist()))
        return company

    def _leading(self, contacts: tuple[int, ...]) -> NDArray[np.intp]:
        """Where the leader of each is among the given contacts; itself if it is not, (n,)."""
        place = {contact: k for k, contact in enumerate(contacts)}
        return np.array(
            [place.get(int(self.leader[c]), k) for c, k in place.items()], dtype=np.intp
        )

    def _places(self, contacts: tuple[int, ...]) -> list[NDArray[np.intp]]:
        """Where the members of each island are among the given contacts."""
        place = {contact: k for k, contact in enumerate(contacts)}
        return [np.array([place[c] for c in island]) for island in self.islands(contacts)]


def _repeated(group: Group, states: int) -> Array:
    """The shapes of a group's contacts, once for each state."""
    return group.shapes if states == 1 else np.tile(group.shapes, states)


def _joined_groups(scene: Scene, pushed: list[int]) -> dict[int, int]:
    """One of the bodies that joints hold together, by any of them."""
    index = {scene.bodies[i].name: i for i in pushed}
    group = {i: i for i in pushed}
    for joint in scene.joints:
        ends = [index[name] for name in joint.joint.bodies if name in index]
        if len(ends) == 2 and not joint.joint.is_contact:
            kept, other = (group[end] for end in ends)
            group = {body: kept if own == other else own for body, own in group.items()}
    return group


def _still(scene: Scene) -> Array:
    """Every body as if it stood still, with its orientation if that of any matters."""
    turned = any(body.motion == ORIENTED for body in scene.bodies)
    turned |= any(sort.met.pair.body == TURNED_BODY for sort in scene.contacts.sorts)
    still = np.zeros((len(scene.bodies), TURNED_BODY if turned else BODY))
    still[:, :3] = [body.position for body in scene.bodies]
    if turned:
        still[:, BODY:] = [body.orientation for body in scene.bodies]
    return still


def _matrices(turned: Array) -> Array:
    """R of quaternions, (…, 4) to (…, 3, 3)."""
    rows = matrix(entries(turned))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _mapped(kind: Pair, count: int, only_gaps: bool) -> Buffered:
    """The function of a kind for so many contacts at once."""
    return Buffered((kind.approach if only_gaps else kind.rows).map(count))
