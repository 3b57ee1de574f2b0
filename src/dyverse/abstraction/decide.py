"""Membership, inclusion and equivalence, each with a word that shows it.

Everything is one question: is there a word in one language and not in the other? Finite words are
compared by following both automata at once through sets of locations. For infinite words it is
enough to compare lassos u(v)^ω [thomas1990], and of a lasso only two things matter:

- where u leads: a pair of sets of locations, one per language;
- from which locations v can be repeated for ever with acceptance. This depends on the *profile* of
  v alone, that is on which locations v joins, and which of them past a recurrent one.

There are finitely many such pairs and profiles; both are listed breadth first, so the words found
are short. The answer is exact; there can be up to 3^(n²) profiles of n locations, but after
locations that accept nothing are left out and bisimilar ones merged there are few.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from dyverse.abstraction.automata import Language, recogniser
from dyverse.abstraction.expression import EMPTY
from dyverse.abstraction.machine import Machine, joined
from dyverse.abstraction.word import Lasso, Word

LIMIT = 200_000  # profiles, or pairs of sets
Wanted = Callable[[bool, bool], bool]  # of membership in the first and in the second language


def accepts(language: Language, word: Word | Lasso) -> bool:
    """Whether ``word`` belongs to ``language``."""
    machine = _alone(language, isinstance(word, Lasso))
    if isinstance(word, Lasso):
        here = machine.follow(machine.starts[0], word.prefix)
        return bool(here & machine.repeating(machine.profile(word.cycle)))
    return bool(machine.follow(machine.starts[0], word) & machine.marked)


@lru_cache(maxsize=32)
def _alone(language: Language, infinite: bool) -> Machine:
    return joined(recogniser(language), recogniser(EMPTY), infinite=infinite)


def counterexample(
    smaller: Language, larger: Language, *, limit: int = LIMIT
) -> Word | Lasso | None:
    """A short word of ``smaller`` that ``larger`` has not; nothing if there is none."""
    return _search(smaller, larger, lambda first, second: first and not second, limit)


def is_included(smaller: Language, larger: Language, *, limit: int = LIMIT) -> bool:
    """Whether every word of ``smaller`` belongs to ``larger``."""
    return counterexample(smaller, larger, limit=limit) is None


def distinguish(one: Language, other: Language, *, limit: int = LIMIT) -> Word | Lasso | None:
    """A short word that only one of the languages has; nothing if they are equal."""
    return _search(one, other, lambda first, second: first != second, limit)


def are_equivalent(one: Language, other: Language, *, limit: int = LIMIT) -> bool:
    """Whether both languages have the same words, finite and infinite."""
    return distinguish(one, other, limit=limit) is None


def _search(one: Language, other: Language, wanted: Wanted, limit: int) -> Word | Lasso | None:
    first, second = recogniser(one), recogniser(other)
    word = _finite(joined(first, second, infinite=False), wanted, limit)
    if word is not None:
        return word
    return _infinite(joined(first, second, infinite=True), wanted, limit)


def _finite(machine: Machine, wanted: Wanted, limit: int) -> Word | None:
    for (first, second), word in machine.pairs(limit):
        if wanted(bool(first & machine.marked), bool(second & machine.marked)):
            return word
    return None


def _infinite(machine: Machine, wanted: Wanted, limit: int) -> Lasso | None:
    pairs = list(machine.pairs(limit))
    seen: set[int] = set()
    for profile, cycle in machine.profiles(limit):
        repeating = machine.repeating(profile)
        if repeating not in seen:
            seen.add(repeating)
            for (first, second), prefix in pairs:
                if wanted(bool(first & repeating), bool(second & repeating)):
                    return Lasso(prefix, cycle).reduced()
    return None
