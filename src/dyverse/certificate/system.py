"""A question as programs: the start, each location, and when it ends."""

from __future__ import annotations

from functools import cached_property

import casadi as ca
from flint import arb

from dyverse.bodies.values import known_amounts
from dyverse.certificate.automata import Automata, Here
from dyverse.certificate.bodies import Bodies
from dyverse.certificate.claim import Asked, number
from dyverse.certificate.file import Modes, Question, Unproved
from dyverse.certificate.joints import check_joints
from dyverse.certificate.place import NOTHING, Frame, Place, Terms
from dyverse.certificate.watch import Condition
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.program import Program, program
from dyverse.expr.formula import Compare
from dyverse.expr.symbolic import EXPRESSIONS, SX, symbolic
from dyverse.expr.term import Number, Symbol


class System:
    """What a certificate is checked against: bodies, automata, or both together."""

    def __init__(self, question: Question) -> None:
        self.question, self._asked = question, Asked(question)
        self.claim, self.numbers = self._asked.claim, self._asked.numbers
        self.bodies = Bodies(self._asked) if self._asked.model.world.bodies else None
        self.automata = None if self._asked.model.described is None else self._automata()
        self._places: dict[tuple[Modes, Here | None], Place] = {}
        moving = {} if self.automata is None else self.automata.moving
        known = moving | (self.bodies.variables if self.bodies else {})
        mirrored = [name for name, _, _ in question.mirrored]
        if unknown := [n for n in (*question.states, *question.still, *mirrored) if n not in known]:
            raise Unproved(f"there is no state {unknown[0]!r}")
        if moved := [name for name in (*question.still, *mirrored) if name in moving]:
            raise Unproved(f"{moved[0]} is not still")
        self._beside = tuple(name for name in question.states if name in moving)

    @cached_property
    def _settings(self) -> dict[str, SX]:
        """A symbol for each unknown and each decimal."""
        if self.bodies is not None:
            return self.bodies.settings
        return {name: ca.SX.sym(name) for name in self._asked.names}

    def symbol_of(self, decimal: str) -> SX:
        """The symbol that stands for a number of the text."""
        names = (name for name, own in self._asked.decimals.items() if own == decimal)
        return self._settings[next(names)]

    @cached_property
    def _known(self) -> dict[str, SX]:
        """Parameters, and quantities of bodies that are fixed."""
        if self.bodies is not None:
            scene = self.bodies.symbolic.open
            return {name: ca.SX(x) for name, x in {**scene.constants, **scene.values}.items()}
        return known_amounts(self._asked.model.world, self._settings, EXPRESSIONS)

    @cached_property
    def _time(self) -> SX:
        return ca.SX.sym("t") if self.bodies is None else self.bodies.symbolic.time

    def _automata(self) -> Automata:
        model = self._asked.model
        assert model.described is not None
        names = [item.name for item in model.described.declared]
        symbols = self.bodies.inputs if self.bodies else {name: ca.SX.sym(name) for name in names}
        return Automata(model.automata, self._known, self._settings, symbols)

    @cached_property
    def frame(self) -> Frame:
        """What all locations share."""
        values = ca.vertcat(NOTHING, *self._settings.values())
        beside = [] if self.automata is None else [self.automata.starts[n] for n in self._beside]
        if self.bodies is not None:
            start = self.bodies.symbolic.start()
            first = self.bodies.followed(start, ca.SX(0), others=beside)
            check_joints(self.bodies)
            names = (*self.bodies.names, *self._beside)
            return Frame(self.bodies.state, self.bodies.values, first, self.claim, names)
        assert self.automata is not None
        moving = (self.automata.moving[name] for name in self._beside)
        state, first = ca.vertcat(*moving, self._time), ca.vertcat(*beside, ca.SX(0))
        return Frame(state, values, first, self.claim, self._beside)

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
            self._places[modes, here] = Place(self.frame, self._terms(modes, here))
        return self._places[modes, here]

    @property
    def has_kinks(self) -> bool:
        """Whether the field of some location that was looked at has a kink somewhere."""
        return any(place.kinks.results[0] for place in self._places.values())

    @property
    def has_jumps(self) -> bool:
        """Whether the field of some location that was looked at may jump somewhere."""
        return any(place.field.rate.may_jump for place in self._places.values())

    def _terms(self, modes: Modes, here: Here | None) -> Terms:
        table: dict[str, SX] = {"t": self._time}
        signals: list[str] = []
        if self.bodies is not None:
            table = self._fixed(self.bodies.table(modes), here)
            signals = list(self.bodies.signals(modes))
        depths = {name: table[name] for name in signals}
        own = [
            Condition(f"grazing: {name}", Compare(">", Symbol(name), Number(0.0)), ((i, "strict"),))
            for i, name in enumerate(depths)
        ]
        beside: list[SX] = []
        if self.automata is not None and here is not None:
            table |= self.automata.table(here)
            for kept in self.automata.kept(here, table):
                first = len(depths)
                depths |= {f"{kept.key}, {k}": depth for k, (depth, _) in enumerate(kept.depths)}
                atoms = tuple((first + k, sense) for k, (_, sense) in enumerate(kept.depths))
                own.append(Condition(kept.name, kept.formula, atoms))
            rates = self.automata.rates(here, table)
            beside = [rates[name] for name in self._beside]
        rate = ca.vertcat(*beside, ca.SX(1))
        if self.bodies is not None:
            motion = self._fixed({"": self.bodies.motion(modes)}, here)[""]
            rate = self.bodies.followed(motion, ca.SX(1), others=beside)
        return Terms(rate, table, depths, tuple(own), dict(modes))

    def _fixed(self, table: dict[str, SX], here: Here | None) -> dict[str, SX]:
        """Expressions of the bodies with the whole numbers of automata put in."""
        if self.automata is None or here is None or not here.whole:
            return table
        symbols = ca.vertcat(*(self.automata.whole[name] for name, _ in here.whole))
        numbers = ca.vertcat(*(ca.SX(number) for _, number in here.whole))
        return {name: ca.substitute(x, symbols, numbers) for name, x in table.items()}
