"""The file of a certificate: lines of JSON, compressed; see ``docs/reference/certificate.md``.

The first line is the question, each further line a box with its proof, the last line says how many
boxes there are and has a checksum of all before it. What a line may hold is said by the types of
fields below; whatever is not of its type is a `ModelError`. That a box was read rightly need not be
believed: the checker looks at what was read.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from dyverse.enclosure.front import Step
from dyverse.errors import ModelError, Problem

VERSION = 1
LONGEST = 1 << 28  # bytes of one line
MOST = 200_000  # the greatest number that a count can be
DEEPEST = 200  # times that a box is halved
UNKNOWNS = 32
DECIMAL = re.compile(r"[+-]?\d{1,400}(\.\d{0,400})?([eE][+-]?\d{1,3})?")

T = TypeVar("T")
Json = Any  # whatever the json module takes
Decimal = Annotated[str, DECIMAL]
Polynomial = tuple[float, ...]  # base64 of its numbers
Modes = tuple[tuple[str, str], ...]  # a word for each of some contacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is claimed about which model, for which numbers; numbers are decimals."""

    text: str
    claim: str  # the name of a property
    until: Decimal | None  # instead of the property's own end
    unknowns: tuple[tuple[str, Decimal, Decimal], ...]  # name, least, greatest
    settings: tuple[tuple[str, Decimal], ...]
    states: tuple[str, ...]  # that are followed
    still: tuple[str, ...]  # that are zero all the time
    mirrored: tuple[tuple[str, str, str], ...] = ()  # that are another, with its sign: + or -

    def __post_init__(self) -> None:
        if any(of not in self.states or sign not in ("+", "-") for _, of, sign in self.mirrored):
            raise ValueError("a state is mirrored that is not followed")
        followed = [*self.states, *self.still, *(name for name, _, _ in self.mirrored)]
        for names in ([name for name, *_ in (*self.unknowns, *self.settings)], followed):
            if len(set(names)) < len(names):
                raise ValueError("a name is there twice")
        if len(self.unknowns) > UNKNOWNS:
            raise ValueError("too many unknowns")


class Unproved(Exception):  # noqa: N818 - an outcome, not a mistake
    """Something that a certificate claims and that does not follow."""


@dataclass(frozen=True, slots=True)
class Impact:
    """A gap that closes, what becomes of each contact, impulses that are not zero, states after."""

    closing: str
    pattern: Modes
    impulses: tuple[tuple[int, Polynomial], ...]
    after: tuple[Polynomial, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A signal that comes to zero, and changes how contacts are closed."""

    closing: str


@dataclass(frozen=True, slots=True)
class Rest:
    """Impacts at one contact accumulate; no state moves further than ``reach`` on the way."""

    contact: str
    moving: tuple[int, ...]  # the impulses that are not zero
    reach: Polynomial  # a number for each state
    after: tuple[Polynomial, ...]


@dataclass(frozen=True, slots=True)
class Graze:
    """A contact that may be hit once in the last step, lightly; ``reach`` is what that changes."""

    contact: str
    moving: tuple[int, ...]  # the impulses that are not zero
    reach: Polynomial  # a number for each state


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump of automata: the atom that comes to zero, or nothing where none has to.

    ``edges`` are the numbers of those that are taken, a sender first.
    """

    closing: str
    edges: tuple[int, ...]
    after: tuple[Polynomial, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The time that was asked for has been reached."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The property does not hold at a time of the last step."""

    time: float


Then = Impact | Change | Rest | Graze | Jump | End | Broken


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of time in one location, and what happens at its end."""

    place: Modes
    steps: tuple[Step, ...]
    then: Then


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the ranges: halves taken, ``2 i`` the lower and ``2 i + 1`` the upper of unknown i.

    Without legs it is open, and ``why`` says why. Where runs can go on in several ways the legs are
    those of one of them, and ``others`` those of the others, each from the beginning.
    """

    halves: tuple[int, ...]
    degrees: tuple[int, ...] = ()
    legs: tuple[Leg, ...] = ()
    why: str = ""
    others: tuple[tuple[Leg, ...], ...] = ()

    def __post_init__(self) -> None:
        if len(self.halves) > DEEPEST or len(self.degrees) > UNKNOWNS:
            raise ValueError("too small a box, or too many unknowns")


def checksum(text: str) -> str:
    """What certificates say of a text, so that nobody changes it unseen."""
    return hashlib.sha256(text.encode()).hexdigest()


class Certificate:
    """A certificate that is being read; boxes come one by one."""

    def __init__(self, path: str | Path) -> None:
        self._path, self._sum = str(path), hashlib.sha256()
        self._lines = self._read()
        first = self._next()
        if first.get("dyverse certificate") != VERSION:
            raise self.refused("not a certificate of a kind that is known")
        self.question = self._made(Question, first)
        if first.get("sha256") != checksum(self.question.text):
            raise self.refused("the model in it has been changed")

    def boxes(self) -> Iterator[Box]:
        """The boxes; the file must end as it says."""
        count, total = 0, self._sum.hexdigest()
        while "boxes" not in (line := self._next()):
            yield self._made(Box, line)
            count, total = count + 1, self._sum.hexdigest()
        if line != {"boxes": count, "sha256": total} or next(self._lines, None) is not None:
            raise self.refused("it is not as it was when it was written")

    def refused(self, why: str) -> ModelError:
        """An error about this file."""
        return ModelError([Problem(why)], file=self._path)

    def _next(self) -> dict[str, Json]:
        line = next(self._lines, None)
        if line is None:
            raise self.refused("ends too early")
        self._sum.update(line)
        try:
            found = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError):
            raise self.refused("is not JSON") from None
        if not isinstance(found, dict):
            raise self.refused("is not a certificate")
        return found

    def _read(self) -> Iterator[bytes]:
        """The lines, none too long, whatever the file is."""
        try:
            with Path(self._path).open("rb") as file:
                packed = file.read(2) == b"\x1f\x8b"
                file.seek(0)
                source = gzip.GzipFile(fileobj=file) if packed else file
                while line := source.readline(LONGEST):
                    if len(line) == LONGEST:
                        raise self.refused("has a line that is too long")
                    yield line
        except (OSError, EOFError, zlib.error) as error:
            raise self.refused(f"cannot be read: {error}") from None

    def _made(self, kind: type[T], line: dict[str, Json]) -> T:
        try:
            found: T = made(kind, line)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self.refused(f"is not a certificate: {error}") from None
        return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def made(kind: Any, value: Json) -> Any:  # a type of some field, and something of that type
    """What was written, as its type says; anything else is refused."""
    parts = get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        given = {name: t for name, t, needed in _fields(kind) if needed or name in value}
        return kind(**{name: made(t, value[name]) for name, t in given.items()})
    if kind == Then:
        return made({part.__name__.lower(): part for part in parts}[value["kind"]], value)
    if kind == Polynomial:
        return _polynomial(value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError("a list is missing")
        kinds = parts[:1] * len(value) if parts[-1] is Ellipsis else parts
        return tuple(made(part, item) for part, item in zip(kinds, value, strict=True))
    if type(None) in parts:
        return None if value is None else made(parts[0], value)
    return _plain(kind, value)


@cache
def _fields(kind: Any) -> list[tuple[str, Any, bool]]:  # a class that holds what is read
    """The fields of a class, their types, and whether they are needed."""
    types = get_type_hints(kind, include_extras=True)
    return [(field.name, types[field.name], field.default is MISSING) for field in fields(kind)]


def _plain(kind: Any, value: Json) -> str | int | float:
    """A text, a decimal, a count or a number."""
    if kind in (str, Decimal):
        if not isinstance(value, str) or (kind == Decimal and not DECIMAL.fullmatch(value)):
            raise TypeError("a text or a decimal is missing")
        return value
    if type(value) not in (int, kind) or not abs(value) <= MOST or (kind is int and value < 0):
        raise TypeError("a count or a number is missing")
    found: int | float = kind(value)
    return found


def _polynomial(text: str) -> Polynomial:
    numbers = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f8")
    if not np.isfinite(numbers).all():
        raise ValueError("a polynomial has coefficients that are no numbers")
    return tuple(numbers.tolist())
