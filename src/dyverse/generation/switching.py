"""Which edges are enabled at a state, found from the signals without listing the others.

The conditions are those of the guards, looked at on all contacts that matter at once. Out of all
edges of a location at most one can be taken by a rigid body at a time: an impact comes before a
release, a release before a contact that closes softly (forces that pull could have driven it), and
that before a change of friction.
"""

from __future__ import annotations

from dyverse.automaton.interface import State
from dyverse.automaton.network.component import Fault
from dyverse.generation.reading import Reader
from dyverse.generation.skeleton.conditions import (
    APPROACHING,
    PARTING,
    PULLING,
    SLIPPING,
    STARTING,
    TOUCHING,
    Flags,
)
from dyverse.generation.skeleton.location import FREE_FLIGHT, Mode, Modes, Node, RigidLocation
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.dynamics import Dynamics


def next_location(dynamics: Dynamics, tolerances: Tolerances, state: State) -> RigidLocation | None:
    """Where the run jumps from ``state``, or nothing if time goes on."""
    reader = Reader(dynamics, tolerances, state)
    match state.location:
        case Modes() as location:
            if dynamics.switched.any():
                _check_overlap(reader)
            return (
                (_contact_node(reader, ~reader.gone) if reader.gone.any() else None)
                or (_impact(reader) if reader.hits else None)
                or _release(reader, location)
                or _impact(reader)
                or _friction(reader, location)
            )
        case Node(kind="impact", place="ex"):
            return _contact_node(reader, ~PARTING.on(reader.node_signals))
        case Node(kind="contact", place="ex"):
            return _word(reader)
        case _:
            return None


def _check_overlap(reader: Reader) -> None:
    """A contact must not be switched on where its bodies are in each other."""
    if found := reader.deepest:
        name, depth = found
        message = f"contact {name} is switched on while its bodies overlap by {depth:.6g} m"
        raise Fault(message)


def _impact(reader: Reader) -> RigidLocation | None:
    """G(s_k,i, 𝓘_j,en): contacts that touch and close, with all that touch and do not open."""
    if not len(reader.near):
        return None
    touching = TOUCHING.on(reader.open_signals)
    if not (touching & APPROACHING.on(reader.open_signals)).any():
        return None
    names = reader.dynamics.contacts.names
    hit = {names[contact] for contact in reader.near[touching]}.union(reader.closed)
    return Node("impact", tuple(name for name in names if name in hit), "en")


def _release(reader: Reader, location: Modes) -> RigidLocation | None:
    """G(s_k,i, 𝓒_j,en) and G(s_k,i, S0): contacts whose normal force is negative open.

    Where forces would have to pull and yet no contact opens, new ones are looked for.
    """
    if not location.closed:
        return None
    pulls = PULLING.on(reader.force_signals)
    if not pulls.any() and not reader.is_off_balance:
        return None
    if location.having("trans") and not pulls.any():  # there is no edge to their node yet
        return _slipping(location)
    return _contact_node(reader, ~pulls)


def _friction(reader: Reader, location: Modes) -> RigidLocation | None:
    """G(s_k,i, 𝓒_k,en) and G(s_k,i, s_k,j): stick, slip and the mode between change.

    A word with a transitional contact has no edge to the contact node: what has begun to slip
    counts as slipping first, and the node is next.
    """
    if not location.closed:
        return None
    if location.having("trans"):
        return _slipping(location) if reader.slips else None
    return Node("contact", location.contacts, "en") if reader.gives_way else None


def _contact_node(reader: Reader, stay: Flags) -> RigidLocation:
    """The contact node of those that ``stay``, or free flight.

    From a location it is the guard G(s_k,i, 𝓒_j,en), from an impact node G(𝓘_k,ex, 𝓒_j,en).
    """
    kept = tuple(name for name, stays in zip(reader.closed, stay, strict=True) if stays)
    return Node("contact", kept, "en") if kept else FREE_FLIGHT


def _word(reader: Reader) -> RigidLocation:
    """G(𝓒_k,ex, s_k,i): the word that slip velocities and accelerations spell.

    A contact without friction has nothing to stick with and counts as slipping.
    """
    slips = SLIPPING.on(reader.node_signals) | reader.smooth
    begins = STARTING.on(reader.node_signals)
    modes: list[Mode] = [
        "slip" if slip else "trans" if begin else "stick"
        for slip, begin in zip(slips, begins, strict=True)
    ]
    return Modes(tuple(zip(reader.closed, modes, strict=True)))


def _slipping(location: Modes) -> Modes:
    return Modes(
        tuple((name, "slip" if mode == "trans" else mode) for name, mode in location.closed)
    )
