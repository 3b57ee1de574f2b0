"""What the numbers in a record of the log are called: locations, nodes, and forces by contact."""

from __future__ import annotations

import math

from dyverse.automaton.interface import Array
from dyverse.generation.location import ENTRANCE, EXIT, Kind, Mode, Modes, Node
from dyverse.generation.names import signal_name

MODES: tuple[Mode, ...] = ("stick", "trans", "slip")  # from DV_STICK on
HEAD = 8  # numbers of a visit before its contacts

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
        key = (visit[0], *visit[HEAD : HEAD + int(visit[1])].tolist())
        if key not in self._nodes:
            kind: Kind = "contact" if key[0] else "impact"
            contacts = tuple(self.contacts[int(c)] for c in key[1:])
            self._nodes[key] = Node(kind, contacts, ENTRANCE), Node(kind, contacts, EXIT)
        return self._nodes[key]

    def signal(self, location: Modes, number: int) -> str:
        """The watched signal of that number: two per contact, by their modes in ``location``."""
        place, of_mode = divmod(number, 2)
        contact = self.contacts[place]
        mode = dict(location.closed).get(contact)
        if mode is None or not of_mode:
            return signal_name("gap" if mode is None else "normal_force", contact)
        return signal_name("friction_reserve" if mode == "stick" else "slip_speed", contact)


def forces(visit: Array, node: Node) -> Array:
    """The impulse or force that a node found for each of its contacts, (contacts, 3)."""
    n = len(node.contacts)
    return visit[HEAD + n : HEAD + 4 * n].reshape(n, 3)


def found(visit: Array, node: Node) -> dict[str, Array]:
    """The same by name."""
    return dict(zip(node.contacts, forces(visit, node), strict=True))


def held(visit: Array, node: Node) -> dict[str, Array]:
    """What a node leaves behind for the locations after it; see `State.held`."""
    return found(visit, node) if node.kind == "contact" else {}


def said(visit: Array) -> tuple[tuple[str, ...], float | None]:
    """Remarks on an impact, and the time at which impacts accumulate, if they do."""
    scale, accumulates = visit[HEAD - 2 : HEAD].tolist()
    remarks = (f"restitution scaled by {scale:.6g} to keep energy",) if scale < 1 else ()
    return remarks, None if math.isnan(accumulates) else accumulates
