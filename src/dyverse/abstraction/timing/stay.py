"""How a whole box of states leaves a location of a network: by which jumps, where and when.

In comes a box at the start of a stay, out go the jumps that some state of it may make, each with a
box around all states in which it is made. By the *must* rule a jump is made at the first instant
that it is enabled, as in every run here; by the *may* rule, UPPAAL's, at any instant at which it
is, as long as the invariants allow to wait. What an enclosure leaves open counts as possible, so
nothing is missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from dyverse.abstraction.timing.truth import TooOpen, holds_by, narrowed, truth, ways
from dyverse.automaton.guard.robustness import fold, leaves, normal
from dyverse.automaton.network.moves import Half, Move, Places
from dyverse.automaton.network.network import Network
from dyverse.enclosure.boxes import Box, inflated, joined, within
from dyverse.enclosure.tube import Motion, Step
from dyverse.expr.formula import And, Compare, Formula, Or, Relation, both, formula_symbols
from dyverse.expr.term import symbols

Rule = Literal["must", "may"]
LONGEST = 1e9  # s: who waits that long waits for ever
SHORTEST = 1e-12  # the finest step, of a second or of the time since the stay began
TOO_SHORT = 1e-15
STEPS = 4_000
REST = 64  # steps after which it is asked whether anything still changes
_REACHED: tuple[tuple[Relation, Relation], ...] = (("<", ">="), (">", "<="))


class Unproved(Exception):  # noqa: N818 - an outcome that whoever asks turns into a verdict
    """Nothing can be promised, and why."""


@dataclass(slots=True)
class Stay:
    """The jumps that end a stay; ``held`` is a box around all of it."""

    held: Box
    jumps: dict[tuple[int, ...], tuple[Move, Box]] = field(default_factory=dict)
    endless: bool = False  # whether it may also last for ever

    def add(self, move: Move, box: Box | None) -> None:
        """One more box in which a jump may be made."""
        key = tuple(half.number for half in move.halves)
        if box is not None:
            self.jumps[key] = (move, joined(self.jumps[key][1], box) if key in self.jumps else box)


@dataclass(frozen=True, slots=True)
class Ready:
    """The jumps that some state of a box can make, and whether all must make one at once."""

    moves: tuple[Move, ...]
    forced: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """A location of a network, and how boxes move there."""

    network: Network
    places: Places
    motion: Motion
    invariant: Formula
    rule: Rule

    def stay(self, start: Box) -> Stay:
        """All that may happen from ``start`` on, up to the next jump."""
        try:
            return _Staying(self, start).all()
        except TooOpen:
            raise Unproved(f"too many guards in {self.places} are open at once") from None


class _Staying:
    """One stay, followed step by step; steps are halved where a jump begins or ends to be open."""

    def __init__(self, spot: Spot, start: Box) -> None:
        self.spot, self.box, self.found = spot, start, Stay(start)
        offers = spot.network.moves.offers(spot.places)
        others = chain(*offers.senders.values(), *offers.receivers.values())
        self.guards = {half.number: normal(half.edge.guard) for half in (*offers.alone, *others)}
        for half in offers.alone if spot.rule == "must" else ():  # who needs no partner
            self.guards[half.number] = _oriented(self.guards[half.number], start, spot.motion)
        self.elapsed, self.length, self.clear = 0.0, 1.0, True

    def all(self) -> Stay:
        """The whole stay."""
        if self._ends_at_once():
            return self.found
        for count in range(STEPS):
            if count % REST == REST - 1 and self._rests():
                self.found.endless = True
                return self.found
            step = self._step()
            during = narrowed(self.spot.invariant, step.during)
            if during is None:
                return self.found
            ready, last = self._ready(during), self._is_last(step.end)
            finest = SHORTEST * max(1.0, self.elapsed)
            if self.length > finest and (last or (self.clear and ready.moves)):
                self.length /= 2
                continue
            self._accept(during, ready, step.end)
            if last or self.found.endless:
                return self.found
        raise Unproved(f"no jump ends the stay in {self.spot.places} in {self.elapsed:.3g} s")

    def _ends_at_once(self) -> bool:
        now = self._ready(self.box)
        for move in now.moves:
            self.found.add(move, narrowed(self._guard(move), self.box))
        self.clear = not now.moves
        inside = narrowed(self.spot.invariant, self.box)
        if now.forced or inside is None:
            return True
        self.box = inside  # who is outside cannot wait
        if self.spot.motion.breaks:
            raise Unproved(f"a rate in {self.spot.places} is not continuous")
        return False

    def _step(self) -> Step:
        while (step := self.spot.motion.step(self.box, self.length)) is None:
            self.length /= 2
            if self.length < TOO_SHORT:
                raise Unproved(f"the flow in {self.spot.places} cannot be enclosed")
        return step

    def _rests(self) -> bool:
        """Whether a step leads back into a box about this one with no jump on the way."""
        wide = {name: inflated(self.box[name], 1.0) for name in self.box}
        step = self.spot.motion.step(wide, self.length / 4)
        if step is None or self._ready(step.during).moves:
            return False
        return all(within(step.end[name], wide[name]) for name in self._seen())

    def _seen(self) -> set[str]:
        """The variables that what happens here depends on."""
        formulas = (self.spot.invariant, *self.guards.values())
        found = {symbol.name for formula in formulas for symbol in formula_symbols(formula)}
        for _ in self.spot.motion.rates:
            rates = [rate for name, rate in self.spot.motion.rates.items() if name in found]
            found |= {symbol.name for rate in rates for symbol in symbols(rate)}
        return found & set(self.box)

    def _is_last(self, end: Box) -> bool:
        """Whether no run can still be waiting at the end of a step."""
        return narrowed(self.spot.invariant, end) is None or self._ready(end).forced

    def _accept(self, during: Box, ready: Ready, end: Box) -> None:
        for move in ready.moves:
            guard = self._guard(move)
            if self.spot.rule == "must":
                guard = _entered(guard, during, self.spot.motion)
            self.found.add(move, narrowed(guard, during))
        self.found.held = joined(self.found.held, during)
        self.box = narrowed(self.spot.invariant, end) or end
        self.clear = not self._ready(self.box).moves
        self.elapsed += self.length
        self.length *= 2
        self.found.endless = self.elapsed > LONGEST

    def _guard(self, move: Move) -> Formula:
        return both(*(self.guards[half.number] for half in move.halves))

    def _ready(self, box: Box) -> Ready:
        found: dict[tuple[int, ...], Move] = {}
        forced = True
        for facts in ways(list(self.guards.values()), box):

            def holds(half: Half, facts: Mapping[Compare, bool] = facts) -> bool:
                return holds_by(self.guards[half.number], facts)

            moves = self.spot.network.moves.ready(self.spot.places, holds)
            found |= {tuple(half.number for half in move.halves): move for move in moves}
            forced = forced and any(map(self._cannot_wait, moves))
        return Ready(tuple(found.values()), forced)

    def _cannot_wait(self, move: Move) -> bool:
        if self.spot.rule == "must":
            return True
        channels = (half.edge.action for half in move.halves if half.edge.action is not None)
        urgent = (self.spot.network.moves.channel(action.channel).urgent for action in channels)
        return any(half.edge.urgent for half in move.halves) or any(urgent)


def _entered(guard: Formula, box: Box, motion: Motion) -> Formula:
    """What holds at the instant at which ``guard`` begins to hold, if all but one part do already.

    That part begins to hold then, so its sides are equal if they change continuously.
    """
    if not _is_conjunction(normal(guard)):
        return guard
    late = [leaf for leaf in leaves(normal(guard)) if truth(leaf, box) is not True]
    if len(late) != 1 or late[0].relation == "!=" or not motion.is_continuous(late[0]):
        return guard
    return both(guard, Compare("==", late[0].left, late[0].right))


def _is_conjunction(formula: Formula) -> bool:
    return isinstance(formula, Compare) or (
        isinstance(formula, And) and all(map(_is_conjunction, formula.parts))
    )


def _oriented(guard: Formula, start: Box, motion: Motion) -> Formula:
    """A guard ``a == b`` as the side from which it is reached, if nothing else in it moves."""
    moving = [
        leaf
        for leaf in leaves(guard)
        if any(symbol.name in motion.rates for symbol in formula_symbols(leaf))
    ]
    if len(moving) != 1 or moving[0].relation != "==":
        return guard
    leaf = moving[0]
    for now, then in _REACHED:
        if truth(Compare(now, leaf.left, leaf.right), start):
            return _replaced(guard, leaf, Compare(then, leaf.left, leaf.right))
    return guard


def _replaced(formula: Formula, old: Compare, new: Compare) -> Formula:
    return fold(formula, lambda part: new if part == old else part, _all_of, _one_of)


def _all_of(parts: list[Formula]) -> Formula:
    return And(tuple(parts))


def _one_of(parts: list[Formula]) -> Formula:
    return Or(tuple(parts))
