"""Automata on finite and infinite words: a transition system and a condition of acceptance.

The classes follow Definitions 3, 6 and 7 of [carter2011]; Büchi automata are as in [thomas1990].
Each can be built from an expression, and each can be turned into a `Recogniser`, on which all
decisions are made: it accepts a finite word that can lead into ``final``, and an infinite word with
a run that visits ``recurrent`` for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyverse.abstraction.language.expression import Expression, Omega, is_nullable
from dyverse.abstraction.omega.derivatives import followed
from dyverse.abstraction.omega.infinity import infinity_sets
from dyverse.abstraction.omega.lts import Lts, Step
from dyverse.errors import ModelError, Problem, did_you_mean

States = frozenset[str]
Family = frozenset[States]


@dataclass(frozen=True)
class FiniteAutomaton:
    """Accepts the finite words that lead into ``accepting``. [carter2011] Def. 3"""

    lts: Lts
    accepting: States

    def __post_init__(self) -> None:
        _check(self.lts, self.accepting)


@dataclass(frozen=True)
class BuchiAutomaton:
    """Accepts the infinite words that visit ``accepting`` for ever. [thomas1990]"""

    lts: Lts
    accepting: States

    def __post_init__(self) -> None:
        _check(self.lts, self.accepting)


@dataclass(frozen=True)
class MullerAutomaton:
    """Accepts the infinite words whose infinity set is in ``family``. [carter2011] Def. 6"""

    lts: Lts
    family: Family

    def __post_init__(self) -> None:
        _check(self.lts, States().union(*self.family))


@dataclass(frozen=True)
class GeneralisedMullerAutomaton:
    """Finite words by ``accepting``, infinite words by ``family``. [carter2011] Def. 7"""

    lts: Lts
    accepting: States
    family: Family

    def __post_init__(self) -> None:
        _check(self.lts, self.accepting.union(*self.family))


@dataclass(frozen=True)
class Recogniser:
    """The sum of a finite-state and a Büchi automaton over the same steps."""

    lts: Lts
    final: States
    recurrent: States


Automaton = FiniteAutomaton | BuchiAutomaton | MullerAutomaton | GeneralisedMullerAutomaton
Language = Expression | Automaton


def _check(lts: Lts, states: States) -> None:
    unknown = sorted(states - set(lts.locations))
    problems = [
        Problem(f"acceptance: unknown location {name!r}{did_you_mean(name, lts.locations)}")
        for name in unknown
    ]
    if problems:
        raise ModelError(problems, file="<automaton>")


def finite_automaton(expression: Expression) -> FiniteAutomaton:
    """An automaton for the finite words of ``expression``."""
    made = recogniser(expression)
    return FiniteAutomaton(made.lts, made.final)


def buchi_automaton(expression: Expression) -> BuchiAutomaton:
    """An automaton for the infinite words of ``expression``."""
    made = recogniser(expression)
    return BuchiAutomaton(made.lts, made.recurrent)


def muller_automaton(expression: Expression) -> MullerAutomaton:
    """An automaton for the infinite words of ``expression``; several runs per word, as in Def. 6.

    The family has the infinity sets that meet the recurrent locations.
    """
    made = recogniser(expression)
    return MullerAutomaton(made.lts, _meeting(made))


def generalised_muller_automaton(expression: Expression) -> GeneralisedMullerAutomaton:
    """An automaton for all words of ``expression``, finite and infinite."""
    made = recogniser(expression)
    return GeneralisedMullerAutomaton(made.lts, made.final, _meeting(made))


def _meeting(made: Recogniser) -> Family:
    return frozenset(states for states in infinity_sets(made.lts) if states & made.recurrent)


def recogniser(language: Language) -> Recogniser:
    """The same language in the form in which it is decided."""
    match language:
        case FiniteAutomaton(lts=lts, accepting=accepting):
            return Recogniser(lts, accepting, States())
        case BuchiAutomaton(lts=lts, accepting=accepting):
            return Recogniser(lts, States(), accepting)
        case MullerAutomaton(lts=lts, family=family):
            return _counting(lts, States(), family)
        case GeneralisedMullerAutomaton(lts=lts, accepting=accepting, family=family):
            return _counting(lts, accepting, family)
        case _:
            return _of_expression(language)


def _of_expression(expression: Expression) -> Recogniser:
    lts, meaning = followed(expression)
    final = States(name for name, left in meaning.items() if is_nullable(left))
    recurrent = States(name for name, left in meaning.items() if isinstance(left, Omega))
    return Recogniser(lts, final, recurrent)


def _counting(lts: Lts, final: States, family: Family) -> Recogniser:
    """Guess the infinity set and when it begins; then stay in it and meet all of it, in turn."""
    sets = sorted(sorted(states) for states in family if states)
    steps = [*lts.steps, *(s for n, states in enumerate(sets) for s in _copies(lts, n, states))]
    names = [end for step in steps for end in (step.source, step.target)]
    locations = tuple(dict.fromkeys([*lts.locations, *names]))
    done = {_copy(q, n, len(states)) for n, states in enumerate(sets) for q in states}
    return Recogniser(
        Lts(locations, lts.alphabet, tuple(dict.fromkeys(steps)), lts.initial),
        final,
        States(done) & set(locations),
    )


def _copies(lts: Lts, number: int, states: list[str]) -> Iterator[Step]:
    """The steps into ``states`` and inside; the copies count how many have been met."""
    for step in (step for step in lts.steps if step.target in states):
        yield Step(step.source, step.letter, _copy(step.target, number, 0))
        if step.source in states:
            for met in range(len(states) + 1):
                start = met % len(states)  # all met: begin again
                count = start + (step.target == states[start])
                source = _copy(step.source, number, met)
                yield Step(source, step.letter, _copy(step.target, number, count))


def _copy(location: str, number: int, met: int) -> str:
    return f"{location} [{number}.{met}]"
