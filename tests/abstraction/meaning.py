"""What expressions mean, from their definition and without any automaton: the second road.

A word is a row of places, a lasso a row that ends in a ring. An expression denotes which places its
words join, and from which places one of its infinite words can be read: relations, composed as the
expression is.
"""

from __future__ import annotations

from dataclasses import dataclass

from dyverse.abstraction.language.expression import (
    Concat,
    Epsilon,
    Expression,
    Letter,
    Omega,
    Star,
    Union,
)
from dyverse.abstraction.language.word import Lasso, Word

Joined = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Meaning:
    joined: Joined  # places between which a word of one letter or more can be read
    empty: bool  # whether the empty word belongs to it
    endless: frozenset[int] = frozenset()  # places from which an infinite word can be read


def contains(expression: Expression, word: Word | Lasso) -> bool:
    """Whether ``word`` belongs to the language, by definition."""
    if isinstance(word, Lasso):
        letters, back = word.prefix + word.cycle, len(word.prefix)
        following = [*range(1, len(letters)), back]
        return 0 in meaning(expression, letters, following).endless
    read = meaning(expression, word, list(range(1, len(word) + 1)))
    return (0, len(word)) in read.joined if word else read.empty


def meaning(expression: Expression, letters: Word, following: list[int]) -> Meaning:
    match expression:
        case Epsilon():
            return Meaning(frozenset(), True)
        case Letter(name=name):
            places = (n for n, letter in enumerate(letters) if letter == name)
            return Meaning(frozenset((n, following[n]) for n in places), False)
        case Union(parts=parts):
            read = [meaning(part, letters, following) for part in parts]
            joined = Joined().union(*(one.joined for one in read))
            endless = frozenset[int]().union(*(one.endless for one in read))
            return Meaning(joined, any(one.empty for one in read), endless)
        case Concat(parts=(first, *rest)):
            whole = meaning(first, letters, following)
            for part in rest:
                whole = _then(whole, meaning(part, letters, following))
            return whole
        case Star(part=part):
            return Meaning(_closed(meaning(part, letters, following).joined), True)
        case Omega(part=part):
            return Meaning(frozenset(), False, _endless(meaning(part, letters, following).joined))
        case _:
            return Meaning(frozenset(), False)


def _then(one: Meaning, two: Meaning) -> Meaning:
    joined = {(a, d) for a, b in one.joined for c, d in two.joined if b == c}
    joined |= one.joined if two.empty else set()
    joined |= two.joined if one.empty else set()
    endless = {a for a, b in one.joined if b in two.endless}
    endless |= two.endless if one.empty else set()
    return Meaning(frozenset(joined), one.empty and two.empty, frozenset(endless))


def _closed(joined: Joined) -> Joined:
    while True:
        more = joined | {(a, d) for a, b in joined for c, d in joined if b == c}
        if more == joined:
            return joined
        joined = more


def _endless(joined: Joined) -> frozenset[int]:
    """The places from which one can go on joining for ever."""
    while True:
        sources = {a for a, _ in joined}
        kept = frozenset((a, b) for a, b in joined if b in sources)
        if kept == joined:
            return frozenset(sources)
        joined = kept
