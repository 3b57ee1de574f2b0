"""Two languages side by side, compiled to sets of bits: what `dyverse.abstraction.decide` reads.

In come two recognisers, out go the pairs of sets of states to which words lead, and the profiles of
words: for each state, where the word leads, and where past a marked state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dyverse.abstraction.automata import Recogniser
from dyverse.abstraction.word import Word
from dyverse.errors import SolverError

Pair = tuple[int, int]  # sets of states as bits: of the first and of the second language
Row = tuple[int, int]  # where a word leads from one state, and where past a marked state


@dataclass(frozen=True)
class Machine:
    """Two languages over the same numbered states; a set of states is an integer of bits."""

    letters: tuple[str, ...]
    moves: tuple[tuple[int, ...], ...]  # moves[letter][state]: where it leads
    marked: int  # the final states for finite words, the recurrent ones for infinite words
    starts: Pair

    def follow(self, states: int, word: Word) -> int:
        """Where ``word`` leads from ``states``."""
        for letter in word:
            states = self._image(self.letters.index(letter), states) if self.knows(letter) else 0
        return states

    def knows(self, letter: str) -> bool:
        """Whether ``letter`` is in the alphabet; if not, no word with it is accepted."""
        return letter in self.letters

    def pairs(self, limit: int) -> Iterator[tuple[Pair, Word]]:
        """Every pair of sets to which some word leads, with a shortest such word."""
        found = {self.starts: Word()}
        queue = [self.starts]
        for here in queue:  # grows while it is read
            yield here, found[here]
            for number, letter in enumerate(self.letters):
                there = self._image(number, here[0]), self._image(number, here[1])
                if there not in found:
                    found[there] = (*found[here], letter)
                    queue.append(there)
            _stop_beyond(limit, len(queue))

    def profiles(self, limit: int) -> Iterator[tuple[tuple[Row, ...], Word]]:
        """The profile of every word of one letter or more, with a shortest such word."""
        found: dict[tuple[Row, ...], Word] = {self._neutral: ()}
        queue = [self._neutral]
        for here in queue:  # grows while it is read
            for number, letter in enumerate(self.letters):
                there = tuple([self._extended(number, row) for row in here])
                if there not in found:
                    found[there] = (*found[here], letter)
                    queue.append(there)
                    yield there, found[there]
            _stop_beyond(limit, len(queue))

    def profile(self, word: Word) -> tuple[Row, ...]:
        """What ``word`` does from each state."""
        rows = self._neutral
        for letter in word:
            if not self.knows(letter):
                return ((0, 0),) * len(rows)
            rows = tuple([self._extended(self.letters.index(letter), row) for row in rows])
        return rows

    def repeating(self, profile: tuple[Row, ...]) -> int:
        """The states from which the word can be repeated for ever past recurrent states."""
        reach = closure([everywhere for everywhere, _ in profile])
        good = 0
        for state, (_, past) in enumerate(profile):
            if any(there == state or reach[there] >> state & 1 for there in bits(past)):
                good |= 1 << state
        return sum(1 << n for n, row in enumerate(reach) if (row | 1 << n) & good)

    @cached_property
    def _neutral(self) -> tuple[Row, ...]:
        """The profile of the empty word; nothing has been passed yet."""
        return tuple((1 << state, 0) for state in range(len(self.moves[0]) if self.moves else 0))

    def _extended(self, number: int, row: Row) -> Row:
        known = self._rows[number]
        if row not in known:
            everywhere = self._image(number, row[0])
            known[row] = everywhere, self._image(number, row[1]) | everywhere & self.marked
        return known[row]

    def _image(self, number: int, states: int) -> int:
        known = self._images[number]
        if states not in known:
            image = 0
            for state in bits(states):
                image |= self.moves[number][state]
            known[states] = image
        return known[states]

    @cached_property
    def _rows(self) -> list[dict[Row, Row]]:
        return [{} for _ in self.letters]

    @cached_property
    def _images(self) -> list[dict[int, int]]:
        return [{} for _ in self.letters]


def _stop_beyond(limit: int, count: int) -> None:
    if count > limit:
        raise SolverError(f"the languages take more than {limit} cases to compare; raise the limit")


def bits(states: int) -> Iterator[int]:
    """The numbers of the states in a set."""
    while states:
        yield (states & -states).bit_length() - 1
        states &= states - 1


def closure(rows: list[int]) -> list[int]:
    """Where one step or more lead, from where one step leads. (Warshall)"""
    reach = list(rows)
    for middle in range(len(reach)):
        for state, row in enumerate(reach):
            if row >> middle & 1:
                reach[state] = row | reach[middle]
    return reach


def joined(first: Recogniser, second: Recogniser, *, infinite: bool) -> Machine:
    """Both recognisers side by side, without useless states and with bisimilar ones merged."""
    sides = (first, second)
    names = [(side, name) for side in (0, 1) for name in sides[side].lts.locations]
    number = {key: n for n, key in enumerate(names)}
    letters = tuple(sorted({letter for made in sides for letter in made.lts.alphabet}))
    moves = [[0] * len(names) for _ in letters]
    for side, made in enumerate(sides):
        for step in made.lts.steps:
            target = 1 << number[side, step.target]
            moves[letters.index(step.letter)][number[side, step.source]] |= target
    marks = [made.recurrent if infinite else made.final for made in sides]
    marked = sum(1 << number[side, name] for side in (0, 1) for name in marks[side])
    starts = [sum(1 << number[s, name] for name in sides[s].lts.initial) for s in (0, 1)]
    both = starts[0], starts[1]
    return _merged(letters, len(names), moves, marked, both, infinite=infinite)


def _merged(
    letters: tuple[str, ...],
    size: int,
    moves: list[list[int]],
    marked: int,
    starts: Pair,
    *,
    infinite: bool,
) -> Machine:
    useful = _useful(size, moves, marked, infinite)
    block = _blocks([[row & useful for row in rows] for rows in moves], marked, useful)

    def image(states: int) -> int:
        return sum(1 << b for b in {block[state] for state in bits(states & useful)})

    kept = {block[state]: state for state in bits(useful)}
    table = tuple(tuple(image(rows[kept[b]]) for b in range(len(kept))) for rows in moves)
    return Machine(letters, table, image(marked), (image(starts[0]), image(starts[1])))


def _useful(size: int, moves: list[list[int]], marked: int, infinite: bool) -> int:
    """The states from which something is accepted."""
    reach = [0] * size
    for rows in moves:
        reach = [a | b for a, b in zip(reach, rows, strict=True)]
    reach = closure(reach)
    goals = sum(1 << n for n in bits(marked) if not infinite or reach[n] >> n & 1)
    return sum(1 << n for n in range(size) if (reach[n] | 1 << n) & goals)


def _blocks(moves: list[list[int]], marked: int, useful: int) -> dict[int, int]:
    """The number of the class of each useful state, by refinement until the classes are stable."""
    block = {state: marked >> state & 1 for state in bits(useful)}
    count = 0
    while True:
        signs = {
            state: (block[state], *(frozenset(block[t] for t in bits(row[state])) for row in moves))
            for state in block
        }
        numbers = {sign: n for n, sign in enumerate(dict.fromkeys(signs.values()))}
        block = {state: numbers[sign] for state, sign in signs.items()}
        if len(numbers) == count:
            return block
        count = len(numbers)
