"""Jumps that would break an invariant: with UPPAAL's rules they are not enabled.

[behrmann2004] §2: the state behind a jump must satisfy the invariants of all components, those that
jump and those whose invariants read what the jump assigns. Where an edge alone decides, this is a
part of its guard: the invariant of its target, with what the edge assigns put in. Where others have
a say (partners that assign, procedures, receivers of broadcasts, which cannot stay behind), the
edge is *doubtful*: then the jump is tried, and looked at from behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from dyverse.automaton.network.component import Channel, Component, NetworkEdge
from dyverse.expr.formula import FALSE, TRUE, And, Formula, both, formula_symbols
from dyverse.expr.rewrite import rewritten_formula, substitution
from dyverse.expr.value import holds

Channels = Callable[[str], Channel]


@dataclass(frozen=True, slots=True)
class Landing:
    """Components with the invariants of targets in their guards, and what that leaves open."""

    components: tuple[Component, ...]
    doubtful: tuple[bool, ...] = ()  # by the number of the edge; none if no edge is
    readers: dict[str, tuple[int, ...]] | None = None  # components whose invariants read a variable

    def concerned(self, names: Iterable[str]) -> set[int]:
        """The components whose invariants may change when these variables do."""
        return set(chain.from_iterable((self.readers or {}).get(name, ()) for name in names))


def landing(components: tuple[Component, ...], channel: Channels) -> Landing:
    """Which jumps lead where the invariants hold."""
    readers = _readers(components)
    written = _written(components)
    found = [
        tuple(_landed(item, i, edge, written, channel) for edge in item.edges)
        for i, item in enumerate(components)
    ]
    joined = (
        replace(item, edges=tuple(edge for edge, _ in edges))
        for item, edges in zip(components, found, strict=True)
    )
    doubtful = [
        not decided or any(set(readers.get(name, ())) - {i} for name in edge.writes)
        for i, edges in enumerate(found)
        for edge, decided in edges
    ]
    return Landing(tuple(joined), tuple(doubtful) if any(doubtful) else (), readers)


def _readers(components: tuple[Component, ...]) -> dict[str, tuple[int, ...]]:
    found: dict[str, dict[int, None]] = {}
    for i, item in enumerate(components):
        for place in item.places:
            for symbol in formula_symbols(place.invariant):
                found.setdefault(symbol.name, {})[i] = None
    return {name: tuple(numbers) for name, numbers in found.items()}


def _written(components: tuple[Component, ...]) -> dict[str, set[tuple[int, str]]]:
    """By channel: which component assigns which variable when it takes part."""
    found: dict[str, set[tuple[int, str]]] = {}
    for i, item in enumerate(components):
        for edge in item.edges:
            if edge.action is not None:
                found.setdefault(edge.action.channel, set()).update((i, n) for n in edge.writes)
    return found


def _landed(
    item: Component,
    number: int,
    edge: NetworkEdge,
    written: dict[str, set[tuple[int, str]]],
    channel: Channels,
) -> tuple[NetworkEdge, bool]:
    """The edge with its target's invariant in the guard, and whether that decides."""
    invariant = next(place.invariant for place in item.places if place.name == edge.target)
    if invariant == TRUE:
        return edge, True
    read = {symbol.name for symbol in formula_symbols(invariant)}
    if edge.action is not None:
        found = channel(edge.action.channel)
        others = {name for i, name in written[found.name] if i != number}
        if found.urgent or (found.broadcast and not edge.action.sends) or others & read:
            return edge, False
    if edge.procedure is not None and set(edge.procedure.writes) & read:
        return edge, False
    meanings = {assignment.target: assignment.value for assignment in edge.reset}
    behind = rewritten_formula(invariant, substitution(meanings))
    return replace(edge, guard=both(edge.guard, *_open(behind))), True


def _open(formula: Formula) -> Iterator[Formula]:
    """The conjuncts that numbers alone do not make true."""
    for part in formula.parts if isinstance(formula, And) else (formula,):
        if formula_symbols(part):
            yield part
        elif not holds(part, {}):
            yield FALSE
