"""A question as programs: the start, each location, and when it ends."""

from __future__ import annotations

from functools import cached_property

import casadi as ca
from flint import arb

from dyverse.certificate.bodies import Bodies
from dyverse.certificate.claim import Asked, number
from dyverse.certificate.file import Modes, Question, Unproved
from dyverse.certificate.place import Frame, Place, Terms
from dyverse.certificate.watch import Condition
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.program import Program, program
from dyverse.expr.formula import Compare
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Number, Symbol


class System:
    """What a certificate is checked against."""

    def __init__(self, question: Question) -> None:
        self.question, self._asked = question, Asked(question)
        model = self._asked.model
        if model.described is not None or not model.world.bodies:
            raise Unproved("unsupported: only bodies can be proved, no automata")
        self.bodies, self.claim = Bodies(self._asked), self._asked.claim
        self.numbers = self._asked.numbers
        self._places: dict[Modes, Place] = {}

    @cached_property
    def frame(self) -> Frame:
        """What all locations share."""
        bodies = self.bodies
        first = bodies.followed(bodies.symbolic.start(), ca.SX(0))
        return Frame(bodies.state, bodies.values, first, self.claim)

    @cached_property
    def start(self) -> Program:
        """The first states, of the values."""
        return program([self.frame.values], [self.frame.first])

    @cached_property
    def until(self) -> Program:
        """When the property ends, or the model, of the values."""
        end = symbolic(self._asked.until, self.bodies.symbolic.open.values)
        return program([self.frame.values], [end])

    def end(self, values: list[arb]) -> arb:
        """When the question ends: it may say so itself."""
        if self.question.until is not None and not self.claim.fixed:
            return number(self.question.until)
        return self.until.run(BALLS, values)[0][0]

    def place(self, modes: Modes) -> Place:
        """What is known of a location."""
        if modes not in self._places:
            self._places[modes] = Place(self.frame, self._terms(modes))
        return self._places[modes]

    def _terms(self, modes: Modes) -> Terms:
        table = self.bodies.table(modes)
        depths = {name: table[name] for name in self.bodies.signals(modes)}
        own = tuple(
            Condition(f"grazing: {name}", Compare(">", Symbol(name), Number(0.0)), ((i, "strict"),))
            for i, name in enumerate(depths)
        )
        rate = self.bodies.followed(self.bodies.motion(modes), ca.SX(1))
        return Terms(rate, table, depths, own, dict(modes))
