"""Conditions along a flow: what must hold on a whole stretch, looked at piece by piece.

Pieces of the tube are halved until every condition surely holds; where boxes are not enough, with
Taylor models, which know how states depend on each other and on the unknowns. An atom may begin at
its bound, if it has just got there, as long as it surely gets away from it; and one atom may come
to its bound in the last step, if it surely falls from there on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import arb, arb_poly

from dyverse.automaton.guard.robustness import Sense
from dyverse.certificate.file import Unproved
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Tube
from dyverse.enclosure.program import Program, Undecided
from dyverse.enclosure.taylor import extent
from dyverse.expr.formula import And, Compare, Formula, Or

DEEPEST = 14  # times that a step is halved
CLOSELY = (3, 6, 9, 12)  # at which depths to look with Taylor models


@dataclass(frozen=True, slots=True)
class Condition:
    """A formula in normal form; its atoms have numbers, from left to right."""

    name: str
    formula: Formula
    atoms: tuple[tuple[int, Sense], ...]  # the place of each depth among those of the location


@dataclass(frozen=True, slots=True)
class Conditions:
    """All conditions of a location, and a program for the depths of their atoms."""

    listed: tuple[Condition, ...]
    depths: Program

    def failing(
        self, box: list[arb], values: Sequence[arb], excused: frozenset[int] = frozenset()
    ) -> str | None:
        """The first condition that does not surely hold; excused atoms count as true."""
        try:
            depths = self.depths.run(BALLS, box, values)[0]
        except Undecided as error:
            return str(error)
        return self._first(depths, excused)

    def failing_closely(
        self,
        tube: Tube,
        piece: tuple[float, float],
        values: Sequence[arb_poly],
        excused: frozenset[int],
    ) -> str | None:
        """The same on a piece of a tube, with Taylor models: slower, and much sharper."""
        try:
            found = self.depths.run(tube.models.ring, tube.piece(*piece), values)[0]
        except Undecided as error:
            return str(error)
        return self._first(list(map(extent, found)), excused)

    def _first(self, depths: Sequence[arb], excused: frozenset[int]) -> str | None:
        for condition in self.listed:
            found = (_truth(depths[i], sense, i in excused) for i, sense in condition.atoms)
            if not _holds(condition.formula, found):
                return condition.name
        return None

    def refutes(self, box: list[arb], values: Sequence[arb]) -> bool:
        """Whether the last condition surely fails."""
        depths, last = self.depths.run(BALLS, box, values)[0], self.listed[-1]
        found = (_truth(depths[i], sense, False) for i, sense in last.atoms)
        return _holds(last.formula, found) is False


def _truth(depth: arb, sense: Sense, excused: bool) -> bool | None:
    """Whether an atom surely holds, surely fails, or neither."""
    if excused or depth > 0 or (sense == "weak" and depth >= 0):
        return True
    return False if depth < 0 or (sense == "strict" and depth <= 0) else None


def _holds(formula: Formula, atoms: Iterator[bool | None]) -> bool | None:
    match formula:
        case Compare():
            return next(atoms)
        case And(parts=parts):
            found = [_holds(part, atoms) for part in parts]
            return False if False in found else None if None in found else True
        case Or(parts=parts):
            found = [_holds(part, atoms) for part in parts]
            return True if True in found else None if None in found else False
        case _:
            raise AssertionError(f"{formula} is not in normal form")


def watched(
    tubes: Sequence[Tube],
    conditions: Conditions,
    models: Sequence[arb_poly],
    fresh: Mapping[int, Program],
    closing: Mapping[int, Program],
    end: arb,
    stop: float = 1.0,
    steady: frozenset[int] = frozenset(),
) -> None:
    """Refuse a stretch on which some condition may fail before the time ``end``.

    The last step is looked at up to ``stop``. ``fresh`` has the atoms that are at their bound in
    the beginning, with the first derivative by time that is not zero there; ``closing`` the one
    that is at its bound in the end, with its rate. What is ``steady`` holds, and does not change.
    """
    rising, falling = frozenset(fresh), frozenset[int]()
    values = list(map(extent, models))
    for tube in tubes:
        last = tube is tubes[-1]
        waiting = [(-1.0, stop if last else 1.0, 0)]
        while waiting:
            low, high, depth = waiting.pop()
            box = tube.box(low, high)
            if box[-1] > end:
                continue
            rise = {i for i in rising if _sign(fresh[i], box, values) > 0}
            fall = {i for i in closing if last and _sign(closing[i], box, values) < 0}
            excused = frozenset(rise | fall) | steady
            wrong = conditions.failing(box, values, excused)
            if wrong is not None and depth in CLOSELY:
                wrong = conditions.failing_closely(tube, (low, high), models, excused)
            if wrong is None and falling <= fall:
                rising = frozenset(rise)
                falling = (
                    frozenset(fall)
                    if falling or conditions.failing(box, values, rising | steady)
                    else falling
                )
            elif depth == DEEPEST:
                time = float(box[-1].mid())
                raise Unproved(f"{wrong or 'grazing: an event'} is not sure at {time:.4g} s")
            else:
                middle = (low + high) / 2
                waiting += [(middle, high, depth + 1), (low, middle, depth + 1)]


def _sign(rate: Program, box: list[arb], values: Sequence[arb]) -> int:
    try:
        found = rate.run(BALLS, box, values)[0][0]
    except Undecided:
        return 0
    return 1 if found > 0 else -1 if found < 0 else 0
