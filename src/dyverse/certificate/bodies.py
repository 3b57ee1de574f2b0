"""Rigid bodies as programs: what a certificate about them is checked against.

In comes the question, with the text of the model; out go programs for the start, for each location
and for impacts, all made from `dyverse.generation.symbolic.bodies`. States that are ``still`` are
replaced by zero in all expressions; that they stay zero must be plain from the expressions
themselves. States that are neither followed nor still must not matter.

Besides ``stick`` and ``slip`` a closed contact may be in ``slip+`` or ``slip-``: it slips along its
first tangent or against it, and plainly not along the second. Without friction it is ``smooth``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import casadi as ca
from flint import arb

from dyverse.bodies.check.resistance import resisting_rules
from dyverse.bodies.world import Input
from dyverse.certificate.claim import Asked
from dyverse.certificate.file import Modes, Unproved
from dyverse.certificate.place import NOTHING
from dyverse.contact.impacts import IMPACT_LAWS, NEWTON
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.jump import Law
from dyverse.enclosure.plain import are_same, forms
from dyverse.enclosure.program import Program, program
from dyverse.enclosure.rational import FRACTIONS
from dyverse.expr.symbolic import SX, split
from dyverse.generation.skeleton import location as rigid
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.symbolic.bodies import SymbolicBodies

CLOSED = ("gap", "normal_speed", "normal_acceleration")  # zero at a closed contact
STUCK = ("slip_speed", "slip_acceleration")  # and at one that sticks
DIRECTED = {"slip+": 1, "slip-": -1}
OUTCOMES = {word: word for word in ("separated", "stick", "slip")} | dict.fromkeys(DIRECTED, "slip")
MODES = {"stick": "stick", "slip": "slip", "smooth": "slip", "slip+": "trans", "slip-": "trans"}


class Bodies:
    """The expressions of one question, each made when it is first asked for.

    Variables of automata that run with the bodies are inputs of these.
    """

    def __init__(self, asked: Asked) -> None:
        question, world, described = asked.question, asked.model.world, asked.model.described
        if any(rule.when for rule in world.contacts):
            raise Unproved("unsupported: contacts under a condition")
        if resisting_rules(world):
            raise Unproved("unsupported: rolling and spinning resistance")
        if any(body.courses for body in world.bodies):
            raise Unproved("unsupported: bodies that automata move")
        driven = () if described is None else tuple(item.name for item in described.declared)
        own = () if described is None else described.settable()
        inputs = (*world.inputs, *(Input(name=name) for name in driven))
        names = [name for name in asked.names if name not in own]
        chosen = {name: number for name, number in asked.chosen.items() if name not in own}
        self.symbolic = SymbolicBodies(
            replace(world, inputs=inputs), chosen, (*names, *driven), exact=True
        )
        self.variables = dict(zip(self.symbolic.variables, split(self.symbolic.state), strict=True))
        self.inputs = dict(zip(self.symbolic.settings, split(self.symbolic.values), strict=True))
        self.settings = {n: self.inputs[n] if n in names else ca.SX.sym(n) for n in asked.names}
        self.values = ca.vertcat(NOTHING, *self.settings.values())
        self.names = tuple(name for name in question.states if name in self.variables)
        self._zero = tuple(name for name in question.still if name in self.variables)
        self._still = ca.vertcat(NOTHING, *(self.variables[name] for name in self._zero))
        self._mirrored = question.mirrored
        self._images = ca.vertcat(NOTHING, *(self.variables[name] for name, _, _ in self._mirrored))
        self._others = [self.inputs[name] for name in question.states if name in driven]
        followed = (self.variables[name] for name in self.names)
        self.state = ca.vertcat(*followed, *self._others, self.symbolic.time)
        self._fractions = asked.fractions
        self._motions: dict[Modes, SX] = {}
        self._impacts: dict[tuple[Modes, tuple[int, ...]], ImpactLaw] = {}
        self._shapes: dict[tuple[str, ...], Program] = {}

    def index(self, contact: str) -> int:
        """The place of a contact in the contact list."""
        if contact not in self.symbolic.contacts.index:
            raise Unproved(f"there is no contact {contact!r}")
        return self.symbolic.contacts.index[contact]

    def twins(self, contact: str) -> tuple[str, ...]:
        """All contacts whose gaps are plainly the same as that of one, in order."""
        if not self._mirrored:
            return (contact,)
        names = self.symbolic.contacts.names
        first, *found = forms([self.reduced(self.row(c).gap) for c in (contact, *names)])
        return tuple(name for name, form in zip(names, found, strict=True) if form == first)

    def row(self, contact: str) -> Any:  # the mechanics' own class
        """The kinematics and the law of a contact."""
        return self.symbolic.rows(self.index(contact))

    def friction(self, contact: str) -> SX:
        """μ of a contact at the slip speed that it has."""
        return self.symbolic.friction(self.index(contact), self.row(contact).slip_speed)

    def impact(self, pattern: Modes, moving: tuple[int, ...]) -> ImpactLaw:
        """The law of an impact in which all impulses but the ``moving`` ones are zero."""
        if (pattern, moving) not in self._impacts:
            self._impacts[pattern, moving] = ImpactLaw(self, pattern, moving)
        return self._impacts[pattern, moving]

    def shape(self, contacts: tuple[str, ...]) -> Program:
        """G = Wᵀ M⁻¹ W of some contacts, and the friction of each: of states and values."""
        if contacts not in self._shapes:
            W = ca.horzcat(*(self.row(contact).W for contact in contacts))
            found = self.symbolic.delassus([self.index(contact) for contact in contacts], W)
            both = [self.reduced(e) for e in (found, ca.vertcat(*map(self.friction, contacts)))]
            self._shapes[contacts] = program([self.state, self.values], both)
        return self._shapes[contacts]

    def reduced(self, expression: SX, zero: SX = NOTHING) -> SX:
        """An expression with zero for all that is still, and for ``zero``."""
        gone = ca.vertcat(self._still, zero)
        expression = ca.substitute(expression, gone, ca.SX.zeros(gone.numel()))
        if not self._mirrored:
            return expression
        own = (self._image(self.variables, of, sign) for _, of, sign in self._mirrored)
        return ca.substitute(expression, self._images, ca.vertcat(NOTHING, *own))

    def is_nothing(self, expression: SX) -> bool:
        """Whether an expression of values is zero: plainly, or because its decimals come to it."""
        if expression.is_zero():
            return True
        return program([self.values], [expression]).run(FRACTIONS, self._fractions)[0] == [0]

    @staticmethod
    def _image(found: Mapping[str, SX], of: str, sign: str) -> SX:
        return found[of] if sign == "+" else -found[of]

    def followed(
        self, whole: SX, time: SX, zero: SX = NOTHING, others: Sequence[SX] | None = None
    ) -> SX:
        """Of a column for all states those that are followed, and what belongs to the time.

        Between them is what belongs to the variables of automata: without ``others``, themselves.
        """
        found = dict(zip(self.variables, split(self.reduced(whole, zero)), strict=True))
        for name in self._zero:
            if not (found[name].is_zero() or are_same(found[name], ca.SX(0))):
                raise Unproved(f"{name} does not stay zero")
        for name, of, sign in self._mirrored:
            if not are_same(found[name], self._image(found, of, sign)):
                raise Unproved(f"{name} does not stay the image of {of}")
        beside = self._others if others is None else others
        return ca.vertcat(*(found[name] for name in self.names), *beside, time)

    @property
    def is_mirrored(self) -> bool:
        """Whether some states are images of others."""
        return bool(self._mirrored)

    def motion(self, modes: Modes) -> SX:
        """The rates of all states in a location."""
        if modes not in self._motions:
            rate = self.symbolic.rate(self.location(modes))
            self._motions[modes] = self._remembered(rate, modes)
        return self._motions[modes]

    def location(self, modes: Modes) -> rigid.Modes:
        """The location that certificates write so."""
        names, words = self.symbolic.contacts.names, dict(modes)
        if len(words) < len(modes) or not words.keys() <= set(names):
            raise Unproved("a location has contacts that are not there, or one twice")
        if unknown := [word for word in words.values() if word not in MODES]:
            raise Unproved(f"there is no mode {unknown[0]!r}")
        found = cast("dict[str, rigid.Mode]", {c: MODES[word] for c, word in modes})
        return rigid.Modes(tuple((c, found[c]) for c in names if c in found))

    def _remembered(self, expression: SX, modes: Modes) -> SX:
        """Put in the directions of slip, and zero for what is still."""
        memory = self.symbolic.memory
        for contact, mode in modes:
            first, row = 3 * self.index(contact), self.row(contact)
            ahead = row.frame[:, 1:] @ row.speed[1:]
            if mode in DIRECTED:
                ahead = DIRECTED[mode] * row.frame[:, 1]
            expression = ca.substitute(expression, memory[first : first + 3], ahead)
        return self.reduced(expression)

    def table(self, modes: Modes) -> dict[str, SX]:
        """Everything that has a name in a location; ``onward`` is the speed along a slip.

        What does not move as long as a contact is closed, or sticks, is zero.
        """
        found = dict(self.symbolic.signals(self.location(modes)))
        for contact, mode in modes:
            nothing = (*CLOSED, *STUCK) if mode == "stick" else CLOSED
            found |= {signal_name(quantity, contact): ca.SX(0) for quantity in nothing}
            if mode in DIRECTED:
                speed = self.row(contact).speed
                if not self.reduced(speed[2]).is_zero():
                    raise Unproved(f"unsupported: {contact} may slip sideways")
                found[signal_name("onward", contact)] = DIRECTED[mode] * speed[1]
        parts = split(self._remembered(ca.vertcat(*found.values()), modes))
        return dict(zip(found, parts, strict=True))

    def signals(self, modes: Modes) -> Iterator[str]:
        """The names of what is positive in a location."""
        words = dict(modes)
        for contact in self.symbolic.contacts.names:
            mode = words.get(contact)
            yield signal_name("gap" if mode is None else "normal_force", contact)
            if mode == "stick":
                yield signal_name("friction_reserve", contact)
            elif mode == "slip":
                yield signal_name("slip_speed", contact)
            elif mode in DIRECTED:
                yield signal_name("onward", contact)


class ImpactLaw:
    """An impact with a fixed pattern, as programs of states, values and impulses.

    In the outcomes ``slip+`` and ``slip-`` the response is along the first tangent or against it,
    and plainly not along the second.
    """

    def __init__(self, bodies: Bodies, pattern: Modes, moving: tuple[int, ...]) -> None:
        self.pattern, self.moving = pattern, moving
        self.rows = [bodies.row(contact) for contact, _ in pattern]
        plane = (bodies.reduced(row.speed[2]).is_zero() for row in self.rows)
        self.is_plane = all(plane) and not any(row.smooth for row in self.rows)
        words = {contact: OUTCOMES.get(word) for contact, word in pattern}
        if len(words) < len(pattern):
            raise Unproved("an impact has a contact twice")
        if tuple(words) != tuple(c for c in bodies.symbolic.contacts.names if c in words):
            raise Unproved("the contacts of an impact are not in order")
        if None in words.values() or not set(moving) <= set(range(3 * len(words))):
            raise Unproved("an impact has outcomes or impulses that are not there")
        if len(set(moving)) < len(moving):
            raise Unproved("an impact has an impulse twice")
        law = IMPACT_LAWS[bodies.symbolic.world.impact]
        alone = len(words) == 1 and (law.is_newton_alone or self.rows[0].smooth)
        if law is not NEWTON and not alone:
            raise Unproved(f"unsupported: impact {law.name} of several contacts or with friction")
        found = bodies.symbolic.impact(words)  # type: ignore[arg-type]  # one of the outcomes
        others = [i for i in range(3 * len(words)) if i not in moving]
        zero, impulses = found.impulses[others], found.impulses[list(moving)]
        tied = self._tied(bodies, found.impulses)
        equalities, signs = split(tied(found.equalities)), []
        for k, (contact, word) in enumerate(pattern):
            if word in DIRECTED:
                limit = bodies.friction(contact) * found.impulses[3 * k]
                equalities[3 * k + 1] = found.impulses[3 * k + 1] + DIRECTED[word] * limit
                signs.append(DIRECTED[word] * found.response[3 * k + 1])
        listed = split(bodies.reduced(ca.vertcat(*equalities), zero))
        if bodies.is_mirrored:
            listed = list(dict(zip(forms(listed), listed, strict=True)).values())
        equations = ca.vertcat(NOTHING, *(e for e in listed if not e.is_zero()))
        if equations.numel() != impulses.numel():
            raise Unproved("an impact has more equations than impulses, or fewer")
        after = bodies.followed(tied(found.after), bodies.symbolic.time, zero)
        arguments = [bodies.state, bodies.values, impulses]
        slopes = [ca.jacobian(e, x) for e in (equations, after) for x in (bodies.state, impulses)]
        self.law = Law(*(program(arguments, e) for e in ([equations], [after], slopes)))
        signs = bodies.reduced(tied(ca.vertcat(*signs, found.inequalities)), zero)
        rubs = ca.vertcat(*(ca.SX([1, not row.smooth, not row.smooth]) for row in self.rows))
        response = bodies.reduced(
            tied(found.response * rubs), zero
        )  # without friction none is asked
        self.signs, self.response = (program(arguments, [e]) for e in (signs, response))
        self._restitution = program([bodies.values], [ca.SX(self.rows[0].restitution)])

    def _tied(self, bodies: Bodies, impulses: SX) -> Callable[[SX], SX]:
        """Puts in, for normal impulses of a contact, those of an earlier one of like gap."""
        order = {contact: k for k, (contact, _) in enumerate(self.pattern)}
        known = [(3 * k, 3 * order[bodies.twins(c)[0]]) for c, k in order.items()]
        pairs = [(i, j) for i, j in known if i != j and i not in self.moving]
        own, first = (impulses[[pair[n] for pair in pairs]] for n in (0, 1))
        return lambda e: ca.substitute(e, own, first) if pairs else e

    def conserves(self, values: list[arb]) -> bool:
        """Whether energy plainly does not grow: one contact without friction, restitution ≤ 1."""
        alone = len(self.rows) == 1 and self.rows[0].smooth
        return alone and bool(self._restitution.run(BALLS, values)[0][0] <= 1)
