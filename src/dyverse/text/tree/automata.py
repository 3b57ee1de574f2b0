"""The part of the tree builder that reads automata: one method per rule of the grammar."""

from __future__ import annotations

from typing import TypeVar, cast

from lark import Token, Transformer, v_args

from dyverse.errors import Span
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term
from dyverse.text.syntax import automata
from dyverse.text.syntax.elements import Definition, Entry, Name, Offering, Quoted, Value
from dyverse.text.tree.part import Mistake, Part, amount_of, name_at, token_span

T = TypeVar("T")


@v_args(inline=True)
class AutomatonTree(Transformer[Token, object]):
    """What Lark calls for the statements about automata."""

    def function(self, name: Name, *rest: Name | Value) -> automata.FunctionStatement:
        """``function f(x) = x^2``."""
        return automata.FunctionStatement(
            name, cast(tuple[Name, ...], rest[:-1]), cast(Value, rest[-1])
        )

    def channel(self, name: Name, *entries: Entry | None) -> automata.ChannelStatement:
        """``channel hit { broadcast }``."""
        return automata.ChannelStatement(name, _given(entries))

    def system(self, *parts: automata.Instance | Token) -> automata.SystemStatement:
        """``system A || B``."""
        return automata.SystemStatement(
            tuple(part for part in parts if isinstance(part, automata.Instance))
        )

    def instance(
        self, automaton: Name, arguments: tuple[automata.Argument, ...] | None
    ) -> automata.Instance:
        """``tank(3)``."""
        return automata.Instance(automaton, arguments or ())

    def named_instance(
        self, name: Name, automaton: Name, arguments: tuple[automata.Argument, ...] | None
    ) -> automata.Instance:
        """``left = tank(3)``."""
        return automata.Instance(automaton, arguments or (), name)

    def arguments(self, *arguments: automata.Argument) -> tuple[automata.Argument, ...]:
        """``(3, k = 4)``."""
        return arguments

    def argument(self, value: Term) -> automata.Argument:
        """``3``."""
        return automata.Argument(value)

    def named_argument(self, name: Token, value: Term) -> automata.Argument:
        """``k = 3``."""
        return automata.Argument(value, name_at(name))

    def automaton(
        self,
        name: Name,
        formals: tuple[Definition | Name, ...] | None,
        *entries: automata.AutomatonEntry,
    ) -> automata.AutomatonStatement:
        """``automaton tank(channel full, k) { … }``."""
        numbers = tuple(formal for formal in formals or () if isinstance(formal, Definition))
        channels = tuple(formal for formal in formals or () if isinstance(formal, Name))
        return automata.AutomatonStatement(name, numbers, entries, channels)

    def formals(self, *formals: Definition | Name) -> tuple[Definition | Name, ...]:
        """``(channel full, k, m = 2)``; channels come first."""
        last = len([formal for formal in formals if isinstance(formal, Name)])
        for formal in formals[last:]:
            if isinstance(formal, Name):
                raise Mistake("channels come before other parameters", formal.span or Span(1, 1, 2))
        return formals

    def formal_channel(self, name: Name) -> Name:
        """``channel full``."""
        return name

    def declarations(self, kind: Token, *items: automata.Declaration) -> automata.Declarations:
        """``real x = 20, y``."""
        return automata.Declarations(cast(automata.Kind, str(kind)), items)

    def declaration(
        self, name: Name, start: Term | None, low: Value | None, high: Value | None
    ) -> automata.Declaration:
        """``x = 20 in [10, 30]``."""
        limits = None if low is None or high is None else (low, high)
        return automata.Declaration(name, start, limits)

    def location(
        self, name: Name, *entries: automata.LocationEntry | None
    ) -> automata.LocationPart:
        """``location off { … }``."""
        return automata.LocationPart(name, _given(entries))

    def edge(
        self, source: Name, arrow: Token, target: Name, *entries: automata.EdgeEntry | None
    ) -> automata.EdgePart:
        """``edge off -> on { … }``."""
        return automata.EdgePart(source, target, _given(entries))

    def initial(self, name: Name) -> automata.Initial:
        """``initial off``."""
        return automata.Initial(name)

    def fmu(self, file: Quoted, step: Value, *links: automata.FmuLink | None) -> automata.FmuPart:
        """``fmu "motor.fmu" step 0.01``."""
        return automata.FmuPart(file, step, _given(links))

    def link(self, name: Name, signal: Quoted) -> automata.FmuLink:
        """``w = "motor.w"``."""
        return automata.FmuLink(name, signal)

    def invariant(self, formula: Formula) -> automata.Invariant:
        """``invariant x >= 0``."""
        return automata.Invariant(formula)

    def when(self, formula: Formula) -> automata.Guard:
        """``when x <= 19``."""
        return automata.Guard(formula)

    def updates(self, *items: automata.Update) -> automata.Updates:
        """``do x := y, y := x``."""
        return automata.Updates(items)

    def assignment(self, name: Token, assign: Token, value: Term) -> automata.Update:
        """``x := 1``."""
        return automata.Update(name_at(name), value)

    def sync(self, channel: Name, sign: Token) -> automata.Sync:
        """``sync hit!``."""
        return automata.Sync(channel, sign == "!")

    def action(self, name: Name) -> automata.ActionName:
        """``action bounce``."""
        return automata.ActionName(name)

    def rate(self, name: Name, prime: Token, value: Value) -> automata.Rate:
        """``x' = 1``."""
        return automata.Rate(name, value)

    def amount(self, part: Part) -> Term:
        """A number, or a truth as one."""
        return amount_of(part)

    def discontinuous(
        self, name: Name, *entries: automata.DiscontinuousEntry
    ) -> automata.DiscontinuousStatement:
        """``discontinuous drill { … }``."""
        return automata.DiscontinuousStatement(name, entries)

    def field(self, keyword: Token, *rates: automata.Rate) -> automata.FieldPart:
        """``above { v' = -g }``."""
        return automata.FieldPart(str(keyword), rates, token_span(keyword))

    def along(self, name: Name) -> automata.Along:
        """``along v``."""
        return automata.Along(name)

    def offering(self, channel: Name, on: Name | Token | None) -> Offering:
        """``offers hit on impact``; that kind is also the first word of a statement."""
        return Offering(channel, name_at(on) if isinstance(on, Token) else on)


def _given(entries: tuple[T | None, ...]) -> tuple[T, ...]:
    return tuple(entry for entry in entries if entry is not None)
