"""What pages ask for: everything in a request is looked at before it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Request = Mapping[str, Any]  # as JSON has it: looked at one by one


class Refused(Exception):  # noqa: N818 - an answer, not a failure
    """A request that cannot be followed, with the reason."""


def number_in(request: Request, name: str) -> float:
    """The number that a request must have."""
    found = request.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or found != found:
        raise Refused(f"{name!r} must be a number")
    return float(found)


def numbers_in(request: Request, name: str, count: int) -> list[float]:
    """So many numbers."""
    found = request.get(name)
    if not isinstance(found, list) or len(found) != count:
        raise Refused(f"{name!r} must be {count} numbers")
    return [number_in({name: item}, name) for item in found]


def text_in(request: Request, name: str) -> str:
    """Some text."""
    found = request.get(name)
    if not isinstance(found, str):
        raise Refused(f"{name!r} must be text")
    return found


def names_in(request: Request, name: str) -> tuple[str, ...]:
    """A list of names."""
    found = request.get(name)
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise Refused(f"{name!r} must be a list of names")
    return tuple(found)
