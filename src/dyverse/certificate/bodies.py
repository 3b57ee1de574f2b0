"""Rigid bodies as programs: what a certificate about them is checked against.

In comes the question, with the text of the model; out go programs for the start, for each location
and for impacts, all made from `dyverse.generation.symbolic`. States that are ``still`` are replaced
by zero in all expressions; that they stay zero must be plain from the expressions themselves.
States that are neither followed nor still must not matter.

Besides ``stick`` and ``slip`` a closed contact may be in ``slip+`` or ``slip-``: it slips along its
first tangent or against it, and plainly not along the second. Without friction it is ``smooth``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import casadi as ca
from flint import arb

from dyverse.automaton.robustness import Sense, leaves, normal, staying
from dyverse.bodies.world import Property
from dyverse.certificate.file import Modes, Question, Unproved
from dyverse.certificate.watch import Condition, Conditions
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.front import Field
from dyverse.enclosure.jump import Law, Surface
from dyverse.enclosure.program import Program, program
from dyverse.expr.formula import Compare, Formula, Or, formula_symbols
from dyverse.expr.requirement import Quantified, as_formula
from dyverse.expr.symbolic import SX, split, symbolic
from dyverse.expr.term import CONSTANTS, Number, Symbol, Term
from dyverse.generation import location as rigid
from dyverse.generation.model import model_of
from dyverse.generation.names import signal_name
from dyverse.generation.symbolic import SymbolicBodies
from dyverse.text.literals import with_literals
from dyverse.text.parse import parse

NOTHING = ca.SX(0, 1)
HIGHEST = 4  # derivative that may be the first one that is not zero
CLOSED = ("gap", "normal_speed", "normal_acceleration")  # zero at a closed contact
STUCK = ("slip_speed", "slip_acceleration")  # and at one that sticks
DIRECTED = {"slip+": 1, "slip-": -1}
OUTCOMES = {word: word for word in ("separated", "stick", "slip")} | dict.fromkeys(DIRECTED, "slip")
MODES = {"stick": "stick", "slip": "slip", "smooth": "slip", "slip+": "trans", "slip-": "trans"}


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula in normal form for all times to ``until``; ``dual`` if it is to fail at one."""

    formula: Formula
    until: Term | None
    dual: bool
    fixed: bool = False  # whether nobody else may say when it ends


def claimed(claim: Property) -> Claim:
    """``always F``, or ``eventually F``, which is that ``not F`` fails; perhaps in an interval."""
    match claim.requirement:
        case Quantified(word="always" | "eventually" as word, part=part, during=during):
            formula, dual = as_formula(part), word == "eventually"
            if formula is not None and during is None:
                return Claim(normal(formula, negated=dual), claim.until, dual)
            if formula is not None and during is not None:
                later = Or((Compare("<", Symbol("t"), during.low), normal(formula, negated=dual)))
                return Claim(normal(later), during.high, dual, fixed=True)
    raise Unproved("unsupported: only 'always' and 'eventually' of a formula can be proved")


class Bodies:
    """The programs of one question, each made when it is first asked for."""

    def __init__(self, question: Question) -> None:
        tree, literals = with_literals(parse(question.text), question.text)
        self.model, self.question = model_of(tree, question.text), question
        if self.model.described is not None or not self.model.world.bodies:
            raise Unproved("unsupported: only bodies can be proved, no automata")
        decimals = dict(question.settings) | dict(literals)
        self.numbers = tuple(map(number, decimals.values()))  # of what is not unknown
        names = (*(name for name, _, _ in question.unknowns), *decimals)
        chosen = {name: float(decimal) for name, decimal in question.settings}
        self.symbolic = SymbolicBodies(self.model.world, chosen, names)
        self.variables = dict(zip(self.symbolic.variables, split(self.symbolic.state), strict=True))
        if unknown := [n for n in (*question.states, *question.still) if n not in self.variables]:
            raise Unproved(f"there is no state {unknown[0]!r}")
        followed = (self.variables[name] for name in question.states)
        self.state, self.values = ca.vertcat(*followed, self.symbolic.time), self.symbolic.values
        self._still = ca.vertcat(NOTHING, *(self.variables[name] for name in question.still))
        self._places: dict[Modes, Place] = {}
        self._impacts: dict[tuple[Modes, tuple[int, ...]], ImpactLaw] = {}
        self._shapes: dict[tuple[str, ...], Program] = {}

    @cached_property
    def first(self) -> SX:
        """The first states, of the values."""
        return self.followed(self.symbolic.start(), ca.SX(0))

    @cached_property
    def start(self) -> Program:
        """The same as a program."""
        return program([self.values], [self.first])

    @cached_property
    def claim(self) -> Claim:
        """What is asked, as a formula that is to hold at all times."""
        found = [c for c in self.model.properties if c.name == self.question.claim]
        if not found:
            raise Unproved(f"there is no property {self.question.claim!r}")
        return claimed(found[0])

    @cached_property
    def until(self) -> Program:
        """When the property ends, or the model, of the values."""
        own = self.claim.until or self.model.horizon
        if own is None:
            raise Unproved("the property has no end")
        return program([self.values], [symbolic(own, self.symbolic.open.values)])

    def end(self, values: list[arb]) -> arb:
        """When the question ends: it may say so itself."""
        if self.question.until is not None and not self.claim.fixed:
            return number(self.question.until)
        return self.until.run(BALLS, values)[0][0]

    def index(self, contact: str) -> int:
        """The place of a contact in the contact list."""
        if contact not in self.symbolic.contacts.index:
            raise Unproved(f"there is no contact {contact!r}")
        return self.symbolic.contacts.index[contact]

    def row(self, contact: str) -> Any:  # the mechanics' own class
        """The kinematics and the law of a contact."""
        return self.symbolic.rows(self.index(contact))

    def friction(self, contact: str) -> SX:
        """μ of a contact at the slip speed that it has."""
        return self.symbolic.friction(self.index(contact), self.row(contact).slip_speed)

    def place(self, modes: Modes) -> Place:
        """What is known of a location."""
        return self._places.setdefault(modes, Place(self, modes))

    def impact(self, pattern: Modes, moving: tuple[int, ...]) -> ImpactLaw:
        """The law of an impact in which all impulses but the ``moving`` ones are zero."""
        if (pattern, moving) not in self._impacts:
            self._impacts[pattern, moving] = ImpactLaw(self, pattern, moving)
        return self._impacts[pattern, moving]

    def shape(self, contacts: tuple[str, ...]) -> Program:
        """G = Wᵀ M⁻¹ W of some contacts, and the friction of each: of states and values."""
        if contacts not in self._shapes:
            W = ca.horzcat(*(self.row(contact).W for contact in contacts))
            found = W.T @ self.symbolic.inverse_mass @ W
            both = [self.reduced(e) for e in (found, ca.vertcat(*map(self.friction, contacts)))]
            self._shapes[contacts] = program([self.state, self.values], both)
        return self._shapes[contacts]

    def reduced(self, expression: SX, zero: SX = NOTHING) -> SX:
        """An expression with zero for all that is still, and for ``zero``."""
        gone = ca.vertcat(self._still, zero)
        return ca.substitute(expression, gone, ca.SX.zeros(gone.numel()))

    def followed(self, whole: SX, time: SX, zero: SX = NOTHING) -> SX:
        """Of a column for all states those that are followed, and what belongs to the time."""
        found = dict(zip(self.variables, split(self.reduced(whole, zero)), strict=True))
        for name in self.question.still:
            if not found[name].is_zero():
                raise Unproved(f"{name} does not stay zero")
        return ca.vertcat(*(found[name] for name in self.question.states), time)


class Place:
    """A location: its field, and the conditions that hold as long as it is not left."""

    def __init__(self, bodies: Bodies, modes: Modes) -> None:
        self._bodies, self.modes = bodies, dict(modes)
        self._arguments = [bodies.state, bodies.values]
        self._derivatives: dict[tuple[str, int], Program] = {}
        names = bodies.symbolic.contacts.names
        if len(self.modes) < len(modes) or not self.modes.keys() <= set(names):
            raise Unproved("a location has contacts that are not there, or one twice")
        if unknown := [word for word in self.modes.values() if word not in MODES]:
            raise Unproved(f"there is no mode {unknown[0]!r}")
        modes_there = cast("dict[str, rigid.Mode]", {c: MODES[word] for c, word in modes})
        self._location = rigid.Modes(tuple((c, modes_there[c]) for c in names if c in modes_there))

    def _remembered(self, expression: SX) -> SX:
        """Put in the directions of slip, and zero for what is still."""
        memory = self._bodies.symbolic.memory
        for contact, mode in self.modes.items():
            first, row = 3 * self._bodies.index(contact), self._bodies.row(contact)
            ahead = row.frame[:, 1:] @ row.speed[1:]
            if mode in DIRECTED:
                ahead = DIRECTED[mode] * row.frame[:, 1]
            expression = ca.substitute(expression, memory[first : first + 3], ahead)
        return self._bodies.reduced(expression)

    @cached_property
    def motion(self) -> SX:
        """The rates of all states."""
        return self._remembered(self._bodies.symbolic.rate(self._location))

    @cached_property
    def rate(self) -> SX:
        """The vector field: the rates of the states that are followed, and of time."""
        return self._bodies.followed(self.motion, ca.SX(1))

    @cached_property
    def field(self) -> Field:
        """The vector field as programs."""
        slopes = ca.jacobian(self.rate, self._bodies.state)
        return Field(*(program(self._arguments, [e]) for e in (self.rate, slopes)))

    @cached_property
    def table(self) -> dict[str, SX]:
        """Everything that has a name here; ``onward`` is the speed along a direction of slip.

        What does not move as long as a contact is closed, or sticks, is zero.
        """
        found = dict(self._bodies.symbolic.signals(self._location))
        for contact, mode in self.modes.items():
            nothing = (*CLOSED, *STUCK) if mode == "stick" else CLOSED
            found |= {signal_name(quantity, contact): ca.SX(0) for quantity in nothing}
            if mode in DIRECTED:
                speed = self._bodies.row(contact).speed
                if not self._bodies.reduced(speed[2]).is_zero():
                    raise Unproved(f"unsupported: {contact} may slip sideways")
                found[signal_name("onward", contact)] = DIRECTED[mode] * speed[1]
        parts = split(self._remembered(ca.vertcat(*found.values())))
        return dict(zip(found, parts, strict=True))

    def _signals(self) -> Iterator[str]:
        """What is positive in this location."""
        for contact in self._bodies.symbolic.contacts.names:
            mode = self.modes.get(contact)
            yield signal_name("gap" if mode is None else "normal_force", contact)
            if mode == "stick":
                yield signal_name("friction_reserve", contact)
            elif mode == "slip":
                yield signal_name("slip_speed", contact)
            elif mode in DIRECTED:
                yield signal_name("onward", contact)

    @cached_property
    def atoms(self) -> dict[str, int]:
        """The number of each signal's atom."""
        return {name: i for i, name in enumerate(self._signals())}

    @cached_property
    def claimed(self) -> list[tuple[SX, Sense]]:
        """The depths of the property's atoms, which are to be positive, or not negative."""
        formula = self._bodies.claim.formula
        known = self.table.keys() | CONSTANTS.keys()
        if other := [s.name for s in formula_symbols(formula) if s.name not in known]:
            raise Unproved(f"unsupported: the property asks for {other[0]}")
        found = (staying(leaf, margin=0.0) for leaf in leaves(formula))
        return [(symbolic(atom.depth, self.table), atom.sense) for atom in found]

    @cached_property
    def conditions(self) -> tuple[Conditions, Conditions]:
        """What holds here, without and with the property."""
        depths = [*(self.table[name] for name in self.atoms), *(d for d, _ in self.claimed)]
        found = program(self._arguments, [ca.vertcat(NOTHING, *depths)])
        own = tuple(
            Condition(f"grazing: {name}", Compare(">", Symbol(name), Number(0.0)), ((i, "strict"),))
            for name, i in self.atoms.items()
        )
        atoms = tuple((len(own) + i, sense) for i, (_, sense) in enumerate(self.claimed))
        claim = Condition("border: the property", self._bodies.claim.formula, atoms)
        return Conditions(own, found), Conditions((*own, claim), found)

    def touching(self) -> dict[int, Program]:
        """The property's atoms that are plainly at their bound at the start, and may be there.

        Each with the first derivative by time that is not plainly zero then.
        """
        found: dict[int, Program] = {}
        for i, (depth, sense) in enumerate(self.claimed, start=len(self.atoms)):
            for order in range(HIGHEST if sense == "weak" else 0):
                if not ca.substitute(depth, self._bodies.state, self._bodies.first).is_zero():
                    if order:
                        found[i] = program(self._arguments, [depth])
                    break
                depth = self._onwards(depth)
        return found

    def _onwards(self, expression: SX) -> SX:
        """The rate of change along the flow."""
        return ca.jtimes(expression, self._bodies.state, self.rate)

    def derivative(self, name: str, order: int) -> Program:
        """A derivative of a signal by time."""
        if name not in self.atoms:
            raise Unproved(f"{name} is not watched here")
        if (name, order) not in self._derivatives:
            found = self.table[name]
            for _ in range(order):
                found = self._onwards(found)
            self._derivatives[name, order] = program(self._arguments, [found])
        return self._derivatives[name, order]

    def surface(self, name: str, order: int = 0) -> Surface:
        """Where a signal, or a derivative of it by time, comes to zero."""
        value = self.derivative(name, order)
        expression = self.table[name]
        for _ in range(order):
            expression = self._onwards(expression)
        slope = ca.jacobian(expression, self._bodies.state)
        return Surface(value, program(self._arguments, [slope]))


class ImpactLaw:
    """An impact with a fixed pattern, as programs of states, values and impulses.

    In the outcomes ``slip+`` and ``slip-`` the response is along the first tangent or against it,
    and plainly not along the second.
    """

    def __init__(self, bodies: Bodies, pattern: Modes, moving: tuple[int, ...]) -> None:
        self.pattern, self.moving = pattern, moving
        self.rows = [bodies.row(contact) for contact, _ in pattern]
        words = {contact: OUTCOMES.get(word) for contact, word in pattern}
        if tuple(words) != tuple(c for c in bodies.symbolic.contacts.names if c in words):
            raise Unproved("the contacts of an impact are not in order")
        if None in words.values() or not set(moving) <= set(range(3 * len(words))):
            raise Unproved("an impact has outcomes or impulses that are not there")
        if len(words) > 1 and bodies.model.world.impact != "newton":
            raise Unproved("unsupported: an impact of several contacts in sequence")
        found = bodies.symbolic.impact(words)  # type: ignore[arg-type]  # one of the outcomes
        others = [i for i in range(3 * len(words)) if i not in moving]
        zero, impulses = found.impulses[others], found.impulses[list(moving)]
        equalities, signs = split(found.equalities), []
        for k, (contact, word) in enumerate(pattern):
            if word in DIRECTED:
                limit = bodies.friction(contact) * found.impulses[3 * k]
                equalities[3 * k + 1] = found.impulses[3 * k + 1] + DIRECTED[word] * limit
                signs.append(DIRECTED[word] * found.response[3 * k + 1])
        listed = split(bodies.reduced(ca.vertcat(*equalities), zero))
        equations = ca.vertcat(NOTHING, *(e for e in listed if not e.is_zero()))
        if equations.numel() != impulses.numel():
            raise Unproved("an impact has more equations than impulses, or fewer")
        after = bodies.followed(found.after, bodies.symbolic.time, zero)
        arguments = [bodies.state, bodies.values, impulses]
        slopes = [ca.jacobian(e, x) for e in (equations, after) for x in (bodies.state, impulses)]
        self.law = Law(*(program(arguments, e) for e in ([equations], [after], slopes)))
        signs = bodies.reduced(ca.vertcat(*signs, found.inequalities), zero)
        response = bodies.reduced(found.response, zero)
        self.signs, self.response = (program(arguments, [e]) for e in (signs, response))
        self._restitution = program([bodies.values], [ca.SX(self.rows[0].restitution)])

    def conserves(self, values: list[arb]) -> bool:
        """Whether energy plainly does not grow: one contact without friction, restitution ≤ 1."""
        alone = len(self.rows) == 1 and self.rows[0].smooth
        return alone and bool(self._restitution.run(BALLS, values)[0][0] <= 1)


def number(decimal: str) -> arb:
    """A decimal as it is written."""
    return arb.pi() if decimal == "pi" else arb(decimal)
