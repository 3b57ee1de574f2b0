"""Where a run of the engine of automata can go on, as all engines write it down, and back.

The runtime numbers edges through the whole model and lists signals in its own order; memory has
those of one location, in the order of the reference engine. `Translation` knows both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Location, State
from dyverse.automaton.memory import APPROACH, Drawn, Memory, Stretch, Ticks
from dyverse.automaton.network.columns import columns
from dyverse.automaton.network.moves import Places
from dyverse.generation.parts import parts_of
from dyverse.native.automata.library import Column, Engine, Remembered, Signal
from dyverse.native.automata.model import AutomatonModel
from dyverse.native.automata.sheet import Automaton

Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Translation:
    """One location, in the words of memory: its edges, atoms and signals by number."""

    edges: tuple[int, ...]  # the runtime's number of each that has a signal
    atoms: Numbers  # the runtime's number of each
    local: bool  # whether memory numbers edges by their place in ``edges``
    invariants: int = 0
    urgent: int = 0
    outside: int = 0  # signals from outside, before all others

    def places(self, found: list[Column]) -> Numbers:
        """The place in memory of each signal that the runtime watches."""
        first, numbers = self.outside + len(self.edges), iter(range(self.invariants))
        own = {edge: self.outside + i for i, edge in enumerate(self.edges)}
        places: list[int] = []
        for kind, watch in found:
            match kind:
                case Signal.OUTSIDE:
                    places.append(watch)
                case Signal.INVARIANT:
                    places.append(first + next(numbers))
                case Signal.URGENT:
                    places.append(first + self.invariants)
                case _:
                    places.append(own[watch])
        return np.array(places, dtype=np.intp)

    @property
    def size(self) -> int:
        """How many signals memory speaks of."""
        return self.outside + len(self.edges) + self.invariants + self.urgent


def translation(
    automaton: Automaton,
    model: AutomatonModel,
    location: Location,
    *,
    waiting: bool = False,
    outside: int = 0,
) -> Translation:
    """The words of memory in ``location``."""
    network = parts_of(automaton).network
    if network is None:
        return _of_written(model, location)
    assert isinstance(location, Places)
    seen = columns(network.moves, network.code, location, waiting=waiting)
    halves = (*seen.alone, *seen.senders, *seen.heard)
    return Translation(
        edges=tuple(half.number for half in halves),
        atoms=np.arange(len(network.code.atoms)),
        local=False,
        invariants=len(seen.invariants),
        urgent=int(bool(seen.urgent)),
        outside=outside,
    )


def _of_written(model: AutomatonModel, location: Location) -> Translation:
    rows, position = model.structure.rows, int(model.positions(location)[0])
    first, last = rows["leaving_first"][position : position + 2].tolist()
    edges = rows["leaving"][first:last].tolist()
    invariant = int(rows["place_invariant"][position])
    watches = [*edges, invariant] if invariant >= 0 else edges
    ends = rows["watch_first"]
    atoms = [atom for watch in watches for atom in range(ends[watch], ends[watch + 1])]
    return Translation(
        edges=tuple(edges),
        atoms=np.array(atoms, dtype=np.intp),
        local=True,
        invariants=int(invariant >= 0),
    )


def memory_of(engine: Engine, words: Translation, *, tick: float | None) -> Memory:
    """What the run in ``engine`` remembers; what else is kept, and drawn, is to be added."""
    found = engine.remembered()
    ticks = None if tick is None else Ticks(found.tick_begin, tick, found.ticks)
    memory = Memory(settled=found.settled or found.flowing, waiting=found.waiting, ticks=ticks)
    if not found.flowing:
        return memory
    places = words.places(engine.columns(waiting=found.waiting))
    resting, holding = np.zeros((2, words.size), dtype=bool)
    resting[places], holding[places] = found.resting != 0, found.turned != 0
    left = np.flatnonzero(found.behind).tolist()
    stretch = Stretch(
        since=found.since,
        resting=resting,
        behind=frozenset(map(words.edges.index, left) if words.local else left),
        kept={APPROACH: found.approach[words.atoms]},
        holding=holding if found.waiting else None,
    )
    return replace(memory, stretch=stretch)


def with_more(
    memory: Memory, draw: Drawn | None, kept: Mapping[str, Array] | None = None
) -> Memory:
    """The same with what the generator draws next, and what else is ``kept``."""
    stretch = memory.stretch
    if stretch is not None and kept:
        stretch = replace(stretch, kept={**stretch.kept, **kept})
    return replace(memory, draw=draw, stretch=stretch)


def go_on(engine: Engine, words: Translation, state: State, *, tick: float | None) -> None:
    """Put what ``state`` remembers into an engine that is about to begin there."""
    memory = state.memory
    if memory is None:
        return
    ticks, stretch = memory.ticks, memory.stretch
    if ticks is None or ticks.length != tick:
        ticks = Ticks(state.time, tick or 0.0)
    found = replace(
        engine.blank(),
        sides=np.array(state.sides, dtype=np.float64),
        settled=memory.settled,
        flowing=stretch is not None,
        waiting=memory.waiting,
        tick_begin=ticks.begin,
        ticks=ticks.count,
    )
    if stretch is not None:
        found = _with_stretch(found, words, stretch, engine.columns(waiting=memory.waiting))
    engine.go_on(found)


def _with_stretch(
    found: Remembered, words: Translation, stretch: Stretch, watched: list[Column]
) -> Remembered:
    places = words.places(watched)
    found.resting[: len(places)] = stretch.resting[places]
    if stretch.holding is not None:
        found.turned[: len(places)] = stretch.holding[places]
    found.approach[words.atoms] = stretch.kept[APPROACH]
    behind = [words.edges[i] for i in stretch.behind] if words.local else list(stretch.behind)
    found.behind[behind] = 1
    return replace(found, since=stretch.since)
