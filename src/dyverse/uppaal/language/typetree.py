"""Types, variables and parameters from the parser's reductions."""

from __future__ import annotations

from typing import Any, TypeVar

from lark import Token, Transformer, v_args

from dyverse.errors import Span
from dyverse.text.tree.builder import Mistake, token_span
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language import syntax
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

    def basic(self, token: Token) -> tuple[ex.Named, Span]:
        """``int``, ``clock``."""
        return ex.Named(str(token)), token_span(token)

    def ranged(
        self, word: Token, low: ex.Expression, high: ex.Expression
    ) -> tuple[ex.Ranged, Span]:
        """``int[0, 3]``."""
        return ex.Ranged(low, high), token_span(word)

    def scalar(self, size: ex.Expression) -> tuple[ex.ScalarSet, Span | None]:
        """``scalar[3]``."""
        return ex.ScalarSet(size), size.span

    def record(self, *fields: syntax.Variables) -> tuple[ex.Record, Span | None]:
        """``struct { … }``."""
        return ex.Record(fields), fields[0].span

    def plain_type(self, *parts: Any) -> ex.Type:
        """A type that needs no typedef."""
        prefixes, (base, span) = parts[:-1], parts[-1]
        words = tuple(map(str, prefixes))
        kind = base.name if isinstance(base, ex.Named) else "int"
        for token in prefixes:
            if str(token) not in _ALLOWED[kind] or words.count(str(token)) > 1:
                raise Mistake(f"{str(token)!r} does not fit this type", token_span(token))
        return ex.Type(base, words, token_span(prefixes[0]) if prefixes else span)

    def named_type(self, *parts: Token) -> ex.Type:
        """A type by its name."""
        return ex.Type(ex.Named(str(parts[-1])), tuple(map(str, parts[:-1])), token_span(parts[-1]))

    def dimensions(self, *items: ex.Dimension) -> tuple[ex.Dimension, ...]:
        """``[2][T]``."""
        return items

    def declarator(
        self, name: Token, dimensions: tuple[ex.Dimension, ...], *value: Any
    ) -> syntax.Declarator:
        """``a[2] = {1, 2}``."""
        initial = value[-1] if value else None
        return syntax.Declarator(declared(name), dimensions, initial, token_span(name))

    def field_value(self, name: Token | None, value: syntax.Initial) -> tuple[str, syntax.Initial]:
        """``field: value``."""
        return str(name or ""), value

    def listing(self, *fields: tuple[str, syntax.Initial]) -> syntax.Listing:
        """``{ 1, 2 }``."""
        names, items = zip(*fields, strict=True)
        return syntax.Listing(items, names, items[0].span)

    def variables(self, type_: ex.Type, *declarators: syntax.Declarator) -> syntax.Variables:
        """``int a, b;``."""
        return syntax.Variables(type_, declarators, type_.span)

    def type_definition(
        self, type_: ex.Type, *declarators: syntax.Declarator
    ) -> syntax.TypeDefinition:
        """``typedef int[0, 3] T;``."""
        for declarator in declarators:
            if declarator.initial is not None:
                assert declarator.span is not None
                raise Mistake("a type has no value", declarator.span)
        return syntax.TypeDefinition(type_, declarators, type_.span)

    def old_constant(self, word: Token, *declarators: syntax.Declarator) -> syntax.Variables:
        """``const N 5;`` of old files."""
        span = token_span(word)
        return syntax.Variables(ex.Type(ex.Named("int"), ("const",), span), declarators, span)

    def old_declarator(
        self, name: Token, dimensions: tuple[ex.Dimension, ...], value: syntax.Initial
    ) -> syntax.Declarator:
        """``N 5``."""
        return syntax.Declarator(declared(name), dimensions, value, token_span(name))

    def signed(self, sign: Token | None, token: Token) -> ex.Expression:
        """``-5``."""
        number = ex.Constant(str(token), token_span(token))
        return number if sign is None else ex.Prefix("-", number, token_span(sign))

    def parameter(
        self, type_: ex.Type, sign: Token | None, name: Token, dimensions: tuple[ex.Dimension, ...]
    ) -> syntax.Parameter:
        """``const int n``, ``chan &c``."""
        return syntax.Parameter(
            type_, declared(name), dimensions, sign is not None, token_span(name)
        )

    def selection(self, name: Token, type_: ex.Type) -> syntax.Selection:
        """``i : int[0, 3]``."""
        return syntax.Selection(declared(name), type_, token_span(name))

    def remark(self, token: Token) -> syntax.Remark:
        """A comment."""
        return syntax.Remark(str(token).rstrip(), token.type == "BESIDE", token_span(token))

    def select_part(self, *items: syntax.Selection) -> tuple[syntax.Selection, ...]:
        """``i : T, j : T``."""
        return items

    def parameter_part(self, *items: syntax.Parameter | None) -> tuple[syntax.Parameter, ...]:
        """``int a, int b``, or nothing."""
        return present(items)

    def global_part(self, *items: syntax.Declaration) -> tuple[syntax.Declaration, ...]:
        """Declarations."""
        return items

    local_part = system_part = global_part
