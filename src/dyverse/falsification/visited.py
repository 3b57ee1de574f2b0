"""What the runs of a search have met: places and edges of automata, and contacts.

Of every path that a search has seen one run is looked at, the one with the least margin. An edge
that none of them took is told with how near its guard came to holding: what a search never tried
is said, and how far it was from trying it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dyverse.automaton.guard.robustness import robustness
from dyverse.automaton.interface import Assignment, Edge, Location
from dyverse.automaton.network.moves import Move
from dyverse.automaton.run import Run
from dyverse.automaton.written.written import WrittenEdge
from dyverse.expr.formula import Formula
from dyverse.expr.printing import formula_text
from dyverse.falsification.question import Question
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.verdict import Sampled
from dyverse.generation.coupled.jumps import Joint, JointEdge
from dyverse.generation.parts import Parts, parts_of
from dyverse.generation.skeleton.location import Modes
from dyverse.simulation.observing import Row, pour

MOST = 32  # paths, the commonest first
IMPACT = "impact"
TOUCHES = (IMPACT, "stick", "slip", "trans")


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """One thing that runs can meet, and how many did; of a guard, how far it was missed."""

    name: str
    runs: int
    guard: str = ""
    missed: float | None = None  # the least that its guard was missed by, if no run took the edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """What so many runs have met, and what they have not."""

    runs: int
    places: tuple[Met, ...] = ()
    edges: tuple[Met, ...] = ()
    contacts: tuple[tuple[str, Mapping[str, int]], ...] = ()  # runs for each of `TOUCHES`


def visited(question: Question, seen: Sampled) -> Visited:
    """Look at one run of every path, of the commonest if there are many."""
    sight = _Sight()
    for name, _ in Counter(seen.paths).most_common(MOST):
        rows = [row for row, path in enumerate(seen.paths) if path == name]
        best = min(rows, key=lambda row: (math.isnan(seen.margins[row]), seen.margins[row]))
        sight.look_at(run_at(question, seen.points[best]))
    return sight.told()


@dataclass(frozen=True, slots=True)
class Way:
    """An edge of an automaton, or of one component of a network."""

    owner: str
    source: str
    target: str
    called: str
    guard: Formula = field(compare=False)
    number: int
    reset: tuple[Assignment, ...] = field(default=(), compare=False)
    channel: str = ""  # that it waits on or sends on
    sends: bool = False

    @property
    def name(self) -> str:
        """``owner: source → target (called)``."""
        called = f" ({self.called})" if self.called else ""
        return f"{self.owner}: {self.source} → {self.target}{called}"


class _Sight:
    """Counts what runs meet."""

    def __init__(self) -> None:
        self._runs = 0
        self._places: Counter[tuple[str, str]] = Counter()
        self._taken: Counter[Way] = Counter()
        self._touches: Counter[tuple[str, str]] = Counter()
        self._contacts: tuple[str, ...] = ()
        self._depths: dict[Way, float] = {}
        self._ways: tuple[Way, ...] = ()

    def look_at(self, run: Run) -> None:
        """Count what one run meets."""
        parts = parts_of(run.automaton)
        self._runs += 1
        self._ways = tuple(ways(parts))
        self._places.update(dict.fromkeys(parts.places(), 0))
        self._contacts = parts.bodies.contacts if parts.bodies else ()
        self._places.update({place for arc in run.arcs for place in present(parts, arc.location)})
        self._touches.update(set(_touches(run, parts)))
        edges = (edge for event in run.events for edge in event.edges)
        self._taken.update({self._ways[i] for edge in edges for i in _numbers(edge, parts)})
        if self._ways:
            pour(run, [Eye(parts, self._ways, self._depths)])

    def told(self) -> Visited:
        """All that could be met, in the order of the model."""
        return Visited(
            runs=self._runs,
            places=tuple(Met(name=".".join(key), runs=n) for key, n in self._places.items()),
            edges=tuple(map(self._edge, self._ways)),
            contacts=tuple(
                (name, {how: self._touches[name, how] for how in TOUCHES})
                for name in self._contacts
            ),
        )

    def _edge(self, way: Way) -> Met:
        runs, depth = self._taken[way], self._depths.get(way)
        known = not runs and depth is not None and math.isfinite(depth)
        return Met(
            name=way.name,
            runs=runs,
            guard=formula_text(way.guard),
            missed=max(0.0, -depth) if known and depth is not None else None,
        )


class Eye:
    """A sink that keeps how near the guards of edges come to holding, where they could be taken."""

    def __init__(
        self, parts: Parts, own: tuple[Way, ...], depths: dict[Way, float] | None = None
    ) -> None:
        self._parts, self._ways = parts, own
        self.depths: dict[Way, float] = {} if depths is None else depths

    def take(self, row: Row) -> None:
        """Look at one state."""
        here = set(present(self._parts, row.state.location))
        for way in self._ways:
            if (way.owner, way.source) in here:
                depth = robustness(way.guard, row.known)
                self.depths[way] = max(self.depths.get(way, -math.inf), depth)


def ways(parts: Parts) -> Iterator[Way]:
    """The edges of automata, each at its number."""
    if parts.network is not None:
        for half in parts.network.moves.halves:
            edge, owner = half.edge, parts.network.components[half.component].name
            called = edge.action.channel if edge.action else edge.name
            action = edge.action
            yield Way(
                owner,
                edge.source,
                edge.target,
                called,
                edge.guard,
                half.number,
                edge.reset,
                channel=action.channel if action else "",
                sends=bool(action and action.sends),
            )
    if parts.written is not None:
        for number, way in enumerate(parts.written.edges):
            ends = str(way.source), str(way.target)
            yield Way(parts.written.name, *ends, way.action, way.guard, number, way.reset)


def _numbers(edge: Edge, parts: Parts) -> Iterator[int]:
    """The numbers of the edges that a jump consists of."""
    match edge:
        case Move(halves=halves) | JointEdge(part=Move(halves=halves)):
            yield from (half.number for half in halves)
        case WrittenEdge() if parts.written is not None:
            yield parts.written.edges.index(edge)
        case _:
            pass  # of bodies


def present(parts: Parts, location: Location) -> Iterator[tuple[str, str]]:
    """The place of each automaton."""
    if parts.network is not None:
        places = location.places if isinstance(location, Joint) else location
        assert isinstance(places, tuple)
        names = (item.name for item in parts.network.components)
        yield from zip(names, places, strict=True)
    elif parts.written is not None:
        yield parts.written.name, str(location)


def _touches(run: Run, parts: Parts) -> Iterator[tuple[str, str]]:
    """Each contact that closes, with how."""
    if parts.bodies is None:
        return
    for event in run.events:
        if event.kind == IMPACT:
            yield from ((name, IMPACT) for name in event.contacts)
    for arc in run.arcs:
        place = arc.location
        bodies = place.bodies if isinstance(place, Joint) else place
        yield from bodies.closed if isinstance(bodies, Modes) else ()
