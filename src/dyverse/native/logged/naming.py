"""What the numbers in a record of the log are called: locations, nodes, and forces by contact."""

from __future__ import annotations

import math

from dyverse.automaton.interface import Array
from dyverse.generation.node.painleve import JAMMED
from dyverse.generation.skeleton.location import ENTRANCE, EXIT, Kind, Mode, Modes, Node
from dyverse.generation.skeleton.names import signal_name

MODES: tuple[Mode, ...] = ("stick", "trans", "slip")  # from DV_STICK on
HEAD = 8  # numbers of a visit before its contacts
SHOCK = 6  # the method of a contact node that has stopped contacts
RESTED, BYSTANDER = 1.0, 2.0  # what became of a contact: see ``c/dyverse.h``

Numbers = tuple[float, ...]


class Naming:
    """Names for a list of contacts; what was named once is remembered."""

    def __init__(self, contacts: tuple[str, ...]) -> None:
        self.contacts = contacts
        self._locations: dict[Numbers, Modes] = {}
        self._nodes: dict[Numbers, tuple[Node, Node]] = {}

    def location(self, settled: Array) -> Modes:
        """The location after an instant."""
        key = tuple(settled[2:].tolist())
        if key not in self._locations:
            pairs = zip(map(int, key[::2]), map(int, key[1::2]), strict=True)
            modes = tuple((self.contacts[c], MODES[m - 1]) for c, m in pairs)
            self._locations[key] = Modes(modes)
        return self._locations[key]

    def node(self, visit: Array) -> tuple[Node, Node]:
        """The entrance and the exit of a node."""
        own = zip(*_columns(visit), strict=True)
        key = (visit[0], *(c for c, fate in own if fate != BYSTANDER))
        if key not in self._nodes:
            kind: Kind = "contact" if key[0] else "impact"
            contacts = tuple(self.contacts[int(c)] for c in key[1:])
            self._nodes[key] = Node(kind, contacts, ENTRANCE), Node(kind, contacts, EXIT)
        return self._nodes[key]

    def found(self, visit: Array) -> dict[str, Array]:
        """The impulse or force that a node found for each contact, world axes."""
        names = [self.contacts[int(c)] for c in _columns(visit)[0]]
        first = HEAD + 2 * len(names)
        return dict(zip(names, visit[first : first + 3 * len(names)].reshape(-1, 3), strict=True))

    def rested(self, visit: Array) -> tuple[str, ...]:
        """The contacts that bounced their last."""
        pairs = zip(*_columns(visit), strict=True)
        return tuple(self.contacts[int(c)] for c, fate in pairs if fate == RESTED)

    def held(self, visit: Array) -> dict[str, Array]:
        """What a node leaves behind for the locations after it; see `State.held`."""
        return self.found(visit) if visit[0] else {}

    def signal(self, location: Modes, number: int) -> str:
        """The watched signal of that number: two per contact, by their modes in ``location``."""
        place, of_mode = divmod(number, 2)
        contact = self.contacts[place]
        mode = dict(location.closed).get(contact)
        if mode is None or not of_mode:
            return signal_name("gap" if mode is None else "normal_force", contact)
        return signal_name("friction_reserve" if mode == "stick" else "slip_speed", contact)


def _columns(visit: Array) -> tuple[list[float], list[float]]:
    """The contacts of a visit, and what became of each."""
    n = int(visit[1])
    return visit[HEAD : HEAD + n].tolist(), visit[HEAD + n : HEAD + 2 * n].tolist()


def said(visit: Array) -> tuple[tuple[str, ...], float | None]:
    """Remarks on an impact, and the time at which impacts accumulate, if they do."""
    scale, accumulates = visit[HEAD - 2 : HEAD].tolist()
    remarks = (f"restitution scaled by {scale:.6g} to keep energy",) if scale < 1 else ()
    if visit[4] == SHOCK:
        remarks = (JAMMED,)
    return remarks, None if math.isnan(accumulates) else accumulates
