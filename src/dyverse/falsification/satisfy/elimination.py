"""Definitions taken out of a set of literals: what is left is over variables that nothing defines.

A trajectory is a chain of definitions, each state by the one before. Put into one another they
leave the start, the parameters and the lengths of steps as the only unknowns (single shooting), and
each constraint remembers the definitions it was reduced by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np

from dyverse.falsification.satisfy.cnf import MX, Definition, RealLiteral, Relation, Variable

NOTHING: frozenset[Definition] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A variable's value over undefined variables, and the definitions it comes from."""

    expression: MX
    over: frozenset[Variable]
    through: frozenset[Definition]


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """What ``literal`` asks of undefined variables: every row ``relation`` 0."""

    literal: RealLiteral
    rows: MX
    relation: Relation
    over: frozenset[Variable]
    through: frozenset[Definition]

    @property
    def literals(self) -> frozenset[RealLiteral]:
        """The literals without which these rows would not be asked for."""
        return self.through | {self.literal}


@dataclass(frozen=True, slots=True, eq=False)
class Elimination:
    """The constraints that are left, and the values of the variables taken out."""

    constraints: tuple[Reduced, ...]
    values: Mapping[Variable, Value]


class Eliminator:
    """Takes definitions out; values that were worked out once are kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Definition, frozenset[Definition]], Value] = {}

    def eliminate(
        self, literals: Sequence[RealLiteral], variables: Iterable[Variable]
    ) -> Elimination:
        """Use one definition of each variable; second ones and circular ones become equations."""
        known = {hash(variable.symbol): variable for variable in variables}
        chosen, left = _chosen(literals)
        values, circular = self._values(chosen, known)
        reduced = [_reduced(literal, known, values) for literal in (*left, *circular)]
        for definition in chosen:
            if definition not in circular:
                reduced += _ranges(definition, values[definition.variable])
        return Elimination(tuple(reduced), values)

    def _values(
        self, definitions: list[Definition], known: Mapping[int, Variable]
    ) -> tuple[dict[Variable, Value], list[Definition]]:
        """Definitions put into one another, and those that wait for each other."""
        values: dict[Variable, Value] = {}
        circular: list[Definition] = []
        waiting = {definition.variable: definition for definition in definitions}
        while waiting:
            before = len(waiting)
            for definition in tuple(waiting.values()):
                needs = [known[symbol] for symbol in _symbols(definition)]
                if not any(variable in waiting for variable in needs):
                    values[definition.variable] = self._value(definition, needs, values)
                    del waiting[definition.variable]
            if len(waiting) == before:
                circular.append(waiting.pop(next(iter(waiting))))
        return values, circular

    def _value(
        self, definition: Definition, needs: list[Variable], values: Mapping[Variable, Value]
    ) -> Value:
        before = NOTHING.union(*(values[v].through for v in needs if v in values))
        if (definition, before) not in self._kept:
            expression, over, through = _put_in(definition.value, needs, values)
            made = Value(expression, over, through | {definition})
            self._kept[definition, before] = made
        return self._kept[definition, before]


def _chosen(literals: Sequence[RealLiteral]) -> tuple[list[Definition], list[RealLiteral]]:
    """The first definition of each variable, and all other literals."""
    first: dict[Variable, Definition] = {}
    for literal in literals:
        if isinstance(literal, Definition):
            first.setdefault(literal.variable, literal)
    used = set(first.values())
    return list(first.values()), [literal for literal in literals if literal not in used]


def _put_in(
    expression: MX, needs: list[Variable], values: Mapping[Variable, Value]
) -> tuple[MX, frozenset[Variable], frozenset[Definition]]:
    defined = [variable for variable in needs if variable in values]
    free = frozenset(variable for variable in needs if variable not in values)
    if not defined:
        return expression, free, NOTHING
    symbols = [variable.symbol for variable in defined]
    (put_in,) = ca.substitute([expression], symbols, [values[v].expression for v in defined])
    over = free.union(*(values[v].over for v in defined))
    return put_in, over, NOTHING.union(*(values[v].through for v in defined))


def _reduced(
    literal: RealLiteral, known: Mapping[int, Variable], values: Mapping[Variable, Value]
) -> Reduced:
    asked, relation = literal_rows(literal)
    needs = [known[symbol] for symbol in _symbols(literal)]
    if isinstance(literal, Definition):
        needs = list(dict.fromkeys((*needs, literal.variable)))
    rows, over, through = _put_in(asked, needs, values)
    return Reduced(literal, rows, relation, over, through)


def literal_rows(literal: RealLiteral) -> tuple[MX, Relation]:
    """What must be zero, or not positive."""
    if isinstance(literal, Definition):
        return literal.variable.symbol - literal.value, "="
    return literal.expression, literal.relation


def _ranges(definition: Definition, value: Value) -> Iterator[Reduced]:
    """A variable keeps to its range also where something else defines it."""
    variable = definition.variable
    low, high = np.isfinite(variable.lower), np.isfinite(variable.upper)
    rows = [variable.lower[i] - value.expression[int(i)] for i in np.flatnonzero(low)]
    rows += [value.expression[int(i)] - variable.upper[i] for i in np.flatnonzero(high)]
    if rows:
        yield Reduced(definition, ca.vertcat(*rows), "<=", value.over, value.through)


@lru_cache(maxsize=2**16)
def _symbols(literal: RealLiteral) -> tuple[int, ...]:
    """What a constraint, or the value of a definition, is made of: hashes of symbols."""
    expression = literal.value if isinstance(literal, Definition) else literal.expression
    return tuple(hash(symbol) for symbol in ca.symvar(expression))
