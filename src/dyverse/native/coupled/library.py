"""The shared object of bodies with automata in this process: the functions of ``coupled.h``."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref, c_double, c_int, c_void_p
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.native.automata.library import SIGNATURES, Code, Engine
from dyverse.native.automata.library import COptions as AutomataOptions
from dyverse.native.automata.library import Structure as Automata
from dyverse.native.compile import FLAGS, SOURCES, Runtime, compiled
from dyverse.native.library import COptions, Ints, Signatures, opened, with_signatures
from dyverse.native.library import Structure as Bodies

VERSION = 3
RUNTIME = Runtime(SOURCES / "coupled", "coupled", (SOURCES, SOURCES / "automata"))

_SIGNATURES: Signatures = {
    "dv_defaults": (None, [c_void_p]),
    "dvc_version": (c_int, []),
    "dvc_create": (c_int, [c_void_p] * 6),
    "dvc_set_bodies": (None, [c_void_p, c_double, c_void_p, c_void_p]),
    "dvc_set_location": (c_int, [c_void_p, c_void_p, c_void_p]),
    "dvc_get_memory": (None, [c_void_p, c_void_p]),
    "dvc_go_on": (None, [c_void_p, c_int, c_void_p]),
}


class _CLinks(ctypes.Structure):
    """`dvc_links`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        ("driven", c_int),
        ("setting", c_void_p),
        ("offers", c_int),
        ("occasion", c_void_p),
        ("contact", c_void_p),
        ("channel", c_void_p),
    ]


class Links:
    """The arrays of a `dvc_links`, kept alive with it."""

    def __init__(self, settings: Sequence[int], offers: Sequence[tuple[int, int, int]]) -> None:
        self._driven = np.array(settings, dtype=np.int32)
        columns = np.array(offers, dtype=np.int32).reshape(-1, 3).T
        self._offers = [np.ascontiguousarray(column) for column in columns]
        offered = (array.ctypes.data for array in self._offers)
        self.c = _CLinks(len(settings), self._driven.ctypes.data, len(offers), *offered)


@lru_cache(maxsize=64)
def coupled_library(model: str, flags: tuple[str, ...] = FLAGS) -> ctypes.CDLL:
    """The library of a model's C text, compiled if need be."""
    return opened(lambda: compiled(model, flags, RUNTIME), _loaded)


def _loaded(path: Path) -> ctypes.CDLL:
    found = with_signatures(path, {**SIGNATURES, **_SIGNATURES})
    if found.dvc_version() != VERSION:
        raise OSError(f"{path} is an engine of another version")
    return found


def coupled_engine(
    library: ctypes.CDLL,
    bodies: tuple[Bodies, COptions],
    automata: tuple[Automata, AutomataOptions],
    links: Links,
    switches: int,
) -> Engine:
    """An engine of automata with bodies, of whose loads so many functions are ``switches``."""
    structure, options = bodies

    def create(automata: object, chosen: object, handle: object) -> int:
        pair = byref(structure.c), byref(options)
        return int(library.dvc_create(*pair, automata, chosen, byref(links.c), handle))

    outside = 2 * structure.contacts
    return Engine(library, *automata, create, outside=outside, outside_switches=switches)


def set_bodies(library: ctypes.CDLL, engine: Engine, numbers: Array, time: float, x: Array) -> None:
    """Begin anew with these numbers of the bodies, in free flight at ``x``."""
    start = np.ascontiguousarray(x, dtype=np.float64)
    library.dvc_set_bodies(engine.handle, time, numbers.ctypes.data, start.ctypes.data)


def set_location(library: ctypes.CDLL, engine: Engine, modes: Ints, held: Array) -> Code:
    """Begin in another location of the bodies."""
    assert modes.dtype == np.int32
    return Code(library.dvc_set_location(engine.handle, modes.ctypes.data, held.ctypes.data))


def bodies_ahead(library: ctypes.CDLL, engine: Engine, contacts: int) -> Array:
    """Where contacts are heading, (contacts, 3)."""
    ahead = np.zeros((contacts, 3))
    library.dvc_get_memory(engine.handle, ahead.ctypes.data)
    return ahead


def bodies_go_on(library: ctypes.CDLL, engine: Engine, ahead: Array, *, holds: bool) -> None:
    """Let contacts head there; ``holds`` tells whether the last node found their forces."""
    library.dvc_go_on(engine.handle, holds, ahead.ctypes.data)
