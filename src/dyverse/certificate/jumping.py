"""Automata along a proof: where they are, which jumps are enabled, and what these make of states.

All runs of a box make the same jumps. At an instant a guard is read as a simulation reads it
(`dyverse.automaton.guard.truth`): at its bound, its rate along the flow decides. That a guard is
exactly at its bound follows from where the runs have come from: all are on the surface that they
have crossed, and a variable that was assigned has the value of what was assigned to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import casadi as ca
from flint import arb

from dyverse.automaton.guard.robustness import Sense, fold
from dyverse.automaton.guard.truth import Reading, every, read, some
from dyverse.automaton.network.moves import Half, Move
from dyverse.certificate.automata import Automata, Here, key_of
from dyverse.certificate.file import Jump, Modes, Unproved
from dyverse.certificate.place import HIGHEST, NOTHING, Frame, Place
from dyverse.enclosure.front import Front, Unknowns
from dyverse.enclosure.jump import Law, jumped
from dyverse.enclosure.program import Program, program
from dyverse.enclosure.taylor import extent
from dyverse.expr.symbolic import SX, split

DEEP = 100  # levels to which expressions are compared


class Jumping:
    """The automata of all runs of a box."""

    def __init__(self, automata: Automata, frame: Frame, unknowns: Unknowns) -> None:
        self._automata, self._frame, self._unknowns = automata, frame, unknowns
        self._states = split(frame.state)
        self.here = automata.start(lambda start: self._whole([start], None)[0])
        for name, number in self.here.whole:
            self._check(name, number)
        if not all(x > 0 or x < 0 for x in self._numbers(automata.apart, None)):
            raise Unproved("unsupported: a surface whose sides may be alike")
        everyone = range(len(self.here.places))
        self._moved = set(everyone)  # who has jumped in this instant, or could not have come to it
        self._pinned = dict(enumerate(split(frame.first)))  # states that are known, of values
        self.changed: tuple[str, ...] = ()  # what the last jump has assigned
        self.ways = frozenset[tuple[int, ...]]()  # the edges of all that were enabled then
        self._offered: list[str] = []  # by contacts, and not heard yet
        self._zero: list[SX] = []  # expressions that are zero in all runs

    def begin(self, here: Here) -> None:
        """Begin elsewhere, with no knowledge of where runs have come from."""
        self.here, self._pinned = here, {}

    def _whole(self, expressions: Sequence[SX], front: Front | None) -> list[int]:
        """Whole numbers, which must be the same in all runs."""
        found = self._numbers(expressions, front)
        if not all(number.is_integer() for number in found):
            raise Unproved("border: a whole number is not the same in all runs")
        return [int(float(number.mid())) for number in found]

    def _numbers(self, expressions: Sequence[SX], front: Front | None) -> list[arb]:
        """What expressions can be: now, or, without a front, always."""
        ring, values = self._unknowns.models.ring, self._unknowns.values
        column = ca.vertcat(NOTHING, *expressions)
        if front is None:
            found = program([self._frame.values], [column]).run(ring, values)[0]
        else:
            both = [self._frame.state, self._frame.values]
            found = program(both, [column]).run(ring, front.models(), values)[0]
        return list(map(extent, found))

    def _check(self, name: str, number: int) -> None:
        """A whole variable stays in its range."""
        if not all(x >= 0 for x in self._numbers(self._automata.spare(name, number), None)):
            raise Unproved(f"unsupported: {name} may leave its range")

    def hear(self, channels: Iterable[str]) -> None:
        """Contacts offer some channels; automata hear them one after the other."""
        self._offered += channels

    def ready(self, place: Place, front: Front) -> tuple[Move, ...]:
        """The jumps that are enabled here; it must be sure which these are."""
        moves, places = self._automata.moves, self.here.places

        def holds(half: Half) -> bool:
            return self._holds(half, place, front)

        while self._offered:
            heard = moves.heard(places, self._offered[0], holds)
            if any(move.halves for move in heard):
                return heard
            del self._offered[0]
        return moves.ready(places, holds)

    def _holds(self, half: Half, place: Place, front: Front) -> bool:
        formula, depths = self._automata.guard(half, place.table)
        atoms = iter([self._read(depth, sense, place, front) for depth, sense in depths])
        found: Reading = fold(formula, lambda _: next(atoms), every, some)
        if found.touches and half.component not in self._moved:
            raise Unproved(f"grazing: the edge {half.edge} is left where it is met")
        return found.holds

    def _read(self, depth: SX, sense: Sense, place: Place, front: Front) -> Reading:
        if not self._is_zero(depth):
            return read(sense, self._sign(depth, front), 0, 0, margin=0.0)
        slope = 0
        order = self._order(depth, place)
        if order is not None:
            slope = self._sign(order, front)
        return read(sense, 0, slope, 0, margin=0.0)

    def _sign(self, expression: SX, front: Front) -> int:
        (found,) = self._numbers([expression], front)
        if not (found > 0 or found < 0):
            raise Unproved("border: which edges are enabled is not sure")
        return 1 if found > 0 else -1

    def _order(self, depth: SX, place: Place) -> SX | None:
        """The first derivative by time that is not plainly zero now; None if it stays zero."""
        for _ in range(HIGHEST):
            depth = place.onwards(depth)
            if depth.is_zero():
                return None
            if not self._is_zero(depth):
                return depth
        raise Unproved("unsupported: an edge that is met too smoothly")

    def _is_zero(self, expression: SX) -> bool:
        """Whether something is plainly zero now, in all runs."""
        ways = expression, _negated(expression), -expression
        if any(is_same(e, z) for z in self._zero for e in ways):
            return True
        expression = self._known(expression)
        if expression.is_zero() or ca.depends_on(expression, self._frame.state):
            return bool(expression.is_zero())
        return bool(self._numbers([expression], None)[0] == 0)

    def _known(self, expression: SX) -> SX:
        """An expression with the values of states that are known."""
        for i, number in self._pinned.items():
            expression = ca.substitute(expression, self._states[i], number)
        return expression

    def fresh(self, place: Place, front: Front) -> dict[int, Program]:
        """Atoms that hold as time begins to pass if they rise, and what must be positive for that.

        These are the ones that are at their bound, and those of the property that hold already: no
        box has to show that they do not fall.
        """
        found: dict[int, Program] = {}
        for i, depth in (*_own(place), *place.bounds()):
            if self._is_zero(depth) and (slope := self._order(depth, place)) is not None:
                found[i] = program([self._frame.state, self._frame.values], [slope])
        depths = [depth for depth, _ in place.claimed]
        for i, x in enumerate(self._numbers(depths, front), start=len(place.depths)):
            if x > 0:
                slope = place.onwards(depths[i - len(place.depths)])
                found[i] = program([self._frame.state, self._frame.values], [slope])
        return found

    def closing(self, place: Place, name: str, front: Front) -> tuple[set[int], set[int]]:
        """Atoms that hold as long as one does, which comes to its bound; those that do so, too.

        The others are those of the property that are greater by something that never changes.
        """
        least = place.depths[name]
        depths = (*_own(place), *place.bounds())
        same = {i for i, depth in depths if is_same(depth, least)}
        apart = [depth - least for depth, _ in place.claimed]
        fixed = [ca.jacobian(e, self._frame.state).is_zero() for e in apart]
        spare = enumerate(self._numbers(apart, front), start=len(place.depths))
        return same, {i for (i, x), stays in zip(spare, fixed, strict=True) if stays and x > 0}

    def bounds(self, place: Place) -> frozenset[int]:
        """The property's atoms that are exactly at their bound, and hold there."""
        return frozenset(i for i, depth in place.bounds() if self._is_zero(depth))

    @property
    def pairs(self) -> Modes:
        """Where the automata are, as certificates write it."""
        return self._automata.pairs(self.here)

    def pause(self, place: Place, front: Front) -> None:
        """Time passes from here on: nothing may be enabled."""
        if self._automata.is_urgent(self.here):
            raise Unproved("time passes where none may")
        if ready := self.ready(place, front):
            raise Unproved(f"time passes where {key_of(ready[0].halves)} is enabled")

    def arrive(self, surface: SX | None) -> None:
        """Time has passed, up to where ``surface`` is zero."""
        self._moved, self._pinned = set(), {}
        self._zero = [] if surface is None else [surface]

    def take(self, place: Place, jump: Jump, front: Front) -> tuple[Front, Law]:
        """One of the jumps that are enabled: the front after it, and what it assigns."""
        ready = {numbers_of(move): move for move in self.ready(place, front)}
        if jump.edges not in ready:
            raise Unproved("no such jump")
        if len(jump.after) != len(front.center):
            raise Unproved("a jump has not as many states as are followed")
        move, self.ways = ready[jump.edges], frozenset(ready)
        changes = self._automata.changes(move, place.table)
        del self._offered[:1]
        self.changed = tuple(changes)
        self._assign(move, changes, front)
        made = tuple(map(self._unknowns.models.polynomial, jump.after))
        law = assignment(self._frame, changes)
        found = jumped(front, law, [], made, self._unknowns)
        names = enumerate(self._frame.names)
        self._remember({i: changes[name] for i, name in names if name in changes})
        return found.front, law

    def _assign(self, move: Move, changes: dict[str, SX], front: Front) -> None:
        whole = [name for name in changes if name in self._automata.whole]
        numbers = self._whole([changes[name] for name in whole], front)
        for name, number in zip(whole, numbers, strict=True):
            self._check(name, number)
        found = dict(zip(whole, numbers, strict=True))
        self.here = self._automata.after(self.here, move, found)
        self._moved |= set(move.components)

    def _remember(self, new: dict[int, SX]) -> None:
        """What is known exactly after some states have changed."""
        changed = ca.vertcat(NOTHING, *(self._states[i] for i in new))
        pinned = {i: number for i, number in self._pinned.items() if i not in new}
        for i, number in new.items():
            known = self._known(number)
            if not ca.depends_on(known, self._frame.state):
                pinned[i] = known
        self._pinned = pinned
        if new:
            self._zero = [z for z in self._zero if not ca.depends_on(z, changed)]


def numbers_of(move: Move) -> tuple[int, ...]:
    """The edges of a jump, as certificates write them."""
    return tuple(half.number for half in move.halves)


def is_own(name: str) -> bool:
    """Whether an atom is one of automata."""
    return name.startswith(("edge ", "invariant "))


def _own(place: Place) -> Iterator[tuple[int, SX]]:
    """The atoms of automata, with their depths."""
    return ((i, place.depths[name]) for name, i in place.atoms.items() if is_own(name))


def is_same(a: SX, b: SX) -> bool:
    """Whether two expressions are plainly the same."""
    return bool(ca.is_equal(a, b, DEEP))


def _negated(a: SX) -> SX:
    """An expression with the other sign, as atoms with the other sign are written."""
    return a.dep(1) - a.dep(0) if a.op() == ca.OP_SUB else -a


def assignment(frame: Frame, changes: Mapping[str, SX]) -> Law:
    """A jump that gives new values to some states, by name."""
    *states, time = split(frame.state)
    named = zip(frame.names, states, strict=True)
    after = ca.vertcat(*(changes.get(name, state) for name, state in named), time)
    arguments = [frame.state, frame.values, NOTHING]
    slopes = [NOTHING, NOTHING, ca.jacobian(after, frame.state), NOTHING]
    return Law(*(program(arguments, e) for e in ([NOTHING], [after], slopes)))
