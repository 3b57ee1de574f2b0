"""Signals as guards read them: what is zero within the tolerances is exactly zero.

Guards are written with =, > and ≥ on real numbers; on floating-point numbers each needs a margin
of its own kind: gaps in metres, speeds in metres per second, forces by the acceleration they
cause. `Reader` finds the signals that are asked for, snapped; on them the conditions of
`dyverse.generation.skeleton.conditions` hold or not, for `dyverse.generation.switching` and for
guards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State
from dyverse.generation.balance.balance import Motion
from dyverse.generation.flow import RigidFlow
from dyverse.generation.node.forces import contact_forces, found_accelerations
from dyverse.generation.node.striking import SLOW
from dyverse.generation.skeleton.conditions import PULLING, RESTING, SLIPPING, TORN, Flags
from dyverse.generation.skeleton.location import Modes, Node
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed, contact_accelerations, in_frames, local_forces
from dyverse.mechanics.dynamics import JUMP, Dynamics

Signals = dict[str, float]
Columns = dict[str, Array]  # by quantity, a number for each of some contacts

OVERLAP = 10  # tolerances of a gap: by how much bodies that touch may overlap
ASIDE = 1e-6  # rad: how far the direction in which slip begins may be off
NEARLY = 1e-6  # share of a speed that forces decide, within which it is reached
UNSEEN = 0.02  # share of the rest height below which a hop is lost in rounding


class Reader:
    """The signals at one state, each found when someone asks for it."""

    def __init__(self, dynamics: Dynamics, tolerances: Tolerances, state: State) -> None:
        self.dynamics, self.tolerances, self.state = dynamics, tolerances, state
        place = state.location
        self.closed = place.contacts if isinstance(place, Modes | Node) else ()
        modes = [mode for _, mode in place.closed] if isinstance(place, Modes) else []
        self.modes = np.array(modes, dtype=str)
        self._index = [dynamics.contacts.index[name] for name in self.closed]
        self.smooth = np.array([dynamics.is_frictionless(c) for c in self._index], dtype=bool)

    @cached_property
    def near(self) -> NDArray[np.intp]:
        """The open contacts that touch, but for those that part with some speed."""
        gap, speed = self._approach
        touch = (gap <= self.tolerances.gap) & (speed < SLOW)
        touch[self._index] = False
        return np.flatnonzero(touch)

    @cached_property
    def gone(self) -> Flags:
        """Which of the closed contacts have been switched off, or shaken by an automaton."""
        off = self.dynamics.contacts.off[self._index]
        return off | self._shaken if self._index and self.dynamics.steered.any() else off

    @property
    def _shaken(self) -> Flags:
        """Those of a body that automata move, where its velocity has jumped."""
        speed = self.dynamics.close(tuple(self._index), self.state.values).speed
        slips = (self.modes == "stick") & (np.hypot(speed[:, 1], speed[:, 2]) > JUMP)
        ends = self.dynamics.contacts.ends[self._index]
        jumped = ends[slips | (np.abs(speed[:, 0]) > JUMP)]
        return np.asarray(np.isin(ends, jumped[self.dynamics.steered[jumped]]).any(axis=1))

    @property
    def deepest(self) -> tuple[str, float] | None:
        """An open contact that has been switched on in the middle of its bodies, and how deep."""
        contacts = self.dynamics.contacts
        gap = np.where(self.dynamics.switched, self._approach[0], np.inf)
        gap[self._index] = np.inf
        worst = int(gap.argmin()) if gap.size else 0
        if not gap.size or gap[worst] >= -OVERLAP * self.tolerances.gap:
            return None
        return contacts.names[worst], float(-gap[worst])

    @property
    def hits(self) -> bool:
        """Whether some of these approach with some speed."""
        return bool((self._approach[1][self.near] < -self.tolerances.speed).any())

    @cached_property
    def open_signals(self) -> Columns:
        """Of the contacts that are `near`: gap, normal speed and acceleration.

        One that parts so slowly, and is driven back so hard, that event location could not see the
        hop, has no speed. One that a node has parted must be driven together: next to nothing is
        not enough to close it again.
        """
        speed = self._approach[1][self.near]
        still = _snapped(speed, self.tolerances.speed)
        if (still < 0).all():
            none = np.zeros(len(self.near))
            return {"gap": none, "normal_speed": still, "normal_acceleration": none}
        drive, least = self._accelerations, self.tolerances.acceleration / 4
        hops = (drive < 0) & (speed**2 <= -2 * drive * self.tolerances.rest * UNSEEN)
        names = self.dynamics.contacts.names
        parted = np.array([names[contact] in self.state.held for contact in self.near.tolist()])
        pressed = np.where(parted & (np.abs(drive) < least), least, _snapped(drive, least))
        return {
            "gap": np.zeros(len(self.near)),
            "normal_speed": np.where(hops, np.minimum(still, 0.0), still),
            "normal_acceleration": np.where(hops, drive, pressed),
        }

    @cached_property
    def force_signals(self) -> Columns:
        """Of the closed contacts: forces, and the slip speed; slip that begins has to begin first.

        Which of several contacts pull is decided by complementarity, not by the signs of (15)
        alone: one pulls if with the right forces at the others it has none and accelerates apart.
        """
        motion, limit = self.motion, self.motion.limit
        margin = self.tolerances.acceleration / 2 * motion.softness
        normal, reserve = np.moveaxis(_snapped(motion.slack, margin), 1, 0)
        rubs = np.hypot(motion.forces[:, 1], motion.forces[:, 2])
        pulled, pushed = np.minimum(normal, -margin[:, 0]), np.maximum(normal, 0.0)
        slip = motion.closed.slip_speed
        doubt = self.tolerances.acceleration
        begun = slip >= self._flow.begun(motion, doubt) * (1 - NEARLY)
        still = self.tolerances.standstill + self._flow.ended(motion, doubt)
        moves = np.where(self.modes == "trans", begun, slip > still)
        return {
            "normal_force": np.where(self._pulls, pulled, pushed),
            "friction_force": np.where(np.isinf(reserve), rubs, limit - reserve),
            "friction_limit": limit,
            "slip_speed": np.where(moves, slip, 0.0),
        }

    @property
    def gives_way(self) -> bool:
        """Whether some contact cannot stick any more, or has stopped slipping."""
        torn = TORN.on(self.force_signals) & (self.modes == "stick")
        stopped = RESTING.on(self.force_signals) & (self.modes == "slip") & ~self.smooth
        return bool((torn | stopped).any())

    @property
    def slips(self) -> bool:
        """Whether what has begun to slip counts as slipping.

        That is where one of them slips, where another contact changes first, or where what drives
        the bodies has changed so that friction would push one back. Where slip hardly begins its
        direction is known to some digits only, and so is what friction does.
        """
        begins = self.modes == "trans"
        begun = SLIPPING.on(self.force_signals) & begins
        onward = _onward(self.motion, self._flow.ahead)
        rubs = self.motion.limit * np.diag(self.motion.closed.delassus)[1::3]
        pushed = onward < -self.tolerances.acceleration - ASIDE * rubs
        back = begins & (self.motion.limit > 0) & pushed
        return bool(begun.any() or back.any()) or self.gives_way

    @cached_property
    def is_off_balance(self) -> bool:
        """Whether forces would have to pull, and yet no contact opens: others must be found."""
        least = self.tolerances.acceleration / 2 * self.motion.softness[:, 0]
        return bool((self.motion.slack[:, 0] < -least).any() and not self._pulls.any())

    @cached_property
    def node_signals(self) -> Columns:
        """Of the contacts of a node, behind it: how fast they part and slip, and begin to."""
        closed = self.dynamics.close(tuple(self._index), self.state.values)
        found = {
            "normal_speed": _snapped(closed.speed[:, 0], self.tolerances.speed),
            "slip_speed": _snapped(closed.slip_speed, self.tolerances.standstill),
        }
        assert isinstance(self.state.location, Node)
        if self.state.location.kind == "contact":
            apart, away, begins = found_accelerations(
                self.dynamics, self.tolerances, closed, self.state
            )
            found["slip_speed"] = np.where(begins, 0.0, found["slip_speed"])
            found["normal_acceleration"] = _snapped(apart, self.tolerances.acceleration / 4)
            found["slip_acceleration"] = _snapped(away, self.tolerances.acceleration / 2)
        return found

    @cached_property
    def motion(self) -> Motion:
        """Forces and accelerations in the location of the state."""
        return self._flow.motion(self.state.time, self.state.values)

    @cached_property
    def _flow(self) -> RigidFlow:
        return RigidFlow(self.dynamics, self.state, self.tolerances)

    @cached_property
    def _approach(self) -> tuple[Array, Array]:
        return self.dynamics.contacts.approach(self.state.values)

    @cached_property
    def _accelerations(self) -> Array:
        """How fast contacts that are `near` accelerate apart."""
        rate = self._flow.rate(self.state.time, self.state.values)
        closed = self.dynamics.close(tuple(self.near.tolist()), self.state.values)
        return contact_accelerations(closed, rate[self.dynamics.layout.v])[:, 0]

    @cached_property
    def _pulls(self) -> Flags:
        parted = self._parted
        if parted.any():
            return parted
        motion, least = self.motion, self.tolerances.acceleration / 2 * self.motion.softness[:, 0]
        if not (motion.slack[:, 0] < -least).any():
            return np.zeros_like(parted)
        forces = self._forces(motion.closed)
        apart = self._apart(motion.closed, forces)
        return np.asarray((apart > self.tolerances.acceleration / 4) & (forces[:, 0] <= least))

    @property
    def _parted(self) -> Flags:
        """Contacts that the contact node has just found to part, if its forces are those of now.

        With much friction (15) may have a solution that keeps a contact closed although the node,
        which knows the laws, has found one that opens it; the node decides.
        """
        closed = self.motion.closed
        forces = local_forces(closed, self.state.held, self.dynamics.contacts.names)
        apart = self._apart(closed, forces)
        parts = (forces[:, 0] == 0) & (apart > self.tolerances.acceleration / 4)
        current = bool((np.abs(apart[~parts]) <= self.tolerances.acceleration).all())
        return parts if current and self.state.held else np.zeros_like(parts)

    def _forces(self, closed: Closed) -> Array:
        time, values, held = self.state.time, self.state.values, self.state.held
        return contact_forces(self.dynamics, self.tolerances, closed, time, values, held).forces

    def _apart(self, closed: Closed, forces: Array) -> Array:
        free = self.dynamics.free_acceleration(self.state.time, self.state.values)
        return self.dynamics.accelerations(closed, forces, free)[:, 0]


def read(
    dynamics: Dynamics, tolerances: Tolerances, state: State, observed: Mapping[str, float]
) -> Signals:
    """``observed`` signals at ``state``, snapped.

    While a contact pulls, what touches is not yet pressed: that is read once the pull is over.
    """
    reader, names = Reader(dynamics, tolerances, state), dynamics.contacts.names
    found = dict(observed)
    for quantity, limit in _limits(tolerances).items():
        for name in (signal_name(quantity, contact) for contact in names):
            found[name] = 0.0 if abs(found[name]) <= limit else found[name]
    near = [names[contact] for contact in reader.near.tolist()]
    if isinstance(state.location, Node):
        return found | (_named(reader.closed, reader.node_signals) if _is_exit(state) else {})
    found |= _named(near, reader.open_signals)
    if not reader.closed:
        return found
    signals = reader.force_signals
    if PULLING.on(signals).any():
        pressed = np.maximum(reader.open_signals["normal_acceleration"], tolerances.acceleration)
        found |= _named(near, {"normal_acceleration": pressed})
    if reader.slips:
        begun = np.maximum(signals["slip_speed"], tolerances.slip)
        signals = signals | {
            "slip_speed": np.where(reader.modes == "trans", begun, signals["slip_speed"])
        }
    return found | _named(reader.closed, signals)


def _limits(tolerances: Tolerances) -> dict[str, float]:
    """What counts as zero."""
    return {
        "gap": tolerances.gap,
        "normal_speed": tolerances.speed,
        "normal_acceleration": tolerances.acceleration / 4,
        "slip_speed": tolerances.standstill,
        "slip_acceleration": tolerances.acceleration / 2,
    }


def _is_exit(state: State) -> bool:
    return isinstance(state.location, Node) and state.location.place == "ex"


def _named(contacts: Sequence[str], columns: Columns) -> Signals:
    return {
        signal_name(quantity, contact): number
        for quantity, column in columns.items()
        for contact, number in zip(contacts, column.tolist(), strict=True)
    }


def _snapped(column: Array, limit: Array | float) -> Array:
    return np.where(np.abs(column) <= limit, 0.0, column)


def _onward(motion: Motion, ahead: Array) -> Array:
    """How fast each contact accelerates to where it is heading, which only friction can tell."""
    closed = motion.closed
    second = (closed.W.T @ motion.acceleration + closed.bias).reshape(-1, 3)
    return np.asarray(np.sum(in_frames(closed, ahead) * second, axis=1))
