"""Choices that are made from outside of a run, one by one.

A run asks its choice wherever several edges are enabled, or one may be left alone. In a session
that *asks*, the answer comes from outside, later: the run is ended there as by Ctrl-C, at the
beginning of the instant, and what was answered so far is told again when it goes on.
"""

from __future__ import annotations

from dataclasses import dataclass

from dyverse.automaton.interface import Edge, State
from dyverse.errors import SolverError
from dyverse.given import check_kind
from dyverse.simulation.choice import Ask, Edges

Answers = tuple[Edge | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Which of ``edges`` to take at ``state``, or none of them, if time may pass."""

    state: State
    edges: Edges
    may_wait: bool


class Undecided(KeyboardInterrupt):
    """There is no answer yet; the run so far is kept."""


class Asking:
    """Gives the answers there are, and leaves a question where they end."""

    def __init__(self, answers: Answers) -> None:
        self._answers, self._given = answers, 0
        self.question: Question | None = None

    def choice(self) -> Ask:
        """As the options of a run take it."""
        return Ask(self._answer)

    def _answer(self, state: State, edges: Edges, may_wait: bool) -> int | None:
        if self._given == len(self._answers):
            self.question = Question(state, edges, may_wait)
            raise Undecided
        wanted = self._answers[self._given]
        self._given += 1
        return None if wanted is None else place_of(wanted, edges)


def place_of(edge: Edge, edges: Edges) -> int:
    """Where ``edge`` is among ``edges``, or a `SolverError`."""
    if not hasattr(edge, "source"):
        check_kind(edge, (), "an edge", "session.enabled() has those that can be taken")
    if edge not in edges:
        there = ", ".join(map(label, edges)) or "none"
        raise SolverError(f"the edge {label(edge)} is not enabled here; enabled: {there}")
    return edges.index(edge)


def label(edge: Edge) -> str:
    """An edge in a few words: what it is called, and from where to where it leads."""
    ends = f"{edge.source} -> {edge.target}"
    action = getattr(edge, "action", "")
    return f"{action} ({ends})" if action else ends
