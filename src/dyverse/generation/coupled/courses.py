"""Bodies that are moved by automata: how what they move along changes.

``moves (0, lift.h, 0)`` follows a variable of an automaton. Its velocity is then the rate of that
variable, in each location its own, and its acceleration the rate of that. A velocity is made of
time, parameters and variables of automata; an acceleration may depend on all else, too. Where a
jump of an automaton changes the velocity, contacts that are closed are looked at anew, and that
may be an impact; where it changes the place, the run cannot go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.network.component import Component, Fault
from dyverse.automaton.reading.description import Declared, Described
from dyverse.bodies.values import known_values
from dyverse.bodies.world import Body, Course, World
from dyverse.errors import ModelError, Problem
from dyverse.expr.derivative import product, total
from dyverse.expr.switching import Separator
from dyverse.expr.term import Number, Symbol, Term, Vector, symbols
from dyverse.mechanics.dynamics import JUMP, Dynamics

ZERO, ONE = Number(0.0), Number(1.0)


def steered(world: World, automata: Described) -> World:
    """The world with the courses of all that moves its bodies; a `ModelError` where that cannot be.

    ``automata`` are those of the model, with inputs worked out.
    """
    if not any(map(_is_steered, world.bodies)):
        return world
    rates = {item.name: _rate(item, automata.components) for item in automata.declared}
    rates |= dict.fromkeys(automata.located(), ZERO)
    constants = {constant.name: constant.value for constant in automata.constants}
    found = replace(world, bodies=tuple(_with_courses(body, rates) for body in world.bodies))
    known = {*known_values(world, {}), *rates, *constants, "t", "pi"}
    if problems := [p for body in found.bodies for p in _problems(body, known)]:
        raise ModelError(problems)
    return started(found, automata, {})


def started(world: World, automata: Described, settings: Mapping[str, float]) -> World:
    """The same where variables start as these settings say."""
    if not any(body.courses for body in world.bodies):
        return world
    own = {name: x for name, x in settings.items() if name not in automata.settable()}
    begin = automata.numbers(known_values(world, own), settings)
    begin |= {
        f"{item.name}.{place.name}": float(place.name == item.initial)
        for item in automata.components
        for place in item.places
    }

    def placed(body: Body) -> Body:
        courses = (replace(one, start=Number(begin.get(one.name, 0.0))) for one in body.courses)
        return replace(body, courses=tuple(courses))

    return replace(world, bodies=tuple(map(placed, world.bodies)))


def steering(world: World) -> frozenset[str]:
    """Every name that bodies are moved by."""
    return frozenset(one.name for body in world.bodies for one in body.courses)


def _is_steered(body: Body) -> bool:
    return any("." in symbol.name for term in _written(body) for symbol in symbols(term))


def _written(body: Body) -> Iterator[Term]:
    return (term for vector in (body.moves, body.turns, body.drags) for term in vector or ())


def _rate(item: Declared, components: tuple[Component, ...]) -> Term:
    """How a variable changes: in each location of whoever says so as that says."""
    usual = ONE if item.kind == "clock" else ZERO
    for component in components:
        given = [
            {rate.target: rate.value for rate in place.rates}.get(item.name)
            for place in component.places
        ]
        if any(value is not None for value in given):
            values = [usual if value is None else value for value in given]
            return _chosen(component, values)
    return usual


def _chosen(component: Component, values: list[Term]) -> Term:
    """The value of the location that it is in."""
    if all(value == values[0] for value in values):
        return values[0]
    places = zip(component.places, values, strict=True)
    return total(*(product(Symbol(f"{component.name}.{p.name}"), value) for p, value in places))


def _with_courses(body: Body, rates: Mapping[str, Term]) -> Body:
    """A body that knows how all changes that it is moved by, and all that these change by."""
    courses: dict[str, Course] = {}
    waiting = [symbol.name for term in _written(body) for symbol in symbols(term)]
    while waiting:
        name = waiting.pop()
        if name in rates and name not in courses:
            courses[name] = Course(name, rates[name], ZERO)
            waiting += [symbol.name for symbol in symbols(rates[name])]
    return replace(body, courses=tuple(courses.values()))


def _problems(body: Body, known: set[str]) -> Iterator[Problem]:
    """A velocity that is not known from time and automata alone, or that switches."""
    for speed in _speeds(body) if body.courses else ():
        for term in speed:
            for symbol in symbols(term):
                if symbol.name not in known:
                    message = f"the velocity of body {body.name!r} would depend on {symbol.name!r}"
                    hint = "let it follow a variable whose rate is another variable"
                    yield Problem(f"{message}; {hint}", body.span)
        separate = Separator(lambda name: name != "t" and "." not in name)
        for term in speed:
            separate(term)
        for switch in separate.switches:
            message = f"the velocity of body {body.name!r} has a kink or a jump, in {switch.text}"
            yield Problem(f"{message}; write locations instead", body.span)


def _speeds(body: Body) -> Iterator[Vector]:
    return (found[1] for found in (body.driven, body.turned) if found is not None)


def followed(dynamics: Dynamics, time: float, bodies: Array) -> Array:
    """The state of the bodies after a jump of automata, with the velocities that these ask for."""
    placed = bodies.copy()
    dynamics.place(time, placed)
    return bodies if _leap(dynamics, bodies, placed).any() else placed


def check_places(dynamics: Dynamics, time: float, bodies: Array) -> None:
    """Raise a `Fault` where automata have put a body elsewhere at once."""
    placed = bodies.copy()
    dynamics.place(time, placed)
    if (leap := _leap(dynamics, bodies, placed)).any():
        name = dynamics.layout.coordinates[int(np.argmax(leap))].partition(".")[0]
        raise Fault(f"body {name!r} would jump: an edge has changed what it is moved by")


def _leap(dynamics: Dynamics, bodies: Array, placed: Array) -> Array:
    """Which coordinates have jumped, and how far."""
    far = np.abs((placed - bodies)[dynamics.layout.q])
    return np.where(far > JUMP, far, 0.0)
