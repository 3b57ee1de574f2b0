"""Types of UPPAAL worked out: ranges are numbers, arrays have sizes, and all consist of scalars.

A variable of any type is stored as its *leaves*, one number each, called by paths such as
``P.a[2].x``: those are the names of the variables of the network.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

ScalarKind = Literal["int", "bool", "double", "clock", "chan", "void"]

NUMBERS = ("int", "bool", "double", "clock")
INT_LOW, INT_HIGH = -32768, 32767  # of ``int`` without a range
MAX_LEAVES = 100_000


@dataclass(frozen=True, slots=True)
class Scalar:
    """One number, or one channel."""

    kind: ScalarKind
    low: int = INT_LOW
    high: int = INT_HIGH
    hybrid: bool = False  # a clock that is not looked at by symbolic checkers
    urgent: bool = False
    broadcast: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether its values are integers."""
        return self.kind in ("int", "bool")


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """An array with indices from ``low`` on."""

    item: Kind
    low: int
    size: int


@dataclass(frozen=True, slots=True)
class RecordOf:
    """A record with named fields."""

    fields: tuple[tuple[str, Kind], ...]

    def field(self, name: str) -> Kind | None:
        """The type of a field."""
        return dict(self.fields).get(name)


Kind = Scalar | ArrayOf | RecordOf

INT = Scalar("int")
INT32 = Scalar("int", -(2**31), 2**31 - 1)  # of a constant without a range
BOOL = Scalar("bool", 0, 1)
DOUBLE = Scalar("double")
CLOCK = Scalar("clock")
VOID = Scalar("void")


def same_shape(a: Kind, b: Kind) -> bool:
    """Whether values of one type fit the other, but for the ranges of numbers."""
    match a, b:
        case Scalar(), Scalar():
            return (a.kind in NUMBERS) == (b.kind in NUMBERS) and "void" not in (a.kind, b.kind)
        case ArrayOf(), ArrayOf():
            return a.size == b.size and same_shape(a.item, b.item)
        case RecordOf(), RecordOf():
            return len(a.fields) == len(b.fields) and all(
                one == other and same_shape(kind, wanted)
                for (one, kind), (other, wanted) in zip(a.fields, b.fields, strict=True)
            )
    return False


def leaves(kind: Kind, path: str) -> Iterator[tuple[str, Scalar]]:
    """The scalars of a variable called ``path``, with their own paths."""
    match kind:
        case Scalar():
            yield path, kind
        case ArrayOf(item=item, low=low, size=size):
            for i in range(low, low + size):
                yield from leaves(item, f"{path}[{i}]")
        case RecordOf(fields=fields):
            for name, inner in fields:
                yield from leaves(inner, f"{path}.{name}")


def size(kind: Kind) -> int:
    """How many leaves there are."""
    match kind:
        case Scalar():
            return 1
        case ArrayOf(item=item, size=count):
            return count * size(item)
        case RecordOf(fields=fields):
            return sum(size(inner) for _, inner in fields)
