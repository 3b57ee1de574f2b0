"""What pages ask for: everything in a request is looked at before it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LARGEST = 1e30  # of a number: its powers are numbers too
NAMES = 1024  # in one list
Request = Mapping[str, Any]  # as JSON has it: looked at one by one


class Refused(Exception):  # noqa: N818 - an answer, not a failure
    """A request that cannot be followed, with the reason."""


def number_in(request: Request, name: str) -> float:
    """The number that a request must have, not beyond all bounds."""
    found = request.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise Refused(f"{name!r} must be a number")
    if not -LARGEST <= found <= LARGEST:
        raise Refused(f"{name!r} must lie between -{LARGEST:g} and {LARGEST:g}")
    return float(found)


def count_in(request: Request, name: str, most: int) -> int:
    """A whole number, of at most so much either way."""
    return max(-most, min(int(number_in(request, name)), most))


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
    """A list of names, not too long."""
    found = request.get(name)
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise Refused(f"{name!r} must be a list of names")
    if len(found) > NAMES:
        raise Refused(f"{name!r} has {len(found)} names; there may be {NAMES}")
    return tuple(found)
