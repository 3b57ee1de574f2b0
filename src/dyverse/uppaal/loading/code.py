"""What an edge of UPPAAL does beyond terms and formulas, as a procedure of the network."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.automaton.component import Fault, Known
from dyverse.text.tree import Mistake
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.loading.derived import Derived
from dyverse.uppaal.meaning.interpret import Machine
from dyverse.uppaal.meaning.memory import Memory
from dyverse.uppaal.meaning.scope import Scope


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
