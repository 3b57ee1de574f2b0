"""Declarations and statements of UPPAAL's C-like language; its expressions are in `expression`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dyverse.errors import Span
from dyverse.uppaal.language.expression import Dimension, Expression, Reference, Type


@dataclass(frozen=True, slots=True)
class Listing:
    """``{ 1, 2, { 3 } }``: the initial value of an array or a record."""

    items: tuple[Initial, ...]
    names: tuple[str, ...] = ()  # of the fields, or as many empty texts
    span: Span | None = field(default=None, compare=False, repr=False)


Initial = Expression | Listing


@dataclass(frozen=True, slots=True)
class Declarator:
    """``name[dimensions] = initial``."""

    name: str
    dimensions: tuple[Dimension, ...] = ()
    initial: Initial | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Variables:
    """``type a, b[2] = {1, 2};``: variables, clocks, channels or constants."""

    type: Type
    declarators: tuple[Declarator, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """``typedef type name;``."""

    type: Type
    declarators: tuple[Declarator, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function or template, by value or by reference."""

    type: Type
    name: str
    dimensions: tuple[Dimension, ...] = ()
    by_reference: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Function:
    """``result name(parameters) { body }``."""

    result: Type
    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Instantiation:
    """``name(parameters) = template(arguments);``."""

    name: str
    parameters: tuple[Parameter, ...]
    template: str
    arguments: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ChannelPriority:
    """``chan priority a, b[0] < default;``: groups of rising priority."""

    groups: tuple[tuple[Expression, ...], ...]  # ``default`` is a reference
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Hook:
    """``before_update { … }`` or ``after_update { … }``."""

    kind: str
    updates: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """``progress { guard : measure; … }``: what grows along a run, for checkers."""

    measures: tuple[tuple[Expression, Expression | None], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bar:
    """``for (i : T) condition -> colour`` of a line of a Gantt chart."""

    selections: tuple[Selection, ...]
    condition: Expression
    colour: Expression


@dataclass(frozen=True, slots=True)
class Gantt:
    """``gantt { name(i : T) : bars; … }``: what to draw of a run."""

    lines: tuple[tuple[str, tuple[Selection, ...], tuple[Bar, ...]], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SystemLine:
    """``system A, B < C;``: groups of rising priority."""

    groups: tuple[tuple[Reference, ...], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment; ``beside`` the declaration or statement before it, on the same line, or not."""

    text: str
    beside: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


Declaration = (
    Variables
    | TypeDefinition
    | Function
    | Instantiation
    | ChannelPriority
    | Hook
    | Progress
    | Gantt
    | SystemLine
    | Remark
)


@dataclass(frozen=True, slots=True)
class Block:
    """``{ … }``, with its own names."""

    items: tuple[Statement, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Evaluate:
    """``expression;``."""

    expression: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Empty:
    """``;``."""

    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    """``if (tests) yes else no``; of several tests the last one counts."""

    tests: tuple[Expression, ...]
    yes: Statement
    no: Statement | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class For:
    """``for (first; tests; then) body``."""

    first: tuple[Expression, ...]
    tests: tuple[Expression, ...]
    then: tuple[Expression, ...]
    body: Statement
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Iterate:
    """``for (variable : type) body``."""

    variable: str
    type: Type
    body: Statement
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class While:
    """``while (tests) body``, or ``do body while (tests);``."""

    tests: tuple[Expression, ...]
    body: Statement
    kind: Literal["while", "do"] = "while"
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Return:
    """``return value;``."""

    value: Expression | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assert:
    """``assert condition;``."""

    condition: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


Statement = (
    Block
    | Evaluate
    | Empty
    | If
    | For
    | Iterate
    | While
    | Return
    | Assert
    | Variables
    | TypeDefinition
    | Remark
)


@dataclass(frozen=True, slots=True)
class Selection:
    """``name : type`` of a select label."""

    name: str
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """``channel!`` or ``channel?``."""

    channel: Expression
    direction: Literal["!", "?"]
    span: Span | None = field(default=None, compare=False, repr=False)
