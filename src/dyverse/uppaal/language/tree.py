"""From the parser's reductions to the syntax tree: called by Lark bottom-up, never recursive."""

from __future__ import annotations

from typing import Any, Literal, cast

from lark import Token, v_args

from dyverse.errors import Span
from dyverse.text.tree import token_span
from dyverse.uppaal.language.expression import (
    Application,
    Choice,
    Constant,
    Element,
    Expression,
    Infix,
    Member,
    Prefix,
    Quantifier,
    Reference,
    Suffix,
    Type,
    Update,
)
from dyverse.uppaal.language.processes import ProcessBuilder
from dyverse.uppaal.language.syntax import (
    Assert,
    Bar,
    Block,
    ChannelPriority,
    Empty,
    Evaluate,
    For,
    Function,
    Gantt,
    Hook,
    If,
    Instantiation,
    Iterate,
    Parameter,
    Progress,
    Return,
    Selection,
    Statement,
    Synchronisation,
    SystemLine,
    While,
)
from dyverse.uppaal.language.typetree import TypeBuilder, declared, present, through

_SIGNS = {"and": "&&", "or": "||", "not": "!", ":=": "="}


def _sign(token: Token) -> str:
    return _SIGNS.get(str(token), str(token))


def _of(expression: Expression) -> Span:
    assert expression.span is not None
    return expression.span


def _groups(items: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """``a, b < c`` as groups: (a, b), (c)."""
    groups: list[list[Any]] = [[]]
    for item in items:
        if not isinstance(item, Token):
            groups[-1].append(item)
        elif item == "<":
            groups.append([])
    return tuple(map(tuple, groups))


@v_args(inline=True)
class TreeBuilder(ProcessBuilder, TypeBuilder):
    """One method per rule of the grammar; those of types and of XTA are in the base classes."""

    def constant(self, token: Token) -> Expression:
        """``3``, ``0.5``, ``true``."""
        return Constant(str(token), token_span(token))

    def reference(self, token: Token) -> Expression:
        """A name."""
        return Reference(str(token), token_span(token))

    def prefixed(self, sign: Token, operand: Expression) -> Expression:
        """``-a``."""
        return Prefix(_sign(sign), operand, through(token_span(sign), _of(operand)))

    def suffixed(self, operand: Expression, sign: Token) -> Expression:
        """``a++``, ``x'``."""
        return Suffix(str(sign), operand, through(_of(operand), token_span(sign)))

    def infix(self, left: Expression, sign: Token, right: Expression) -> Expression:
        """``a + b``."""
        return Infix(_sign(sign), left, right, through(_of(left), _of(right)))

    def choice(self, test: Expression, _: Token, yes: Expression, no: Expression) -> Expression:
        """``test ? yes : no``."""
        return Choice(test, yes, no, through(_of(test), _of(no)))

    def update(self, target: Expression, sign: Token, value: Expression) -> Expression:
        """``target += value``."""
        return Update(_sign(sign), target, value, through(_of(target), _of(value)))

    def element(self, base: Expression, index: Expression) -> Expression:
        """``base[index]``."""
        return Element(base, index, through(_of(base), _of(index)))

    def member(self, base: Expression, name: Token) -> Expression:
        """``base.name``."""
        return Member(base, str(name), through(_of(base), token_span(name)))

    def application(self, function: Expression, arguments: tuple[Expression, ...]) -> Expression:
        """``function(arguments)``."""
        last = _of(arguments[-1]) if arguments else _of(function)
        return Application(function, arguments, through(_of(function), last))

    def quantifier(self, kind: Token, variable: Token, type_: Type, body: Expression) -> Expression:
        """``forall (i : T) body``."""
        span = through(token_span(kind), _of(body))
        return Quantifier(str(kind), declared(variable), type_, body, span)

    def arguments(self, *items: Expression | None) -> tuple[Expression, ...]:
        """``a, b, c``, or nothing."""
        return present(items)

    expressions = arguments
    update_part = arguments

    def guard_part(self, *items: Expression) -> Expression:
        """``a, b`` in old files means ``a && b``."""
        found = items[0]
        for item in items[1:]:
            found = Infix("&&", found, item, through(_of(found), _of(item)))
        return found

    def rate_part(self, rate: Expression, per: Expression | None) -> Expression:
        """``rate : per``, as a quotient that prints back; a single rate as it is."""
        return rate if per is None else Infix(":", rate, per, through(_of(rate), _of(per)))

    def sync_part(self, channel: Expression, sign: Token) -> Synchronisation:
        """``channel!``."""
        direction = cast(Literal["!", "?"], str(sign))
        return Synchronisation(channel, direction, through(_of(channel), token_span(sign)))

    def function(self, result: Type, name: Token, *rest: Any) -> Function:
        """``int f(int a) { … }``."""
        parameters = tuple(item for item in rest[:-1] if isinstance(item, Parameter))
        return Function(result, declared(name), parameters, rest[-1], token_span(name))

    def instantiation(self, name: Token, *rest: Any) -> Instantiation:
        """``P1(const int n) = P(n, 3);``."""
        parameters = tuple(item for item in rest if isinstance(item, Parameter))
        template, arguments = rest[-2], rest[-1]
        return Instantiation(declared(name), parameters, str(template), arguments, token_span(name))

    def priority(self, word: Token, *items: Any) -> ChannelPriority:
        """``chan priority a < default;``."""
        return ChannelPriority(_groups(items), token_span(word))

    def hook(self, kind: Token, *updates: Expression) -> Hook:
        """``before_update { … }``."""
        return Hook(str(kind), updates, token_span(kind))

    def progress(self, word: Token, *measures: tuple[Expression, Expression | None]) -> Progress:
        """``progress { … }``."""
        return Progress(measures, token_span(word))

    def measure(self, *parts: Expression | None) -> tuple[Expression | None, ...]:
        """``guard : measure;``."""
        return parts

    def gantt(
        self, word: Token, *lines: tuple[str, tuple[Selection, ...], tuple[Bar, ...]]
    ) -> Gantt:
        """``gantt { … }``."""
        return Gantt(lines, token_span(word))

    def chart_line(
        self, name: Token, selections: tuple[Selection, ...] | None, *bars: Bar
    ) -> tuple[str, tuple[Selection, ...], tuple[Bar, ...]]:
        """``name(i : T) : bars;``."""
        return str(name), selections or (), bars

    def bar(
        self,
        _: Token | None,
        selections: tuple[Selection, ...] | None,
        condition: Expression,
        __: Token,
        colour: Expression,
    ) -> Bar:
        """``for (i : T) condition -> colour``."""
        return Bar(selections or (), condition, colour)

    def system_line(self, *items: Token) -> SystemLine:
        """``system A, B < C;``."""
        names = tuple(
            item if item.type in ("COMMA", "LESS") else self.reference(item) for item in items
        )
        return SystemLine(_groups(names), token_span(items[0]))

    def block(self, *items: Statement) -> Block:
        """``{ … }``."""
        return Block(items)

    def empty(self) -> Empty:
        """``;``."""
        return Empty()

    def evaluate(self, expression: Expression) -> Evaluate:
        """``expression;``."""
        return Evaluate(expression, _of(expression))

    def branch(
        self, word: Token, tests: tuple[Expression, ...], yes: Statement, *no: Statement
    ) -> If:
        """``if (tests) yes else no``."""
        return If(tests, yes, no[0] if no else None, token_span(word))

    def loop(
        self,
        word: Token,
        first: tuple[Expression, ...],
        tests: tuple[Expression, ...],
        then: tuple[Expression, ...],
        body: Statement,
    ) -> For:
        """``for (i = 0; i < 3; i++) body``."""
        return For(first, tests, then, body, token_span(word))

    def iterate(self, word: Token, variable: Token, type_: Type, body: Statement) -> Iterate:
        """``for (i : T) body``."""
        return Iterate(declared(variable), type_, body, token_span(word))

    def while_loop(self, word: Token, tests: tuple[Expression, ...], body: Statement) -> While:
        """``while (tests) body``."""
        return While(tests, body, "while", token_span(word))

    def do_loop(
        self, word: Token, body: Statement, _: Token, tests: tuple[Expression, ...]
    ) -> While:
        """``do body while (tests);``."""
        return While(tests, body, "do", token_span(word))

    def give_back(self, word: Token, value: Expression | None) -> Return:
        """``return value;``."""
        return Return(value, token_span(word))

    def claim(self, word: Token, condition: Expression) -> Assert:
        """``assert condition;``."""
        return Assert(condition, token_span(word))
