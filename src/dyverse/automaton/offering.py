"""Whether something does more than it must: which of the protocols of automata and flows it offers.

To ask by `isinstance` takes tens of microseconds before Python 3.12, and works out properties to
see whether they are there. What is offered does not change from one object of a class to another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard, TypeVar

Offered = TypeVar("Offered")
_KNOWN: dict[tuple[type, object], bool] = {}


def offers(thing: object, protocol: Callable[..., Offered]) -> TypeGuard[Offered]:
    """Whether ``thing`` does what ``protocol`` says; found out once for each class."""
    key = type(thing), protocol
    if key not in _KNOWN:
        _KNOWN[key] = isinstance(thing, protocol)  # type: ignore[arg-type]  # a class with a check
    return _KNOWN[key]
