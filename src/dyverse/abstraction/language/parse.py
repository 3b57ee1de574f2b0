"""Text to expressions, in the notation of [carter2011] Table 1, with positions in errors.

``+`` is union, juxtaposition concatenation, ``*`` closure, ``^ω`` (or ``^w``) infinite repetition,
ε the empty word, ∅ no word; () and [] group. A letter is one letter with an optional number, as in
``a`` or ``b12``, or a name in quotes, as in ``'bounce'``. Brackets that say nothing are forgotten,
all other structure is kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dyverse.abstraction.language.expression import (
    EMPTY,
    EPSILON,
    Concat,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
    is_infinite,
)
from dyverse.abstraction.language.word import LETTER
from dyverse.errors import ParseError, Problem, Span, did_you_mean

_TOKEN = re.compile(rf"\s+|(?P<letter>{LETTER})|(?P<omega>\^[ωw])|(?P<sign>[+*()\[\]ε∅])|.", re.S)
_CLOSING = {"(": ")", "[": "]"}
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "letter", "omega", the sign itself, or "end"
    text: str
    start: int


def parse_expression(text: str, *, alphabet: Collection[str] | None = None) -> Expression:
    """The expression that ``text`` writes; with an alphabet, only over its letters."""
    reader = _Reader(text, tuple(_tokens(text)), alphabet)
    expression = reader.union()
    if reader.next.kind != "end":
        raise reader.error(f"unexpected {reader.next.text!r}", reader.next)
    return expression


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        if not found[0].isspace():
            kind = found.lastgroup or "unknown"
            yield _Token(found[0] if kind == "sign" else kind, found[0], found.start())
    yield _Token("end", "the end", len(text))


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(
        self, text: str, tokens: tuple[_Token, ...], alphabet: Collection[str] | None
    ) -> None:
        self.text, self.tokens, self.alphabet = text, tokens, alphabet
        self.at = self.depth = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def union(self) -> Expression:
        parts = [self.concat()]
        while self.next.kind == "+":
            self.take()
            parts.append(self.concat())
        return Union(tuple(parts)) if len(parts) > 1 else parts[0]

    def concat(self) -> Expression:
        parts = [self.repeated()]
        while self.next.kind in ("letter", "ε", "∅", *_CLOSING):
            if is_infinite(parts[-1]):
                raise self.error("nothing can follow an infinite word (^ω)", self.next)
            parts.append(self.repeated())
        return Concat(tuple(parts)) if len(parts) > 1 else parts[0]

    def repeated(self) -> Expression:
        part = self.atom()
        while self.next.kind in ("*", "omega"):
            sign = self.take()
            if is_infinite(part):
                raise self.error("an infinite word (^ω) cannot be repeated", sign)
            part = Star(part) if sign.kind == "*" else Omega(part)
        return part

    def atom(self) -> Expression:
        token = self.take()
        match token.kind:
            case "letter":
                return self.letter(token)
            case "ε":
                return EPSILON
            case "∅":
                return EMPTY
            case "(" | "[":
                return self.group(token)
            case _:
                self.at -= 1
                raise self.error(f"expected a letter, ε or a bracket, not {token.text!r}", token)

    def letter(self, token: _Token) -> Expression:
        name = token.text.strip("'")
        if self.alphabet is not None and name not in self.alphabet:
            hint = did_you_mean(name, self.alphabet)
            raise self.error(f"unknown letter {name!r}{hint}", token)
        return Letter(name)

    def group(self, opening: _Token) -> Expression:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"more than {_DEEPEST} brackets inside each other", opening)
        inside = self.union()
        if self.next.kind != _CLOSING[opening.kind]:
            wanted = _CLOSING[opening.kind]
            raise self.error(f"expected {wanted!r}, not {self.next.text!r}", self.next)
        self.take()
        self.depth -= 1
        return inside

    def error(self, message: str, token: _Token) -> ParseError:
        before = self.text[: token.start]
        column = len(before) - before.rfind("\n")
        width = len(token.text) if token.kind != "end" else 1
        span = Span(before.count("\n") + 1, column, column + width)
        return ParseError([Problem(message, span)], source=self.text, file="<expression>")
