"""A location as programs: its field, and the conditions that hold as long as it is not left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from dyverse.automaton.guard.robustness import Sense, leaves, staying
from dyverse.certificate.claim import Claim
from dyverse.certificate.file import Unproved
from dyverse.certificate.watch import Condition, Conditions
from dyverse.enclosure.front import Field
from dyverse.enclosure.jump import Surface
from dyverse.enclosure.program import Program, program
from dyverse.expr.formula import formula_symbols
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import CONSTANTS

NOTHING = ca.SX(0, 1)
HIGHEST = 4  # derivative that may be the first one that is not zero


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What all locations of a system share: the arguments of programs, and what is claimed."""

    state: SX  # those that are followed, and the time
    values: SX
    first: SX  # states, of the values
    claim: Claim
    names: tuple[str, ...]  # of the states


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What a location is made of: expressions of states and values."""

    rate: SX
    table: Mapping[str, SX]  # everything that has a name here
    depths: Mapping[str, SX]  # what conditions are about, by name
    own: tuple[Condition, ...]  # their atoms are numbered as the depths
    modes: Mapping[str, str]  # of closed contacts


class Place:
    """A location with its programs, each made when it is first asked for."""

    def __init__(self, frame: Frame, terms: Terms) -> None:
        self._frame, self.own, self.modes = frame, terms.own, terms.modes
        self.rate, self.table, self.depths = terms.rate, terms.table, terms.depths
        self.atoms = {name: i for i, name in enumerate(terms.depths)}
        self._arguments = [frame.state, frame.values]
        self._derivatives: dict[tuple[str, int], Program] = {}

    @cached_property
    def field(self) -> Field:
        """The vector field as programs."""
        slopes = ca.jacobian(self.rate, self._frame.state)
        return Field(*(program(self._arguments, [e]) for e in (self.rate, slopes)))

    @cached_property
    def kinks(self) -> Program:
        """What comes to zero where the field has a kink."""
        return self.field.rate.kinks()

    @cached_property
    def is_driven(self) -> bool:
        """Whether time itself moves the states."""
        return bool(ca.depends_on(self.rate, self._frame.state[-1]))

    @cached_property
    def claimed(self) -> list[tuple[SX, Sense]]:
        """The depths of the property's atoms, which are to be positive, or not negative."""
        formula = self._frame.claim.formula
        known = self.table.keys() | CONSTANTS.keys()
        if other := [s.name for s in formula_symbols(formula) if s.name not in known]:
            raise Unproved(f"unsupported: the property asks for {other[0]}")
        found = (staying(leaf, margin=0.0) for leaf in leaves(formula))
        return [(symbolic(atom.depth, self.table), atom.sense) for atom in found]

    @cached_property
    def conditions(self) -> tuple[Conditions, Conditions]:
        """What holds here, without and with the property."""
        (claim,), found = self.promise.listed, self.promise.depths
        return Conditions(self.own, found), Conditions((*self.own, claim), found)

    @cached_property
    def promise(self) -> Conditions:
        """The property alone."""
        depths = [*self.depths.values(), *(d for d, _ in self.claimed)]
        found = program(self._arguments, [ca.vertcat(NOTHING, *depths)])
        atoms = tuple((len(self.depths) + i, sense) for i, (_, sense) in enumerate(self.claimed))
        claim = Condition("border: the property", self._frame.claim.formula, atoms)
        return Conditions((claim,), found)

    def bounds(self) -> Iterator[tuple[int, SX]]:
        """The property's atoms that hold at their bound, with their depths."""
        for i, (depth, sense) in enumerate(self.claimed, start=len(self.depths)):
            if sense == "weak":
                yield i, depth

    def touching(self) -> dict[int, Program]:
        """The property's atoms that are plainly at their bound at the start, and may be there.

        Each with the first derivative by time that is not plainly zero then.
        """
        found: dict[int, Program] = {}
        for i, depth in self.bounds():
            for order in range(HIGHEST):
                if not ca.substitute(depth, self._frame.state, self._frame.first).is_zero():
                    if order:
                        found[i] = program(self._arguments, [depth])
                    break
                depth = self.onwards(depth)
        return found

    def onwards(self, expression: SX) -> SX:
        """The rate of change along the flow."""
        return ca.jtimes(expression, self._frame.state, self.rate)

    def derivative(self, name: str, order: int) -> Program:
        """A derivative of a signal by time."""
        if (name, order) not in self._derivatives:
            found = self._differentiated(name, order)
            self._derivatives[name, order] = program(self._arguments, [found])
        return self._derivatives[name, order]

    def surface(self, name: str, order: int = 0) -> Surface:
        """Where a signal, or a derivative of it by time, comes to zero."""
        slope = ca.jacobian(self._differentiated(name, order), self._frame.state)
        return Surface(self.derivative(name, order), program(self._arguments, [slope]))

    def _differentiated(self, name: str, order: int) -> SX:
        if name not in self.depths:
            raise Unproved(f"{name} is not watched here")
        found = self.depths[name]
        for _ in range(order):
            found = self.onwards(found)
        return found
