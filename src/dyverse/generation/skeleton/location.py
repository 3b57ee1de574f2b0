"""Locations of the rigid-body automaton: hashable values, never indices into a table.

A dynamical location says which contacts are closed and how each of them rubs; a non-dynamical one
is a place inside a computation node, through which a run passes in no time.
[navarro2018] §3.3, 3.4
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

Mode = Literal["stick", "trans", "slip"]
Kind = Literal["impact", "contact"]

MODES: tuple[Mode, ...] = ("stick", "trans", "slip")
ENTRANCE = "en"
EXIT = "ex"


@dataclass(frozen=True, slots=True)
class Modes:
    """A dynamical location s_k,i: the mode of each closed contact, in contact-list order.

    With no contact closed it is the free flight S0.  [navarro2018] §3.3
    """

    closed: tuple[tuple[str, Mode], ...] = ()

    @property
    def contacts(self) -> tuple[str, ...]:
        """I_k: the closed contacts."""
        return tuple(contact for contact, _ in self.closed)

    def having(self, mode: Mode) -> tuple[str, ...]:
        """The closed contacts in ``mode``: I_st, I_tr or I_sl."""
        return tuple(contact for contact, its_mode in self.closed if its_mode == mode)

    def __str__(self) -> str:
        return "{" + ", ".join(f"{contact}: {mode}" for contact, mode in self.closed) + "}"


@dataclass(frozen=True, slots=True)
class Node:
    """A place in a computation node of ``kind``: entrance ``en``, step ``1`` …, or exit ``ex``.

    ``contacts`` is I_k, the contacts whose forces or impulses the node finds.  [navarro2018] §3.4
    """

    kind: Kind
    contacts: tuple[str, ...]
    place: str

    @property
    def name(self) -> str:
        """The node that this place belongs to, ``impact{ball1-ball2}``."""
        return f"{self.kind}{{{', '.join(self.contacts)}}}"

    def __str__(self) -> str:
        return f"{self.name}.{self.place}"


FREE_FLIGHT = Modes()
RigidLocation = Modes | Node


def words(contacts: tuple[str, ...]) -> Iterator[Modes]:
    """S_k: the 3^N_k locations with exactly these contacts closed.  [navarro2018] §3.3"""
    for word in product(MODES, repeat=len(contacts)):
        yield Modes(tuple(zip(contacts, word, strict=True)))


@lru_cache(maxsize=2**14)
def entrance(kind: Kind, contacts: tuple[str, ...]) -> Node:
    """The place where edges enter a node; remembered, because most edges lead to one."""
    return Node(kind, contacts, ENTRANCE)
