"""All runs of a box, followed along its proof; what does not follow is refused (`Unproved`).

The proof is a list of legs, each a stretch of time in one location with what happens at its end.
`Walk` goes along them with a front that holds all runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np
from flint import arb, arb_poly

from dyverse.certificate.bodies import DIRECTED, ImpactLaw
from dyverse.certificate.claim import number
from dyverse.certificate.file import Box, Broken, Change, End, Impact, Modes, Rest, Unproved
from dyverse.certificate.law import one_solution
from dyverse.certificate.place import Place
from dyverse.certificate.rest import is_rolling, moved, settled
from dyverse.certificate.system import System
from dyverse.certificate.watch import watched
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Front, Step, Tube, Unknowns, advanced
from dyverse.enclosure.jump import crossed, jumped
from dyverse.enclosure.matrix import around, by_columns, column, exact
from dyverse.enclosure.taylor import TaylorModels, extent
from dyverse.expr.symbolic import split
from dyverse.generation.names import signal_name, signal_parts


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


class Walk:
    """The runs of one box."""

    def __init__(self, system: System, box: Box) -> None:
        self._system, self._legs, self._unknowns = system, box.legs, unknowns_of(system, box)
        self._bodies = system.bodies
        self._claimed = not any(isinstance(leg.then, Broken) for leg in box.legs)
        self._fresh: dict[str, int] = {}  # signals that begin at zero: the first rate that is not
        self._rolls: dict[str, bool] = {}  # closed contacts: whether they surely do not slip
        self._stuck: set[str] = set()  # contacts without tangential speed after the last impact
        self.tubes: list[Tube] = []  # where all runs have been
        n = system.frame.state.numel()
        first = system.start.run(self._unknowns.models.ring, self._unknowns.values)[0]
        self._front = Front(tuple(first), exact(np.eye(n)), column([arb(0)] * n), np.ones(n))
        values, parts = self._unknowns.values, self._unknowns.parts()
        self._values = [self._unknowns.over(values, part) for part in parts]

    def verdict(self) -> str:
        """``safe`` if the formula holds at all times of all runs, ``unsafe`` if it fails in all."""
        self._begin(self._legs[0].place)
        for leg in self._legs:
            place = self._entered(leg.place)
            if isinstance(leg.then, Rest):
                self._rest(place, leg.then, leg.steps)
                continue
            closing = leg.then.closing if isinstance(leg.then, Impact | Change) else None
            stop = leg.then.time if isinstance(leg.then, Broken) else 1.0
            tubes = self._flown(place, leg.steps, closing, stop)
            if closing is not None:
                self._cross(place, closing)
            match leg.then:
                case End():
                    self._ended()
                    return "safe"
                case Broken(time=time):
                    self._broken(place, tubes[-1], time)
                    return "unsafe"
                case Impact():
                    self._hit(place, leg.then)
                case Change():
                    self._changed(place, leg.then.closing)
        raise Unproved("a proof has no end")

    def _begin(self, modes: Modes) -> None:
        """Contacts that are closed at the start must plainly be so."""
        bodies = self._bodies
        for contact in dict(modes):
            row = bodies.row(contact)
            found = bodies.reduced(ca.vertcat(row.gap, row.speed))
            found = ca.substitute(found, bodies.state, self._system.frame.first)
            gap, normal, *tangential = (part.is_zero() for part in split(found))
            if not (gap and normal):
                raise Unproved(f"unsupported: {contact} is not plainly closed at the start")
            self._rolls[contact] = all(tangential)

    def _entered(self, modes: Modes) -> Place:
        """The location of a leg, which must be one that all runs are in, and the only one."""
        if dict(modes).keys() != self._rolls.keys():
            raise Unproved("a leg is in another location than its runs")
        for contact, mode in modes:
            smooth = self._bodies.row(contact).smooth
            if smooth != (mode == "smooth") or (mode == "stick" and not self._rolls[contact]):
                raise Unproved(f"border: {contact} is not surely in mode {mode}")
            if mode in DIRECTED and self._rolls[contact]:
                self._fresh.setdefault(signal_name("onward", contact), 1)
        self._alone(tuple(self._rolls))
        return self._system.place(modes)

    def _flown(
        self, place: Place, steps: tuple[Step, ...], closing: str | None, stop: float
    ) -> list[Tube]:
        """All runs to the end of the last step; nothing else happens on the way."""
        if not steps or any(len(step.states) != len(self._front.center) for step in steps):
            raise Unproved("a leg has no steps, or not as many states as are followed")
        tubes = []
        for step in steps:
            self._front, tube = advanced(self._front, place.field, step, self._unknowns)
            tubes.append(tube)
        ends = {} if closing is None else {closing: 1}
        fresh, last = (
            {place.atoms[name]: place.derivative(name, order) for name, order in given.items()}
            for given in (self._fresh, ends)
        )
        if self._claimed and not self.tubes:
            fresh |= place.touching()
        values = list(map(extent, self._unknowns.values))
        end = self._system.end(values)
        self.tubes += tubes
        models = self._unknowns.values
        watched(tubes, place.conditions[self._claimed], models, fresh, last, end, stop)
        return tubes

    def _cross(self, place: Place, closing: str) -> None:
        """All runs to where a signal is zero; nothing else happens there."""
        surface, atom = place.surface(closing), frozenset({place.atoms[closing]})
        self._front, boxes = crossed(self._front, place.field, surface, self._unknowns)
        for box, values in zip(boxes, self._values, strict=True):
            if wrong := place.conditions[self._claimed].failing(box, values, atom):
                raise Unproved(f"{wrong} is not sure where {closing} is zero")

    def _hit(self, place: Place, impact: Impact) -> None:
        """An impact at the gap that closes and all contacts that are closed."""
        quantity, contact = signal_parts(impact.closing)
        pattern = dict(impact.pattern)
        if quantity != "gap" or pattern.keys() != {contact, *place.modes}:
            raise Unproved("an impact is at other contacts than those that touch")
        if len(impact.after) != len(self._front.center):
            raise Unproved("an impact has not as many states as are followed")
        self._alone(tuple(pattern))
        moving = tuple(i for i, _ in impact.impulses)
        law = self._bodies.impact(impact.pattern, moving)
        made = self._unknowns.models.polynomial
        impulses, after = [made(p) for _, p in impact.impulses], tuple(map(made, impact.after))
        found = jumped(self._front, law.law, impulses, after, self._unknowns)
        self._follows(law, impulses, found.reach)
        self._front = found.front
        self._rolls = dict(self._kept(place, law))
        self._stuck = {
            contact
            for (contact, outcome), row in zip(law.pattern, law.rows, strict=True)
            if outcome == "stick" and row.tangential_restitution.is_zero() and not row.smooth
        }
        self._fresh = {signal_name("gap", c): 1 for c in pattern if c not in self._rolls}

    def _follows(self, law: ImpactLaw, impulses: list[arb_poly], reach: list[arb]) -> None:
        """The impulses obey the laws in the way that the pattern says."""
        ring, values = self._unknowns.models.ring, self._unknowns.values
        near = [impulse + around(size) for impulse, size in zip(impulses, reach, strict=True)]
        before = self._front.models()
        *signs, lost = map(extent, law.signs.run(ring, before, values, near)[0])
        if not all(sign > 0 for sign in signs):
            raise Unproved("border: stick, slip or separation of an impact is not sure")
        if not (lost > 0 or law.conserves(list(map(extent, values)))):
            raise Unproved(
                "unsupported: an impact may not keep its restitution, for the sake of energy"
            )
        response = list(map(extent, law.response.run(ring, before, values, near)[0]))
        for k, (contact, outcome) in enumerate(law.pattern):
            slides = any(x > 0 or x < 0 for x in response[3 * k + 1 : 3 * k + 3])
            if outcome == "slip" and not (slides or law.rows[k].smooth):
                raise Unproved(f"border: {contact} may stick in an impact")

    def _kept(self, place: Place, law: ImpactLaw) -> Iterator[tuple[str, bool]]:
        """The contacts that are closed after an impact, and whether they surely do not slip."""
        for (contact, outcome), row in zip(law.pattern, law.rows, strict=True):
            mode = place.modes.get(contact)
            if outcome != "separated" and (mode or row.restitution.is_zero()):
                held = mode == "stick" or row.tangential_restitution.is_zero()
                yield contact, outcome == "stick" and held and not row.smooth

    def _rest(self, place: Place, rest: Rest, steps: tuple[Step, ...]) -> None:
        """Impacts at the contact that was hit last accumulate, while nothing else happens."""
        gap = signal_name("gap", rest.contact)
        if place.modes or steps or self._fresh != {gap: 1}:
            raise Unproved(f"{rest.contact} was not hit just now, or not alone")
        if len(rest.after) != len(self._front.center):
            raise Unproved("a rest has not as many states as are followed")
        excused = frozenset({place.atoms[gap]})
        rolls = is_rolling(self._system, rest.contact, rest.contact in self._stuck)
        for box, values in zip(self._boxes(), self._values, strict=True):
            tube = [x + around(arb(r)) for x, r in zip(box, rest.reach, strict=True)]
            ways = moved(self._system, rest, box, tube, values, rolls=rolls)
            if not all(way < arb(r) for way, r in zip(ways, rest.reach, strict=True)):
                raise Unproved("too wide: impacts that accumulate cannot be enclosed")
            if wrong := place.conditions[self._claimed].failing(tube, values, excused):
                raise Unproved(f"{wrong} is not sure while impacts accumulate")
        self._front = settled(self._system, rest, self._front, self._unknowns)
        self._rolls = {rest.contact: rolls}
        self._fresh = {}

    def _changed(self, place: Place, closing: str) -> None:
        """A change of modes without a jump."""
        quantity, contact = signal_parts(closing)
        self._rolls = {c: mode == "stick" or c == contact for c, mode in place.modes.items()}
        match quantity:
            case "normal_force":  # gap, speed and acceleration are zero here
                del self._rolls[contact]
                self._fresh = {signal_name("gap", contact): 3}
            case "friction_reserve":  # so are slip speed and slip acceleration
                self._fresh = {signal_name("onward", contact): 2}
            case "onward":
                self._fresh = {}
            case _:
                raise Unproved(f"{closing} changes no mode")

    def _alone(self, contacts: tuple[str, ...]) -> None:
        """The laws of contact have one solution here."""
        if not contacts:
            return
        shape = self._bodies.shape(contacts)
        smooth = [self._bodies.row(contact).smooth for contact in contacts]
        for box, values in zip(self._boxes(), self._values, strict=True):
            entries, frictions = shape.run(BALLS, box, values)
            size = 3 * len(contacts)
            one_solution(by_columns(entries, size, size), frictions, smooth)

    def _ended(self) -> None:
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
