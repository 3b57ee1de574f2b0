"""Which edges time has brought a run to: their guards are read at the point, for this instant.

In come a stretch of time and a way to read guards; out go the numbers of edges. So ``x >= 4 and
y <= 4`` may be met in one point only, and an alarm at ``x >= 4`` is raised though another automaton
has just turned x around. A guard that a jump has left behind is no such, before the run has been
away from it; nor are the guards of an automaton that has jumped in this instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dyverse.automaton.interface import State
from dyverse.automaton.run import Arc
from dyverse.automaton.truth import Reading

Reader = Callable[[State], Callable[[int], Reading]]


def reached(arc: Arc, numbers: Iterable[int], reader: Reader) -> frozenset[int]:
    """Those of ``numbers`` that are read at the point at the end of ``arc``.

    Where no time could pass there is no right after, and all of them are.
    """
    if arc.times[-1] == arc.times[0]:
        return frozenset(numbers)
    start = reader(arc.state(0))
    return frozenset(n for n in numbers if not start(n).touches or _was_away(arc, n, reader))


def _was_away(arc: Arc, number: int, reader: Reader) -> bool:
    """Whether a guard that was left behind at the start of ``arc`` did not hold at some time."""
    inner = range(1, len(arc.times) - 1)
    return any(not reader(arc.state(row))(number).here for row in inner)
