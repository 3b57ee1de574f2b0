"""A network as an UPPAAL document: one template per component, all variables global.

Names that UPPAAL keeps for itself get a number, assignments that happen at once become sequences
with copies, and a guard with 'or' over clocks becomes several edges. A document for symbolic
checking has clocks and integers only; one for statistical checking may have real variables and
rates, and then all that time changes is a ``hybrid clock``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from dyverse.automaton.network.component import Component, NetworkEdge, Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.errors import ExportError
from dyverse.expr.formula import Compare, Formula, formula_symbols
from dyverse.expr.term import Symbol, Term, symbols
from dyverse.text.fresh_names import Names
from dyverse.uppaal.export.drawing import arrow_drawn, place_drawn
from dyverse.uppaal.export.guards import Conjunction, line_of, split
from dyverse.uppaal.export.sequence import Sequencer, old
from dyverse.uppaal.export.to_expression import (
    formula_expression,
    joined,
    number,
    term_expression,
    whole_numbers,
)
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language.document import Arrow, Document, Label, Template
from dyverse.uppaal.language.document import Place as Drawn
from dyverse.uppaal.language.syntax import (
    Declaration,
    Declarator,
    Synchronisation,
    SystemLine,
    Variables,
)
from dyverse.uppaal.language.words import TAKEN

TIME = "t"


def document_of(
    network: Network, *, hybrid: bool = False, remarks: tuple[Declaration, ...] = ()
) -> Document:
    """The document; ``hybrid`` allows real variables and rates."""
    return _Writer(network, hybrid=hybrid).document(remarks)


class _Writer:
    """Writes one network; every name it gives is used for one thing only."""

    def __init__(self, network: Network, *, hybrid: bool) -> None:
        self.network, self.hybrid = network, hybrid
        self.names = Names(TAKEN)
        self.kinds = {variable.name: variable for variable in network.shared}
        places = (place for item in network.components for place in item.places)
        self.driven = {rate.target for place in places for rate in place.rates}
        self.sequencer = Sequencer(network)
        self._count = count()  # of places: an id stands once in a file

    def moves(self, name: str) -> bool:
        """Whether time changes it."""
        known = self.kinds.get(name)
        return name == TIME or name in self.driven or (known is not None and known.kind == "clock")

    def document(self, remarks: tuple[Declaration, ...]) -> Document:
        """The whole network."""
        declared = [self._variable(variable) for variable in self.network.shared]
        declared += [self._copy(name) for name in self.sequencer.copied]
        declared += [self._parameter(*pair) for pair in self.network.parameters]
        declared += [self._channel(name) for name in self._channels()]
        components = self.network.components
        titles = {c.name: self.names.of(f"component {c.name}", c.name) for c in components}
        templates = tuple(self._template(c, titles[c.name]) for c in components)
        if TIME in self.names.given:
            clock = ex.Type(ex.Named("clock"), ("hybrid",) if self.hybrid else ())
            declared.append(Variables(clock, (Declarator(self.names.of(TIME)),)))
        groups = tuple(
            tuple(ex.Reference(titles[c.name]) for c in components if c.priority == rank)
            for rank in sorted({c.priority for c in components})
        )
        return Document(
            declarations=(*remarks, *declared), templates=templates, system=(SystemLine(groups),)
        )

    def _variable(self, variable: Variable) -> Variables:
        start = self._number(variable.start, exact=variable.kind in ("int", "bool"))
        if variable.kind == "bool":
            start = ex.Constant("true" if variable.start else "false")
        initial = None if variable.start == 0 and self.moves(variable.name) else start
        declarator = Declarator(self.names.of(variable.name), (), initial)
        return Variables(self._type(variable), (declarator,))

    def _type(self, variable: Variable) -> ex.Type:
        if variable.kind == "bool":
            return ex.Type(ex.Named("bool"))
        if variable.kind == "int":
            return _integers(variable)
        if self.moves(variable.name):
            return ex.Type(ex.Named("clock"), ("hybrid",) if self.hybrid else ())
        return ex.Type(ex.Named("double"))

    def _copy(self, name: str) -> Variables:
        kind = self._type(self.kinds[name])
        if self.hybrid and self.moves(name):
            kind = ex.Type(ex.Named("double"))
        return Variables(kind, (Declarator(self.names.of(old(name), f"old_{name}")),))

    def _parameter(self, name: str, value: float) -> Variables:
        declarator = Declarator(self.names.of(name), (), self._number(value, exact=False))
        return Variables(ex.Type(ex.Named("double"), ("const",)), (declarator,))

    def _channels(self) -> tuple[str, ...]:
        edges = (edge for item in self.network.components for edge in item.edges)
        used = (edge.action.channel for edge in edges if edge.action)
        return tuple(dict.fromkeys((*(c.name for c in self.network.channels), *used)))

    def _channel(self, name: str) -> Variables:
        channel = self.network.moves.channel(name)
        words = tuple(word for word in ("urgent", "broadcast") if getattr(channel, word))
        return Variables(ex.Type(ex.Named("chan"), words), (Declarator(self._channel_name(name)),))

    def _channel_name(self, name: str) -> str:
        return self.names.of(f"channel {name}", name)

    def _template(self, item: Component, title: str) -> Template:
        names = Names(TAKEN)
        ids = {place.name: f"id{next(self._count)}" for place in item.places}
        places = tuple(
            place_drawn(self._place(p, item, ids[p.name], names.new(p.name)), n)
            for n, p in enumerate(item.places)
        )
        arrows: list[Arrow] = []
        for edge in item.edges:
            for guard in split(edge.guard, self.moves, all_of_it=False):
                arrows.append(arrow_drawn(self._arrow(item, edge, guard, ids), arrows, places))
        return Template(title, places=places, initial=ids[item.initial], arrows=tuple(arrows))

    def _place(self, place: Place, item: Component, identity: str, name: str) -> Drawn:
        where = f"{item.name}.{place.name}"
        options = split(place.invariant, self.moves, all_of_it=False)
        if len(options) != 1:
            raise ExportError(f"{where}: an invariant cannot have 'or' over clocks in UPPAAL")
        parts = [
            self._atom(part) for part in options[0] if not _bounds_from_below(part, self.moves)
        ]
        parts += self._rates(place, item)
        labels = (Label("invariant", joined("&&", parts, "true")),) if parts else ()
        return Drawn(identity, name, labels, place.urgent, place.committed)

    def _rates(self, place: Place, item: Component) -> list[ex.Expression]:
        """The rate of all that the component drives, also where it stands still."""
        given = {rate.target: rate.value for rate in place.rates}
        driven = dict.fromkeys(rate.target for p in item.places for rate in p.rates)
        found: list[ex.Expression] = []
        for name in driven:
            if name in given or self.kinds[name].kind != "clock":
                value = self._term(given[name]) if name in given else ex.Constant("0")
                found.append(
                    ex.Infix("==", ex.Suffix("'", ex.Reference(self.names.of(name))), value)
                )
        return found

    def _arrow(
        self, item: Component, edge: NetworkEdge, guard: Conjunction, ids: dict[str, str]
    ) -> Arrow:
        if edge.procedure is not None:
            raise ExportError(f"the edge {edge} runs code, which cannot be written to UPPAAL")
        labels = []
        if guard:
            parts = [self._atom(part) for part in guard]
            labels.append(Label("guard", joined("&&", parts, "true")))
        if edge.action is not None:
            channel = ex.Reference(self._channel_name(edge.action.channel))
            sync = Synchronisation(channel, "!" if edge.action.sends else "?")
            labels.append(Label("synchronisation", sync))
        if updates := self._updates(item, edge):
            labels.append(Label("assignment", updates))
        return Arrow(ids[edge.source], ids[edge.target], tuple(labels))

    def _updates(self, item: Component, edge: NetworkEdge) -> tuple[ex.Expression, ...]:
        steps = self.sequencer.steps(item, edge)
        copies = (
            ex.Update(
                "=", ex.Reference(self.names.of(old(name))), ex.Reference(self.names.of(name))
            )
            for name in steps.copies
        )
        assigned = (
            ex.Update("=", ex.Reference(self.names.of(a.target)), self._assigned(a.target, a.value))
            for a in steps.assignments
        )
        return (*copies, *assigned)

    def _assigned(self, target: str, value: Term) -> ex.Expression:
        exact = self.kinds[target].kind in ("int", "bool") or not self.hybrid
        return term_expression(value, self.names.of, exact=exact)

    def _atom(self, formula: Formula) -> ex.Expression:
        moving = any(self.moves(symbol.name) for symbol in formula_symbols(formula))
        if not moving or not isinstance(formula, Compare):
            return formula_expression(formula, self.names.of, exact=True)
        if self.hybrid:
            return formula_expression(formula, self.names.of, exact=False)
        line = line_of(formula, self.moves)
        left: Term = Symbol(line.plus)
        if line.minus is not None:
            left = left - Symbol(line.minus)
        right = term_expression(whole_numbers(line.right), self.names.of, exact=True)
        return ex.Infix(line.relation, term_expression(left, self.names.of, exact=True), right)

    def _term(self, term: Term) -> ex.Expression:
        return term_expression(term, self.names.of, exact=not self.hybrid)

    def _number(self, value: float, *, exact: bool) -> ex.Expression:
        return number(value, exact=exact or not self.hybrid)


def _integers(variable: Variable) -> ex.Type:
    if variable.low is None or variable.high is None:
        return ex.Type(ex.Named("int"))
    low, high = (_literal(int(x)) for x in (variable.low, variable.high))
    return ex.Type(ex.Ranged(low, high))


def _literal(value: int) -> ex.Expression:
    number = ex.Constant(str(abs(value)))
    return ex.Prefix("-", number) if value < 0 else number


def _bounds_from_below(formula: Formula, moves: Callable[[str], bool]) -> bool:
    """Whether a part of an invariant bounds from below, which UPPAAL does not take."""
    if not isinstance(formula, Compare):
        return False
    left, right = (
        any(moves(symbol.name) for symbol in symbols(side))
        for side in (formula.left, formula.right)
    )
    return (left and not right and formula.relation in (">", ">=")) or (
        right and not left and formula.relation in ("<", "<=")
    )
