"""Algorithm 3, *CreateRoots*: the trajectories that leave a location by each edge found.

The step in which the guard was first entered is added again, with a length that is free up to the
time of the last entry, and its end is put on the boundary of the guard.
[navarro2018] supplement §4
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import casadi as ca

from dyverse.automaton.guard.robustness import atom, fold, leaves, normal
from dyverse.automaton.interface import Edge
from dyverse.automaton.symbolic import symbolic_reset
from dyverse.expr.formula import Compare, Formula, Relation, both, either, formula_symbols
from dyverse.expr.printing import term_text
from dyverse.expr.term import Term
from dyverse.falsification.paper.encoding import Encoding, Point, Root
from dyverse.falsification.satisfy.clauses import Clauses, conjunction, disjunction
from dyverse.falsification.satisfy.cnf import Cnf, Constraint
from dyverse.generation.skeleton.names import signal_parts

CHANGES = {  # comparisons in guards of rigid bodies that begin to hold when a signal reaches zero
    ("<=", frozenset({"gap"})),
    ("<", frozenset({"normal_force"})),
    ("<", frozenset({"friction_limit", "friction_force"})),
}


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """An edge whose guard was entered: the set before that step, the first and the last time."""

    edge: Edge
    formula: Cnf
    point: Point
    first: float  # since the location was entered (s)
    last: float = math.nan


def create_roots(encoding: Encoding, root: Root, crossings: tuple[Crossing, ...]) -> list[Root]:
    """Algorithm 3: one root for each edge that was crossed."""
    return [_root(encoding, root, crossing) for crossing in crossings]


def _root(encoding: Encoding, root: Root, crossing: Crossing) -> Root:
    period = crossing.last - crossing.first
    length = encoding.elastic(period)
    steps = max(1, round(period / encoding.step))
    end, _ = encoding.moved(root.location, crossing.point, length.symbol, steps=steps)
    begun = crossing.formula.also(variables=[length])
    text = f"x = ODE(f, x, [0, {period:g}])"
    formula, point = encoding.next_point(begun, end, crossing.point.memory, text)
    formula = formula.also(boundary(encoding, root, point, crossing.edge))
    alive = both(encoding.in_time, encoding.pending)
    formula = formula.also(encoding.clauses(alive, root.location, point))
    formula, point = _reset(encoding, root, formula, point, crossing.edge)
    return Root(
        location=crossing.edge.target,
        formula=formula,
        point=point,
        earliest=root.earliest + crossing.first,
        path=(*root.path, crossing.edge),
    )


def boundary(encoding: Encoding, root: Root, point: Point, edge: Edge) -> Clauses:
    """The guard, and ``point`` on its boundary.

    Of a rigid body's guard the signals that have to change sign are zero: gaps that close, normal
    forces that would have to pull, friction at its limit. Of a guard written by hand some
    comparison is at its boundary and not about to leave: its depth is zero and does not shrink.
    """
    if encoding.bodies:
        return encoding.clauses(_at_zero(normal(edge.guard)), root.location, point)
    inside = encoding.clauses(edge.guard, root.location, point)
    atoms = [atom(leaf, margin=0.0) for leaf in leaves(normal(edge.guard))]
    if not atoms or any(one.sense == "reached" for one in atoms):
        return inside
    there = encoding.translation(root.location, point)
    edges = (
        ((there.zero(one.depth),), (_grows(encoding, root, point, one.depth),)) for one in atoms
    )
    weak = encoding.clauses(_closure(normal(edge.guard)), root.location, point)
    return conjunction((weak, disjunction(edges)))


def _grows(encoding: Encoding, root: Root, point: Point, depth: Term) -> Constraint:
    rate = encoding.rate_of(depth, root.location, point)
    return Constraint(-rate, "<=", f"rate of {term_text(depth)} >= 0")


def _at_zero(guard: Formula) -> Formula:
    """The guard with equations for the comparisons that are about to become true."""

    def leaf(comparison: Compare) -> Formula:
        quantities = {signal_parts(symbol.name)[0] for symbol in formula_symbols(comparison)}
        changes = (comparison.relation, frozenset(quantities)) in CHANGES
        return replace(comparison, relation="==") if changes else comparison

    return fold(guard, leaf, lambda parts: both(*parts), lambda parts: either(*parts))


def _closure(guard: Formula) -> Formula:
    """The guard with its boundary: strict comparisons made weak."""
    weak: dict[Relation, Relation] = {"<": "<=", ">": ">="}

    def leaf(comparison: Compare) -> Formula:
        return replace(comparison, relation=weak.get(comparison.relation, comparison.relation))

    return fold(guard, leaf, lambda parts: both(*parts), lambda parts: either(*parts))


def _reset(
    encoding: Encoding, root: Root, formula: Cnf, point: Point, edge: Edge
) -> tuple[Cnf, Point]:
    """The state after the edge; most edges change nothing."""
    if not edge.reset:
        return formula, point
    symbols = encoding.symbols
    changed = symbolic_reset(edge.reset, symbols.variables, encoding.signals(root.location))
    after = encoding.function(changed)(*encoding.at(point))
    value = ca.vertcat(after, point.state.symbol[-1])
    return encoding.next_point(formula, value, encoding.no_memory, "x = R(x)")
