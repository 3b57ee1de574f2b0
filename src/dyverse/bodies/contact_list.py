"""The contact list as columns: there may be millions of contacts, and few sorts of them.

Contacts of the same two shapes under the same rule differ in nothing but their bodies. The list
holds two bodies and a sort for each; a contact as a value of its own is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

B = TypeVar("B")  # a body, or its name
S = TypeVar("S")  # what contacts of one sort have in common
T = TypeVar("T")  # a contact
Numbers = NDArray[np.int32]
FEW = 1000  # contacts that are made once


class ContactList(Sequence[T], Generic[B, S, T]):
    """Contacts in their order: ``bodies`` (n, 2) by number, and the number of each one's sort."""

    def __init__(
        self,
        things: tuple[B, ...],
        bodies: Numbers,
        sort: Numbers,
        sorts: tuple[S, ...],
        make: Callable[[B, B, S], T],
    ) -> None:
        self.bodies, self.sort, self.sorts = bodies, sort, sorts
        self._things, self._make = things, make
        for column in (bodies, sort):
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.sort)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if isinstance(place, slice):
            return tuple(self._made(self.bodies[place], self.sort[place]))
        a, b = self.bodies[place].tolist()
        return self._make(self._things[a], self._things[b], self.sorts[self.sort[place]])

    def __iter__(self) -> Iterator[T]:
        return iter(self._few) if len(self) <= FEW else self._made(self.bodies, self.sort)

    @cached_property
    def _few(self) -> tuple[T, ...]:
        """All of them, where that is not much to keep."""
        return tuple(self._made(self.bodies, self.sort))

    def _made(self, bodies: Numbers, sort: Numbers) -> Iterator[T]:
        things, sorts, make = self._things, self.sorts, self._make
        for (a, b), one in zip(bodies.tolist(), sort.tolist(), strict=True):
            yield make(things[a], things[b], sorts[one])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContactList | tuple):
            return NotImplemented
        return len(self) == len(other) and all(map(_same, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} contacts of {len(self.sorts)} sorts>"

    def of(
        self, things: tuple[Any, ...], sorts: Iterable[Any], make: Callable[[Any, Any, Any], Any]
    ) -> ContactList[Any, Any, Any]:
        """The same contacts as other values, with as many sorts."""
        return ContactList(things, self.bodies, self.sort, tuple(sorts), make)

    def followed_by(self, others: Iterable[tuple[int, int, S]]) -> ContactList[B, S, T]:
        """With further contacts behind these, each of a sort of its own."""
        rows = list(others)
        if not rows:
            return self
        bodies = np.array([row[:2] for row in rows], dtype=np.int32)
        sort = np.arange(len(rows), dtype=np.int32) + np.int32(len(self.sorts))
        return ContactList(
            self._things,
            np.concatenate([self.bodies, bodies]),
            np.concatenate([self.sort, sort]),
            (*self.sorts, *(row[2] for row in rows)),
            self._make,
        )

    def column(self, values: Iterable[Any]) -> NDArray[Any]:
        """What each contact has, from what each sort has."""
        return np.array(list(values))[self.sort]


def _same(one: object, other: object) -> bool:
    return one == other
