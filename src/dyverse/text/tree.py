"""From the parser's reductions to the syntax tree: called by Lark bottom-up, never recursive.

The grammar has one kind of expression; here it is decided whether a part is a term, a vector or a
condition, and a part in the wrong place is a `Mistake`. Parts carry their depth, so that a nesting
that later recursive functions could not follow is refused where it stands.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, cast

from lark import Token, Transformer, v_args

from dyverse.errors import Problem, Span
from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Not, Or, Relation
from dyverse.expr.term import Binary, Call, Negate, Number, Operator, Symbol, Term, negate
from dyverse.text.depth import MAX_DEPTH, TOO_DEEP, own_depth
from dyverse.text.syntax import (
    BodyStatement,
    ContactStatement,
    Definition,
    Entry,
    InputStatement,
    LoadStatement,
    Name,
    ParameterStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Value,
)

MAX_BRACKETS = 200


class Mistake(Exception):  # noqa: N818 - not for users: it becomes a Problem of a ParseError
    """A statement that the grammar allows and the tree does not."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.problem = Problem(message, span)
        self.span = span


class Part(NamedTuple):
    """A piece of an expression while it is being put together."""

    value: Term | Formula | Row
    span: Span
    depth: int = 1
    brackets: int = 0  # how many pairs are nested inside


def token_span(token: Token) -> Span:
    """The place of one token; tokens never run over the end of a line."""
    line, column = token.line or 1, token.column or 1
    return Span(line, column, column + len(token))


def _name(token: Token) -> Name:
    return Name(str(token), token_span(token))


def _through(first: Span, last: Span) -> Span:
    end = last.end if last.line == first.line else first.end
    return Span(first.line, first.column, end)


def _part(value: Term | Formula | Row, span: Span, parts: tuple[Part, ...], at: Span) -> Part:
    """``value``, made of ``parts``; if that goes too deep, the place to blame is ``at``."""
    depth = max((part.depth for part in parts), default=0)
    if not isinstance(value, Row):
        depth += own_depth(value)
    if depth > MAX_DEPTH:
        raise Mistake(TOO_DEEP, at)
    return Part(value, span, depth, max((part.brackets for part in parts), default=0))


def _bracketed(part: Part, at: Span) -> Part:
    if part.brackets >= MAX_BRACKETS:
        raise Mistake(f"more than {MAX_BRACKETS} brackets inside each other", at)
    return part._replace(brackets=part.brackets + 1)


def _term(part: Part) -> Term:
    if isinstance(part.value, Number | Symbol | Negate | Binary | Call):
        return part.value
    found = "a vector" if isinstance(part.value, Row) else "a condition"
    raise Mistake(f"expected a number, found {found}", part.span)


def _formula(part: Part) -> Formula:
    if isinstance(part.value, Compare | And | Or | Not):
        return part.value
    found = "a vector" if isinstance(part.value, Row) else "a number"
    raise Mistake(f"expected a condition such as 'ball.y > 0', found {found}", part.span)


@v_args(inline=True)
class TreeBuilder(Transformer[Token, object]):
    """One method per rule of the grammar."""

    def parameter(
        self, name: Name, value: Value, low: Value | None, high: Value | None
    ) -> ParameterStatement:
        """``parameter K = 2 in [1, 3]``."""
        limits = None if low is None or high is None else (low, high)
        return ParameterStatement(name, value, limits)

    def setting(self, keyword: Token, value: Value) -> SettingStatement:
        """``gravity (0, -9.81, 0)``."""
        return SettingStatement(str(keyword), value, token_span(keyword))

    def body(self, name: Name, *entries: Entry) -> BodyStatement:
        """``body ball { … }``."""
        return BodyStatement(name, entries)

    def input(self, *definitions: Definition) -> InputStatement:
        """``input u1 = …, u2``."""
        return InputStatement(definitions)

    def definition(self, name: Name, formula: Value | None) -> Definition:
        """``u1 = -K*ball.x``."""
        return Definition(name, formula)

    def load(self, kind: Token, body: Name, value: Value) -> LoadStatement:
        """``force ball (1, 0, 0)``."""
        return LoadStatement(cast(Literal["force", "torque"], str(kind)), body, value)

    def spring(
        self, kind: Token, body: Name, other: Name | Value, *entries: Entry
    ) -> SpringStatement:
        """``spring ball1 ball2 { … }``."""
        word = cast(Literal["spring", "damper"], str(kind))
        return SpringStatement(word, body, other, entries)

    def contact(self, pair: tuple[Name, ...], *entries: Entry | Token) -> ContactStatement:
        """``contact ball1 ball2 { … }``, ``contact all off``."""
        off = any(isinstance(entry, Token) for entry in entries)
        rules = None if off else cast(tuple[Entry, ...], entries)
        both = (pair[0], pair[1]) if len(pair) == 2 else None
        return ContactStatement(both, rules, pair[0].span)

    def pair(self, *names: Token | Name) -> tuple[Name, ...]:
        """Two names, or the word ``all``."""
        return tuple(_name(name) if isinstance(name, Token) else name for name in names)

    def property(self, name: Name, formula: Formula, until: Value | None) -> PropertyStatement:
        """``property caught: always … until 2``."""
        return PropertyStatement(name, formula, until)

    def entry(self, keyword: Token, value: Value | None = None) -> Entry:
        """``mass 1``."""
        return Entry(str(keyword), value, token_span(keyword))

    def NAME(self, token: Token) -> Name:  # noqa: N802 - named after the terminal
        """A name with its place."""
        return _name(token)

    def value(self, part: Part) -> Value:
        """A whole term or vector."""
        return part.value if isinstance(part.value, Row) else _term(part)

    vector = value

    def condition(self, part: Part) -> Formula:
        """A whole formula."""
        return _formula(part)

    def either(self, *parts: Part) -> Part:
        """``a or b or c``."""
        return self._joined(Or, parts)

    def both(self, *parts: Part) -> Part:
        """``a and b and c``."""
        return self._joined(And, parts)

    def _joined(self, kind: type[And] | type[Or], parts: tuple[Part, ...]) -> Part:
        span = _through(parts[0].span, parts[-1].span)
        return _part(kind(tuple(map(_formula, parts)), span), span, parts, parts[-1].span)

    def opposite(self, word: Token, part: Part) -> Part:
        """``not a``."""
        span = _through(token_span(word), part.span)
        return _part(Not(_formula(part), span), span, (part,), token_span(word))

    def comparison(self, left: Part, relation: Token, right: Part) -> Part:
        """``a < b``."""
        span = _through(left.span, right.span)
        formula = Compare(cast(Relation, str(relation)), _term(left), _term(right), span)
        return _part(formula, span, (left, right), token_span(relation))

    def truth(self, word: Token) -> Part:
        """``true`` or ``false``."""
        return Part(TRUE if word == "true" else FALSE, token_span(word))

    def binary(self, left: Part, sign: Token, right: Part) -> Part:
        """``a + b``."""
        span = _through(left.span, right.span)
        term = Binary(cast(Operator, str(sign)), _term(left), _term(right), span)
        return _part(term, span, (left, right), token_span(sign))

    def negative(self, sign: Token, part: Part) -> Part:
        """``-a``."""
        span = _through(token_span(sign), part.span)
        return _part(negate(_term(part), span), span, (part,), token_span(sign))

    def number(self, token: Token) -> Part:
        """``1e-3``."""
        span, number = token_span(token), float(token)
        if math.isinf(number):
            raise Mistake(f"the number {token} is too large", span)
        return Part(Number(number, span), span)

    def symbol(self, token: Token) -> Part:
        """``K`` or ``ball1.vx``."""
        span = token_span(token)
        return Part(Symbol(str(token), span), span)

    def signal(self, name: Token, a: Name, b: Name, bracket: Token) -> Part:
        """``gap[ball1, ball2]``."""
        span = _through(token_span(name), token_span(bracket))
        return Part(Symbol(f"{name}[{a.text},{b.text}]", span), span)

    def call(self, name: Token, *rest: Part | Token | None) -> Part:
        """``sin(x)``."""
        parts, at = _parts(rest), token_span(cast(Token, rest[-1]))
        span = _through(token_span(name), at)
        term = Call(str(name), tuple(map(_term, parts)), span)
        return _bracketed(_part(term, span, parts, at), at)

    def group(self, *rest: Part | Token) -> Part:
        """``(a)`` is a in brackets, ``(a, b, c)`` a vector."""
        parts, at = _parts(rest), token_span(cast(Token, rest[-1]))
        if len(parts) == 1:
            return _bracketed(parts[0], at)
        span = _through(parts[0].span, parts[-1].span)
        row = Row(tuple(map(_term, parts)), span)
        return _bracketed(_part(row, span, parts, at), at)


def _parts(items: tuple[Part | Token | None, ...]) -> tuple[Part, ...]:
    return tuple(item for item in items if isinstance(item, Part))
