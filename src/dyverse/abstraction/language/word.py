"""Finite words, and lassos: infinite words u(v)^ω that repeat from some place on.

Two ω-regular languages are equal if they hold the same lassos, so lassos are what the decision
procedures answer with. [thomas1990]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from dyverse.errors import ModelError, ParseError, Problem, Span

Word = tuple[str, ...]
Item = TypeVar("Item")

BARE = re.compile(r"(?![εω])[^\W\d_]\d*")  # one letter and perhaps a number
LETTER = rf"{BARE.pattern}|'[^'\n]+'"


@dataclass(frozen=True, slots=True)
class Lasso:
    """The infinite word ``prefix`` ``cycle`` ``cycle`` ``cycle`` …"""

    prefix: Word
    cycle: Word

    def __post_init__(self) -> None:
        if not self.cycle:
            raise ModelError([Problem("a lasso repeats at least one letter")], file="<lasso>")

    def __str__(self) -> str:
        start = word_text(self.prefix) if self.prefix else ""
        return f"{start}({word_text(self.cycle)})^ω"

    def reduced(self) -> Lasso:
        """The same infinite word with the shortest cycle and then the shortest prefix."""
        prefix, cycle = self.prefix, primitive_root(self.cycle)
        while prefix and prefix[-1] == cycle[-1]:
            prefix, cycle = prefix[:-1], (cycle[-1], *cycle[:-1])
        return Lasso(prefix, cycle)


def primitive_root(items: Sequence[Item]) -> tuple[Item, ...]:
    """The shortest sequence of which ``items`` is a repetition."""
    size = len(items)
    lengths = (n for n in range(1, size + 1) if size % n == 0)
    return next((tuple(items[:n]) for n in lengths if items[n:] == items[:-n]), tuple(items))


def letter_text(name: str) -> str:
    """The name of a letter as it stands in expressions and words: bare, or in quotes."""
    return name if BARE.fullmatch(name) else f"'{name}'"


def word_text(word: Word) -> str:
    """The letters of ``word`` side by side; ε if there are none."""
    return "".join(map(letter_text, word)) or "ε"


def parse_word(text: str) -> Word:
    """The word written as ``bda``; ε or nothing for the empty word."""
    if text.strip() in ("", "ε"):
        return ()
    word: list[str] = []
    for found in re.finditer(rf"\s+|(?P<letter>{LETTER})|.", text):
        if found["letter"] is None and not found[0].isspace():
            span = Span(1, found.start() + 1, found.end() + 1)
            message = f"{found[0]!r} is not a letter"
            raise ParseError([Problem(message, span)], source=text, file="<word>")
        word += [found["letter"].strip("'")] if found["letter"] else []
    return tuple(word)


def lasso(prefix: str, cycle: str) -> Lasso:
    """The lasso ``prefix(cycle)^ω`` from two words as text."""
    return Lasso(parse_word(prefix), parse_word(cycle))
