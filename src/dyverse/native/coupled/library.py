"""The shared object of bodies with automata in this process: the functions of ``coupled.h``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.native.automata.library import Engine
from dyverse.native.automata.library import Structure as Automata
from dyverse.native.compile import BESIDE, FLAGS, JOINT, SOURCES, Runtime, compiled
from dyverse.native.header import C, c_struct, doubles, ints
from dyverse.native.library import Ints, opened
from dyverse.native.library import Structure as Bodies
from dyverse.native.running import Code

FOLDERS = (SOURCES, SOURCES / "automata", JOINT)
RUNTIME = Runtime(SOURCES / "coupled", "coupled", FOLDERS, BESIDE)


class Links:
    """The arrays of a `dvc_links`, kept alive with it."""

    def __init__(self, settings: Sequence[int], offers: Sequence[tuple[int, int, int]]) -> None:
        columns = np.array(offers, dtype=np.int32).reshape(-1, 3).T
        names = ("occasion", "contact", "channel")
        self.tables = dict(zip(names, map(np.ascontiguousarray, columns), strict=True))
        self.tables["setting"] = np.array(settings, dtype=np.int32)
        self.driven, self.offers = len(settings), len(offers)
        self.c = c_struct("dvc_links", self.tables, driven=self.driven, offers=self.offers)


@lru_cache(maxsize=64)
def coupled_library(model: str, flags: tuple[str, ...] = FLAGS) -> C:
    """The library of a model's C text, compiled if need be."""
    return opened(lambda: compiled(model, flags, RUNTIME), "dvc")


def coupled_engine(
    library: C,
    bodies: tuple[Bodies, C],
    automata: tuple[Automata, C],
    links: Links,
    switches: int,
) -> Engine:
    """An engine of automata with bodies, of whose loads so many functions are ``switches``."""
    structure, options = bodies

    def create(automata: C, chosen: C, place: C) -> int:
        return int(library.dvc_create(structure.c, options, automata, chosen, links.c, place))

    return Engine(library, *automata, create, outside_switches=switches)


def set_bodies(library: C, engine: Engine, numbers: Array, time: float, x: Array) -> None:
    """Begin anew with these numbers of the bodies, in free flight at ``x``."""
    start = np.ascontiguousarray(x, dtype=np.float64)
    library.dvc_set_bodies(engine.handle, time, doubles(numbers), doubles(start))


def set_location(library: C, engine: Engine, modes: Ints, held: Array) -> Code:
    """Begin in another location of the bodies."""
    return Code(library.dvc_set_location(engine.handle, ints(modes), doubles(held)))


def bodies_ahead(library: C, engine: Engine, contacts: int) -> Array:
    """Where contacts are heading, (contacts, 3)."""
    ahead = np.zeros((contacts, 3))
    library.dvc_get_memory(engine.handle, doubles(ahead))
    return ahead


def bodies_go_on(library: C, engine: Engine, ahead: Array, *, holds: bool) -> None:
    """Let contacts head there; ``holds`` tells whether the last node found their forces."""
    library.dvc_go_on(engine.handle, holds, doubles(ahead))
