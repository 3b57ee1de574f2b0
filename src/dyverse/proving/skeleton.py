"""What happens in one run, as the legs of a proof would have it: where it is, and what ends that.

The run is simulated at one point of a box; all other runs of the box are expected to go the same
way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from dyverse.automaton.interface import Array, Visit
from dyverse.automaton.network.moves import Move
from dyverse.automaton.run import Arc, Run
from dyverse.certificate.bodies import Bodies
from dyverse.certificate.file import Modes
from dyverse.generation.coupled.jumps import Joint
from dyverse.generation.skeleton.location import Modes as Location
from dyverse.generation.skeleton.location import Node
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.symbolic.impact import pattern_of
from dyverse.mechanics.closed import local_forces
from dyverse.mechanics.dynamics import Dynamics
from dyverse.proving.course import Undrafted


@dataclass(frozen=True, slots=True, eq=False)
class Happening:
    """A stretch of time in a location, until a signal comes to zero, or the time is over."""

    modes: Modes
    time: float
    closing: str | None = None
    pattern: Modes = ()  # of an impact
    impulses: tuple[float, ...] = ()  # in the frames of its contacts
    rests: bool = False  # whether impacts accumulate from here
    grazes: bool = False  # whether it is only a light impact, which other runs may not have
    move: Move | None = None  # of automata; without a signal it waits for one of its guards


def skeleton(bodies: Bodies, dynamics: Dynamics, run: Run) -> Iterator[Happening]:
    """The stretches of a run of ``dynamics``, in order."""
    arcs = [part for part in run.parts if isinstance(part, Arc | Visit)]
    before: Arc | None = None
    blow: Visit | None = None
    for part in arcs:
        if isinstance(part, Visit):
            if _is_blow(part):
                if blow is not None:
                    raise Undrafted("unsupported: several impacts in one instant")
                blow = part
            continue
        if before is not None and (blow or _modes(bodies, before) != _modes(bodies, part)):
            yield _happening(bodies, dynamics, before, blow, part)
            before, blow = part, None
        before = before or part
    if before is not None:
        yield Happening(_modes(bodies, before), run.end.time)


def _of_bodies(location: Hashable) -> Hashable:
    """The part of a location that is about the bodies."""
    return location.bodies if isinstance(location, Joint) else location


def _is_blow(visit: Visit) -> bool:
    location = _of_bodies(visit.before.location)
    struck = any(impulse.any() for impulse in visit.result.values())
    return isinstance(location, Node) and location.kind == "impact" and struck


def _happening(
    bodies: Bodies, dynamics: Dynamics, before: Arc, blow: Visit | None, after: Arc
) -> Happening:
    modes, time = _modes(bodies, before), float(after.times[0])
    if blow is None:
        return Happening(modes, time, _change(dict(modes), dict(_modes(bodies, after))))
    if blow.remarks:
        raise Undrafted(f"unsupported: {blow.remarks[0]}")
    rests = blow.accumulates is not None
    if rests and (modes or len(blow.contacts) > 1):
        raise Undrafted("unsupported: impacts of several contacts accumulate")
    new = [contact for contact in blow.contacts if contact not in dict(modes)]
    if len(new) != 1 and (not new or set(new) != set(bodies.twins(new[0]))):
        raise Undrafted("unsupported: several contacts close at once")
    contacts = tuple(dynamics.contacts.index[name] for name in blow.contacts)
    before_it = blow.before.values[: len(dynamics.layout.variables)]
    closed = dynamics.close(contacts, before_it)
    impulses = local_forces(closed, blow.result, dynamics.contacts.names)
    named = dict(zip(blow.contacts, impulses, strict=True))
    outcomes = pattern_of(dynamics, named, before_it)
    pattern = tuple((c, _outcome(bodies, c, word, named[c])) for c, word in outcomes.items())
    numbers = tuple(impulses.ravel().tolist())
    return Happening(modes, time, signal_name("gap", new[0]), pattern, numbers, rests)


def settled(happenings: list[Happening], share: float) -> list[Happening]:
    """The same with accumulations from where impulses have come down to a share of the first."""
    found: list[Happening] = []
    for happening in happenings:
        found.append(happening)
        if happening.rests:
            same = [h.closing == happening.closing and not h.modes for h in reversed(found)]
            chain = same.index(False) if False in same else len(same)
            blows = found[-chain:]
            least = share * blows[0].impulses[0]
            last = next((k for k, h in enumerate(blows) if h.impulses[0] <= least), chain - 1)
            found[-chain:] = [*blows[:last], replace(blows[last], rests=True)]
    return found


def grazing(happenings: list[Happening]) -> list[Happening]:
    """The same with a graze for the lightest impact of all in free flight."""
    impacts = [k for k, h in enumerate(happenings) if h.pattern and not (h.modes or h.rests)]
    if not impacts:
        raise Undrafted("grazing: there is no impact")
    lightest = min(impacts, key=lambda k: happenings[k].impulses[0])
    found = replace(happenings[lightest], grazes=True)
    return [*happenings[:lightest], found, *happenings[lightest + 1 :]]


def _outcome(bodies: Bodies, contact: str, word: str, impulse: Array) -> str:
    """The outcome of an impact at a contact in the words of a certificate."""
    if word != "slip" or bodies.row(contact).smooth or not _is_plane(bodies, contact):
        return word
    return "slip-" if impulse[1] > 0 else "slip+"


def _is_plane(bodies: Bodies, contact: str) -> bool:
    """Whether a contact plainly does not slip along its second tangent."""
    return bool(bodies.reduced(bodies.row(contact).speed[2]).is_zero())


def _change(before: dict[str, str], after: dict[str, str]) -> str:
    """The signal that came to zero, from the modes around it."""
    changed = [contact for contact, mode in before.items() if after.get(contact) != mode]
    if len(changed) != 1 or after.keys() - before.keys():
        raise Undrafted("unsupported: several contacts change at once")
    (contact,) = changed
    if contact not in after:
        return signal_name("normal_force", contact)
    quantity = "friction_reserve" if before[contact] == "stick" else "onward"
    return signal_name(quantity, contact)


def _modes(bodies: Bodies, arc: Arc) -> Modes:
    """The modes of an arc in the words of a certificate."""
    location = _of_bodies(arc.location)
    assert isinstance(location, Location)
    return tuple((c, _mode(bodies, c, mode, arc)) for c, mode in location.closed)


def _mode(bodies: Bodies, contact: str, mode: str, arc: Arc) -> str:
    row = bodies.row(contact)
    if row.smooth:
        return "smooth"
    if mode == "stick":
        return mode
    if not _is_plane(bodies, contact):
        return "slip"
    dynamics = bodies.symbolic.dynamics
    place, size = (dynamics.contacts.index[contact],), len(dynamics.layout.variables)
    speeds = [float(dynamics.close(place, state[:size]).speed[0, 1]) for state in arc.states]
    return "slip+" if max(speeds, key=abs) > 0 else "slip-"
