"""From formulas over named signals to clauses of constraints ``c ≤ 0`` and ``c = 0``.

Constraints are closed sets, as a numerical optimiser needs them: ``a < b`` becomes
``a - b + margin ≤ 0``, and ``a != b`` that one side is less than the other by the margin.
Absolute values, minima and maxima are taken apart, so that what remains is smooth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain, product
from math import prod

from dyverse.automaton.guard.branches import smooth
from dyverse.automaton.guard.robustness import atom, fold, normal
from dyverse.expr.formula import Compare, Formula
from dyverse.expr.printing import term_text
from dyverse.expr.term import Term
from dyverse.falsification.satisfy.cnf import MX, Boolean, Clause, Constraint, Negated

Express = Callable[[Term], MX]  # a term as an expression over real variables
Clauses = tuple[Clause, ...]

FEW = 16  # up to so many clauses a disjunction is multiplied out; above, it gets new variables


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """Formulas to clauses, strict relations closed by ``margin``; equal parts are one literal."""

    express: Express
    margin: float
    _known: dict[tuple[Term, float | None], Constraint] = field(default_factory=dict)

    def clauses(self, formula: Formula) -> Clauses:
        """The formula in conjunctive normal form."""
        return fold(normal(formula), self._closed, conjunction, disjunction)

    def _closed(self, comparison: Compare) -> Clauses:
        """One comparison as closed constraints on smooth expressions."""
        found = atom(comparison, margin=self.margin)
        if found.sense == "reached":
            return ((self.zero(found.depth),),)
        least = self.margin if found.sense == "strict" else 0.0
        branches = smooth(found.depth)
        return disjunction(tuple((self.at_least(d, least),) for d in part) for part in branches)

    def at_least(self, depth: Term, least: float) -> Constraint:
        """``depth ≥ least``."""
        if (depth, least) not in self._known:
            text = f"{term_text(depth)} >= {least:g}"
            self._known[depth, least] = Constraint(least - self.express(depth), "<=", text)
        return self._known[depth, least]

    def zero(self, depth: Term) -> Constraint:
        """``depth = 0``."""
        if (depth, None) not in self._known:
            made = Constraint(self.express(depth), "=", f"{term_text(depth)} = 0")
            self._known[depth, None] = made
        return self._known[depth, None]


def conjunction(parts: Iterable[Clauses]) -> Clauses:
    """All parts hold."""
    return tuple(chain.from_iterable(parts))


def disjunction(parts: Iterable[Clauses]) -> Clauses:
    """Some part holds: multiplied out if that is short, else by a new variable for each part."""
    parts = tuple(parts)
    if prod(len(part) for part in parts) <= FEW:
        return tuple(tuple(dict.fromkeys(chain(*chosen))) for chosen in product(*parts))
    return by_name(parts)


def by_name(parts: Iterable[Clauses]) -> Clauses:
    """Some part holds: a literal for each part, and clauses by which the part holds if it does."""
    parts = tuple(parts)
    names = [Boolean(f"part {place}") for place, _ in enumerate(parts)]
    single = [len(part) == 1 and len(part[0]) == 1 for part in parts]
    literals = (p[0][0] if one else name for p, name, one in zip(parts, names, single, strict=True))
    rest = ((name, p) for p, name, one in zip(parts, names, single, strict=True) if not one)
    return (tuple(literals), *some(rest)[1:])


def some(parts: Iterable[tuple[Boolean, Clauses]]) -> Clauses:
    """Some part holds, and its name with it.

    That a part holds where its name does is enough, because a name never stands under a negation:
    this is Plaisted and Greenbaum's half of Tseitin's translation.
    """
    parts = tuple(parts)
    named = (implied(name, part) for name, part in parts)
    return (tuple(name for name, _ in parts), *chain.from_iterable(named))


def implied(condition: Boolean, then: Iterable[Clause]) -> Clauses:
    """The clauses hold if the condition does."""
    return tuple((Negated(condition), *clause) for clause in then)
