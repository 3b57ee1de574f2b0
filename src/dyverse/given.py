"""What callers in Python give, or an error that says what is wrong with it.

In a text a wrong value has a place; here it has the name of what it was given for. Text and numbers
of the command line are checked where they are read.
"""

from __future__ import annotations

import math
from typing import Any

from dyverse.errors import ArgumentError


def number_problem(amount: Any) -> str:
    """Why ``amount`` is no finite number; nothing if it is one."""
    try:
        return "" if math.isfinite(amount) else "not a finite number"
    except OverflowError:  # an integer
        return "too large"
    except TypeError:
        return "not a number"


def check_time(time: object, what: str) -> None:
    """Refuse what is no finite time."""
    if number_problem(time):
        raise ArgumentError(f"{what} is {_shown(time)}; it must be a finite time (s)")


def check_kind(thing: object, kinds: type | tuple[type, ...], what: str, hint: str = "") -> None:
    """Refuse what is of another kind than ``what`` says; ``hint`` tells what to do instead."""
    if not isinstance(thing, kinds):
        raise ArgumentError(f"expected {what}, found {_shown(thing)}{hint and f'; {hint}'}")


def _shown(thing: object) -> str:
    """A thing in a few words: itself if it is short, else its kind."""
    text = repr(thing)
    if len(text) <= 30 and not text.startswith("<"):
        return text
    kind = type(thing).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
