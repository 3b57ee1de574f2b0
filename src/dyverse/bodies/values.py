"""Numbers for names: parameters at their own or at other values, and inputs set from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from dyverse.bodies.amounts import amount_problem
from dyverse.bodies.world import World
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.algebra import Amounts
from dyverse.expr.term import Call, Number, Term, symbols
from dyverse.expr.value import NUMBERS
from dyverse.given import number_problem

T = TypeVar("T")

_MAX_CYCLES = 20  # a model with more circles than that is hopeless


def known_values(world: World, settings: Mapping[str, float]) -> dict[str, float]:
    """Parameters and inputs without formula, by name; whatever cannot be computed is left out.

    A parameter in ``settings`` has that value, and those defined by it follow.
    """
    return known_amounts(world, settings, NUMBERS)


def known_amounts(world: World, settings: Mapping[str, T], amounts: Amounts[T]) -> dict[str, T]:
    """The same for any kind of number."""
    ports = {item.name: item.limits for item in world.inputs if item.formula is None}
    free = (name for name, limits in ports.items() if limits is None)
    known = {name: settings.get(name, amounts.number(0.0)) for name in free}
    terms = {p.name: p.value for p in world.parameters}
    terms |= {name: _least(limits) for name, limits in ports.items() if limits is not None}
    for name in _in_order(terms, settings):
        try:
            known[name] = settings[name] if name in settings else amounts.read(terms[name], known)
        except (KeyError, TypeError):
            continue  # a name or function that is not known
    return known


def _least(limits: tuple[Term, Term]) -> Term:
    """Zero, or what is nearest to it in a range."""
    return Call("max", (limits[0], Call("min", (limits[1], Number(0.0)))))


def _in_order(terms: Mapping[str, Term], settings: Mapping[str, T]) -> list[str]:
    """The parameters, each after those it needs; those defined in a circle are left out."""
    graph = {
        name: set() if name in settings else {s.name for s in symbols(term)} & terms.keys()
        for name, term in terms.items()
    }
    for _ in range(_MAX_CYCLES):
        try:
            order = TopologicalSorter(graph).static_order()
            return [name for name in order if name in graph]
        except CycleError as error:
            graph = {name: needs for name, needs in graph.items() if name not in error.args[1]}
    return []


def setting_problems(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    """Settings of what is not there or cannot be set."""
    starts = [f"{body.name}.{name}" for body in world.bodies for name in body.settable]
    known = [*(p.name for p in world.parameters), *(i.name for i in world.inputs), *starts]
    names = frozenset(known)
    formulas = {i.name for i in world.inputs if i.formula is not None}
    for name, amount in settings.items():
        if wrong := number_problem(amount):
            yield Problem(f"cannot set {name!r} to {amount!r}: {wrong}")
        elif "." in name and (wrong := amount_problem(amount)):
            yield Problem(f"cannot set {name!r}: it is {wrong}")
        if name in formulas:
            yield Problem(f"cannot set the input {name!r}: it has a formula")
        elif name not in names:
            yield Problem(f"cannot set {name!r}: unknown name{did_you_mean(name, known)}")
