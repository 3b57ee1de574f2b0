"""A scene whose numbers are CasADi expressions of some settings: `scene` with symbols put in.

`symbolic_scene` says the same as `dyverse.bodies.scene.scene`, without its checks; a test compares
the two. What is set may be a symbol or a number, and whatever follows from it is an expression.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import casadi as ca

from dyverse.bodies.pairs import TouchingPair, touching_pairs
from dyverse.bodies.scene import Ball, ContactPair, PlacedBody, Scene, Wall
from dyverse.bodies.shape import Sphere
from dyverse.bodies.world import AXES, Body, World
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Term, Vector, symbols

Expressions = Mapping[str, SX]


def symbolic_scene(world: World, settings: Expressions) -> Scene:
    """Put expressions into ``world``; its numbers must have been checked by `scene`."""
    known = known_expressions(world, settings)
    return Scene(
        values=known,
        gravity=_triple(world.gravity, known),
        bodies=tuple(_placed(body, known, settings) for body in world.bodies),
        contacts=tuple(_contact(pair, known) for pair in touching_pairs(world)),
        horizon=None if world.horizon is None else symbolic(world.horizon, known),
    )


def known_expressions(world: World, settings: Expressions) -> dict[str, SX]:
    """Parameters and inputs without formula, by name; a parameter follows what defines it."""
    known = {i.name: settings.get(i.name, ca.SX(0)) for i in world.inputs if i.formula is None}
    waiting = {p.name: p.value for p in world.parameters}
    known |= {name: settings[name] for name in waiting if name in settings}
    waiting = {name: term for name, term in waiting.items() if name not in settings}
    while waiting:
        ready = {name: term for name, term in waiting.items() if not _needs(term, waiting)}
        known |= {name: symbolic(term, known) for name, term in ready.items()}
        waiting = {name: term for name, term in waiting.items() if name not in ready}
    return known


def _needs(term: Term, waiting: Mapping[str, Term]) -> bool:
    return any(symbol.name in waiting for symbol in symbols(term))


def _placed(body: Body, known: Expressions, settings: Expressions) -> PlacedBody:
    shape = _shape(body, known)
    mass, inertia = _inertia(body, shape, known)
    position, rotation, velocity, spin = (
        _start(body, what, letter, known, settings)
        for what, letter in (("position", ""), ("rotation", "r"), ("velocity", "v"), ("spin", "w"))
    )
    return PlacedBody(
        name=body.name,
        shape=shape,
        mass=mass,
        inertia=inertia,
        position=position,
        rotation=rotation,
        velocity=velocity,
        spin=spin,
        fixed=body.fixed,
    )


def _shape(body: Body, known: Expressions) -> Ball | Wall:
    if isinstance(body.shape, Sphere):
        return Ball(symbolic(body.shape.radius, known))
    x, y, z = _triple(body.shape.normal, known)
    size = ca.sqrt(x * x + y * y + z * z)
    return Wall((x / size, y / size, z / size))


def _inertia(body: Body, shape: Ball | Wall, known: Expressions) -> tuple[SX, SX]:
    if body.fixed or body.mass is None or isinstance(shape, Wall):
        return math.inf, math.inf
    mass = symbolic(body.mass, known)
    solid = 0.4 * mass * shape.radius**2
    return mass, solid if body.inertia is None else symbolic(body.inertia, known)


def _start(
    body: Body, what: str, letter: str, known: Expressions, settings: Expressions
) -> tuple[SX, SX, SX]:
    given = _triple(getattr(body, what), known)
    names = [f"{body.name}.{letter}{axis}" for axis in AXES]
    x, y, z = (settings.get(name, own) for name, own in zip(names, given, strict=True))
    return (x, y, z)


def _triple(vector: Vector, known: Expressions) -> tuple[SX, SX, SX]:
    x, y, z = (symbolic(term, known) for term in vector)
    return (x, y, z)


def _contact(pair: TouchingPair, known: Expressions) -> ContactPair:
    return ContactPair(
        a=pair.a.name,
        b=pair.b.name,
        restitution=symbolic(pair.law.restitution, known),
        tangential_restitution=symbolic(pair.law.tangential_restitution, known),
        friction=pair.law.friction,
    )
