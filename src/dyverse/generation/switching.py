"""Which edges are enabled at a state, found from the signals without listing the others.

The guards are formulas in `dyverse.generation.guards`; here they are answered directly. Out of all
edges of a location at most one can be taken by a rigid body at a time: an impact comes before a
release, a release before a contact that closes softly (forces that pull could have driven it), and
that before a change of friction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State
from dyverse.generation.balance import Motion
from dyverse.generation.flow import RigidFlow
from dyverse.generation.location import FREE_FLIGHT, Mode, Modes, Node, RigidLocation
from dyverse.generation.tolerances import Tolerances
from dyverse.generation.visiting import SLOW, contact_forces, found_accelerations
from dyverse.mechanics.dynamics import Dynamics, in_frames, local_forces

UNSEEN = 0.02  # share of the rest height below which a hop is lost in rounding


def next_location(dynamics: Dynamics, tolerances: Tolerances, state: State) -> RigidLocation | None:
    """Where the run jumps from ``state``, or nothing if time goes on."""
    match state.location:
        case Modes() as location:
            return (
                _impact(dynamics, tolerances, state, location, softly=False)
                or _release(dynamics, tolerances, state, location)
                or _impact(dynamics, tolerances, state, location, softly=True)
                or _friction(dynamics, tolerances, state, location)
            )
        case Node(kind="impact", place="ex") as node:
            return _after_impact(dynamics, tolerances, state, node)
        case Node(kind="contact", place="ex") as node:
            return _after_contact(dynamics, tolerances, state, node)
        case _:
            return None


def _impact(
    dynamics: Dynamics, tolerances: Tolerances, state: State, location: Modes, *, softly: bool
) -> RigidLocation | None:
    """G(s_k,i, 𝓘_j,en): contacts that touch and close, with all that touch and do not open.

    Only ``softly`` those count that are pressed together without speed.
    """
    contacts = dynamics.contacts
    gap, speed = contacts.approach(state.values)
    gap[[contacts.index[name] for name in location.contacts]] = np.inf
    touching = np.flatnonzero((gap <= tolerances.gap) & (speed < SLOW))
    if not len(touching):
        return None
    closing = speed[touching] < -tolerances.speed
    resting = speed[touching] <= tolerances.speed
    if not closing.any() and not softly:
        return None
    if not closing.all():
        pressed = _pressed(dynamics, tolerances, state, tuple(touching.tolist()), speed[touching])
        closing |= pressed
        resting |= pressed
    if not closing.any():
        return None
    hit = {contacts.names[j] for j in touching[resting]}.union(location.contacts)
    return Node("impact", tuple(name for name in contacts.names if name in hit), "en")


def _pressed(
    dynamics: Dynamics,
    tolerances: Tolerances,
    state: State,
    touching: tuple[int, ...],
    speed: Array,
) -> NDArray[np.bool_]:
    """Which of the touching contacts close softly: they are not driven apart.

    That is, they do not part and do not accelerate apart; or they part so slowly, and are driven
    back so hard, that event location could not see the hop. Those that a node has parted must be
    driven together: next to nothing is not enough to close them again.
    """
    names = dynamics.contacts.names
    least = [1 if names[contact] in state.held else -1 for contact in touching]
    rate = RigidFlow(dynamics, state, tolerances).rate(state.time, state.values)
    closed = dynamics.close(touching, state.values)
    drive = -(closed.W.T @ rate[dynamics.layout.v] + closed.bias)[0::3]
    still = (speed <= tolerances.speed) & (drive >= tolerances.acceleration / 4 * np.array(least))
    return still | ((drive > 0) & (speed**2 <= 2 * drive * tolerances.rest * UNSEEN))


def _release(
    dynamics: Dynamics, tolerances: Tolerances, state: State, location: Modes
) -> RigidLocation | None:
    """G(s_k,i, 𝓒_j,en) and G(s_k,i, S0): contacts whose normal force is negative open.

    Which of several open at once is decided by complementarity, not by the signs of (15) alone:
    a contact opens if with the right forces at the others it has none and accelerates apart.
    """
    if not location.closed:
        return None
    motion = RigidFlow(dynamics, state, tolerances).motion(state.time, state.values)
    parted = _parted(dynamics, tolerances, motion, state)
    if parted.any():
        return _without(location, parted)
    least = -tolerances.acceleration / 2 * motion.softness[:, 0]
    if not (motion.slack[:, 0] < least).any():
        return None
    found = contact_forces(
        dynamics, tolerances, motion.closed, state.time, state.values, state.held
    )
    free = dynamics.free_acceleration(state.time, state.values)
    apart = dynamics.accelerations(motion.closed, found.forces, free)[:, 0]
    opens = (apart > tolerances.acceleration / 4) & (found.forces[:, 0] <= -least)
    if location.having("trans") and not opens.any():  # new forces, but no edge to their node yet
        return _slipping(location)
    return _without(location, opens)


def _parted(
    dynamics: Dynamics, tolerances: Tolerances, motion: Motion, state: State
) -> NDArray[np.bool_]:
    """Contacts that the contact node has just found to part, if its forces are those of now.

    With much friction (15) may have a solution that keeps a contact closed although the node,
    which knows the laws, has found one that opens it; the node decides.
    """
    free = dynamics.free_acceleration(state.time, state.values)
    forces = local_forces(motion.closed, state.held, dynamics.contacts.names)
    apart = dynamics.accelerations(motion.closed, forces, free)[:, 0]
    parts = (forces[:, 0] == 0) & (apart > tolerances.acceleration / 4)
    current = bool((np.abs(apart[~parts]) <= tolerances.acceleration).all())
    return parts if current and state.held else np.zeros_like(parts)


def _without(location: Modes, opens: NDArray[np.bool_]) -> RigidLocation:
    stay = tuple(name for (name, _), o in zip(location.closed, opens, strict=True) if not o)
    return Node("contact", stay, "en") if stay else FREE_FLIGHT


def _friction(
    dynamics: Dynamics, tolerances: Tolerances, state: State, location: Modes
) -> RigidLocation | None:
    """G(s_k,i, 𝓒_k,en) and G(s_k,i, s_k,j): stick, slip and the mode between change.

    A word with a transitional contact has no edge to the contact node: when another contact
    changes first, or what drives the bodies has changed so that friction would push one back, what
    has begun to slip counts as slipping, and the node is next.
    """
    if not location.closed:
        return None
    flow = RigidFlow(dynamics, state, tolerances)
    motion = flow.motion(state.time, state.values)
    gives_way = _gives_way(dynamics, tolerances, motion, location)
    if not location.having("trans"):
        return Node("contact", location.contacts, "en") if gives_way else None
    begins = np.array([mode == "trans" for _, mode in location.closed])
    slips = motion.closed.slip_speed[begins].max() >= tolerances.slip * (1 - 1e-9)
    back = begins & (motion.limit > 0) & (_onward(motion, flow.ahead) < -tolerances.acceleration)
    return _slipping(location) if gives_way or slips or back.any() else None


def _onward(motion: Motion, ahead: Array) -> Array:
    """How fast each contact accelerates to where it is heading, which only friction can tell."""
    closed = motion.closed
    second = (closed.W.T @ motion.acceleration + closed.bias).reshape(-1, 3)
    return np.asarray(np.sum(in_frames(closed, ahead) * second, axis=1))


def _gives_way(dynamics: Dynamics, tolerances: Tolerances, motion: Motion, location: Modes) -> bool:
    """Whether some contact cannot stick any more, or has stopped slipping."""
    closed = motion.closed
    most = tolerances.acceleration / 2 * motion.softness[:, 1]
    rubs = np.array([not dynamics.is_frictionless(contact) for contact in closed.contacts])
    modes = np.array([mode for _, mode in location.closed])
    torn = (modes == "stick") & (motion.slack[:, 1] < -most)
    stopped = (modes == "slip") & rubs & (closed.slip_speed <= tolerances.standstill)
    return bool((torn | stopped).any())


def _after_impact(
    dynamics: Dynamics, tolerances: Tolerances, state: State, node: Node
) -> RigidLocation:
    """G(𝓘_k,ex, 𝓒_j,en) and G(𝓘_k,ex, S0): contacts with ġ_N = 0 stay, the others open."""
    index = dynamics.contacts.index
    closed = dynamics.close(tuple(index[name] for name in node.contacts), state.values)
    stay = tuple(
        name
        for name, speed in zip(node.contacts, closed.speed[:, 0], strict=True)
        if speed <= tolerances.speed
    )
    return Node("contact", stay, "en") if stay else FREE_FLIGHT


def _after_contact(
    dynamics: Dynamics, tolerances: Tolerances, state: State, node: Node
) -> RigidLocation:
    """G(𝓒_k,ex, s_k,i): the word that slip velocities and accelerations spell.

    A contact without friction has nothing to stick with and counts as slipping.
    """
    contacts = tuple(dynamics.contacts.index[name] for name in node.contacts)
    closed = dynamics.close(contacts, state.values)
    _, slips_away = found_accelerations(dynamics, tolerances, closed, state)
    words: list[tuple[str, Mode]] = []
    for name, contact, speed, away in zip(
        node.contacts, contacts, closed.slip_speed, slips_away, strict=True
    ):
        slips = speed > tolerances.standstill or dynamics.is_frictionless(contact)
        begins = away > tolerances.acceleration / 2
        words.append((name, "slip" if slips else "trans" if begins else "stick"))
    return Modes(tuple(words))


def _slipping(location: Modes) -> Modes:
    return Modes(
        tuple((name, "slip" if mode == "trans" else mode) for name, mode in location.closed)
    )
