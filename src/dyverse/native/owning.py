"""What lives as long as an object of Python: what was made ready for a model.

A destructor in Python runs wherever the last reference goes, and if Ctrl-C comes while it runs, the
interrupt is printed and forgotten. So nothing of Python's runs then: what has lost its owner is put
on a list, and cleared away when the next one comes.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

Owner = TypeVar("Owner")
Value = TypeVar("Value")


class _Tie(weakref.ref[Any]):
    """A reference to an owner that says by which key it is known."""

    __slots__ = ("key",)

    key: int


class Owned(Generic[Owner, Value]):
    """Values by their owners, as long as these live."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[_Tie, Value]] = {}
        self._gone: list[_Tie] = []

    def get(self, owner: Owner) -> Value | None:
        """The value of ``owner``, if it has one."""
        tie, value = self._found.get(id(owner), (None, None))
        return value if tie is not None and tie() is owner else None

    def put(self, owner: Owner, value: Value) -> list[Value]:
        """Give ``owner`` a value; returned are those that have lost their owners since."""
        abandoned = list(self._abandoned())
        tie = _Tie(owner, self._gone.append)
        tie.key = id(owner)
        self._found[tie.key] = tie, value
        return abandoned

    def _abandoned(self) -> Iterator[Value]:
        while True:
            try:
                tie = self._gone.pop()
            except IndexError:  # perhaps another thread was quicker
                return
            if self._found.get(tie.key, (None, None))[0] is tie:
                yield self._found.pop(tie.key)[1]
