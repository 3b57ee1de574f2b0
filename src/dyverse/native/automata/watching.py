"""Guards, invariants and properties as tables: the code of their atoms, and how these join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dyverse.automaton.guard.robustness import Atom, leaves, normal, staying
from dyverse.automaton.network.timed import exact
from dyverse.automaton.written.compiled import watch
from dyverse.expr.formula import And, Compare, Formula, Or
from dyverse.expr.term import symbols
from dyverse.native.automata.board import NONE, Pieces
from dyverse.native.automata.recipe import TIME

SENSES = {"weak": 0, "strict": 1, "reached": 2, "closed": 3}  # DA_WEAK, …
AND, OR = -1, -2


@dataclass(slots=True)
class Watching:
    """What is watched, in the order of its numbers."""

    pieces: Pieces
    sample: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)
    atoms: list[list[int]] = field(default_factory=list)  # their senses
    decided: list[int] = field(default_factory=list)
    program: list[list[int]] = field(default_factory=list)
    moving: frozenset[str] = field(init=False)  # what changes while time passes
    timed: frozenset[str] = field(init=False)  # the clocks that are read exactly

    def __post_init__(self) -> None:
        sheet = self.pieces.board.sheet
        self.moving, self.timed = self.pieces.moving | {TIME}, sheet.timed

    def add(self, formula: Formula, *, is_guard: bool) -> int:
        """A guard or an invariant, read from now on."""
        sheet, slots = self.pieces.board.sheet, self.pieces.board.slots
        found = watch("", formula, is_guard=is_guard)
        moving = self.moving
        atoms = tuple(
            exact(atom, grain=sheet.grain, timed=self.timed, moving=moving, is_guard=is_guard)
            for atom in found.atoms(sheet.margin)
        )
        still = [not any(s.name in moving for s in symbols(a.depth)) for a in atoms]
        self.decided += [int(sheet.is_network and at_rest) for at_rest in still]
        return self._add(found.formula, atoms, slots, plain=False)

    def add_numbers(self, formula: Formula) -> int:
        """A guard behind a node, read as `dyverse.expr.value.holds` reads it."""
        margin, slots = self.pieces.board.sheet.margin, self.pieces.board.slots
        atoms = tuple(_read(comparison, margin) for comparison in leaves(normal(formula)))
        self.decided += [0] * len(atoms)
        return self._add(normal(formula), atoms, slots, plain=True)

    def add_property(self, formula: Formula) -> int:
        """A formula whose least margin is wanted."""
        atoms = tuple(staying(c, margin=0.0) for c in leaves(normal(formula)))
        self.decided += [0] * len(atoms)
        return self._add(normal(formula), atoms, self.pieces.board.observed(), plain=True)

    def _add(
        self, formula: Formula, atoms: tuple[Atom, ...], slots: Mapping[str, int], *, plain: bool
    ) -> int:
        depths = [atom.depth for atom in atoms]
        self.sample.append(self.pieces.terms("sample", depths, slots) if atoms else NONE)
        seconds = NONE if plain or not atoms else self.pieces.terms("second", depths, slots)
        self.second.append(seconds)
        self.plain.append(int(plain))
        self.atoms.append([SENSES[atom.sense] for atom in atoms])
        self.program.append(list(_postfix(formula, iter(range(len(atoms))))))
        return len(self.sample) - 1


def _read(comparison: Compare, margin: float) -> Atom:
    """An atom that holds where its depth is positive, or zero if it is weak, as read with a margin.

    ``a <= b`` means a - b ≤ margin; the strict relations are the negations of the weak ones.
    """
    found = staying(comparison, margin=margin)
    if comparison.relation in ("==", "!="):
        return found
    return Atom(found.depth + (margin if found.sense == "weak" else -margin), found.sense)


def _postfix(formula: Formula, atoms: Iterator[int]) -> Iterator[int]:
    if isinstance(formula, Compare):
        yield next(atoms)
        return
    assert isinstance(formula, And | Or)
    for part in formula.parts:
        yield from _postfix(part, atoms)
    yield AND if isinstance(formula, And) else OR
    yield len(formula.parts)
