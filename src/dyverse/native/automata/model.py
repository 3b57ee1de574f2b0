"""An automaton as the C runtime takes it: its library, and where its numbers belong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array, Location
from dyverse.automaton.network.moves import Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.node import ENTRANCE, EXIT, NodePlace
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.expr.formula import Formula
from dyverse.native.automata.board import places_before
from dyverse.native.automata.library import Structure, automaton_library
from dyverse.native.automata.lifting import number_of
from dyverse.native.automata.sheet import Automaton, Sheet, sheet
from dyverse.native.automata.source import source
from dyverse.native.automata.tables import tables
from dyverse.native.compile import FLAGS
from dyverse.native.header import C
from dyverse.native.library import Ints


@dataclass(frozen=True, slots=True, eq=False)
class AutomatonModel:
    """The compiled code of an automaton; any numbers of that automaton may be put in."""

    sheet: Sheet
    library: C
    structure: Structure
    kinds: tuple[str, ...]  # of events, by their number

    def numbers(self, automaton: Automaton, ends: Sequence[float] = ()) -> Array:
        """Everything that `da_set_numbers` wants: parameters, ranges, ends of properties."""
        low, high = ([ends[i] for ends in automaton.limits] for i in (0, 1))
        known = dict(automaton.parameters)
        parameters = [_number(name, known) for name in self.sheet.parameters]
        return np.array([*parameters, *low, *high, *ends], dtype=np.float64)

    def positions(self, location: Location) -> Ints:
        """A location as the numbers of places; of a node, that of its entrance."""
        names = location if isinstance(location, Places) else (location,)
        before = places_before(self.sheet.components)
        if isinstance(location, NodePlace):
            nodes = [node.name for node in self.sheet.nodes]
            return np.array([before[-1] + nodes.index(location.node)], dtype=np.int32)
        found = [
            first + [place.name for place in item.places].index(str(name))
            for first, item, name in zip(before, self.sheet.components, names, strict=False)
        ]
        return np.array(found, dtype=np.int32)

    def location(self, positions: Sequence[int]) -> Location:
        """The location with these numbers: places, or the entrance or exit of a node."""
        before, nodes = places_before(self.sheet.components), self.sheet.nodes
        if positions[0] >= before[-1]:
            number = positions[0] - before[-1]
            return nodes[number % len(nodes)].at(ENTRANCE if number < len(nodes) else EXIT)
        names = [
            item.places[position - first].name
            for item, first, position in zip(self.sheet.components, before, positions, strict=False)
        ]
        return Places(names) if self.sheet.is_network else names[0]


def _number(name: str, known: Mapping[str, float]) -> float:
    lifted = number_of(name)
    return known[name] if lifted is None else lifted


def automaton_model(
    automaton: Automaton, watched: tuple[Formula, ...] = (), flags: tuple[str, ...] = FLAGS
) -> AutomatonModel:
    """Generate, compile (or find) and load the engine of ``automaton``."""
    return _known(_Same(automaton), watched, flags)


class _Same:
    """An automaton that compares by identity: sooner than by value."""

    def __init__(self, automaton: WrittenAutomaton | Network) -> None:
        self.automaton = automaton

    def __hash__(self) -> int:
        return id(self.automaton)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.automaton is self.automaton


@lru_cache(maxsize=32)
def _known(same: _Same, watched: tuple[Formula, ...], flags: tuple[str, ...]) -> AutomatonModel:
    return _made(sheet(same.automaton, watched), flags)


@lru_cache(maxsize=64)
def _made(sheet: Sheet, flags: tuple[str, ...]) -> AutomatonModel:
    found = tables(sheet)
    library = automaton_library(source(found.recipes), flags)
    return AutomatonModel(sheet, library, Structure(found), found.kinds)
