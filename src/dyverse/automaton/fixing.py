"""Parameters of a network put in as numbers, so that what is constant is known as such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dyverse.automaton.component import Component
from dyverse.automaton.interface import Assignment
from dyverse.automaton.network import Network
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term, symbols
from dyverse.expr.value import value

Known = Mapping[str, float]


def with_numbers(network: Network) -> Network:
    """The same network without parameters."""
    known = dict(network.parameters)
    components = tuple(_component(item, known) for item in network.components)
    return replace(network, components=components, parameters=()) if known else network


def _component(item: Component, known: Known) -> Component:
    places = tuple(
        replace(p, rates=_assignments(p.rates, known), invariant=fixed_formula(p.invariant, known))
        for p in item.places
    )
    edges = tuple(
        replace(e, guard=fixed_formula(e.guard, known), reset=_assignments(e.reset, known))
        for e in item.edges
    )
    return replace(item, places=places, edges=edges)


def _assignments(assignments: tuple[Assignment, ...], known: Known) -> tuple[Assignment, ...]:
    return tuple(Assignment(a.target, fixed_term(a.value, known)) for a in assignments)


def fixed_formula(formula: Formula, known: Known) -> Formula:
    """A formula with numbers for the names in ``known``."""
    match formula:
        case Compare(relation=relation, left=left, right=right):
            return Compare(relation, fixed_term(left, known), fixed_term(right, known))
        case And(parts=parts):
            return And(tuple(fixed_formula(part, known) for part in parts))
        case Or(parts=parts):
            return Or(tuple(fixed_formula(part, known) for part in parts))
        case Not(part=part):
            return Not(fixed_formula(part, known))


def fixed_term(term: Term, known: Known) -> Term:
    """A term with numbers for the names in ``known``; what is constant then is one number."""
    if all(symbol.name in known for symbol in symbols(term)):
        return Number(value(term, known))
    match term:
        case Negate(operand=operand):
            return Negate(fixed_term(operand, known))
        case Binary(operator=sign, left=left, right=right):
            return Binary(sign, fixed_term(left, known), fixed_term(right, known))
        case Call(function=function, arguments=arguments):
            return Call(function, tuple(fixed_term(a, known) for a in arguments))
        case Number() | Symbol():
            return term
