"""Indices of names: ``ball[i + 1]`` inside ``repeat i in 1..20`` is the name ``ball_4`` for i = 3.

An index is a whole number, made of literals and of the names of the repeats around it with +, - and
*. So what is repeated has plain names, which every file format and every other tool can have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from itertools import chain
from math import prod

INDICES: ContextVar[Mapping[str, int]] = ContextVar("indices")  # of the repeats around a statement
EVERY = "[*]"  # all there are
LARGEST = 10**9
_INDEX = re.compile(r"\[([^\]]*)\]")
_SUM = re.compile(r"\s*([-+]?)\s*(\w+(?:\s*\*\s*\w+)*)\s*")


class NoIndex(Exception):  # noqa: N818 - a fact about a text, which has a place
    """A text that is no whole number."""


def indices() -> Mapping[str, int]:
    """The names of the repeats around the statement that is being read, and their numbers."""
    return INDICES.get({})


def plain_name(text: str) -> str:
    """A name with its indices put in."""
    return _INDEX.sub(_put_in, text) if "[" in text else text


def _put_in(index: re.Match[str]) -> str:
    if index[0] == EVERY:
        return EVERY
    number = whole_number(index[1])
    if number < 0:
        raise NoIndex(f"the index {index[1].strip()} is {number}; it must be 0 or more")
    return f"_{number}"


def whole_number(text: str) -> int:
    """What a sum of products is; raises `NoIndex`."""
    at, total = 0, 0
    while at < len(text) or not at:
        found = _SUM.match(text, at)
        if found is None or (at and not found[1]):
            raise NoIndex(f"{text.strip()!r} is no whole number")
        number = prod(map(_factor, re.split(r"\s*\*\s*", found[2])))
        total += -number if found[1] == "-" else number
        at = found.end()
    if abs(total) > LARGEST:
        raise NoIndex(f"{text.strip()} is too large")
    return total


def _factor(word: str) -> int:
    if word.isdecimal() and len(word) < len(str(LARGEST)) + 1:
        return int(word)
    known = indices()
    if word not in known:
        around = f"; around it is {', '.join(known)}" if known else ", and there is no repeat"
        raise NoIndex(f"{word!r} is no name of a repeat around it{around}")
    return known[word]


def every(text: str) -> re.Pattern[str]:
    """The names that a name with ``[*]`` stands for."""
    parts = [[re.escape(part), r"_\d+"] for part in text.split(EVERY)]
    return re.compile("".join(chain.from_iterable(parts)).removesuffix(r"_\d+"))
