"""The contact combination graph Ω = (V, E_Ω), which answers questions and is never held as a whole.

A vertex is a set I_k of contacts that are closed together, written as a tuple in the order of the
contact list; an edge joins two sets that can follow one another.  [navarro2018] §3.2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Protocol

from dyverse.contact.geometry import NOTHING_KNOWN, Geometry, realisable

Vertex = tuple[str, ...]


class ContactGraph(Protocol):
    """Which combinations of closed contacts there are, and which can follow one another."""

    @property
    def contacts(self) -> tuple[str, ...]:
        """I: the contact list."""

    def has(self, vertex: Vertex) -> bool:
        """Whether ``vertex`` is in V: its contacts in list order, and nothing speaks against it."""

    def vertices(self) -> Iterable[Vertex]:
        """V, small sets first; the first is the empty one."""

    def joined(self, k: Vertex, j: Vertex) -> bool:
        """Whether (k, j) ∈ E_Ω."""

    def larger(self, k: Vertex) -> Iterable[Vertex]:
        """The vertices joined to ``k`` that have more contacts, nearest first."""

    def smaller(self, k: Vertex) -> Iterable[Vertex]:
        """The vertices joined to ``k`` that have fewer contacts, nearest first, the empty last."""


@dataclass(frozen=True, slots=True)
class CompleteGraph:
    """Every subset of the contact list is a vertex and every two are joined.

    The graph behind the counts of [navarro2018] Table 2.
    """

    contacts: tuple[str, ...]

    def has(self, vertex: Vertex) -> bool:
        """Whether ``vertex`` is a subset, in list order."""
        return in_order(vertex, self.contacts)

    def vertices(self) -> Iterator[Vertex]:
        """All subsets, small ones first."""
        return _subsets(self.contacts, range(len(self.contacts) + 1))

    def joined(self, k: Vertex, j: Vertex) -> bool:
        """Every two different vertices are."""
        return k != j and self.has(k) and self.has(j)

    def larger(self, k: Vertex) -> Iterator[Vertex]:
        """All subsets with more contacts, whether they contain ``k`` or not."""
        return _subsets(self.contacts, range(len(k) + 1, len(self.contacts) + 1))

    def smaller(self, k: Vertex) -> Iterator[Vertex]:
        """All subsets with fewer contacts, whether ``k`` contains them or not."""
        return _subsets(self.contacts, range(len(k) - 1, -1, -1))


@dataclass(frozen=True, slots=True)
class FeasibleGraph:
    """Only combinations that geometry does not exclude, joined only if one contains the other.

    *Edges left out.* Let k and j be vertices neither of which contains the other. No jump changes
    the configuration q, and in a location of vertex k the closed contacts have g_N = ġ_N = 0 (the
    flow keeps them) while the open ones have g_N > 0 or ġ_N > 0 (Dom). So, for N_j > N_k:

    - G(s_k,i, 𝓘_j,en) asks every contact n ∈ I_k∖I_j for g_N > 0 or ġ_N > 0, against g_N = ġ_N = 0;

    and, for N_j < N_k:

    - G(s_k,i, 𝓒_j,en) asks every n ∈ I_j∖I_k for a force λ_N,n from (15), which has a row for each
      contact of I_k and none for n: the guard cannot hold;
    - G(𝓘_k,ex, 𝓒_j,en) would treat some n ∈ I_j∖I_k as closed with ġ_N = 0, though it was open when
      the impact began, so g_N,n > 0, or g_N,n = 0 and ġ_N,n > 0 just before. Only in the second
      case, and only if the impact takes exactly this speed away, could the guard be met. Nothing is
      lost then: the run goes to 𝓒 of the contacts of I_k that stay, and from its location at once
      through (s, 𝓘,en), which that same contact with g_N = ġ_N = 0 enables.

    *Vertices left out.* Those that `dyverse.contact.geometry.realisable` excludes for certain. It
    never excludes a subset of a set that it accepts, so E_Ω still leads one contact at a time from
    every vertex to every vertex inside it.
    """

    contacts: tuple[str, ...]
    geometry: Geometry = NOTHING_KNOWN

    def has(self, vertex: Vertex) -> bool:
        """Whether ``vertex`` is a subset in list order, and feasible."""
        return in_order(vertex, self.contacts) and self.feasible(vertex)

    def feasible(self, vertex: Vertex) -> bool:
        """Whether geometry lets these contacts be closed together, or cannot tell."""
        return realisable(self.geometry, self.contacts, vertex)

    def vertices(self) -> Iterator[Vertex]:
        """The feasible subsets, small ones first."""
        return chain([()], self.larger(()))

    def joined(self, k: Vertex, j: Vertex) -> bool:
        """Whether one of two feasible vertices strictly contains the other."""
        return (set(k) < set(j) or set(j) < set(k)) and self.has(k) and self.has(j)

    def larger(self, k: Vertex) -> Iterator[Vertex]:
        """The feasible sets that contain ``k``; if none has n contacts more, none has n + 1."""
        known = set(k)
        rest = tuple(contact for contact in self.contacts if contact not in known)
        for more in range(1, len(rest) + 1):
            level = filter(self.feasible, (self._joint(k, new) for new in combinations(rest, more)))
            first = next(level, None)
            if first is None:
                return
            yield first
            yield from level

    def smaller(self, k: Vertex) -> Iterator[Vertex]:
        """The sets inside ``k``: all feasible, because ``k`` is."""
        return _subsets(k, range(len(k) - 1, -1, -1))

    def _joint(self, k: Vertex, new: Vertex) -> Vertex:
        joint = {*k, *new}
        return tuple(contact for contact in self.contacts if contact in joint)


@dataclass(frozen=True, slots=True)
class RememberedGraph:
    """A graph whose answers are kept: for walking over all of a small one."""

    graph: ContactGraph
    _larger: dict[Vertex, tuple[Vertex, ...]]
    _smaller: dict[Vertex, tuple[Vertex, ...]]
    _joined: dict[tuple[Vertex, Vertex], bool]

    @property
    def contacts(self) -> tuple[str, ...]:
        """I: the contact list."""
        return self.graph.contacts

    def has(self, vertex: Vertex) -> bool:
        """Whether ``vertex`` is in V."""
        return self.graph.has(vertex)

    def vertices(self) -> Iterable[Vertex]:
        """V."""
        return self.graph.vertices()

    def joined(self, k: Vertex, j: Vertex) -> bool:
        """Whether (k, j) ∈ E_Ω."""
        if (k, j) not in self._joined:
            self._joined[k, j] = self.graph.joined(k, j)
        return self._joined[k, j]

    def larger(self, k: Vertex) -> tuple[Vertex, ...]:
        """The vertices joined to ``k`` that have more contacts."""
        if k not in self._larger:
            self._larger[k] = tuple(self.graph.larger(k))
        return self._larger[k]

    def smaller(self, k: Vertex) -> tuple[Vertex, ...]:
        """The vertices joined to ``k`` that have fewer contacts."""
        if k not in self._smaller:
            self._smaller[k] = tuple(self.graph.smaller(k))
        return self._smaller[k]


def remembered(graph: ContactGraph) -> RememberedGraph:
    """``graph`` with a memory, so that the many locations of one vertex ask it only once."""
    return RememberedGraph(graph, {}, {}, {})


def in_order(vertex: Vertex, contacts: tuple[str, ...]) -> bool:
    """Whether ``vertex`` is a subset of ``contacts`` in the same order, without repetition."""
    rest = iter(contacts)
    return all(contact in rest for contact in vertex)


def _subsets(contacts: tuple[str, ...], sizes: Iterable[int]) -> Iterator[Vertex]:
    return chain.from_iterable(combinations(contacts, size) for size in sizes)
