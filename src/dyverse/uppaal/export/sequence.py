"""Assignments that happen all at once, as a sequence that comes to the same.

Where an assignment reads what an earlier one has changed, it reads a copy of the old value instead:
``x := y, y := x`` becomes ``old x := x, x := y, y := old x``. On a channel the sender goes first
and makes the copies that receivers need. [amnell2000] §2.1 has the assignments at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component, NetworkEdge
from dyverse.automaton.network.network import Network
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term, symbols


def old(name: str) -> str:
    """What the copy of a variable is called."""
    return f"old {name}"


@dataclass(frozen=True, slots=True)
class Steps:
    """Variables to copy first, and then assignments one after the other."""

    copies: tuple[str, ...]
    assignments: tuple[Assignment, ...]


class Sequencer:
    """The edges of a network, one by one, as steps."""

    def __init__(self, network: Network) -> None:
        self._at_once = network.assignments == "concurrent"
        self._edges = [(item, edge) for item in network.components for edge in item.edges]
        found = (name for item, edge in self._edges for name in self.steps(item, edge).copies)
        self.copied = tuple(dict.fromkeys(found))

    def steps(self, item: Component, edge: NetworkEdge) -> Steps:
        """What an edge of ``item`` does, in order."""
        if not self._at_once or edge.action is None:
            return in_sequence(edge.reset)
        if not edge.action.sends:
            changed = self._written_by_others(edge.action.channel, item)
            reset = (Assignment(a.target, with_old(a.value, changed)) for a in edge.reset)
            return in_sequence(tuple(reset))
        own = in_sequence(edge.reset)
        needed = dict.fromkeys((*own.copies, *sorted(self._needed(edge.action.channel))))
        return replace(own, copies=tuple(needed))

    def _needed(self, channel: str) -> set[str]:
        """What some receiver reads and another party writes."""
        found: set[str] = set()
        for item, edge in self._on(channel):
            if edge.action is not None and not edge.action.sends:
                read = {s.name for a in edge.reset for s in symbols(a.value)}
                found |= read & self._written_by_others(channel, item)
        return found

    def _written_by_others(self, channel: str, item: Component) -> set[str]:
        edges = (edge for other, edge in self._on(channel) if other is not item)
        return {assignment.target for edge in edges for assignment in edge.reset}

    def _on(self, channel: str) -> Iterator[tuple[Component, NetworkEdge]]:
        for item, edge in self._edges:
            if edge.action is not None and edge.action.channel == channel:
                yield item, edge


def in_sequence(assignments: tuple[Assignment, ...]) -> Steps:
    """Assignments of one edge; those that others read come last, so most need no copy."""
    done: set[str] = set()
    copies: dict[str, None] = {}
    found: list[Assignment] = []
    for assignment in _ordered(list(assignments)):
        late = {s.name for s in symbols(assignment.value)} & (done - {assignment.target})
        copies |= dict.fromkeys(sorted(late))
        found.append(Assignment(assignment.target, with_old(assignment.value, late)))
        done.add(assignment.target)
    return Steps(tuple(copies), tuple(found))


def _ordered(left: list[Assignment]) -> list[Assignment]:
    """Next comes always one whose target no other reads, as long as there is one."""
    found: list[Assignment] = []
    while left:
        free = next((a for a in left if not _read_by_others(a, left)), left[0])
        left.remove(free)
        found.append(free)
    return found


def _read_by_others(assignment: Assignment, left: list[Assignment]) -> bool:
    others = (a for a in left if a is not assignment)
    return any(s.name == assignment.target for a in others for s in symbols(a.value))


def with_old(term: Term, names: set[str]) -> Term:
    """``term`` with copies instead of the variables in ``names``."""
    match term:
        case Symbol(name=name):
            return Symbol(old(name)) if name in names else term
        case Negate(operand=operand):
            return Negate(with_old(operand, names))
        case Binary(operator=sign, left=left, right=right):
            return Binary(sign, with_old(left, names), with_old(right, names))
        case Call(function=function, arguments=arguments):
            return Call(function, tuple(with_old(a, names) for a in arguments))
        case Number():
            return term
