"""The part of the tree builder that reads automata: one method per rule of the grammar."""

from __future__ import annotations

from typing import TypeVar, cast

from lark import Token, Transformer, v_args

from dyverse.expr.formula import Formula
from dyverse.expr.term import Term
from dyverse.text.automata import (
    ActionName,
    Along,
    Argument,
    AutomatonEntry,
    AutomatonStatement,
    ChannelStatement,
    Declaration,
    Declarations,
    DiscontinuousEntry,
    DiscontinuousStatement,
    EdgeEntry,
    EdgePart,
    FieldPart,
    FunctionStatement,
    Guard,
    Initial,
    Instance,
    Invariant,
    Kind,
    LocationEntry,
    LocationPart,
    Rate,
    Sync,
    SystemStatement,
    Update,
    Updates,
)
from dyverse.text.elements import Definition, Entry, Name, Offering, Value
from dyverse.text.part import Part, amount_of, name_at, token_span

T = TypeVar("T")


@v_args(inline=True)
class AutomatonTree(Transformer[Token, object]):
    """What Lark calls for the statements about automata."""

    def function(self, name: Name, *rest: Name | Value) -> FunctionStatement:
        """``function f(x) = x^2``."""
        return FunctionStatement(name, cast(tuple[Name, ...], rest[:-1]), cast(Value, rest[-1]))

    def channel(self, name: Name, *entries: Entry | None) -> ChannelStatement:
        """``channel hit { broadcast }``."""
        return ChannelStatement(name, _given(entries))

    def system(self, *parts: Instance | Token) -> SystemStatement:
        """``system A || B``."""
        return SystemStatement(tuple(part for part in parts if isinstance(part, Instance)))

    def instance(self, automaton: Name, arguments: tuple[Argument, ...] | None) -> Instance:
        """``tank(3)``."""
        return Instance(automaton, arguments or ())

    def named_instance(
        self, name: Name, automaton: Name, arguments: tuple[Argument, ...] | None
    ) -> Instance:
        """``left = tank(3)``."""
        return Instance(automaton, arguments or (), name)

    def arguments(self, *arguments: Argument) -> tuple[Argument, ...]:
        """``(3, k = 4)``."""
        return arguments

    def argument(self, value: Term) -> Argument:
        """``3``."""
        return Argument(value)

    def named_argument(self, name: Token, value: Term) -> Argument:
        """``k = 3``."""
        return Argument(value, name_at(name))

    def automaton(
        self, name: Name, formals: tuple[Definition, ...] | None, *entries: AutomatonEntry
    ) -> AutomatonStatement:
        """``automaton tank(k) { … }``."""
        return AutomatonStatement(name, formals or (), entries)

    def formals(self, *definitions: Definition) -> tuple[Definition, ...]:
        """``(k, m = 2)``."""
        return definitions

    def declarations(self, kind: Token, *items: Declaration) -> Declarations:
        """``real x = 20, y``."""
        return Declarations(cast(Kind, str(kind)), items)

    def declaration(
        self, name: Name, start: Term | None, low: Value | None, high: Value | None
    ) -> Declaration:
        """``x = 20 in [10, 30]``."""
        limits = None if low is None or high is None else (low, high)
        return Declaration(name, start, limits)

    def location(self, name: Name, *entries: LocationEntry | None) -> LocationPart:
        """``location off { … }``."""
        return LocationPart(name, _given(entries))

    def edge(
        self, source: Name, arrow: Token, target: Name, *entries: EdgeEntry | None
    ) -> EdgePart:
        """``edge off -> on { … }``."""
        return EdgePart(source, target, _given(entries))

    def initial(self, name: Name) -> Initial:
        """``initial off``."""
        return Initial(name)

    def invariant(self, formula: Formula) -> Invariant:
        """``invariant x >= 0``."""
        return Invariant(formula)

    def when(self, formula: Formula) -> Guard:
        """``when x <= 19``."""
        return Guard(formula)

    def updates(self, *items: Update) -> Updates:
        """``do x := y, y := x``."""
        return Updates(items)

    def assignment(self, name: Token, assign: Token, value: Term) -> Update:
        """``x := 1``."""
        return Update(name_at(name), value)

    def sync(self, channel: Name, sign: Token) -> Sync:
        """``sync hit!``."""
        return Sync(channel, sign == "!")

    def action(self, name: Name) -> ActionName:
        """``action bounce``."""
        return ActionName(name)

    def rate(self, name: Name, prime: Token, value: Value) -> Rate:
        """``x' = 1``."""
        return Rate(name, value)

    def amount(self, part: Part) -> Term:
        """A number, or a truth as one."""
        return amount_of(part)

    def discontinuous(self, name: Name, *entries: DiscontinuousEntry) -> DiscontinuousStatement:
        """``discontinuous drill { … }``."""
        return DiscontinuousStatement(name, entries)

    def field(self, keyword: Token, *rates: Rate) -> FieldPart:
        """``above { v' = -g }``."""
        return FieldPart(str(keyword), rates, token_span(keyword))

    def along(self, name: Name) -> Along:
        """``along v``."""
        return Along(name)

    def offering(self, channel: Name, on: Name | Token | None) -> Offering:
        """``offers hit on impact``; that kind is also the first word of a statement."""
        return Offering(channel, name_at(on) if isinstance(on, Token) else on)


def _given(entries: tuple[T | None, ...]) -> tuple[T, ...]:
    return tuple(entry for entry in entries if entry is not None)
