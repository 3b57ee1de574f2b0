"""Edges before all is known about them: which derived variables they change comes last.

What an edge does beyond terms and formulas becomes a procedure of the network.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Action, Fault, Known, NetworkEdge
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term
from dyverse.text.tree.builder import Mistake
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.loading.derived import Derivations, Derived
from dyverse.uppaal.meaning.interpret import Machine
from dyverse.uppaal.meaning.scope import Scope
from dyverse.uppaal.meaning.touching import Touched
from dyverse.uppaal.meaning.variables import Memory

Expressions = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One value for each name of a select."""

    scope: Scope
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """An edge before it is known which derived variables it changes."""

    source: str
    target: str
    guard: Formula
    action: Action | None
    conditions: Expressions  # that run as code
    updates: Expressions
    terms: dict[str, Term] | None  # what the updates come to, if terms can say it
    touched: Touched
    process: str
    chosen: Chosen
    weight: float

    def edge(self, effects: Effects) -> NetworkEdge:
        """The edge, with the derived variables that it has an effect on."""
        effect = effects.of(self.touched)
        is_code = self.terms is None or bool(effect.derived)
        reset = () if is_code else tuple(Assignment(p, t) for p, t in (self.terms or {}).items())
        return NetworkEdge(
            source=self.source,
            target=self.target,
            guard=self.guard,
            reset=reset,
            action=self.action,
            procedure=self._code(effect, is_code) if is_code or self.conditions else None,
            weight=self.weight,
        )

    def _code(self, effect: Effect, is_code: bool) -> Code:
        return Code(
            self.conditions,
            self.updates if is_code else (),
            effect.reads,
            effect.writes if is_code else (),
            self.process,
            self.chosen.values,
            self.chosen.scope,
            effect.derived,
        )


@dataclass(frozen=True, slots=True)
class Effect:
    """What some code reads and writes, derived variables included."""

    derived: tuple[Derived, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]


class Effects:
    """The effects of code on derived variables, each found once: edges of a select share it."""

    def __init__(self, derivations: Derivations) -> None:
        self._readers = derivations.by_variable()
        self._known: dict[int, tuple[Touched, Effect]] = {}

    def of(self, touched: Touched) -> Effect:
        """The effect of what touches these variables."""
        found = self._known.get(id(touched))
        if found is None:
            found = self._known[id(touched)] = (touched, self._found(touched))
        return found[1]

    def _found(self, touched: Touched) -> Effect:
        readers = (self._readers[name] for name in touched.writes if name in self._readers)
        derived = tuple({item.path: item for items in readers for item in items}.values())
        more = (name for item in derived for name in item.reads)
        reads = tuple(dict.fromkeys((*touched.reads, *more)))
        return Effect(derived, reads, (*touched.writes, *(item.path for item in derived)))


@dataclass(frozen=True, slots=True)
class Code:
    """Conditions that must all hold, and updates that happen one after the other.

    Behind the updates the ``derived`` variables are computed anew. ``process`` and the values
    ``chosen`` by a select say which scope it is.
    """

    conditions: tuple[Expression, ...]
    updates: tuple[Expression, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    process: str
    chosen: tuple[tuple[str, float], ...]
    scope: Scope = field(compare=False, repr=False)
    derived: tuple[Derived, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether there are conditions."""
        return bool(self.conditions)

    def condition(self, known: Known) -> bool:
        """Whether all conditions hold."""
        machine = Machine(Memory(known))
        try:
            return all(machine.number(condition, self.scope) for condition in self.conditions)
        except Mistake as mistake:
            raise _fault(mistake) from None

    def apply(self, known: Known) -> Known:
        """What the updates change."""
        memory = Memory(known)
        machine = Machine(memory)
        try:
            for update in self.updates:
                machine.value(update, self.scope)
        except Mistake as mistake:
            raise _fault(mistake) from None
        changes = {path: float(number) for path, number in memory.changes.items()}
        return changes | {item.path: item.value(machine) for item in self.derived}


def _fault(mistake: Mistake) -> Fault:
    span = mistake.span
    return Fault(f"{span.line}:{span.column}: {mistake}")
