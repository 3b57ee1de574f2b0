"""The file of a certificate: lines of JSON, compressed; see ``docs/reference/certificate.md``.

The first line is the question, each further line a box with its proof, the last line says how many
boxes there are and has a checksum of all before it. Here it is only seen to that numbers are
numbers and names are names; whatever cannot be read is a `ModelError`.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from dyverse.enclosure.front import Step
from dyverse.errors import ModelError, Problem

VERSION = 1
LONGEST = 1 << 28  # bytes of one line
MOST = 200_000  # coefficients of one polynomial
DEEPEST = 200  # times that a box is halved
UNKNOWNS = 32
DECIMAL = re.compile(r"[+-]?\d{1,400}(\.\d{0,400})?([eE][+-]?\d{1,3})?")

T = TypeVar("T")
Json = Any  # whatever the json module takes
Polynomial = tuple[float, ...]
Modes = tuple[tuple[str, str], ...]  # a word for each of some contacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is claimed about which model, for which numbers; numbers are decimals."""

    text: str
    claim: str  # the name of a property
    until: str | None  # instead of the property's own end
    unknowns: tuple[tuple[str, str, str], ...]  # name, least, greatest
    settings: tuple[tuple[str, str], ...]
    states: tuple[str, ...]  # that are followed
    still: tuple[str, ...]  # that are zero all the time
    mirrored: tuple[tuple[str, str, str], ...] = ()  # that are another, with its sign: + or -


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


Then = Impact | Change | Rest | Jump | End | Broken


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of time in one location, and what happens at its end."""

    place: Modes
    steps: tuple[Step, ...]
    then: Then


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the ranges: halves taken, ``2 i`` the lower and ``2 i + 1`` the upper of unknown i.

    Without legs it is open, and ``why`` says why.
    """

    halves: tuple[int, ...]
    degrees: tuple[int, ...] = ()
    legs: tuple[Leg, ...] = ()
    why: str = ""


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
        self.question = self._made(_question, first)
        if first.get("sha256") != checksum(self.question.text):
            raise self.refused("the model in it has been changed")

    def boxes(self) -> Iterator[Box]:
        """The boxes; the file must end as it says."""
        count, total = 0, self._sum.hexdigest()
        while "boxes" not in (line := self._next()):
            yield self._made(_box, line)
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

    def _made(self, make: Callable[[Mapping[str, Json]], T], line: Mapping[str, Json]) -> T:
        try:
            return make(line)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self.refused(f"is not a certificate: {error}") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _question(line: Mapping[str, Json]) -> Question:
    unknowns = tuple((_text(n), _decimal(a), _decimal(b)) for n, a, b in line["unknowns"])
    settings = tuple((_text(name), _decimal(number)) for name, number in line["settings"])
    states, still = (tuple(map(_text, line[name])) for name in ("states", "still"))
    mirrored = tuple((_text(a), _text(b), _text(c)) for a, b, c in line.get("mirrored", ()))
    if any(of not in states or sign not in ("+", "-") for _, of, sign in mirrored):
        raise ValueError("a state is mirrored that is not followed")
    followed = [*states, *still, *(name for name, _, _ in mirrored)]
    for names in ([u[0] for u in unknowns] + [s[0] for s in settings], followed):
        if len(set(names)) < len(names):
            raise ValueError("a name is there twice")
    if len(unknowns) > UNKNOWNS:
        raise ValueError("too many unknowns")
    return Question(
        text=_text(line["text"]),
        claim=_text(line["claim"]),
        until=None if line["until"] is None else _decimal(line["until"]),
        unknowns=unknowns,
        settings=settings,
        states=states,
        still=still,
        mirrored=mirrored,
    )


def _box(line: Mapping[str, Json]) -> Box:
    halves, degrees = (tuple(map(_whole, line[name])) for name in ("halves", "degrees"))
    if len(halves) > DEEPEST or len(degrees) > UNKNOWNS:
        raise ValueError("too small a box, or too many unknowns")
    size = math.prod(degree + 1 for degree in degrees)
    if size > MOST:
        raise ValueError("too many powers")
    return Box(halves, degrees, tuple(_leg(leg, size) for leg in line["legs"]), _text(line["why"]))


def _leg(leg: Mapping[str, Json], size: int) -> Leg:
    steps = tuple(_step(step, size) for step in leg["steps"])
    return Leg(_pairs(leg["place"]), steps, _then(leg["then"], size))


def _step(step: Mapping[str, Json], size: int) -> Step:
    degree = _whole(step["degree"])
    if (degree + 1) * size > MOST:
        raise ValueError("too many powers")
    states = tuple(_polynomial(p, (degree + 1) * size) for p in step["states"])
    return Step(degree, _polynomial(step["pace"], size), states)


def _then(then: Mapping[str, Json], size: int) -> Then:
    match then["kind"]:
        case "end":
            return End()
        case "change":
            return Change(_text(then["closing"]))
        case "broken":
            return Broken(_real(then["time"]))
        case "jump":
            after = tuple(_polynomial(p, size) for p in then["after"])
            return Jump(_text(then["closing"]), tuple(map(_whole, then["edges"])), after)
        case "rest":
            after = tuple(_polynomial(p, size) for p in then["after"])
            reach = _polynomial(then["reach"], len(after))
            moving = tuple(map(_whole, then["moving"]))
            return Rest(_text(then["contact"]), moving, reach, after)
        case "impact":
            impulses = ((_whole(i), _polynomial(p, size)) for i, p in then["impulses"])
            after = tuple(_polynomial(p, size) for p in then["after"])
            return Impact(_text(then["closing"]), _pairs(then["pattern"]), tuple(impulses), after)
        case kind:
            raise ValueError(f"unknown kind {kind!r}")


def _pairs(pairs: Sequence[Json]) -> Modes:
    return tuple((_text(a), _text(b)) for a, b in pairs)


def _polynomial(text: str, size: int) -> Polynomial:
    numbers = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f8")
    if len(numbers) != size or not np.isfinite(numbers).all():
        raise ValueError("a polynomial has the wrong coefficients")
    return tuple(numbers.tolist())


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _decimal(value: Json) -> str:
    if not DECIMAL.fullmatch(_text(value)):
        raise ValueError("a number is not a decimal")
    return str(value)


def _whole(value: Json) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise TypeError("a count is missing")
    return value


def _real(value: Json) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise TypeError("a number is missing")
    return float(value)
