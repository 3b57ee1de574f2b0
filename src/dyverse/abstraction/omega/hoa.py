"""Automata as text in the Hanoi Omega-Automata format. [babiak2015]

Each letter is an atomic proposition, of which exactly one holds at a time. A Muller family is
written with one acceptance set per location: infinitely often those of a set, finitely often all
others. The format knows infinite words only; the locations that accept finite words are listed in a
header of our own, ``finite:``, which other tools pass over.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.abstraction.omega.automata import (
    Automaton,
    BuchiAutomaton,
    Family,
    FiniteAutomaton,
    GeneralisedMullerAutomaton,
    MullerAutomaton,
    States,
)
from dyverse.abstraction.omega.lts import Lts


def hoa(automaton: Automaton, *, name: str = "") -> str:
    """The automaton as HOA text, version 1."""
    return "\n".join(_lines(automaton, name)) + "\n"


def accepting_of(automaton: Automaton) -> States:
    """The locations in which finite words may end."""
    if isinstance(automaton, FiniteAutomaton | GeneralisedMullerAutomaton):
        return automaton.accepting
    return States()


def family_of(automaton: Automaton) -> Family:
    """The Muller family; empty if there is none."""
    if isinstance(automaton, MullerAutomaton | GeneralisedMullerAutomaton):
        return automaton.family
    return Family()


def _lines(automaton: Automaton, name: str) -> Iterator[str]:
    lts = automaton.lts
    number = {location: n for n, location in enumerate(lts.locations)}
    yield "HOA: v1"
    yield from [f"name: {_quoted(name)}"] if name else []
    yield f"States: {len(lts.locations)}"
    yield from (f"Start: {number[location]}" for location in lts.initial)
    yield " ".join([f"AP: {len(lts.alphabet)}", *map(_quoted, lts.alphabet)])
    yield from _acceptance(automaton, number)
    deterministic = " deterministic" if lts.is_deterministic else ""
    yield f"properties: explicit-labels state-acc trans-labels{deterministic}"
    if final := accepting_of(automaton):
        yield f"finite: {' '.join(str(number[q]) for q in lts.locations if q in final)}"
    yield "--BODY--"
    for location in lts.locations:
        yield f"State: {number[location]} {_quoted(location)}{_mark(automaton, location, number)}"
        for step in lts.outgoing(location):
            yield f"[{_label(lts, step.letter)}] {number[step.target]}"
    yield "--END--"


def _acceptance(automaton: Automaton, number: dict[str, int]) -> Iterator[str]:
    family = family_of(automaton)
    if isinstance(automaton, BuchiAutomaton):
        yield "acc-name: Buchi"
        yield "Acceptance: 1 Inf(0)"
    elif family:
        sets = sorted(sorted(number[q] for q in states) for states in family)
        yield f"Acceptance: {len(number)} {' | '.join(_exactly(s, len(number)) for s in sets)}"
    else:
        yield "acc-name: none"
        yield "Acceptance: 0 f"


def _exactly(states: list[int], size: int) -> str:
    terms = (f"{'Inf' if n in states else 'Fin'}({n})" for n in range(size))
    return f"({' & '.join(terms)})"


def _mark(automaton: Automaton, location: str, number: dict[str, int]) -> str:
    if isinstance(automaton, BuchiAutomaton):
        return " {0}" if location in automaton.accepting else ""
    return f" {{{number[location]}}}" if family_of(automaton) else ""


def _label(lts: Lts, letter: str) -> str:
    return "&".join(f"{'' if a == letter else '!'}{n}" for n, a in enumerate(lts.alphabet))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
