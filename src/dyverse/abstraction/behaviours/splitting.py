"""Locations split until each behaviour has locations of its own: [carter2011] Fig. 4, computed.

A cycle C is followed for ever by the runs that in the end visit only its locations, but others may
visit just those: on the initial abstraction {q1, q3, q5} also has (babda)^ω. Let S be what a run
along C visits for ever. No other run has the infinity set S if and only if the steps inside S form
one simple cycle. So while they do not, a location of S is split by the steps that enter it:

- if C passes it twice, coming from different places, those places are told apart;
- if a step inside S is not on C, its target is, and the steps of C into it are told from that one.

Both parts keep all steps that leave, so nothing changes for finite words. Where several splits
would do, the steps of the shortest cycle get the new location and all others, with the runs that
start there, the old one: so the result for one surface of discontinuity is Figure 4 as printed.

It ends. A split separates by one step of history, so a run along C settles, after a number of steps
bounded by that of the splits, in one closed walk with one state per place of C. The first kind of
split makes S larger, at most to the length of C. The second makes the steps inside S that are not
on C fewer, and splits for other cycles add none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, product

from dyverse.abstraction.behaviours.behaviour import Behaviour, Cycle, check_behaviours, derive
from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.automata import Family, GeneralisedMullerAutomaton, Language, States
from dyverse.abstraction.omega.decide import distinguish
from dyverse.abstraction.omega.lts import Lts, Step


@dataclass(frozen=True)
class Refined:
    """A transition system whose locations are parts of those of ``original``.

    A run starts in the part that has the name of the location.
    """

    original: Lts
    behaviours: tuple[Behaviour, ...]
    lts: Lts
    parts: tuple[tuple[str, str], ...]  # each location, and the original one it is part of

    def starting(self, *locations: str) -> Refined:
        """The same with other initial locations."""
        return replace(self, lts=self.lts.starting(*locations))

    def accepting(self, behaviour: Behaviour) -> States:
        """F of an equilibrium: all parts of its location."""
        if isinstance(behaviour, Cycle):
            return States()
        return States(part for part, whole in self.parts if whole == behaviour.location)

    def family(self, behaviour: Behaviour) -> Family:
        """𝓕 of a cycle: the locations visited for ever by the runs along it."""
        if isinstance(behaviour, Cycle):
            return frozenset({frozenset(_track(self.lts, dict(self.parts), behaviour))})
        return Family()

    def automaton(self, *behaviours: Behaviour) -> GeneralisedMullerAutomaton:
        """The automaton that accepts ``behaviours``, or all. [carter2011] Def. 7"""
        chosen = behaviours or self.behaviours
        accepting = States().union(*map(self.accepting, chosen))
        return GeneralisedMullerAutomaton(
            self.lts, accepting, Family().union(*map(self.family, chosen))
        )


@dataclass(frozen=True)
class Proof:
    """What came of comparing the language accepted with the one derived; equal if no word."""

    behaviour: Behaviour
    initial: str
    difference: Word | Lasso | None


def refine(system: Lts, behaviours: Iterable[Behaviour]) -> Refined:
    """Split locations of ``system`` until acceptance tells ``behaviours`` apart."""
    behaviours = tuple(behaviours)
    check_behaviours(system, behaviours)
    cycles = sorted((b for b in behaviours if isinstance(b, Cycle)), key=lambda c: len(c.round))
    lts, parts = system, {location: location for location in system.locations}
    while (entering := _next_split(lts, parts, cycles)) is not None:
        lts, parts = _split(lts, parts, entering)
    return Refined(system, behaviours, lts, tuple(parts.items()))


def prove(
    refined: Refined, *, derived: Callable[[Lts, Behaviour], Language] = derive
) -> tuple[Proof, ...]:
    """Compare, for every behaviour and initial location, what is accepted with what is derived.

    Expressions of systems with more than a dozen locations are long; `behaviour_automaton` derives
    the same languages without.
    """
    proofs = []
    for behaviour, start in product(refined.behaviours, refined.original.locations):
        accepted = refined.starting(start).automaton(behaviour)
        wanted = derived(refined.original.starting(start), behaviour)
        proofs.append(Proof(behaviour, start, distinguish(accepted, wanted)))
    return tuple(proofs)


def _track(lts: Lts, parts: dict[str, str], cycle: Cycle) -> tuple[str, ...]:
    """The part in which a run along ``cycle`` is at each of its places, once it has settled."""
    here = cycle.locations[0]
    while True:
        track = [here]
        for _, place in cycle.round:
            targets = (step.target for step in lts.outgoing(track[-1]))
            track.append(next(part for part in targets if parts[part] == place))
        if track[-1] == here:
            return tuple(track[:-1])
        here = track[-1]


def _next_split(lts: Lts, parts: dict[str, str], cycles: list[Cycle]) -> frozenset[Step] | None:
    """The steps whose common target needs a part for them alone; nothing if all is told apart."""
    tracks = [_track(lts, parts, cycle) for cycle in cycles]
    groups = [group for track in tracks for group in _groups(lts, track)]
    for track in tracks:
        for one, other in (*_passed_twice(lts, track), *_strays(lts, track)):
            return next(g for g in groups if (one <= g) != (other <= g) and _apart(g, one, other))
    return None


def _apart(group: frozenset[Step], one: frozenset[Step], other: frozenset[Step]) -> bool:
    """Whether ``group`` has all of one and nothing of the other."""
    return not (group & other if one <= group else group & one)


def _groups(lts: Lts, track: tuple[str, ...]) -> Iterator[frozenset[Step]]:
    """For each place of a track, the steps that enter it along the track."""
    for before, here in zip((track[-1], *track[:-1]), track, strict=True):
        yield frozenset(step for step in lts.outgoing(before) if step.target == here)


Conflict = tuple[frozenset[Step], frozenset[Step]]


def _passed_twice(lts: Lts, track: tuple[str, ...]) -> Iterator[Conflict]:
    """Entries of the same location at two places of a track, from different locations."""
    groups = tuple(_groups(lts, track))
    for second, here in enumerate(track):
        first = track.index(here)
        if groups[first] != groups[second]:
            yield groups[first], groups[second]


def _strays(lts: Lts, track: tuple[str, ...]) -> Iterator[Conflict]:
    """Steps between locations of a track that are not on it, and those on it with that target."""
    groups = tuple(_groups(lts, track))
    for here in track:
        for step in lts.outgoing(here):
            if step.target in track and not any(step in group for group in groups):
                yield groups[track.index(step.target)], frozenset({step})


def _split(
    lts: Lts, parts: dict[str, str], entering: frozenset[Step]
) -> tuple[Lts, dict[str, str]]:
    """Give the target of ``entering`` a second part that is entered by those steps alone."""
    (old,) = {step.target for step in entering}
    new = next(name for n in count(1) if (name := f"{parts[old]}{n}") not in parts)
    steps = [
        Step(source, step.letter, new if step in entering else step.target)
        for step in lts.steps
        for source in ((step.source, new) if step.source == old else (step.source,))
    ]
    locations = (*lts.locations, new)
    return Lts(locations, lts.alphabet, tuple(steps), lts.initial), parts | {new: parts[old]}
