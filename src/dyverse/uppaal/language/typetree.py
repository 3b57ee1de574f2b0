"""Types, variables and parameters from the parser's reductions."""

from __future__ import annotations

from typing import Any, TypeVar

from lark import Token, Transformer, v_args

from dyverse.errors import Span
from dyverse.text.tree import Mistake, token_span
from dyverse.uppaal.language.expression import (
    Constant,
    Dimension,
    Expression,
    Named,
    Prefix,
    Ranged,
    Record,
    ScalarSet,
    Type,
)
from dyverse.uppaal.language.syntax import (
    Declaration,
    Declarator,
    Initial,
    Listing,
    Parameter,
    Remark,
    Selection,
    TypeDefinition,
    Variables,
)
from dyverse.uppaal.language.words import RESERVED

T = TypeVar("T")
_CHANNEL, _VALUE = ("urgent", "broadcast"), ("const", "meta")
_ALLOWED = {  # base -> prefixes that make sense
    "chan": _CHANNEL,
    "clock": ("hybrid",),
    "void": (),
    "int": _VALUE,
    "bool": _VALUE,
    "double": _VALUE,
}


def through(first: Span, last: Span) -> Span:
    """From ``first`` to ``last`` if they share a line, else ``first``."""
    end = last.end if last.line == first.line else first.end
    return Span(first.line, first.column, max(end, first.column + 1))


def present(items: tuple[T | None, ...]) -> tuple[T, ...]:
    """The items that are there."""
    return tuple(item for item in items if item is not None)


def declared(token: Token) -> str:
    """A new name; a word of the language is refused."""
    if str(token) in RESERVED:
        message = f"{str(token)!r} is a word of UPPAAL and cannot be a name"
        raise Mistake(message, token_span(token))
    return str(token)


@v_args(inline=True)
class TypeBuilder(Transformer[Token, Any]):  # any node of the tree
    """The rules about types and what is declared with them."""

    def prefix(self, token: Token) -> Token:
        """``const``, ``urgent`` and their like."""
        return token

    def basic(self, token: Token) -> tuple[Named, Span]:
        """``int``, ``clock``."""
        return Named(str(token)), token_span(token)

    def ranged(self, word: Token, low: Expression, high: Expression) -> tuple[Ranged, Span]:
        """``int[0, 3]``."""
        return Ranged(low, high), token_span(word)

    def scalar(self, size: Expression) -> tuple[ScalarSet, Span | None]:
        """``scalar[3]``."""
        return ScalarSet(size), size.span

    def record(self, *fields: Variables) -> tuple[Record, Span | None]:
        """``struct { … }``."""
        return Record(fields), fields[0].span

    def plain_type(self, *parts: Any) -> Type:
        """A type that needs no typedef."""
        prefixes, (base, span) = parts[:-1], parts[-1]
        words = tuple(map(str, prefixes))
        kind = base.name if isinstance(base, Named) else "int"
        for token in prefixes:
            if str(token) not in _ALLOWED[kind] or words.count(str(token)) > 1:
                raise Mistake(f"{str(token)!r} does not fit this type", token_span(token))
        return Type(base, words, token_span(prefixes[0]) if prefixes else span)

    def named_type(self, *parts: Token) -> Type:
        """A type by its name."""
        return Type(Named(str(parts[-1])), tuple(map(str, parts[:-1])), token_span(parts[-1]))

    def dimensions(self, *items: Dimension) -> tuple[Dimension, ...]:
        """``[2][T]``."""
        return items

    def declarator(self, name: Token, dimensions: tuple[Dimension, ...], *value: Any) -> Declarator:
        """``a[2] = {1, 2}``."""
        initial = value[-1] if value else None
        return Declarator(declared(name), dimensions, initial, token_span(name))

    def field_value(self, name: Token | None, value: Initial) -> tuple[str, Initial]:
        """``field: value``."""
        return str(name or ""), value

    def listing(self, *fields: tuple[str, Initial]) -> Listing:
        """``{ 1, 2 }``."""
        names, items = zip(*fields, strict=True)
        return Listing(items, names, items[0].span)

    def variables(self, type_: Type, *declarators: Declarator) -> Variables:
        """``int a, b;``."""
        return Variables(type_, declarators, type_.span)

    def type_definition(self, type_: Type, *declarators: Declarator) -> TypeDefinition:
        """``typedef int[0, 3] T;``."""
        for declarator in declarators:
            if declarator.initial is not None:
                assert declarator.span is not None
                raise Mistake("a type has no value", declarator.span)
        return TypeDefinition(type_, declarators, type_.span)

    def old_constant(self, word: Token, *declarators: Declarator) -> Variables:
        """``const N 5;`` of old files."""
        span = token_span(word)
        return Variables(Type(Named("int"), ("const",), span), declarators, span)

    def old_declarator(
        self, name: Token, dimensions: tuple[Dimension, ...], value: Initial
    ) -> Declarator:
        """``N 5``."""
        return Declarator(declared(name), dimensions, value, token_span(name))

    def signed(self, sign: Token | None, token: Token) -> Expression:
        """``-5``."""
        number = Constant(str(token), token_span(token))
        return number if sign is None else Prefix("-", number, token_span(sign))

    def parameter(
        self, type_: Type, sign: Token | None, name: Token, dimensions: tuple[Dimension, ...]
    ) -> Parameter:
        """``const int n``, ``chan &c``."""
        return Parameter(type_, declared(name), dimensions, sign is not None, token_span(name))

    def selection(self, name: Token, type_: Type) -> Selection:
        """``i : int[0, 3]``."""
        return Selection(declared(name), type_, token_span(name))

    def remark(self, token: Token) -> Remark:
        """A comment."""
        return Remark(str(token).rstrip(), token.type == "BESIDE", token_span(token))

    def select_part(self, *items: Selection) -> tuple[Selection, ...]:
        """``i : T, j : T``."""
        return items

    def parameter_part(self, *items: Parameter | None) -> tuple[Parameter, ...]:
        """``int a, int b``, or nothing."""
        return present(items)

    def global_part(self, *items: Declaration) -> tuple[Declaration, ...]:
        """Declarations."""
        return items

    local_part = system_part = global_part
