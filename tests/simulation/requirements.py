"""Random requirements, and what they mean by definition, on a list of states.

A second road to margins: every operator is computed from its definition, as the least or greatest
over all states of a list that are in its window. The list is dense, or all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import (
    Connective,
    Interval,
    Joined,
    Order,
    Ordered,
    Quantified,
    Quantifier,
    Requirement,
    joined,
)
from dyverse.expr.term import Number

INFINITE = 1e300
Windows = Sequence[tuple[float, float]]


WORDS: tuple[Connective, ...] = ("and", "or", "implies", "not")
QUANTIFIERS: tuple[Quantifier, ...] = ("always", "eventually", "historically", "once")
ORDERS: tuple[Order, ...] = ("until", "since", "before")
KINDS = ("joined", "quantified", "quantified", "ordered")


def random_requirement(
    draw: Random,
    depth: int,
    atoms: Sequence[Formula],
    windows: Windows,
    kinds: Sequence[str] = KINDS,
    *,
    open_ended: float = 0.25,
) -> Requirement:
    """A requirement of so many levels; a share of its operators has no window."""

    def part() -> Requirement:
        return random_requirement(draw, depth - 1, atoms, windows, kinds, open_ended=open_ended)

    def window() -> Interval | None:
        return None if draw.random() < open_ended else _interval(draw.choice(windows))

    if depth == 0 or draw.random() < 0.15:
        return draw.choice(atoms)
    match draw.choice(kinds):
        case "joined":
            word = draw.choice(WORDS)
            count = 1 if word == "not" else 2
            return joined(word, *(part() for _ in range(count)))
        case "quantified":
            kind = draw.choice(QUANTIFIERS)
            return Quantified(kind, part(), window())
        case _:
            order = draw.choice(ORDERS)
            during = _interval(draw.choice(windows)) if order == "until" else window()
            return Ordered(order, part(), part(), during)


def _interval(window: tuple[float, float]) -> Interval:
    return Interval(Number(float(window[0])), Number(float(window[1])))


class States:
    """States in order: the time of each, and how deep inside any comparison it is."""

    def __init__(
        self, times: Array, margin: Callable[[Compare], Array], end: float, slack: float = 1e-9
    ) -> None:
        self._times, self._margin, self._end, self._slack = times, margin, end, slack
        order = np.arange(len(times))
        self._later = order[None, :] >= order[:, None]

    def margins(self, requirement: Requirement) -> Array:
        """The margin at every state."""
        match requirement:
            case Compare():
                return self._margin(requirement)
            case And(parts=parts) | Joined(word="and", parts=parts):
                return self._folded(np.minimum, parts, INFINITE)
            case Or(parts=parts) | Joined(word="or", parts=parts):
                return self._folded(np.maximum, parts, -INFINITE)
            case Not(part=part) | Joined(word="not", parts=(part,)):
                return -self.margins(part)
            case Joined(word="implies", parts=(first, then)):
                return np.maximum(-self.margins(first), self.margins(then))
            case Quantified(word="always" | "historically" as word, part=part, during=during):
                inside = self._window(during, behind=word == "historically")
                return np.asarray(np.where(inside, self.margins(part), INFINITE).min(axis=1))
            case Quantified(word=word, part=part, during=during):
                inside = self._window(during, behind=word == "once")
                return np.asarray(np.where(inside, self.margins(part), -INFINITE).max(axis=1))
            case Ordered(word=word, left=left, right=right, during=during):
                return self._ordered(left, right, during, behind=word == "since")
            case _:
                raise ValueError(requirement)

    def _folded(
        self,
        join: Callable[[Array, Array], Array],
        parts: Sequence[Requirement],
        neutral: float,
    ) -> Array:
        found = np.full(len(self._times), neutral)
        for part in parts:
            found = join(found, self.margins(part))
        return found

    def _window(self, during: Interval | None, *, behind: bool) -> np.ndarray[tuple[int, int]]:
        """Which states (columns) are in the window of which (rows)."""
        times, slack = self._times, self._slack
        apart = times[None, :] - times[:, None]
        later = self._later.T if behind else self._later
        if during is None:
            last = np.maximum(times, self._end)[:, None]
            return later if behind else later & (times[None, :] <= last + slack)
        assert isinstance(during.low, Number)
        assert isinstance(during.high, Number)
        apart = -apart if behind else apart
        return later & (apart >= during.low.value - slack) & (apart <= during.high.value + slack)

    def _ordered(
        self, left: Requirement, right: Requirement, during: Interval | None, *, behind: bool
    ) -> Array:
        """The greatest over the window of the right there and the left at all states before it."""
        turn = slice(None, None, -1) if behind else slice(None)
        held, goal = self.margins(left)[turn], self.margins(right)[turn]
        inside = self._window(during, behind=behind)[turn, turn]
        found = np.empty(len(goal))
        for i in range(len(goal)):
            so_far = np.append(INFINITE, np.minimum.accumulate(held[i:])[:-1])
            both = np.minimum(so_far, goal[i:])
            found[i] = np.where(inside[i, i:], both, -INFINITE).max()
        return found[turn]
