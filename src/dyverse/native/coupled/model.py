"""Bodies with automata as the C runtime takes them: one library, and how the two hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from dyverse.bodies.world import OCCASIONS
from dyverse.expr.formula import Formula
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.native.automata.library import Structure
from dyverse.native.automata.model import AutomatonModel
from dyverse.native.automata.sheet import Sheet, sheet
from dyverse.native.automata.source import source
from dyverse.native.automata.tables import Tables, tables
from dyverse.native.code.codegen import ModelCode
from dyverse.native.compile import FLAGS
from dyverse.native.coupled.library import Links, coupled_library
from dyverse.native.header import C
from dyverse.native.library import Structure as Bodies
from dyverse.native.model import NativeModel, uncompiled
from dyverse.native.owning import Owned

KINDS = {"impact": 1, "touch": 3, "release": 4, "stick": 5, "slip": 6}  # DV_IMPACT, DV_TOUCH, …
BETWEEN = "\n#undef CASADI_PREFIX\n"  # each half has its own, and its own helpers by it


@dataclass(frozen=True, slots=True, eq=False)
class CoupledModel:
    """The compiled code of bodies and automata; any numbers of that system may be put in."""

    library: C
    bodies: NativeModel
    automata: AutomatonModel
    links: Links


_known: Owned[CoupledAutomaton, dict[tuple[object, ...], CoupledModel]] = Owned()


def coupled_model(
    automaton: CoupledAutomaton,
    flags: tuple[str, ...] = FLAGS,
    watched: tuple[Formula, ...] = (),
) -> CoupledModel:
    """Generate, compile (or find) and load the engine of ``automaton``.

    ``watched`` are formulas over variables whose least margins are wanted.
    """
    found = _known.get(automaton)
    if found is None:
        found = {}
        _known.put(automaton, found)
    key = (flags, watched)
    if key not in found:
        found[key] = _made(automaton, flags, watched)
    return found[key]


def _made(
    automaton: CoupledAutomaton, flags: tuple[str, ...], watched: tuple[Formula, ...]
) -> CoupledModel:
    made = coupled_code(automaton, watched)
    library = coupled_library(made.source, flags)
    return CoupledModel(
        library,
        NativeModel(made.bodies, library, made.structure),
        AutomatonModel(made.sheet, library, Structure(made.tables), made.tables.kinds),
        made.links,
    )


@dataclass(frozen=True, slots=True, eq=False)
class CoupledCode:
    """The code of bodies and automata as text, and their structure."""

    bodies: ModelCode
    structure: Bodies
    sheet: Sheet
    tables: Tables
    links: Links

    @property
    def source(self) -> str:
        """The generated file."""
        return self.bodies.source + BETWEEN + source(self.tables.recipes)


def coupled_code(automaton: CoupledAutomaton, watched: tuple[Formula, ...] = ()) -> CoupledCode:
    """Generate the code of ``automaton``."""
    world = replace(automaton.world, properties=())  # they may speak of automata
    code, structure = uncompiled(world, automaton.scene)
    written = sheet(automaton.network, watched)
    rows = _tables(written)
    places = {name: place for place, name in enumerate(code.settings)}
    driven = [places[name] for name in automaton.network.variables]
    links = Links(driven, list(_offers(automaton, _channels(written, rows))))
    return CoupledCode(code, structure, written, rows, links)


@lru_cache(maxsize=64)
def _tables(written: Sheet) -> Tables:
    return tables(written)


def _channels(written: Sheet, rows: Tables) -> dict[str, int]:
    """The numbers of the channels that automata know."""
    edges = (edge for item in written.components for edge in item.edges)
    numbered = zip(edges, rows.rows["edge_channel"], strict=True)
    return {edge.action.channel: number for edge, number in numbered if edge.action}


def _offers(
    automaton: CoupledAutomaton, channels: Mapping[str, int]
) -> Iterator[tuple[int, int, int]]:
    """Kind of event, contact and channel; those that nobody knows get numbers behind the others."""
    numbers = dict(channels)
    for occasion in OCCASIONS:
        for place, contact in enumerate(automaton.rigid.contacts):
            for offer in automaton.offers.get(contact, ()):
                if offer.on == occasion:
                    number = numbers.setdefault(offer.channel, len(numbers))
                    yield KINDS[occasion], place, number
