"""A language compiled to sets of bits: what decisions read.

In comes a recogniser, out goes a `Machine`: states are numbers, a set of states is an integer of
bits, and a letter is its place in the alphabet that both languages of a comparison share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.abstraction.omega.automata import Recogniser

Row = tuple[int, int]  # where a word leads from one state, and where past a marked state


@dataclass(frozen=True)
class Machine:
    """A language over numbered states; a set of states is an integer of bits."""

    size: int  # how many states there are
    letters: tuple[str, ...]
    moves: tuple[tuple[int, ...], ...]  # moves[letter][state]: where it leads
    marked: int  # the final states for finite words, the recurrent ones for infinite words
    start: int

    def image(self, number: int, states: int) -> int:
        """Where the letter of that number leads from ``states``."""
        known = self._images[number]
        if states not in known:
            known[states] = joined(self.moves[number], states)
        return known[states]

    def accepts(self, word: Word | Lasso) -> bool:
        """Whether ``word`` belongs to the language.

        A lasso does if its prefix leads to a state from which the cycle can be repeated for ever
        past marked ones. This depends on its *profile* alone: which states it joins, and how.
        """
        if isinstance(word, Lasso):
            return bool(self._follow(word.prefix) & self._repeating(self._profile(word.cycle)))
        return bool(self._follow(word) & self.marked)

    def _follow(self, word: Word) -> int:
        states = self.start
        for letter in word:
            known = letter in self.letters  # if not, no word with it is accepted
            states = self.image(self.letters.index(letter), states) if known else 0
        return states

    def _profile(self, word: Word) -> list[Row]:
        rows = [(1 << state, 0) for state in range(self.size)]
        for letter in word:
            if letter not in self.letters:
                return [(0, 0)] * len(rows)
            number = self.letters.index(letter)
            rows = [self._extended(number, row) for row in rows]
        return rows

    def _extended(self, number: int, row: Row) -> Row:
        everywhere = self.image(number, row[0])
        return everywhere, self.image(number, row[1]) | everywhere & self.marked

    def _repeating(self, profile: list[Row]) -> int:
        """The states from which the word can be repeated for ever past marked states."""
        reach = closure([everywhere for everywhere, _ in profile])
        good = 0
        for state, (_, past) in enumerate(profile):
            if any(there == state or reach[there] >> state & 1 for there in bits(past)):
                good |= 1 << state
        return set_of(n for n, row in enumerate(reach) if (row | 1 << n) & good)

    @cached_property
    def _images(self) -> list[dict[int, int]]:
        return [{} for _ in self.letters]


def bits(states: int) -> Iterator[int]:
    """The numbers of the states in a set."""
    while states:
        least = states & -states
        yield least.bit_length() - 1
        states ^= least


def set_of(states: Iterable[int]) -> int:
    """The set of the states with these numbers."""
    found = 0
    for state in states:
        found |= 1 << state
    return found


def joined(rows: Sequence[int], states: int) -> int:
    """The union of the rows of ``states``."""
    found = 0
    for state in bits(states):
        found |= rows[state]
    return found


def closure(rows: list[int]) -> list[int]:
    """Where one step or more lead, from where one step leads. (Warshall)"""
    reach = list(rows)
    for middle in range(len(reach)):
        for state, row in enumerate(reach):
            if row >> middle & 1:
                reach[state] = row | reach[middle]
    return reach


def compiled(made: Recogniser, letters: tuple[str, ...], *, infinite: bool) -> Machine:
    """The finite or the infinite words of a recogniser, over an alphabet that holds its own."""
    number = {name: n for n, name in enumerate(made.lts.locations)}
    place = {letter: n for n, letter in enumerate(letters)}
    moves = [[0] * len(number) for _ in letters]
    for step in made.lts.steps:
        moves[place[step.letter]][number[step.source]] |= 1 << number[step.target]
    marks = made.recurrent if infinite else made.final
    return Machine(
        len(number),
        letters,
        tuple(map(tuple, moves)),
        set_of(number[name] for name in marks),
        set_of(number[name] for name in made.lts.initial),
    )


def trimmed(machine: Machine, *, infinite: bool) -> Machine:
    """Without the states that cannot be reached, or from which nothing is accepted."""
    steps = [reduce(or_, (rows[n] for rows in machine.moves), 0) for n in range(machine.size)]
    reach = closure(steps)
    reached = machine.start | joined(reach, machine.start)
    cyclic = set_of(n for n, row in enumerate(reach) if row >> n & 1)
    goals = machine.marked & cyclic if infinite else machine.marked
    useful = reached & set_of(n for n, row in enumerate(reach) if (row | 1 << n) & goals)
    return kept(machine, list(bits(useful)), goals)


def kept(machine: Machine, states: Sequence[int], marked: int) -> Machine:
    """The same with ``states`` only, numbered as they come, and those in ``marked`` marked."""
    number = {state: n for n, state in enumerate(states)}
    some = set_of(states)

    def renamed(old: int) -> int:
        return set_of(number[state] for state in bits(old & some))

    moves = tuple(tuple(renamed(rows[state]) for state in states) for rows in machine.moves)
    return Machine(len(states), machine.letters, moves, renamed(marked), renamed(machine.start))
