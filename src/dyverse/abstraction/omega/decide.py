"""Membership, inclusion and equivalence, each with a word that shows it.

Everything is one question: is there a word in one language and not in the other? Finite words are
compared by following both automata at once through sets of locations. For infinite words it is
enough to compare lassos u(v)^ω [thomas1990]; `dyverse.abstraction.omega.inclusion` finds one that
the other language has not. The answer is exact, or there is none: a comparison that takes too many
cases is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.automata import Language, recogniser
from dyverse.abstraction.omega.inclusion import rejected, stop_beyond
from dyverse.abstraction.omega.machine import Machine, compiled
from dyverse.abstraction.omega.similarity import reduced

LIMIT = 200_000  # pairs of sets, or nodes of both automata together
Machines = tuple[Machine, Machine]
Wanted = Callable[[bool, bool], bool]  # of membership in the first and in the second language


def accepts(language: Language, word: Word | Lasso) -> bool:
    """Whether ``word`` belongs to ``language``."""
    return _alone(language, isinstance(word, Lasso)).accepts(word)


@lru_cache(maxsize=32)
def _alone(language: Language, infinite: bool) -> Machine:
    made = recogniser(language)
    return compiled(made, made.lts.alphabet, infinite=infinite)


def counterexample(
    smaller: Language, larger: Language, *, limit: int = LIMIT
) -> Word | Lasso | None:
    """A short word of ``smaller`` that ``larger`` has not; nothing if there is none."""
    word = _finite(
        _compiled(smaller, larger, infinite=False), lambda one, other: one and not other, limit
    )
    return _infinite(_compiled(smaller, larger, infinite=True), limit) if word is None else word


def is_included(smaller: Language, larger: Language, *, limit: int = LIMIT) -> bool:
    """Whether every word of ``smaller`` belongs to ``larger``."""
    return counterexample(smaller, larger, limit=limit) is None


def distinguish(one: Language, other: Language, *, limit: int = LIMIT) -> Word | Lasso | None:
    """A short word that only one of the languages has; nothing if they are equal."""
    word = _finite(
        _compiled(one, other, infinite=False), lambda first, second: first != second, limit
    )
    if word is not None:
        return word
    first, second = _compiled(one, other, infinite=True)
    found = _infinite((first, second), limit)
    return _infinite((second, first), limit) if found is None else found


def are_equivalent(one: Language, other: Language, *, limit: int = LIMIT) -> bool:
    """Whether both languages have the same words, finite and infinite."""
    return distinguish(one, other, limit=limit) is None


def _compiled(one: Language, other: Language, *, infinite: bool) -> Machines:
    first, second = recogniser(one), recogniser(other)
    letters = tuple(sorted({*first.lts.alphabet, *second.lts.alphabet}))
    return (
        compiled(first, letters, infinite=infinite),
        compiled(second, letters, infinite=infinite),
    )


def _finite(machines: Machines, wanted: Wanted, limit: int) -> Word | None:
    """A shortest finite word whose memberships are as wanted: breadth first through pairs."""
    (first, _), (second, _) = (reduced(machine, infinite=False) for machine in machines)
    found = {(first.start, second.start): Word()}
    queue = list(found)
    for here in queue:  # grows while it is read
        if wanted(bool(here[0] & first.marked), bool(here[1] & second.marked)):
            return found[here]
        for number, letter in enumerate(first.letters):
            there = first.image(number, here[0]), second.image(number, here[1])
            if there not in found:
                found[there] = (*found[here], letter)
                queue.append(there)
        stop_beyond(limit, len(queue))
    return None


def _infinite(machines: Machines, limit: int) -> Lasso | None:
    """An infinite word of the first that the second has not, shortened."""
    smaller, larger = machines
    word = rejected(smaller, larger, limit=limit)
    if word is None:
        return None
    return _shortened(word, lambda lasso: smaller.accepts(lasso) and not larger.accepts(lasso))


def _shortened(word: Lasso, holds: Callable[[Lasso], bool]) -> Lasso:
    """The same, reduced, without letters that are not needed."""
    before = None
    while word != before:
        before, word = word, word.reduced()
        for place in reversed(range(len(word.prefix) + len(word.cycle))):
            shorter = _without(word, place)
            word = shorter if shorter is not None and holds(shorter) else word
    return word


def _without(word: Lasso, place: int) -> Lasso | None:
    """The same without one letter; nothing if it is all that is repeated."""
    prefix, cycle, back = word.prefix, word.cycle, place - len(word.prefix)
    if back < 0:
        return Lasso(prefix[:place] + prefix[place + 1 :], cycle)
    return Lasso(prefix, cycle[:back] + cycle[back + 1 :]) if len(cycle) > 1 else None
