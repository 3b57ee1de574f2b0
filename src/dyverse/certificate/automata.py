"""Automata as expressions: what a certificate about them is checked against.

Every model of automata is a network here, also one automaton alone. Variables that time changes are
states of a proof; whole numbers and truths are part of the location, and known exactly. Which edges
make which jumps, and which of them come first, is asked of `dyverse.automaton.network.moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import casadi as ca

from dyverse.automaton.guard.robustness import Sense, atom, fold, leaves, normal
from dyverse.automaton.network.moves import Half, Move, Moves, Places
from dyverse.automaton.reading.description import REAL, Declared, Described
from dyverse.certificate.file import Modes, Unproved
from dyverse.expr.formula import TRUE, And, Compare, Formula, Or, Relation, both, formula_symbols
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import symbols

Table = Mapping[str, SX]
Depth = tuple[SX, Sense]
APART: dict[Relation, tuple[Relation, Relation]] = {"==": ("<=", ">="), "!=": ("<", ">")}


@dataclass(frozen=True, slots=True)
class Here:
    """A location: the place of each automaton, and the value of each whole number."""

    places: Places
    whole: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A formula that holds as long as time passes, and the depths of its atoms in order."""

    key: str  # in certificates
    name: str  # for people
    formula: Formula
    depths: tuple[Depth, ...]


class Automata:
    """The automata of a model, in terms of its parameters, which are ``known``.

    ``given`` are those arguments and starts that are set, ``variables`` have a symbol each.
    """

    def __init__(self, described: Described, known: Table, given: Table, variables: Table) -> None:
        if len(described.surfaces) > 1:
            raise Unproved("unsupported: several systems with a surface of discontinuity")
        normals = [system.normal for system in described.surfaces]
        described = described.switching()
        self.moves = Moves(described.components, described.channels)
        self._components, declared = described.components, described.declared
        self.constants = dict(known)
        for constant in described.constants:
            own = given.get(constant.name)
            self.constants[constant.name] = symbolic(constant.value, known) if own is None else own
        self.starts: dict[str, SX] = {}
        for item in declared:
            own, earlier = given.get(item.name), self.constants | self.starts
            self.starts[item.name] = symbolic(item.start, earlier) if own is None else own
        start = self.constants | self.starts | {"t": ca.SX(0)}
        self.apart = [symbolic(n.above, start) - symbolic(n.below, start) for n in normals]
        self.moving = {d.name: variables[d.name] for d in declared if d.kind in REAL}
        self.whole = {d.name: variables[d.name] for d in declared if d.kind not in REAL}
        self._clocks = {d.name for d in declared if d.kind == "clock"}
        self._limits = {d.name: self._range(d) for d in declared if d.kind not in REAL}

    def _range(self, item: Declared) -> tuple[SX, SX] | None:
        if item.kind == "bool":
            return ca.SX(0), ca.SX(1)
        if item.limits is None:
            return None
        low, high = (symbolic(limit, self.constants) for limit in item.limits)
        return low, high

    def start(self, number: Callable[[SX], int]) -> Here:
        """The first location; ``number`` works out whole numbers."""
        places = Places(item.initial for item in self._components)
        return Here(places, tuple((name, number(self.starts[name])) for name in self.whole))

    def pairs(self, here: Here) -> Modes:
        """A location as certificates write it."""
        named = zip((item.name for item in self._components), here.places, strict=True)
        return (*named, *((f"{name} =", str(number)) for name, number in here.whole))

    def table(self, here: Here) -> dict[str, SX]:
        """Everything of the automata that has a name in a location."""
        found = self.constants | self.moving
        for item, present in zip(self._components, here.places, strict=True):
            found |= {f"{item.name}.{p.name}": ca.SX(p.name == present) for p in item.places}
        return found | {name: ca.SX(number) for name, number in here.whole}

    def reads(self) -> Iterator[str]:
        """Every name that rates, guards, invariants and assignments use."""
        for item in self._components:
            formulas = [place.invariant for place in item.places]
            formulas += [edge.guard for edge in item.edges]
            terms = [rate.value for place in item.places for rate in place.rates]
            terms += [reset.value for edge in item.edges for reset in edge.reset]
            for formula in formulas:
                yield from (symbol.name for symbol in formula_symbols(formula))
            for term in terms:
                yield from (symbol.name for symbol in symbols(term))

    def is_urgent(self, here: Here) -> bool:
        """Whether no time may pass."""
        return bool(self.moves.offers(here.places).urgent)

    def rates(self, here: Here, table: Table) -> dict[str, SX]:
        """How fast each variable changes."""
        found = {name: ca.SX(name in self._clocks) for name in self.moving}
        for i, name in enumerate(here.places):
            rates = self.moves.place(i, name).rates
            found |= {rate.target: symbolic(rate.value, table) for rate in rates}
        return found

    def kept(self, here: Here, table: Table) -> Iterator[Kept]:
        """What holds as long as time passes: no jump is enabled, and every invariant holds."""
        for halves in self._triggers(here):
            guard = both(*(half.edge.guard for half in halves))
            name = f"grazing: the edge {' with '.join(str(half.edge) for half in halves)}"
            yield _kept(key_of(halves), name, normal(guard, negated=True), table)
        for i, place in enumerate(here.places):
            invariant = self.moves.place(i, place).invariant
            if invariant != TRUE:
                name = f"grazing: the invariant of {place}"
                yield _kept(f"invariant {i}", name, normal(invariant), table)

    def _triggers(self, here: Here) -> Iterator[tuple[Half, ...]]:
        """Edges that make a jump as soon as all of them are enabled."""
        offers = self.moves.offers(here.places)
        yield from ((half,) for half in offers.alone)
        for channel, senders in offers.senders.items():
            for sender in senders:
                for receiver in offers.receivers.get(channel, ()):
                    if receiver.component != sender.component:
                        yield sender, receiver

    def trigger(self, move: Move) -> tuple[Half, ...]:
        """The edges that a jump waits for: a broadcast does not wait to be heard."""
        action = move.halves[0].edge.action
        alone = action is None or self.moves.channel(action.channel).broadcast
        return move.halves[:1] if alone else move.halves

    def guard(self, half: Half, table: Table) -> tuple[Formula, list[Depth]]:
        """The guard of an edge, and the depths of its atoms."""
        formula = normal(half.edge.guard)
        return formula, [_depth(leaf, table) for leaf in leaves(formula)]

    def changes(self, move: Move, table: Table) -> dict[str, SX]:
        """What a jump assigns, from the values before it."""
        found: dict[str, SX] = {}
        for half in move.halves:
            if half.edge.procedure is not None:
                raise Unproved("unsupported: an edge with a procedure")
            for item in half.edge.reset:
                if item.target in found:
                    raise Unproved(f"unsupported: {item.target} is assigned twice at once")
                found[item.target] = symbolic(item.value, table)
        return found

    def after(self, here: Here, move: Move, numbers: Mapping[str, int]) -> Here:
        """The location after a jump that gives these ``numbers`` to whole variables."""
        return Here(move.target, tuple((name, numbers.get(name, old)) for name, old in here.whole))

    def spare(self, name: str, number: int) -> list[SX]:
        """What must not be negative for a whole variable to have this value."""
        limits = self._limits[name]
        return [] if limits is None else [number - limits[0], limits[1] - number]


def key_of(halves: tuple[Half, ...]) -> str:
    """What edges that are taken together are called in certificates: by their numbers."""
    return "edge " + "+".join(str(half.number) for half in halves)


def _kept(key: str, name: str, formula: Formula, table: Table) -> Kept:
    whole = fold(formula, _apart, lambda parts: And(tuple(parts)), lambda parts: Or(tuple(parts)))
    return Kept(key, name, whole, tuple(_depth(leaf, table) for leaf in leaves(whole)))


def _apart(leaf: Compare) -> Formula:
    """Equalities as two comparisons, each of which has two sides."""
    if leaf.relation not in APART:
        return leaf
    parts = tuple(Compare(word, leaf.left, leaf.right) for word in APART[leaf.relation])
    return And(parts) if leaf.relation == "==" else Or(parts)


def _depth(leaf: Compare, table: Table) -> Depth:
    found = atom(leaf, margin=0.0)
    return symbolic(found.depth, table), found.sense
