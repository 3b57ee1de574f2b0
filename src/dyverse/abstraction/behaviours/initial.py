"""The initial abstraction of a hybrid automaton: its locations and edges, with letters.

[carter2011] Def. 8: one letter for each combination of guard and reset. The paper then gives one
letter to two combinations where that says enough; ``letters="actions"`` does so for edges whose
actions have the same name. A computation node becomes a location: it is entered by one letter and
left by another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from string import ascii_lowercase
from typing import Literal

from dyverse.abstraction.omega.lts import Lts, Step
from dyverse.automaton.interface import Assignment, Location
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.product import product
from dyverse.automaton.node import NodePlace
from dyverse.automaton.written.written import WrittenAutomaton, WrittenEdge
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import Formula
from dyverse.expr.printing import formula_text, term_text
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.parts import parts_of
from dyverse.generation.skeleton.location import Node
from dyverse.generation.skeleton.skeleton import RigidEdge

Letters = Literal["pairs", "actions"]
Reset = tuple[Assignment, ...]
LetteredEdge = WrittenEdge | RigidEdge


@dataclass(frozen=True, slots=True)
class Meaning:
    """A combination of guard and reset, and the letter that stands for it."""

    letter: str
    guard: Formula
    reset: Reset

    def __str__(self) -> str:
        changes = (f"{a.target} := {term_text(a.value)}" for a in self.reset)
        return ", ".join((f"{self.letter}: {formula_text(self.guard)}", *changes))


@dataclass(frozen=True, slots=True)
class Abstraction:
    """A transition system, and what its letters mean, in the order of the edges."""

    lts: Lts
    meanings: tuple[Meaning, ...]


def initial_abstraction(
    automaton: WrittenAutomaton | Network | RigidBodyAutomaton,
    *,
    letters: Letters = "pairs",
    most: int = 100_000,
) -> Abstraction:
    """The labelled transition system of ``automaton``; of a network, that of its product.

    [carter2011] Def. 8. The automaton of rigid bodies is enumerated, up to ``most`` edges.
    """
    parts = parts_of(automaton)
    if parts.only_bodies is not None:
        return _of_bodies(parts.only_bodies, letters, most)
    written = parts.written if parts.network is None else product(parts.network)
    assert written is not None
    places = tuple(item.name for item in written.locations)
    nodes = tuple(node.name for node in written.nodes)
    return _abstraction((*places, *nodes), written.edges, written.initial.location, letters)


def _of_bodies(automaton: RigidBodyAutomaton, letters: Letters, most: int) -> Abstraction:
    edges = _bounded(automaton, most)
    ends = (_place(end) for edge in edges for end in (edge.source, edge.target))
    start = _place(automaton.start().location)
    return _abstraction(tuple(dict.fromkeys((start, *ends))), edges, start, letters)


def _abstraction(
    places: tuple[str, ...], edges: Sequence[LetteredEdge], start: str, letters: Letters
) -> Abstraction:
    found = list(_meanings(edges, letters))
    meanings = tuple(dict.fromkeys(found))
    steps = (
        Step(_place(edge.source), meaning.letter, _place(edge.target))
        for edge, meaning in zip(edges, found, strict=True)
    )
    alphabet = tuple(dict.fromkeys(meaning.letter for meaning in meanings))
    return Abstraction(Lts(places, alphabet, tuple(dict.fromkeys(steps)), (start,)), meanings)


def _bounded(automaton: RigidBodyAutomaton, most: int) -> list[RigidEdge]:
    edges = list(islice(automaton.skeleton.edges(), most + 1))
    if len(edges) > most:
        problem = f"the automaton has more than {most} edges; its abstraction would be as large"
        raise ModelError([Problem(problem)])
    return edges


def lettered(automaton: WrittenAutomaton) -> WrittenAutomaton:
    """The same automaton with the letter of each edge as its action, so that runs spell words."""
    letters = (meaning.letter for meaning in _meanings(automaton.edges, "actions"))
    edges = zip(automaton.edges, letters, strict=True)
    return replace(automaton, edges=tuple(replace(edge, action=letter) for edge, letter in edges))


def _meanings(edges: Sequence[LetteredEdge], letters: Letters) -> Iterator[Meaning]:
    """What stands on each edge, in the order written."""
    named = {edge.action for edge in edges if letters == "actions"}
    fresh = (letter for letter in _fresh() if letter not in named)
    known: dict[tuple[Formula, Reset], str] = {}
    for edge in edges:
        pair = edge.guard, _sorted(edge)
        if letters == "actions" and edge.action:
            yield Meaning(edge.action, *pair)
        else:
            if pair not in known:
                known[pair] = next(fresh)
            yield Meaning(known[pair], *pair)


def _sorted(edge: LetteredEdge) -> Reset:
    """The reset in one order; its assignments happen at once."""
    return tuple(sorted(edge.reset, key=lambda assignment: assignment.target))


def _fresh() -> Iterator[str]:
    """Letters: a, b, …, z, a1, b1, …"""
    for number in count():
        for letter in ascii_lowercase:
            yield f"{letter}{number or ''}"


def _place(end: Location) -> str:
    """The name of a location; all places of a computation node are one."""
    match end:
        case NodePlace(node=node):
            return node
        case Node():
            return end.name
        case _:
            return str(end)
