"""All the ways that runs of a box can go: choices between edges, outcomes of impacts.

Which edge a network takes where several are enabled is not known, so that a claim about all runs
has to be shown for each. Near the border between sticking and slipping every outcome of an impact
is followed by itself, as if all runs of the box had it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dyverse.automaton.interface import Edge, State
from dyverse.automaton.run import Run
from dyverse.certificate.file import Leg
from dyverse.certificate.walk import OUTCOMES
from dyverse.proving.course import Undrafted
from dyverse.proving.draft import Draft
from dyverse.proving.skeleton import Happening
from dyverse.simulation.choice import Ask, Choice, Priority

MOST = 64  # ways
Word = tuple[tuple[object, ...], ...]  # edges or outcomes, one after the other


def all_runs(run: Callable[[Choice], Run]) -> Iterator[Run]:
    """A run for each way to choose; the first is that of the rule by which a simulation chooses."""
    first = run(Priority())
    yield first
    if not any(" by order" in event.remark for event in first.events):
        return
    waiting: list[tuple[int, ...]] = [()]
    count = 1
    while waiting:
        script = _Script(waiting.pop())
        found = run(Ask(script))
        waiting += script.others()
        if script.taken.count(0) == len(script.taken):
            continue  # it is the first
        count += 1
        if count > MOST:
            raise Undrafted("unsupported: choices between edges have too many ways to go")
        yield found


class _Script:
    """Choices: first those given, then always the first edge."""

    def __init__(self, given: tuple[int, ...]) -> None:
        self._given, self.taken = given, list[int]()
        self._counts: list[int] = []

    def __call__(self, state: State, edges: tuple[Edge, ...]) -> int:
        """Which edge to take."""
        if len(edges) == 1:
            return 0
        k = len(self.taken)
        self.taken.append(self._given[k] if k < len(self._given) else 0)
        self._counts.append(len(edges))
        return self.taken[-1]

    def others(self) -> Iterator[tuple[int, ...]]:
        """The same up to some choice that was not given, and there another edge."""
        for k in range(len(self._given), len(self.taken)):
            yield from ((*self.taken[:k], other) for other in range(1, self._counts[k]))


def drafted(
    make: Callable[[], Draft], happenings: Sequence[Happening], first: int = 0
) -> Iterator[tuple[Leg, ...]]:
    """The legs of what happens, and those of all other outcomes of impacts from ``first`` on."""
    draft = make()
    yield tuple(draft.legs(happenings))
    for k in draft.forks:
        ((contact, own),) = happenings[k].pattern
        for word in sorted(OUTCOMES - {own}) if k >= first else ():
            other = replace(happenings[k], pattern=((contact, word),))
            yield from drafted(make, (*happenings[:k], other, *happenings[k + 1 :]), k + 1)


def word_of(legs: Sequence[Leg]) -> Word:
    """What happens along a way, up to where it ends; choices after that make no other way."""
    return tuple(getattr(leg.then, "edges", ()) or getattr(leg.then, "pattern", ()) for leg in legs)
