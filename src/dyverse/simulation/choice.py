"""Who chooses among several enabled edges: the model's order, a seeded draw, or someone asked.

A choice is declared in the options of a run and told in its events, so that no run depends on an
order that nobody has chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Edge, State
from dyverse.errors import ModelError, Problem, SolverError

Asked = Callable[[State, tuple[Edge, ...]], int]


@dataclass(frozen=True, slots=True)
class Priority:
    """The first edge in the order written, of those with the highest priority."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """Any of them, drawn by a generator with this seed: the same run for the same seed."""

    seed: int = 0


@dataclass(frozen=True, slots=True)
class Ask:
    """Whichever ``function`` says: it is given the state and the edges, and returns an index."""

    function: Asked


Choice = Priority | Seeded | Ask


class Chooser:
    """A choice at work in one run."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._draw = np.random.default_rng(choice.seed if isinstance(choice, Seeded) else None)

    def __call__(self, state: State, edges: tuple[Edge, ...]) -> tuple[Edge, str]:
        """The edge to take, and a remark if there was a choice."""
        if len(edges) == 1:
            return edges[0], ""
        place, how = self._place(state, edges)
        if not 0 <= place < len(edges):
            raise SolverError(f"edge {place} was chosen, but there are only {len(edges)}")
        return edges[place], f"{place + 1} of {len(edges)} {how}"

    def _place(self, state: State, edges: tuple[Edge, ...]) -> tuple[int, str]:
        match self._choice:
            case Priority():
                return 0, "by order"
            case Seeded():
                return int(self._draw.integers(len(edges))), "by draw"
            case Ask(function=function):
                return function(state, edges), "as asked"


def parse_choice(text: str, ask: Asked) -> Choice:
    """``ask``, ``priority`` or ``seed:N``, as the command line takes it."""
    word, colon, number = text.partition(":")
    if text == "priority":
        return Priority()
    if text == "ask":
        return Ask(ask)
    if word == "seed" and colon and number.isdecimal():
        return Seeded(int(number))
    problem = Problem(f"{text!r} is no way to choose; there are ask, priority and seed:N")
    raise ModelError([problem], file="--choice")
