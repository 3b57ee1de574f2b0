"""Inclusion of ω-languages: a word of one Büchi automaton that another rejects, or none.

Both are made smaller by simulation, the larger one is made deterministic, and they are followed
together: a node is a state of the smaller one and the slices of the larger one. A word of the
smaller one is rejected by the larger if and only if its nodes return for ever to a marked state
while the least event is a bad one (see `dyverse.abstraction.omega.slices`). Three things keep this
small:

- a node with a state of the larger one that simulates that of the smaller, with delay, is left out:
  whatever is accepted from there is accepted by the other as well;
- a node whose slices hold, one by one, those of an older node *jumps* to that one. Fewer states
  accept fewer words, so if no cycle is bad then, none is without jumps. This is how antichains
  prune [dewulf2006]; in cycles it may show words that are not rejected;
- so every word found is looked up in both automata as they came. If the larger one accepts it, the
  jumps of its cycle are taken back, and the search goes on.

It ends, since there are finitely many nodes and each jump is taken back once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.components import components, way
from dyverse.abstraction.omega.machine import Machine, bits
from dyverse.abstraction.omega.similarity import reduced, simulated_later
from dyverse.abstraction.omega.slices import Determined, Slices, union
from dyverse.errors import SolverError

FIRST_LOOK = 64  # nodes before cycles are looked for; then again whenever there are twice as many
CANDIDATES = 100  # older nodes to which a node may jump; the oldest are the smallest


class Edge(NamedTuple):
    """A step of both automata."""

    source: int
    letter: int
    target: int
    event: int
    jump: bool


def rejected(smaller: Machine, larger: Machine, *, limit: int) -> Lasso | None:
    """A word that ``smaller`` accepts and ``larger`` does not; nothing if there is none."""
    search = _Search(smaller, larger)
    look = FIRST_LOOK
    while True:
        search.expand(min(look, limit + 1))
        found = search.look()
        if found is not None or search.is_complete:
            return found
        stop_beyond(limit, len(search.nodes))
        look = 2 * len(search.nodes)


def stop_beyond(limit: int, count: int) -> None:
    """Refuse a comparison that takes more than ``limit`` cases."""
    if count > limit:
        raise SolverError(f"the languages take more than {limit} cases to compare; raise the limit")


class _Search:
    """The nodes and edges found so far."""

    def __init__(self, smaller: Machine, larger: Machine) -> None:
        self._original = smaller, larger
        self._smaller, _ = reduced(smaller, infinite=True)
        other, above = reduced(larger, infinite=True)
        self._larger = Determined(other, above)
        self._answered = simulated_later(self._smaller, other)
        self.nodes: list[tuple[int, Slices]] = []
        self._number: dict[tuple[int, Slices], int] = {}
        self._like: dict[tuple[int, tuple[int, ...]], list[tuple[int, int]]] = {}
        self._first: list[Edge | None] = []  # the edge by which each node was found
        self._edges: list[list[Edge]] = []  # of the nodes expanded so far
        for state in bits(self._smaller.start):
            if not union(self._larger.start) & self._answered[state]:
                self._add(state, self._larger.start, None)

    @property
    def is_complete(self) -> bool:
        """Whether all nodes have been expanded."""
        return len(self._edges) == len(self.nodes)

    def expand(self, count: int) -> None:
        """Follow nodes in the order in which they were found, until there are ``count``."""
        while not self.is_complete and len(self.nodes) < count:
            self._edges.append(list(self._leaving(len(self._edges))))

    def look(self) -> Lasso | None:
        """A word rejected, if the edges so far show one."""
        while (part := self._bad()) is not None:
            cycle = self._cycle(*part)
            word = Lasso(self._stem(cycle[0].source), self._letters(cycle))
            smaller, larger = self._original
            if not larger.accepts(word):
                assert smaller.accepts(word), "the smaller automaton has this run"
                return word
            self._take_back({edge for edge in cycle if edge.jump})
        return None

    def _leaving(self, source: int) -> Iterator[Edge]:
        state, _ = self.nodes[source]
        for letter, rows in enumerate(self._smaller.moves):
            for there in bits(rows[state]):
                edge = self._follow(source, letter, there, jumping=True)
                if edge is not None:
                    yield edge

    def _follow(self, source: int, letter: int, state: int, *, jumping: bool) -> Edge | None:
        """The edge to a node known, jumped to, or new; none if nothing is rejected from there."""
        slices, event = self._larger.step(self.nodes[source][1], letter)
        known = self._number.get((state, slices))
        if known is not None:
            return Edge(source, letter, known, event, False)
        if union(slices) & self._answered[state]:
            return None
        older = self._older(state, slices) if jumping else None
        if older is not None:
            return Edge(source, letter, older, event, True)
        edge = Edge(source, letter, len(self.nodes), event, False)
        self._add(state, slices, edge)
        return edge

    def _older(self, state: int, slices: Slices) -> int | None:
        """A node with the same state and ranks, and in each slice nothing that is not here."""
        missing = ~self._code(slices)
        for code, older in self._like.get((state, slices[1]), ()):
            if not code & missing:
                return older
        return None

    def _add(self, state: int, slices: Slices, edge: Edge | None) -> None:
        like = self._like.setdefault((state, slices[1]), [])
        if len(like) < CANDIDATES:
            like.append((self._code(slices), len(self.nodes)))
        self._number[state, slices] = len(self.nodes)
        self.nodes.append((state, slices))
        self._first.append(edge)

    def _code(self, slices: Slices) -> int:
        """All slices as one set, side by side."""
        code = 0
        for states in slices[0]:
            code = code << self._larger.machine.size | states
        return code

    def _take_back(self, jumps: set[Edge]) -> None:
        assert jumps, "a cycle without jumps is what both automata do"
        for edge in sorted(jumps):
            state, _ = self.nodes[edge.target]
            there = self._follow(edge.source, edge.letter, state, jumping=False)
            assert there is not None, "nobody jumps from where nothing is rejected"
            edges = self._edges[edge.source]
            edges[edges.index(edge)] = there

    def _bad(self) -> tuple[set[int], int] | None:
        """Nodes, one of them marked, that edges connect strongly, and their least event, if bad."""
        todo = [(set(range(len(self._edges))), 0)]
        while todo:
            among, least = todo.pop()
            for part in self._components(among, least):
                nodes = set(part)
                events = {edge.event for n in part for edge in self._inner(n, nodes, least)}
                if events and min(events) % 2 == 0:
                    return nodes, min(events)
                if events:
                    todo.append((nodes, min(events) + 1))
        return None

    def _components(self, among: set[int], least: int) -> Iterator[list[int]]:
        def following(node: int) -> list[int]:
            edges = self._edges[node]
            return [e.target for e in edges if e.event >= least and e.target in among]

        for part in components(among, following):
            if any(self._smaller.marked >> self.nodes[node][0] & 1 for node in part):
                yield part

    def _inner(self, node: int, among: set[int], least: int) -> Iterator[Edge]:
        """The edges from ``node`` that stay, without events below ``least``."""
        for edge in self._edges[node]:
            if edge.event >= least and edge.target in among:
                yield edge

    def _cycle(self, among: set[int], least: int) -> list[Edge]:
        """From a marked node past an event ``least`` and back."""
        home = min(n for n in among if self._smaller.marked >> self.nodes[n][0] & 1)
        edges = (edge for node in sorted(among) for edge in self._inner(node, among, least))
        bad = next(edge for edge in edges if edge.event == least)

        def between(here: int, there: int) -> list[Edge]:
            found = way([here], lambda node: node == there, following)
            assert found is not None, "the nodes are strongly connected"
            return found[1]

        def following(node: int) -> Iterator[tuple[Edge, int]]:
            return ((edge, edge.target) for edge in self._inner(node, among, least))

        return [*between(home, bad.source), bad, *between(bad.target, home)]

    def _stem(self, node: int) -> Word:
        """A word that leads to ``node`` without jumps."""
        edges: list[Edge] = []
        while (edge := self._first[node]) is not None:
            edges.append(edge)
            node = edge.source
        return self._letters(edges[::-1])

    def _letters(self, edges: list[Edge]) -> Word:
        return tuple(self._smaller.letters[edge.letter] for edge in edges)
