"""From the parser's reductions to the syntax tree: called by Lark bottom-up, never recursive."""

from __future__ import annotations

from typing import Any, Literal, cast

from lark import Token, v_args

from dyverse.errors import Span
from dyverse.text.tree.builder import token_span
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language import syntax
from dyverse.uppaal.language.processes import ProcessBuilder
from dyverse.uppaal.language.typetree import TypeBuilder, declared, present, through

_SIGNS = {"and": "&&", "or": "||", "not": "!", ":=": "="}


def _sign(token: Token) -> str:
    return _SIGNS.get(str(token), str(token))


def _of(expression: ex.Expression) -> Span:
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

    def constant(self, token: Token) -> ex.Expression:
        """``3``, ``0.5``, ``true``."""
        return ex.Constant(str(token), token_span(token))

    def reference(self, token: Token) -> ex.Expression:
        """A name."""
        return ex.Reference(str(token), token_span(token))

    def prefixed(self, sign: Token, operand: ex.Expression) -> ex.Expression:
        """``-a``."""
        return ex.Prefix(_sign(sign), operand, through(token_span(sign), _of(operand)))

    def suffixed(self, operand: ex.Expression, sign: Token) -> ex.Expression:
        """``a++``, ``x'``."""
        return ex.Suffix(str(sign), operand, through(_of(operand), token_span(sign)))

    def infix(self, left: ex.Expression, sign: Token, right: ex.Expression) -> ex.Expression:
        """``a + b``."""
        return ex.Infix(_sign(sign), left, right, through(_of(left), _of(right)))

    def choice(
        self, test: ex.Expression, _: Token, yes: ex.Expression, no: ex.Expression
    ) -> ex.Expression:
        """``test ? yes : no``."""
        return ex.Choice(test, yes, no, through(_of(test), _of(no)))

    def update(self, target: ex.Expression, sign: Token, value: ex.Expression) -> ex.Expression:
        """``target += value``."""
        return ex.Update(_sign(sign), target, value, through(_of(target), _of(value)))

    def element(self, base: ex.Expression, index: ex.Expression) -> ex.Expression:
        """``base[index]``."""
        return ex.Element(base, index, through(_of(base), _of(index)))

    def member(self, base: ex.Expression, name: Token) -> ex.Expression:
        """``base.name``."""
        return ex.Member(base, str(name), through(_of(base), token_span(name)))

    def application(
        self, function: ex.Expression, arguments: tuple[ex.Expression, ...]
    ) -> ex.Expression:
        """``function(arguments)``."""
        last = _of(arguments[-1]) if arguments else _of(function)
        return ex.Application(function, arguments, through(_of(function), last))

    def quantifier(
        self, kind: Token, variable: Token, type_: ex.Type, body: ex.Expression
    ) -> ex.Expression:
        """``forall (i : T) body``."""
        span = through(token_span(kind), _of(body))
        return ex.Quantifier(str(kind), declared(variable), type_, body, span)

    def arguments(self, *items: ex.Expression | None) -> tuple[ex.Expression, ...]:
        """``a, b, c``, or nothing."""
        return present(items)

    expressions = arguments
    update_part = arguments

    def guard_part(self, *items: ex.Expression) -> ex.Expression:
        """``a, b`` in old files means ``a && b``."""
        found = items[0]
        for item in items[1:]:
            found = ex.Infix("&&", found, item, through(_of(found), _of(item)))
        return found

    def rate_part(self, rate: ex.Expression, per: ex.Expression | None) -> ex.Expression:
        """``rate : per``, as a quotient that prints back; a single rate as it is."""
        return rate if per is None else ex.Infix(":", rate, per, through(_of(rate), _of(per)))

    def sync_part(self, channel: ex.Expression, sign: Token) -> syntax.Synchronisation:
        """``channel!``."""
        direction = cast(Literal["!", "?"], str(sign))
        return syntax.Synchronisation(channel, direction, through(_of(channel), token_span(sign)))

    def function(self, result: ex.Type, name: Token, *rest: Any) -> syntax.Function:
        """``int f(int a) { … }``."""
        parameters = tuple(item for item in rest[:-1] if isinstance(item, syntax.Parameter))
        return syntax.Function(result, declared(name), parameters, rest[-1], token_span(name))

    def instantiation(self, name: Token, *rest: Any) -> syntax.Instantiation:
        """``P1(const int n) = P(n, 3);``."""
        parameters = tuple(item for item in rest if isinstance(item, syntax.Parameter))
        template, arguments = rest[-2], rest[-1]
        return syntax.Instantiation(
            declared(name), parameters, str(template), arguments, token_span(name)
        )

    def priority(self, word: Token, *items: Any) -> syntax.ChannelPriority:
        """``chan priority a < default;``."""
        return syntax.ChannelPriority(_groups(items), token_span(word))

    def hook(self, kind: Token, *updates: ex.Expression) -> syntax.Hook:
        """``before_update { … }``."""
        return syntax.Hook(str(kind), updates, token_span(kind))

    def progress(
        self, word: Token, *measures: tuple[ex.Expression, ex.Expression | None]
    ) -> syntax.Progress:
        """``progress { … }``."""
        return syntax.Progress(measures, token_span(word))

    def measure(self, *parts: ex.Expression | None) -> tuple[ex.Expression | None, ...]:
        """``guard : measure;``."""
        return parts

    def gantt(
        self, word: Token, *lines: tuple[str, tuple[syntax.Selection, ...], tuple[syntax.Bar, ...]]
    ) -> syntax.Gantt:
        """``gantt { … }``."""
        return syntax.Gantt(lines, token_span(word))

    def chart_line(
        self, name: Token, selections: tuple[syntax.Selection, ...] | None, *bars: syntax.Bar
    ) -> tuple[str, tuple[syntax.Selection, ...], tuple[syntax.Bar, ...]]:
        """``name(i : T) : bars;``."""
        return str(name), selections or (), bars

    def bar(
        self,
        _: Token | None,
        selections: tuple[syntax.Selection, ...] | None,
        condition: ex.Expression,
        __: Token,
        colour: ex.Expression,
    ) -> syntax.Bar:
        """``for (i : T) condition -> colour``."""
        return syntax.Bar(selections or (), condition, colour)

    def system_line(self, *items: Token) -> syntax.SystemLine:
        """``system A, B < C;``."""
        names = tuple(
            item if item.type in ("COMMA", "LESS") else self.reference(item) for item in items
        )
        return syntax.SystemLine(_groups(names), token_span(items[0]))

    def block(self, *items: syntax.Statement) -> syntax.Block:
        """``{ … }``."""
        return syntax.Block(items)

    def empty(self) -> syntax.Empty:
        """``;``."""
        return syntax.Empty()

    def evaluate(self, expression: ex.Expression) -> syntax.Evaluate:
        """``expression;``."""
        return syntax.Evaluate(expression, _of(expression))

    def branch(
        self,
        word: Token,
        tests: tuple[ex.Expression, ...],
        yes: syntax.Statement,
        *no: syntax.Statement,
    ) -> syntax.If:
        """``if (tests) yes else no``."""
        return syntax.If(tests, yes, no[0] if no else None, token_span(word))

    def loop(
        self,
        word: Token,
        first: tuple[ex.Expression, ...],
        tests: tuple[ex.Expression, ...],
        then: tuple[ex.Expression, ...],
        body: syntax.Statement,
    ) -> syntax.For:
        """``for (i = 0; i < 3; i++) body``."""
        return syntax.For(first, tests, then, body, token_span(word))

    def iterate(
        self, word: Token, variable: Token, type_: ex.Type, body: syntax.Statement
    ) -> syntax.Iterate:
        """``for (i : T) body``."""
        return syntax.Iterate(declared(variable), type_, body, token_span(word))

    def while_loop(
        self, word: Token, tests: tuple[ex.Expression, ...], body: syntax.Statement
    ) -> syntax.While:
        """``while (tests) body``."""
        return syntax.While(tests, body, "while", token_span(word))

    def do_loop(
        self, word: Token, body: syntax.Statement, _: Token, tests: tuple[ex.Expression, ...]
    ) -> syntax.While:
        """``do body while (tests);``."""
        return syntax.While(tests, body, "do", token_span(word))

    def give_back(self, word: Token, value: ex.Expression | None) -> syntax.Return:
        """``return value;``."""
        return syntax.Return(value, token_span(word))

    def claim(self, word: Token, condition: ex.Expression) -> syntax.Assert:
        """``assert condition;``."""
        return syntax.Assert(condition, token_span(word))
