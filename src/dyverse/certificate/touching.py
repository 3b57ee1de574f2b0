"""Bodies along a proof: which contacts are closed, and what impacts and changes make of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import casadi as ca
from flint import arb, arb_poly

from dyverse.certificate.bodies import DIRECTED, Bodies, ImpactLaw
from dyverse.certificate.file import Change, Graze, Impact, Modes, Rest, Unproved
from dyverse.certificate.graze import grazed
from dyverse.certificate.law import one_solution
from dyverse.certificate.place import NOTHING, Place
from dyverse.certificate.rest import is_rolling, moved, settled
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Front, Step, Tube, Unknowns
from dyverse.enclosure.jump import jumped
from dyverse.enclosure.matrix import around, by_columns
from dyverse.enclosure.slope import Reset
from dyverse.enclosure.taylor import extent
from dyverse.expr.symbolic import SX, split
from dyverse.generation.coupled.jumps import Underway
from dyverse.generation.coupled.offering import offers_of, signals
from dyverse.generation.skeleton.names import signal_name, signal_parts

Passage = tuple[Mapping[str, str], Impact | Change]  # modes before, and what happened


class Touching:
    """The contacts of all runs of a box, which are the same in each of them."""

    def __init__(self, bodies: Bodies, unknowns: Unknowns) -> None:
        self._bodies, self._unknowns = bodies, unknowns
        self.fresh: dict[str, int] = {}  # signals that begin at zero: the first rate that is not
        self._rolls: dict[str, bool] = {}  # closed contacts: whether they surely do not slip
        self.sure: bool | None = (
            True  # whether the last impact went as was said: None if in some runs
        )
        self._stuck: set[str] = set()  # contacts without tangential speed after the last impact

    def begin(self, modes: Modes, first: SX) -> None:
        """Contacts that are closed at the start must plainly be so."""
        bodies = self._bodies
        for contact in dict(modes):
            row = bodies.row(contact)
            found = bodies.reduced(ca.vertcat(row.gap, row.speed))
            found = ca.substitute(found, bodies.state, first)
            gap, normal, *tangential = map(bodies.is_nothing, split(found))
            if not (gap and normal):
                raise Unproved(f"unsupported: {contact} is not plainly closed at the start")
            self._rolls[contact] = all(tangential)

    def enter(self, modes: Modes, front: Front) -> None:
        """The location of a leg must be one that all runs are in, and the only one."""
        if dict(modes).keys() != self._rolls.keys():
            raise Unproved("a leg is in another location than its runs")
        for contact, mode in modes:
            smooth = self._bodies.row(contact).smooth
            if smooth != (mode == "smooth") or (mode == "stick" and not self._rolls[contact]):
                raise Unproved(f"border: {contact} is not surely in mode {mode}")
            if mode in DIRECTED and self._rolls[contact]:
                self.fresh.setdefault(signal_name("onward", contact), 1)
        self._alone(tuple(self._rolls), front)

    def twins(self, contact: str) -> tuple[str, ...]:
        """The contacts that close when one does, for their gaps are plainly the same."""
        return self._bodies.twins(contact)

    def hit(self, place: Place, impact: Impact, front: Front) -> tuple[Front, Reset]:
        """An impact at the gap that closes and all contacts that are closed; and how it went."""
        quantity, contact = signal_parts(impact.closing)
        pattern = dict(impact.pattern)
        if quantity != "gap" or pattern.keys() != {*self.twins(contact), *place.modes}:
            raise Unproved("an impact is at other contacts than those that touch")
        if len(impact.after) != len(front.center):
            raise Unproved("an impact has not as many states as are followed")
        self._alone(tuple(pattern), front)
        moving = tuple(i for i, _ in impact.impulses)
        law = self._bodies.impact(impact.pattern, moving)
        made = self._unknowns.models.polynomial
        impulses, after = [made(p) for _, p in impact.impulses], tuple(map(made, impact.after))
        found = jumped(front, law.law, impulses, after, self._unknowns)
        self.sure = self._follows(law, impulses, found.reach, front)
        self._rolls = dict(self._kept(place, law))
        self._stuck = {
            contact
            for (contact, outcome), row in zip(law.pattern, law.rows, strict=True)
            if outcome == "stick" and row.tangential_restitution.is_zero() and not row.smooth
        }
        self.fresh = {signal_name("gap", c): 1 for c in pattern if c not in self._rolls}
        return found.front, self._reset(law, impulses, found.reach, front)

    def _reset(
        self, law: ImpactLaw, impulses: list[arb_poly], reach: list[arb], front: Front
    ) -> Reset:
        """The impact for one part of the unknowns."""
        part = self._unknowns.parts()[0]
        near = zip(self._unknowns.over(impulses, part), reach, strict=True)
        impulse = tuple(x + around(size) for x, size in near)
        return Reset(law.law, front.box(self._unknowns, part), self._values(part), impulse)

    def _follows(
        self, law: ImpactLaw, impulses: list[arb_poly], reach: list[arb], front: Front
    ) -> bool | None:
        """Whether the impulses obey the laws as the pattern says; None if they do in some runs.

        That may be so for a contact with friction in the plane: it slips one way or the other,
        sticks or separates, and each of these ways has impulses of its own.
        """
        ring, values = self._unknowns.models.ring, self._unknowns.values
        near = [impulse + around(size) for impulse, size in zip(impulses, reach, strict=True)]
        before = front.models()
        *signs, lost = map(extent, law.signs.run(ring, before, values, near)[0])
        alone = len(law.pattern) == 1 and law.is_plane
        if alone and any(sign < 0 for sign in signs):
            return False
        if not all(sign > 0 for sign in signs) and not alone:
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
        return True if all(sign > 0 for sign in signs) else None

    def _kept(self, place: Place, law: ImpactLaw) -> Iterator[tuple[str, bool]]:
        """The contacts that are closed after an impact, and whether they surely do not slip."""
        for (contact, outcome), row in zip(law.pattern, law.rows, strict=True):
            mode = place.modes.get(contact)
            if outcome != "separated" and (mode or row.restitution.is_zero()):
                held = mode == "stick" or row.tangential_restitution.is_zero()
                yield contact, outcome == "stick" and held and not row.smooth

    def tells(self, *occasions: str) -> bool:
        """Whether automata hear of contacts on some of these occasions."""
        offers = offers_of(self._bodies.symbolic.scene).values()
        return any(offer.on in occasions for own in offers for offer in own)

    def is_pushed(self, modes: Mapping[str, str], names: Iterable[str]) -> bool:
        """Whether bodies in a location may move otherwise if variables of automata change."""
        listed, inputs = tuple(modes.items()), self._bodies.inputs
        table = self._bodies.table(listed)
        looked = (table[name] for name in self._bodies.signals(listed))
        symbols = ca.vertcat(NOTHING, *(inputs[name] for name in names))
        return bool(
            symbols.numel()
            and ca.depends_on(ca.vertcat(self._bodies.motion(listed), *looked), symbols)
        )

    def offered(self, passage: Passage, reached: Modes) -> tuple[str, ...]:
        """The channels that contacts give to automata on something that has happened."""
        modes, then = passage
        offers = offers_of(self._bodies.symbolic.scene)
        left, found = (self._bodies.location(tuple(m)) for m in (modes.items(), reached))
        hit: tuple[str, ...] = ()
        if isinstance(then, Impact):
            hit = tuple(contact for contact, word in then.pattern if word != "separated")
        return signals(offers, Underway(left, hit), found)

    def rest(self, place: Place, rest: Rest, front: Front, *, claimed: bool) -> Front:
        """Impacts at the contact that was hit last accumulate, while nothing else happens."""
        gap = signal_name("gap", rest.contact)
        if place.modes or self.fresh != {gap: 1}:
            raise Unproved(f"{rest.contact} was not hit just now, or not alone")
        if not len(rest.after) == len(rest.reach) == len(front.center):
            raise Unproved("a rest has not as many states as are followed")
        if offers_of(self._bodies.symbolic.scene).get(rest.contact):
            raise Unproved("unsupported: impacts that are offered to automata accumulate")
        excused = frozenset({place.atoms[gap]})
        rolls = is_rolling(self._bodies, place, rest.contact, rest.contact in self._stuck)
        for part in self._unknowns.parts():
            box, values = front.box(self._unknowns, part), self._values(part)
            tube = [x + around(arb(r)) for x, r in zip(box, rest.reach, strict=True)]
            ways = moved(self._bodies, place, rest, box, tube, values, rolls=rolls)
            if not all(way < arb(r) for way, r in zip(ways, rest.reach, strict=True)):
                raise Unproved("too wide: impacts that accumulate cannot be enclosed")
            if wrong := place.conditions[claimed].failing(tube, values, excused):
                raise Unproved(f"{wrong} is not sure while impacts accumulate")
        self._rolls, self.fresh = {rest.contact: rolls}, {}
        return settled(self._bodies, place, rest, front, self._unknowns)

    def graze(
        self, place: Place, graze: Graze, step: Step, front: Front
    ) -> tuple[Front, Tube, frozenset[int]]:
        """A contact may be hit in a step: the front after it, the tube, and the atom of its gap."""
        gap = signal_name("gap", graze.contact)
        if place.modes or self.twins(graze.contact) != (graze.contact,):
            raise Unproved("unsupported: a graze while contacts are closed, or of several")
        if not len(step.states) == len(graze.reach) == len(front.center):
            raise Unproved("a graze has not as many states as are followed")
        if offers_of(self._bodies.symbolic.scene).get(graze.contact):
            raise Unproved("unsupported: a graze that is offered to automata")
        found = grazed(self._bodies, place, graze, step, front, self._unknowns)
        self.fresh, self._stuck = {gap: 1}, set()
        return *found, frozenset({place.atoms[gap]})

    def change(self, place: Place, closing: str) -> None:
        """A change of modes without a jump."""
        quantity, contact = signal_parts(closing)
        self._rolls = {c: mode == "stick" or c == contact for c, mode in place.modes.items()}
        match quantity:
            case "normal_force":  # gap, speed and acceleration are zero here
                del self._rolls[contact]
                self.fresh = {signal_name("gap", contact): 3}
            case "friction_reserve":  # so are slip speed and slip acceleration
                self.fresh = {signal_name("onward", contact): 2}
            case "onward":
                self.fresh = {}
            case _:
                raise Unproved(f"{closing} changes no mode")

    def _alone(self, contacts: tuple[str, ...], front: Front) -> None:
        """The laws of contact have one solution here."""
        if not contacts:
            return
        shape = self._bodies.shape(contacts)
        smooth = [self._bodies.row(contact).smooth for contact in contacts]
        for part in self._unknowns.parts():
            box = front.box(self._unknowns, part)
            entries, frictions = shape.run(BALLS, box, self._values(part))
            size = 3 * len(contacts)
            one_solution(by_columns(entries, size, size), frictions, smooth)

    def _values(self, part: list[arb]) -> list[arb]:
        return self._unknowns.over(self._unknowns.values, part)
