"""Which edges time has brought a run to: their guards are read at the point, for this instant.

In come a stretch of time and a way to read guards; out go the numbers of edges. So ``x >= 4 and
y <= 4`` may be met in one point only, and an alarm at ``x >= 4`` is raised though another automaton
has just turned x around. A guard that a jump has left behind is no such, before the run has been
away from it; nor are the guards of an automaton that has jumped in this instant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from dyverse.automaton.guard.truth import Reading
from dyverse.automaton.interface import State
from dyverse.automaton.run import Arc

Reader = Callable[[State], Callable[[int], Reading]]


def reached(arc: Arc, numbers: Collection[int], reader: Reader) -> frozenset[int]:
    """Those of ``numbers`` that are read at the point at the end of ``arc``.

    Where no time could pass there is no right after, and all of them are.
    """
    going_on = arc.start.stretch
    if arc.times[-1] == (arc.times[0] if going_on is None else going_on.since):
        return frozenset(numbers)
    left = _left(arc, numbers, reader)
    return frozenset(n for n in numbers if n not in left or _was_away(arc, n, reader, rows=-1))


def behind(arc: Arc, numbers: Collection[int], reader: Reader) -> frozenset[int]:
    """Those of ``numbers`` that a jump has left behind, where the stretch goes on after ``arc``."""
    left = _left(arc, numbers, reader)
    return frozenset(n for n in left if not _was_away(arc, n, reader, rows=0))


def _left(arc: Arc, numbers: Collection[int], reader: Reader) -> frozenset[int]:
    """Guards that held only at the point where the stretch began, and had held up to ``arc``."""
    if (going_on := arc.start.stretch) is not None:
        return going_on.behind
    start = reader(arc.state(0))
    return frozenset(n for n in numbers if start(n).touches)


def _was_away(arc: Arc, number: int, reader: Reader, *, rows: int) -> bool:
    """Whether a guard did not hold in some row but the first, and the last -``rows`` of them."""
    inner = range(1, len(arc.times) + rows)
    return any(not reader(arc.state(row))(number).here for row in inner)
