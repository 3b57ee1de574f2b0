"""Whether an automaton accepts anything, and what: one look at each location and step.

A finite word needs a way to an accepting location. A Büchi automaton accepts an infinite word if
and only if it can reach a strongly connected component with a step and an accepting location in it;
a Muller automaton, if the steps inside a set of its family connect it strongly. [thomas1990]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.automata import (
    BuchiAutomaton,
    Family,
    FiniteAutomaton,
    GeneralisedMullerAutomaton,
    Language,
    MullerAutomaton,
    States,
    recogniser,
)
from dyverse.abstraction.omega.components import components, way
from dyverse.abstraction.omega.infinity import tour
from dyverse.abstraction.omega.lts import Lts

Leaving = Callable[[str], Iterator[tuple[str, str]]]  # of a location: letters and targets


def example(language: Language) -> Word | Lasso | None:
    """A word of ``language``, finite if there is one; nothing if it is empty."""
    match language:
        case FiniteAutomaton(lts=lts, accepting=accepting):
            return _finite(lts, accepting)
        case BuchiAutomaton(lts=lts, accepting=accepting):
            return _recurring(lts, accepting)
        case MullerAutomaton(lts=lts, family=family):
            return _covering(lts, family)
        case GeneralisedMullerAutomaton(lts=lts, accepting=accepting, family=family):
            word = _finite(lts, accepting)
            return _covering(lts, family) if word is None else word
        case _:
            made = recogniser(language)
            word = _finite(made.lts, made.final)
            return _recurring(made.lts, made.recurrent) if word is None else word


def is_empty(language: Language) -> bool:
    """Whether no word belongs to ``language``."""
    return example(language) is None


def _finite(lts: Lts, accepting: States) -> Word | None:
    found = way(lts.initial, accepting.__contains__, _leaving(lts))
    return None if found is None else tuple(found[1])


def _recurring(lts: Lts, recurrent: States) -> Lasso | None:
    """A word that visits ``recurrent`` for ever."""
    goals = {here for part in _cyclic(lts, lts.initial) for here in part if here in recurrent}
    found = way(lts.initial, goals.__contains__, _leaving(lts))
    if found is None:
        return None
    home, prefix = found
    first = {there: letter for letter, there in _leaving(lts)(home)}
    back = [
        (way([there], lambda here: here == home, _leaving(lts)), a) for there, a in first.items()
    ]
    rounds = [(letter, *rest[1]) for rest, letter in back if rest is not None]
    return Lasso(tuple(prefix), min(rounds, key=len)).reduced()


def _covering(lts: Lts, family: Family) -> Lasso | None:
    """A word with a run whose infinity set is in ``family``."""
    for states in sorted(family, key=lambda states: (len(states), sorted(states))):
        parts = list(_cyclic(lts, states, within=states))
        reached = way(lts.initial, states.__contains__, _leaving(lts))
        if reached is not None and len(parts) == 1 and len(parts[0]) == len(states):
            return tour(lts, states)
    return None


def _cyclic(
    lts: Lts, starts: Collection[str], *, within: Collection[str] | None = None
) -> Iterator[list[str]]:
    """The components that ``starts`` lead to, inside ``within``, and that have a step inside."""
    leaving = _leaving(lts, within)
    for part in components(starts, lambda here: (there for _, there in leaving(here))):
        if len(part) > 1 or any(there == part[0] for _, there in leaving(part[0])):
            yield part


def _leaving(lts: Lts, within: Collection[str] | None = None) -> Leaving:
    def leaving(here: str) -> Iterator[tuple[str, str]]:
        for step in lts.outgoing(here):
            if within is None or step.target in within:
                yield step.letter, step.target

    return leaving
