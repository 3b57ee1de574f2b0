"""All runs of a box, followed along its proof; what does not follow is refused (`Unproved`).

The proof is a list of legs, each a stretch of time in one location with what happens at its end.
`Walk` goes along them with a front that holds all runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from flint import arb, arb_poly

from dyverse.certificate.automata import Here
from dyverse.certificate.bodies import DIRECTED
from dyverse.certificate.claim import number
from dyverse.certificate.file import (
    Box,
    Broken,
    Change,
    End,
    Graze,
    Impact,
    Jump,
    Leg,
    Modes,
    Rest,
    Unproved,
)
from dyverse.certificate.jumping import Jumping, is_own
from dyverse.certificate.place import Place
from dyverse.certificate.system import System
from dyverse.certificate.touching import Passage, Touching
from dyverse.certificate.watch import watched
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Front, Step, Tube, Unknowns, advanced
from dyverse.enclosure.jump import crossed
from dyverse.enclosure.matrix import column, exact
from dyverse.enclosure.program import Program
from dyverse.enclosure.slope import Crossing, Flown, Passed, Reset
from dyverse.enclosure.taylor import TaylorModels, extent
from dyverse.generation.skeleton.names import signal_name, signal_parts


def unknowns_of(system: System, box: Box) -> Unknowns:
    """The part of the ranges that a box is, as polynomials."""
    models, ranges = TaylorModels(box.degrees), system.question.unknowns
    if len(box.degrees) != len(ranges) or any(h // 2 >= len(ranges) for h in box.halves):
        raise Unproved("a box is not one of the unknowns")
    shares = [(0, 0)] * len(ranges)  # k and n: the part from k/2ⁿ to (k+1)/2ⁿ
    for half in box.halves:
        k, n = shares[half // 2]
        shares[half // 2] = 2 * k + half % 2, n + 1
    values = []
    for i, ((_, low, high), (k, n)) in enumerate(zip(ranges, shares, strict=True)):
        width = (number(high) - number(low)) / arb(2) ** (n + 1)
        middle = number(low) + (2 * k + 1) * width
        line = arb_poly([arb(0)] * models.strides[i] + [width])
        values.append(middle + (line if box.degrees[i] else arb(0, width.abs_upper())))
    return Unknowns(models, tuple(map(arb_poly, (*values, *([x] for x in system.numbers)))))


Way = str | tuple[int, ...]  # an outcome of an impact, or the edges of a jump
OUTCOMES = frozenset({"separated", "stick", *DIRECTED})  # in the plane, of a contact with friction


@dataclass(frozen=True, slots=True)
class Fork:
    """A place where runs can go on in several ways, and the one that is followed."""

    possible: frozenset[Way]
    taken: Way


class Walk:
    """The runs of one box, along one of the ways that they can go."""

    def __init__(
        self,
        system: System,
        box: Box,
        legs: tuple[Leg, ...] | None = None,
        start: tuple[Front, Here | None] | None = None,
    ) -> None:
        self._system, self._unknowns = system, unknowns_of(system, box)
        self._legs = box.legs if legs is None else legs
        whole = (leg for way in (box.legs, *box.others) for leg in way)
        self._claimed = not any(isinstance(leg.then, Broken) for leg in whole)
        self.forks: list[Fork] = []
        self._is_alone = not box.others
        self.tubes: list[Tube] = []  # where all runs have been
        self.passed: list[Passed] = []  # how, for one part of the unknowns
        n = system.frame.state.numel()
        first = system.start.run(self._unknowns.models.ring, self._unknowns.values)[0]
        self._front = Front(tuple(first), exact(np.eye(n)), column([arb(0)] * n), np.ones(n))
        values, parts = self._unknowns.values, self._unknowns.parts()
        self._values = [self._unknowns.over(values, part) for part in parts]
        bodies, automata = system.bodies, system.automata
        self._touching = None if bodies is None else Touching(bodies, self._unknowns)
        self._passage: Passage | None = None  # what has just happened to the bodies
        self._steady = frozenset[int]()  # atoms that hold and that time does not change here
        self._pushed = False  # whether automata have pushed a contact in this instant
        self._lasting: Mapping[str, str] | None = None  # modes that the next leg must have
        self._jumping = None
        if automata is not None:
            self._jumping = Jumping(automata, system.frame, self._unknowns)
        if start is not None:
            self._front, here = start
            if self._jumping is not None and here is not None:
                self._jumping.begin(here)

    @property
    def front(self) -> Front:
        """Where all runs are."""
        return self._front

    def reach(self, place: Place, steps: tuple[Step, ...], closing: str) -> None:
        """Go on to where a signal comes to zero."""
        self._entered(())
        self._flown(place, steps, closing)
        self._cross(place, closing)

    def verdict(self) -> str:
        """``safe`` if the formula holds at all times of all runs, ``unsafe`` if it fails in all.

        Of runs that go this way: that there are none is ``never``.
        """
        if self._legs and self._touching is not None:
            modes = self._contacts(self._legs[0].place)
            self._touching.begin(modes, self._system.frame.first)
            if modes and self._jumping is not None and self._touching.tells("touch"):
                raise Unproved("unsupported: automata hear of contacts that begin closed")
        for leg in self._legs:
            if (found := self.along(leg)) is not None:
                return found
        raise Unproved("a proof has no end")

    def along(self, leg: Leg) -> str | None:
        """Go along a leg; the verdict, if there is one at its end."""
        place = self._entered(self._contacts(leg.place))
        match leg.then:
            case Rest():
                self._rest(place, leg.then, leg.steps)
            case Graze():
                self._graze(place, leg.then, leg.steps)
            case End():
                self._flown(place, leg.steps, None)
                self._ended()
                return "safe"
            case Broken(time=time):
                tubes = self._flown(place, leg.steps, None, time)
                self._broken(place, tubes[-1], time)
                return "unsafe"
            case Jump(closing=""):
                self._moment(place, leg.steps)
                self._jump(place, leg.then)
            case Impact(closing=closing) | Change(closing=closing) | Jump(closing=closing):
                self._flown(place, leg.steps, closing)
                self._cross(place, closing)
                return self._happened(place, leg.then)
        return None

    def _happened(self, place: Place, then: Impact | Change | Jump) -> str | None:
        """What happens where a signal has come to zero; ``never``, if it does not."""
        if isinstance(then, Jump):
            self._jump(place, then)
            return None
        if self._touching is None:
            raise Unproved("there are no contacts")
        self._passage = place.modes, then
        if isinstance(then, Change):
            self._touching.change(place, then.closing)
            return None
        self._front, reset = self._touching.hit(place, then, self._front)
        self.passed.append(reset)
        if not self._touching.sure:
            self._fork(OUTCOMES, then.pattern[0][1])
        return "never" if self._touching.sure is False else None

    def _fork(self, possible: frozenset[Way], taken: Way) -> None:
        """Runs can go on in several ways; a proof that has one alone need not be read further."""
        if self._is_alone:
            raise Unproved("border: runs may go on in other ways than the one that is followed")
        self.forks.append(Fork(possible, taken))

    def _contacts(self, place: Modes) -> Modes:
        """The modes of contacts in a place; automata must be where it says."""
        pairs = () if self._jumping is None else self._jumping.pairs
        if place[len(place) - len(pairs) :] != pairs:
            raise Unproved("a leg is in another location than its runs")
        return place[: len(place) - len(pairs)]

    def _entered(self, modes: Modes) -> Place:
        """The location of a leg, which must be one that all runs are in, and the only one."""
        if self._touching is not None:
            self._touching.enter(modes, self._front)
            if self._lasting not in (None, dict(modes)):
                raise Unproved("contacts change in an instant in which automata jump")
            self._lasting = None
        elif modes:
            raise Unproved("there are no contacts")
        if self._jumping is None:
            return self._system.place(modes)
        if self._touching is not None and self._passage is not None:
            self._jumping.hear(self._touching.offered(self._passage, modes))
        self._passage = None
        return self._system.place(modes, self._jumping.here)

    def _flown(
        self, place: Place, steps: tuple[Step, ...], closing: str | None, stop: float = 1.0
    ) -> list[Tube]:
        """All runs to the end of the last step; nothing else happens on the way."""
        if not steps or any(len(step.states) != len(self._front.center) for step in steps):
            raise Unproved("a leg has no steps, or not as many states as are followed")
        fresh, self._pushed = self._fresh(place), False
        self._steady = self._lasting_atoms(place)
        tubes = []
        for step in steps:
            self._front, tube = advanced(self._front, place.field, step, self._unknowns)
            tubes.append(tube)
            pace = self._unknowns.models.polynomial(step.pace)
            self.passed.append(Flown(tube, place.field, pace, self._unknowns.values))
        end = self._system.end(list(map(extent, self._unknowns.values)))
        self.tubes += tubes
        models, last = self._unknowns.values, {}
        if closing is not None:
            rate = place.derivative(closing, 1)
            last = dict.fromkeys(frozenset.union(*self._closing(place, closing)), rate)
        watched(
            tubes, place.conditions[self._claimed], models, fresh, last, end, stop, self._steady
        )
        return tubes

    def _lasting_atoms(self, place: Place) -> frozenset[int]:
        """Atoms of the property that hold where time begins to pass, and that time does not change.

        However close they are to their bound, no box has to show that they stay there.
        """
        first, pairs = len(place.depths), list(zip(self._boxes(), self._values, strict=True))
        depths = [place.promise.depths.run(BALLS, *pair)[0] for pair in pairs]
        return frozenset(
            first + i
            for i, (depth, sense) in enumerate(place.claimed)
            if place.onwards(depth).is_zero()
            and all(x[first + i] > 0 or (sense == "weak" and x[first + i] >= 0) for x in depths)
        )

    def _fresh(self, place: Place) -> dict[int, Program]:
        """Atoms that are at their bound as time begins to pass, each with what gets it away."""
        found: dict[int, Program] = {}
        if self._touching is not None:
            orders = self._touching.fresh.items()
            found |= {place.atoms[name]: place.derivative(name, order) for name, order in orders}
            self._touching.fresh = {}
            if self._claimed and not self.tubes and self._jumping is None:
                found |= place.touching()
        if self._jumping is not None:
            self._jumping.pause(place, self._front)
            found |= self._jumping.fresh(place, self._front)
        return found

    def _closing(self, place: Place, closing: str) -> tuple[frozenset[int], frozenset[int]]:
        """The atoms that come to their bound where one does, and others that it keeps from that."""
        own = {place.atoms[closing]} if closing in place.atoms else set()
        if self._touching is not None and closing.startswith("gap["):
            names = self._touching.twins(signal_parts(closing)[1])
            own = {place.atoms[signal_name("gap", name)] for name in names}
        if self._jumping is None or not is_own(closing):
            return frozenset(own), frozenset()
        same, more = self._jumping.closing(place, closing, self._front)
        return frozenset(own | same), frozenset(more)

    def _cross(self, place: Place, closing: str) -> None:
        """All runs to where a signal is zero; nothing else happens there."""
        surface, (atoms, _) = place.surface(closing), self._closing(place, closing)
        self._front, boxes = crossed(self._front, place.field, surface, self._unknowns)
        self.passed.append(Crossing(place.field, surface, boxes[0], self._values[0]))
        for box, values in zip(boxes, self._values, strict=True):
            if wrong := place.conditions[self._claimed].failing(box, values, atoms | self._steady):
                raise Unproved(f"{wrong} is not sure where {closing} is zero")
        if self._jumping is not None:
            self._jumping.arrive(place.depths[closing] if is_own(closing) else None)

    def _moment(self, place: Place, steps: tuple[Step, ...]) -> None:
        """No time passes here, but the property must hold."""
        if steps:
            raise Unproved("a leg has steps where no time passes")
        if self._pushed:
            raise Unproved("unsupported: automata push a contact and jump at once")
        if not self._claimed:
            return
        assert self._jumping is not None
        bounds = self._jumping.bounds(place)
        for box, values in zip(self._boxes(), self._values, strict=True):
            wrong = place.promise.failing(box, values, bounds)
            if wrong and not box[-1] > self._system.end(values):
                raise Unproved(f"{wrong} is not sure between two jumps")

    def _jump(self, place: Place, jump: Jump) -> None:
        if self._jumping is None:
            raise Unproved("there are no automata")
        before = self._front.box(self._unknowns, self._unknowns.parts()[0])
        self._front, law = self._jumping.take(place, jump, self._front)
        if len(self._jumping.ways) > 1 and self._claimed != self._system.claim.dual:
            self._fork(self._jumping.ways, jump.edges)  # else one run will do
        self.passed.append(Reset(law, before, self._values[0]))
        if self._touching is None:
            return
        self._kept(self._touching, place.modes, self._jumping.changed, at_once=not jump.closing)

    def _kept(
        self, touching: Touching, modes: Mapping[str, str], changed: tuple[str, ...], at_once: bool
    ) -> None:
        """A jump must not change modes that are told to automata, or those that just changed.

        Modes are looked at while time passes. So those of an instant are those of the next leg, and
        a jump that pushes bodies is the last one of its instant.
        """
        late = any(order > 1 for order in touching.fresh.values())
        told = bool(modes) and touching.tells("touch", "release", "stick", "slip")
        pushed = touching.is_pushed(modes, changed)
        if pushed and (late or (told and at_once)):
            raise Unproved("unsupported: a contact changes and automata push it at once")
        self._pushed = pushed and told
        self._lasting = modes if late or told else None

    def _rest(self, place: Place, rest: Rest, steps: tuple[Step, ...]) -> None:
        if steps or self._touching is None:
            raise Unproved("no impacts accumulate here")
        self._front = self._touching.rest(place, rest, self._front, claimed=self._claimed)
        if self._jumping is not None:
            self._jumping.arrive(None)

    def _graze(self, place: Place, graze: Graze, steps: tuple[Step, ...]) -> None:
        if self._touching is None:
            raise Unproved("there are no contacts")
        self._flown(place, steps[:-1], None)
        self._front, tube, gap = self._touching.graze(place, graze, steps[-1], self._front)
        conditions, values = place.conditions[self._claimed], self._unknowns.values
        end = self._system.end(list(map(extent, values)))
        watched([tube], conditions, values, {}, {}, end, steady=gap)
        self.tubes.append(tube)
        if self._jumping is not None:
            self._jumping.arrive(None)

    def _ended(self) -> None:
        if not self._claimed:  # so nobody has looked whether the property holds
            raise Unproved("a proof has legs of safety and of failure")
        for box, values in zip(self._boxes(), self._values, strict=True):
            if not box[-1] >= self._system.end(values):
                raise Unproved("too wide: a proof ends too early")

    def _broken(self, place: Place, tube: Tube, time: float) -> None:
        """The property fails for every run, at a time that counts."""
        box, values = tube.box(time, time), list(map(extent, self._unknowns.values))
        if not (abs(time) <= 1 and box[-1] <= self._system.end(values)):
            raise Unproved("border: the property fails too late")
        if not place.conditions[True].refutes(box, values):
            raise Unproved("border: the property may hold")

    def _boxes(self) -> list[list[arb]]:
        return [self._front.box(self._unknowns, part) for part in self._unknowns.parts()]
