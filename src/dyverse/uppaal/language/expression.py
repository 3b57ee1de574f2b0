"""Expressions and types of UPPAAL's C-like language.

All are frozen values that carry the place they came from, which takes no part in comparison: a
tree that is printed and parsed again is equal to what it was. ``and``, ``or``, ``not`` and ``:=``
become ``&&``, ``||``, ``!`` and ``=``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dyverse.errors import Span

if TYPE_CHECKING:
    from dyverse.uppaal.language.syntax import Variables


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal as it is written: ``3``, ``0.5``, ``true``."""

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """A name."""

    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Prefix:
    """``-a``, ``+a``, ``!a``, ``++a``, ``--a``."""

    operator: str
    operand: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Suffix:
    """``a++``, ``a--``, and ``a'``, the rate of a clock."""

    operator: str
    operand: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Infix:
    """``a operator b``."""

    operator: str
    left: Expression
    right: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """``test ? yes : no``."""

    test: Expression
    yes: Expression
    no: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Element:
    """``base[index]``."""

    base: Expression
    index: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    """``base.name``."""

    base: Expression
    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Application:
    """``function(arguments…)``."""

    function: Expression
    arguments: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Update:
    """``target = value``, ``target += value`` and their like."""

    operator: str
    target: Expression
    value: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quantifier:
    """``forall (i : type) body``, and the same with ``exists`` and ``sum``."""

    kind: str
    variable: str
    type: Type
    body: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


Expression = (
    Constant
    | Reference
    | Prefix
    | Suffix
    | Infix
    | Choice
    | Element
    | Member
    | Application
    | Update
    | Quantifier
)


@dataclass(frozen=True, slots=True)
class Named:
    """A type by its name: ``int``, ``clock``, or one that a typedef introduced."""

    name: str


@dataclass(frozen=True, slots=True)
class Ranged:
    """``int[low, high]``."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class ScalarSet:
    """``scalar[size]``."""

    size: Expression


@dataclass(frozen=True, slots=True)
class Record:
    """``struct { fields }``."""

    fields: tuple[Variables, ...]


@dataclass(frozen=True, slots=True)
class Type:
    """A type with its prefixes, such as ``urgent broadcast chan``."""

    base: Named | Ranged | ScalarSet | Record
    prefixes: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


Dimension = Expression | Type
