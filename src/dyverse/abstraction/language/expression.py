"""Regular and ω-regular expressions: immutable terms over an alphabet of named letters.

An expression denotes a set of finite and infinite words, so that one type serves the regular
languages ([carter2011] §3.1), the ω-regular ones ([carter2011] Def. 4) and their formal sum
([carter2011] §3.3). Nothing can follow an infinite word: ω stands last in a concatenation and
never below a star or another ω.

The classes keep terms as they were written; the functions `union`, `concat`, `star` and `omega`
build the same languages flat and without ε and ∅ where those say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from dyverse.errors import ModelError, Problem


@dataclass(frozen=True, slots=True)
class Empty:
    """∅: no word at all."""


@dataclass(frozen=True, slots=True)
class Epsilon:
    """ε: the word without letters."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One event; the name is a single letter with an optional number, or any word."""

    name: str

    def __post_init__(self) -> None:
        if not self.name or not self.name.isprintable() or "'" in self.name:
            raise _wrong(f"{self.name!r} cannot be the name of a letter")


@dataclass(frozen=True, slots=True)
class Union:
    """``p + v``: the words of any of at least two ``parts``."""

    parts: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _at_least_two("union", self.parts)


@dataclass(frozen=True, slots=True)
class Concat:
    """``pv``: a word of each of at least two ``parts``, one after the other."""

    parts: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _at_least_two("concatenation", self.parts)
        _finite("a concatenation goes on", self.parts[:-1])


@dataclass(frozen=True, slots=True)
class Star:
    """``p*``: words of ``part``, any number of them."""

    part: Expression

    def __post_init__(self) -> None:
        _finite("* repeats", (self.part,))


@dataclass(frozen=True, slots=True)
class Omega:
    """``p^ω``: infinitely many words of ``part``, none of them empty. [carter2011] §3.2"""

    part: Expression

    def __post_init__(self) -> None:
        _finite("^ω repeats", (self.part,))


Expression = Empty | Epsilon | Letter | Union | Concat | Star | Omega
EMPTY = Empty()
EPSILON = Epsilon()


def _at_least_two(what: str, parts: tuple[Expression, ...]) -> None:
    if len(parts) < 2:
        raise _wrong(f"a {what} needs at least two parts, not {len(parts)}")


def _finite(where: str, parts: Iterable[Expression]) -> None:
    if any(map(is_infinite, parts)):
        raise _wrong(f"{where} after ^ω, but nothing can follow an infinite word")


def _wrong(message: str) -> ModelError:
    return ModelError([Problem(message)], file="<expression>")


def is_infinite(expression: Expression) -> bool:
    """Whether ^ω occurs, so that there may be infinite words."""
    match expression:
        case Omega():
            return True
        case Union(parts=parts):
            return any(map(is_infinite, parts))
        case Concat(parts=parts):
            return is_infinite(parts[-1])
        case _:
            return False


def is_nullable(expression: Expression) -> bool:
    """Whether the empty word belongs to the language."""
    match expression:
        case Epsilon() | Star():
            return True
        case Union(parts=parts):
            return any(map(is_nullable, parts))
        case Concat(parts=parts):
            return all(map(is_nullable, parts))
        case Empty() | Letter() | Omega():
            return False
        case _:
            assert_never(expression)


def letters_of(expression: Expression) -> tuple[str, ...]:
    """The names of the letters that occur, sorted."""
    match expression:
        case Letter(name=name):
            return (name,)
        case Union(parts=parts) | Concat(parts=parts):
            return tuple(sorted({name for part in parts for name in letters_of(part)}))
        case Star(part=part) | Omega(part=part):
            return letters_of(part)
        case _:
            return ()


def union(*parts: Expression) -> Expression:
    """The union, flat, without ∅ and repetitions; in the order given."""
    flat = (p for part in parts for p in (part.parts if isinstance(part, Union) else (part,)))
    kept = tuple(dict.fromkeys(part for part in flat if part != EMPTY))
    return Union(kept) if len(kept) > 1 else kept[0] if kept else EMPTY


def concat(*parts: Expression) -> Expression:
    """The concatenation, flat and without ε; ∅ if any part is."""
    flat = (p for part in parts for p in (part.parts if isinstance(part, Concat) else (part,)))
    kept = tuple(part for part in flat if part != EPSILON)
    if EMPTY in kept:
        return EMPTY
    return Concat(kept) if len(kept) > 1 else kept[0] if kept else EPSILON


def star(part: Expression) -> Expression:
    """The closure; ε and ∅ repeated are ε, and a closure repeated is itself."""
    if isinstance(part, Star):
        return part
    return EPSILON if part in (EMPTY, EPSILON) else Star(part)


def omega(part: Expression) -> Expression:
    """The infinite repetition; of ε and ∅ there is none."""
    return EMPTY if part in (EMPTY, EPSILON) else Omega(part)
