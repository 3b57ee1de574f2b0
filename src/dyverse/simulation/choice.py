"""Who chooses among enabled edges, and whether one is taken at all while time may pass.

A choice is declared in the options of a run and told in its events, so that no run depends on an
order that nobody has chosen. The formal rule is that an enabled edge *may* be taken as long as time
may pass; `Priority`, and `Seeded` unless told otherwise, follow the animator's rule that it *must*.
Who waits is asked again when a guard begins or ceases to hold, when an invariant ends, and with
ticks at the next tick.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.guard.waiting import Delay
from dyverse.automaton.interface import Edge, State
from dyverse.automaton.memory import Drawn, Memory
from dyverse.automaton.network.moves import Move
from dyverse.errors import ModelError, Problem, SolverError

Edges = tuple[Edge, ...]
Asked = Callable[[State, Edges, bool], int | None] | Callable[[State, Edges], int]
Look = Callable[[], tuple[State, Edges]]


@dataclass(frozen=True, slots=True)
class Priority:
    """The first edge in the order written, of those with the highest priority; at once."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The same, as late as can be: where time may pass no longer, or no edge would be left."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """Any of them, drawn by a generator with this seed: the same run for the same seed.

    With probability ``wait`` none of them, where time may pass. Edges with weights are drawn by
    these.
    """

    seed: int = 0
    wait: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.wait <= 1:
            raise SolverError(f"a probability lies between 0 and 1, not at {self.wait}")


@dataclass(frozen=True, slots=True)
class Ask:
    """Whichever ``function`` says: it is given the state, the edges, and whether it may wait.

    It returns an index, or None to let time pass, if it may. One with two arguments never waits and
    is asked only where there are several edges.
    """

    function: Asked

    @property
    def waits(self) -> bool:
        """Whether the function can be told that it may wait."""
        try:
            inspect.signature(self.function).bind(None, (), True)
        except TypeError:
            return False
        return True


Rule = Priority | Latest | Seeded | Ask


@dataclass(frozen=True, slots=True)
class First:
    """``edge`` where it is first among those enabled, then as the rule ``then`` says."""

    edge: Edge
    then: Rule


Choice = Rule | First


class Chooser:
    """A choice at work in one run."""

    def __init__(
        self, choice: Choice, memory: Memory | None = None, *, weighted: bool = False
    ) -> None:
        self._first = choice.edge if isinstance(choice, First) else None
        choice = choice.then if isinstance(choice, First) else choice
        self._choice, self._weighted = choice, weighted
        self._draw = np.random.default_rng(choice.seed if isinstance(choice, Seeded) else None)
        drawn = None if memory is None else memory.draw
        if isinstance(choice, Seeded) and drawn is not None and drawn[0] == choice.seed:
            self._draw.bit_generator.state = drawn[1]
        self.waits, self.how = _manner(choice)

    def drawn(self) -> Drawn | None:
        """The seed, and what the generator draws next; None if there is nothing to draw."""
        if not isinstance(self._choice, Seeded):
            return None
        return self._choice.seed, self._draw.bit_generator.state

    def __call__(self, state: State, edges: Edges, delay: Delay) -> tuple[Edge | None, str]:
        """The edge to take or None, and a remark if there was a choice."""
        if len(edges) == 1 and delay is Delay.NEVER:
            return edges[0], ""
        place = self.pick(len(edges), delay, lambda: (state, edges))
        if place is None:
            return None, ""
        return edges[place], f"{place + 1} of {len(edges)} {self.how}"

    def pick(self, count: int, delay: Delay, look: Look) -> int | None:
        """Which of ``count`` edges to take, or None to wait; ``look`` shows them."""
        if self._first is not None and self._first in (edges := look()[1]):
            place, self._first = edges.index(self._first), None
            return place
        match self._choice:
            case Priority():
                return 0
            case Latest():
                return None if delay is Delay.FREE else 0
            case Seeded(wait=wait):
                if wait and delay is not Delay.NEVER and self._draw.random() < wait:
                    return None
                if self._weighted and count > 1:
                    return self._weighed(look()[1])
                return int(self._draw.integers(count)) if count > 1 else 0
            case Ask(function=function):
                may_wait = delay is not Delay.NEVER
                arguments = (*look(), may_wait) if self.waits else look()
                return _checked(function(*arguments), count, may_wait=may_wait)

    def _weighed(self, edges: Edges) -> int:
        """One of the edges, drawn by their weights; by order if none has one."""
        weights = np.array([edge.weight if isinstance(edge, Move) else 1.0 for edge in edges])
        ends = np.cumsum(weights)
        if not ends[-1] > 0:
            return 0
        return int(np.searchsorted(ends, self._draw.random() * ends[-1], side="right"))


def _manner(choice: Rule) -> tuple[bool, str]:
    """Whether it may wait, and what is said of it in events."""
    match choice:
        case Priority():
            return False, "by order"
        case Latest():
            return True, "as late as can be"
        case Seeded(wait=wait):
            return wait > 0, "by draw"
        case Ask():
            return choice.waits, "as asked"


def _checked(place: int | None, count: int, *, may_wait: bool) -> int | None:
    if place is None and not may_wait:
        raise SolverError("no time may pass here: one of the edges must be chosen")
    if place is not None and not 0 <= place < count:
        raise SolverError(f"edge {place} was chosen, but there are only {count}")
    return place


def parse_choice(text: str, ask: Asked) -> Choice:
    """``ask``, ``priority``, ``latest``, ``seed:N`` or ``seed:N:P``, as on the command line."""
    word, *numbers = text.split(":")
    plain: dict[str, Choice] = {"priority": Priority(), "latest": Latest(), "ask": Ask(ask)}
    if text in plain:
        return plain[text]
    if word == "seed" and len(numbers) in (1, 2) and numbers[0].isdecimal():
        wait = _probability(numbers[1:])
        if wait is not None:
            return Seeded(int(numbers[0]), wait)
    known = "ask, priority, latest, seed:N and seed:N:P with a probability P to wait"
    raise ModelError([Problem(f"{text!r} is no way to choose; there are {known}")], file="--choice")


def _probability(texts: list[str]) -> float | None:
    """The number, 0 if there is none; None if it is no probability."""
    try:
        found = float(texts[0]) if texts else 0.0
    except ValueError:
        return None
    return found if 0 <= found <= 1 else None
