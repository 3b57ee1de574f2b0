"""Formulas in conjunctive normal form: what the lazy solver is asked about.

A literal is a Boolean variable, a constraint ``c(x) ∘ 0`` with ∘ one of = and ≤, or a definition
``y = e(x)`` of one real variable by others; an ODE literal ``x⁽ⁱ⁺¹⁾ = ODE(f_s, x⁽ⁱ⁾, τ)`` is a
definition by the call of an integrator. Formulas are in negation normal form, so that only Boolean
literals are ever negated: a constraint that is not chosen is not enforced, nor is its opposite.
[navarro2018] supplement §2

Expressions are CasADi MX, in which an integrator stays one node however long it runs. Variables
and literals are compared by identity: the same object is the same literal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from dyverse.automaton.interface import Array

MX = Any  # casadi ships no type information
Relation = Literal["=", "<="]


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A real unknown, a number or a column of them, and the range of each entry."""

    symbol: MX
    lower: Array
    upper: Array

    @property
    def name(self) -> str:
        """What its symbol is called."""
        return str(self.symbol.name())

    def __repr__(self) -> str:
        return f"Variable({self.name})"


def real(
    name: str, lower: ArrayLike = -np.inf, upper: ArrayLike = np.inf, *, size: int = 1
) -> Variable:
    """A new real variable; one number for a range holds for all its entries."""
    low, high = (np.broadcast_to(np.asarray(end, float), (size,)).copy() for end in (lower, upper))
    return Variable(ca.MX.sym(name, size), low, high)


@dataclass(frozen=True, slots=True, eq=False)
class Boolean:
    """A Boolean variable, true as a literal."""

    name: str


@dataclass(frozen=True, slots=True)
class Negated:
    """A Boolean variable, false as a literal."""

    boolean: Boolean


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """``expression relation 0``, the expression being one number."""

    expression: MX
    relation: Relation
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """``variable = value``: it takes the variable out of the problem where it holds."""

    variable: Variable
    value: MX
    text: str = ""


RealLiteral = Constraint | Definition
Atom = Boolean | Constraint | Definition
AnyLiteral = Atom | Negated
Clause = tuple[AnyLiteral, ...]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many clauses have one literal, two, and more."""

    one: int = 0
    two: int = 0
    more: int = 0

    @property
    def all(self) -> int:
        """How many clauses there are."""
        return self.one + self.two + self.more

    def __sub__(self, other: Sizes) -> Sizes:
        return Sizes(self.one - other.one, self.two - other.two, self.more - other.more)


def sizes(clauses: Iterable[Clause]) -> Sizes:
    """Count clauses by their number of literals; an empty clause counts with the single ones."""
    counted = Counter(min(max(len(clause), 1), 3) for clause in clauses)
    return Sizes(counted[1], counted[2], counted[3])


@dataclass(frozen=True, slots=True, eq=False)
class Cnf:
    """All ``clauses`` hold, each by one of its literals, with the ``variables`` in their ranges."""

    clauses: tuple[Clause, ...] = ()
    variables: tuple[Variable, ...] = ()

    def also(self, clauses: Iterable[Clause] = (), variables: Iterable[Variable] = ()) -> Cnf:
        """The same with more clauses, over more variables."""
        known = dict.fromkeys((*self.variables, *variables))
        return Cnf((*self.clauses, *clauses), tuple(known))

    @property
    def sizes(self) -> Sizes:
        """The clauses, counted by their number of literals."""
        return sizes(self.clauses)


def atom_of(literal: AnyLiteral) -> Atom:
    """The literal without its sign."""
    return literal.boolean if isinstance(literal, Negated) else literal
