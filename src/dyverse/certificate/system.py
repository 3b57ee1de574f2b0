"""A question as programs: the start, each location, and when it ends."""

from __future__ import annotations

from functools import cached_property

import casadi as ca
from flint import arb

from dyverse.automaton.description import Described
from dyverse.bodies.values import known_amounts
from dyverse.certificate.automata import Automata, Here
from dyverse.certificate.bodies import Bodies
from dyverse.certificate.claim import Asked, number
from dyverse.certificate.file import Modes, Question, Unproved
from dyverse.certificate.place import NOTHING, Frame, Place, Terms
from dyverse.certificate.watch import Condition
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.program import Program, program
from dyverse.expr.formula import Compare
from dyverse.expr.symbolic import EXPRESSIONS, SX, symbolic
from dyverse.expr.term import Number, Symbol


class System:
    """What a certificate is checked against: bodies, or automata."""

    def __init__(self, question: Question) -> None:
        self.question, self._asked = question, Asked(question)
        self.claim, self.numbers = self._asked.claim, self._asked.numbers
        self.bodies: Bodies | None = None
        self.automata: Automata | None = None
        self._known: dict[str, SX] = {}
        model = self._asked.model
        if model.described is None:
            self.bodies = Bodies(self._asked)
            self._known, values = dict(self.bodies.symbolic.open.values), self.bodies.values
            first = self.bodies.followed(self.bodies.symbolic.start(), ca.SX(0))
            self.frame = Frame(self.bodies.state, values, first, self.claim, question.states)
        elif model.world.bodies:
            raise Unproved("unsupported: bodies and automata together")
        else:
            self.automata = self._automata(model.described)
        self._places: dict[tuple[Modes, Here | None], Place] = {}

    def _automata(self, described: Described) -> Automata:
        """The automata of a model without bodies."""
        world, own = self._asked.model.world, described.settable()
        settings: dict[str, SX] = {name: ca.SX.sym(name) for name in self._asked.names}
        others = {name: symbol for name, symbol in settings.items() if name not in own}
        formulas = {item.name: item.formula for item in world.inputs if item.formula is not None}
        self._known = known_amounts(world, others, EXPRESSIONS)
        symbols = {item.name: ca.SX.sym(item.name) for item in described.declared}
        found = Automata(described.reading(formulas), self._known, settings, symbols)
        names = self.question.states
        if unknown := [n for n in (*names, *self.question.still) if n not in found.moving]:
            raise Unproved(f"there is no state {unknown[0]!r}")
        if self.question.still:
            raise Unproved("unsupported: variables of automata that are still")
        self._time = ca.SX.sym("t")
        state = ca.vertcat(*(found.moving[name] for name in names), self._time)
        first = ca.vertcat(*(found.starts[name] for name in names), ca.SX(0))
        values = ca.vertcat(NOTHING, *settings.values())
        self.frame = Frame(state, values, first, self.claim, names)
        return found

    @cached_property
    def start(self) -> Program:
        """The first states, of the values."""
        return program([self.frame.values], [self.frame.first])

    @cached_property
    def until(self) -> Program:
        """When the property ends, or the model, of the values."""
        return program([self.frame.values], [symbolic(self._asked.until, self._known)])

    def end(self, values: list[arb]) -> arb:
        """When the question ends: it may say so itself."""
        if self.question.until is not None and not self.claim.fixed:
            return number(self.question.until)
        return self.until.run(BALLS, values)[0][0]

    def place(self, modes: Modes, here: Here | None = None) -> Place:
        """What is known of a location: the modes of contacts, and where automata are."""
        if (modes, here) not in self._places:
            terms = self._touching(modes) if here is None else self._waiting(here)
            self._places[modes, here] = Place(self.frame, terms)
        return self._places[modes, here]

    def _touching(self, modes: Modes) -> Terms:
        assert self.bodies is not None
        table = self.bodies.table(modes)
        depths = {name: table[name] for name in self.bodies.signals(modes)}
        own = tuple(
            Condition(f"grazing: {name}", Compare(">", Symbol(name), Number(0.0)), ((i, "strict"),))
            for i, name in enumerate(depths)
        )
        rate = self.bodies.followed(self.bodies.motion(modes), ca.SX(1))
        return Terms(rate, table, depths, own, dict(modes))

    def _waiting(self, here: Here) -> Terms:
        assert self.automata is not None
        table = self.automata.table(here) | {"t": self._time}
        depths: dict[str, SX] = {}
        own = []
        for kept in self.automata.kept(here, table):
            first = len(depths)
            depths |= {f"{kept.key}, {k}": depth for k, (depth, _) in enumerate(kept.depths)}
            atoms = tuple((first + k, sense) for k, (_, sense) in enumerate(kept.depths))
            own.append(Condition(kept.name, kept.formula, atoms))
        rates = self.automata.rates(here, table)
        rate = ca.vertcat(*(rates[name] for name in self.question.states), ca.SX(1))
        return Terms(rate, table, depths, tuple(own), {})
