"""Contacts that are closed together or not at all, in a contact combination graph.

What resists turning at a contact (`dyverse.contact.pair.resistance`) has its gap, so it is closed
exactly when that one is. The graph of all of them is that of the contacts which lead, each with
those that follow it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph, Vertex


@dataclass(frozen=True, slots=True)
class TiedGraph:
    """``graph`` is that of the contacts which lead; ``leader`` is that of each of ``contacts``."""

    contacts: tuple[str, ...]
    leader: tuple[str, ...]
    graph: CompleteGraph | FeasibleGraph

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many contacts are closed together, for each that leads."""
        return tuple(self.leader.count(contact) for contact in self.graph.contacts)

    def has(self, vertex: Vertex) -> bool:
        """Whether ``vertex`` holds all that follow its contacts, and no others."""
        led = self.led(vertex)
        return self.graph.has(led) and self.whole(led) == vertex

    def vertices(self) -> Iterator[Vertex]:
        """Those of the contacts which lead, with all that follow them."""
        return map(self.whole, self.graph.vertices())

    def joined(self, k: Vertex, j: Vertex) -> bool:
        """Whether the contacts which lead are."""
        return self.has(k) and self.has(j) and self.graph.joined(self.led(k), self.led(j))

    def larger(self, k: Vertex) -> Iterator[Vertex]:
        """The vertices joined to ``k`` that have more contacts."""
        return self._other(k, more=True)

    def smaller(self, k: Vertex) -> Iterator[Vertex]:
        """The vertices joined to ``k`` that have fewer contacts, the empty one last."""
        return iter(sorted(self._other(k, more=False), key=len, reverse=True))

    def led(self, vertex: Vertex) -> Vertex:
        """The contacts of a vertex that lead."""
        own = set(vertex)
        return tuple(contact for contact in self.graph.contacts if contact in own)

    def whole(self, led: Vertex) -> Vertex:
        """These, and all that follow them."""
        own, pairs = set(led), zip(self.contacts, self.leader, strict=True)
        return tuple(contact for contact, leader in pairs if leader in own)

    def _other(self, k: Vertex, *, more: bool) -> Iterator[Vertex]:
        if isinstance(self.graph, FeasibleGraph):
            near = self.graph.larger(self.led(k)) if more else self.graph.smaller(self.led(k))
            return map(self.whole, near)
        others = (vertex for vertex in self.vertices() if len(vertex) != len(k))
        return (vertex for vertex in others if (len(vertex) > len(k)) == more)


def tied(graph: CompleteGraph | FeasibleGraph, leader: dict[str, str]) -> ContactGraph:
    """The graph of all contacts, by whom each follows, from that of those which lead."""
    if len(leader) == len(graph.contacts):
        return graph
    return TiedGraph(tuple(leader), tuple(leader.values()), graph)
