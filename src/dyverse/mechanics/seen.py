"""What can be seen of contacts at a state without knowing their forces: gaps and speeds.

In come a world and the expressions of its names, out go those of ``gap[a,b]``,
``normal_speed[a,b]`` and ``slip_speed[a,b]``. As terms over variables and
parameters they are what automata, inputs and forces read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import casadi as ca

from dyverse.bodies.placed import ContactPair
from dyverse.bodies.scene import symbolic_scene
from dyverse.bodies.signals import SIGNAL
from dyverse.bodies.world import AXES, Body, ContactRule, Input, Load, World
from dyverse.errors import ModelError, Problem
from dyverse.expr.buffered import column
from dyverse.expr.read_back import Unreadable, read_back
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, substitution
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Symbol, Term, Vector
from dyverse.mechanics.layout import Layout
from dyverse.mechanics.turning import variables

LONGEST = 20_000  # operations of a term that stands for a signal


class Seen(NamedTuple):
    """A contact by its number, its two ends as a signal names them, and what is seen of it."""

    number: int
    ends: str
    gap: SX
    speed: SX  # γ: normal, tangent 1, tangent 2

    @property
    def signals(self) -> dict[str, SX]:
        """Its signals by name."""
        return {
            f"gap[{self.ends}]": self.gap,
            f"normal_speed[{self.ends}]": self.speed[0],
            f"slip_speed[{self.ends}]": ca.norm_2(self.speed[1:]),
        }


def seen(world: World, table: Mapping[str, SX], asked: Collection[str]) -> Iterator[Seen]:
    """The contacts of which ``asked`` has a signal, however their ends are ordered in it."""
    wanted = {(found[2], found[3]): name for name in asked if (found := SIGNAL.fullmatch(name))}
    if not wanted:
        return
    settings = {name: given for name, given in table.items() if "." not in name}  # no state
    for number, contact in enumerate(symbolic_scene(world, settings).contacts):
        a, b = contact.name.split("-", 1)
        for ends in ((a, b), (b, a)):
            if ends in wanted:
                gap, speed, *_ = contact.pair.rows(*_pair_arguments(table, contact))
                yield Seen(number, ",".join(ends), gap, speed)


def _pair_arguments(table: Mapping[str, SX], contact: ContactPair) -> tuple[SX, SX]:
    """Both bodies, then both shapes, as a pair function takes them."""
    bodies = [_motion(table, name)[: contact.pair.body] for name in contact.ends]
    return ca.vertcat(*bodies), column([ca.SX(number) for number in contact.numbers])


def _motion(table: Mapping[str, SX], body: str) -> SX:
    """Position, velocity, spin and orientation of a body."""
    lies = [table.get(f"{body}.{name}", 0.0) for name in ("qw", "qx", "qy", "qz")]
    if f"{body}.qw" not in table:
        lies[0] = 1.0  # it does not matter how it lies
    moves = (table[f"{body}.{prefix}{axis}"] for prefix in ("", "v", "w") for axis in AXES)
    return ca.vertcat(*moves, *lies)


def written_out(world: World) -> World:
    """The world with signals of contacts in inputs and loads replaced by what they stand for."""
    named = frozenset(name for name in named_in_loads(world) if SIGNAL.fullmatch(name))
    if not named:
        return world
    return _acting(world, substitution(meanings(world, named)))


def named_in_loads(world: World) -> frozenset[str]:
    """Every name in inputs, forces, torques, drives of joints and conditions of contacts."""
    named: set[str] = set()

    def note(term: Term) -> Term:
        if isinstance(term, Symbol):
            named.add(term.name)
        return term

    _acting(world, note)
    return frozenset(named)


def _acting(world: World, rewrite: Rewrite) -> World:
    """The world with ``rewrite`` applied to inputs, forces, torques, drives and conditions."""

    def vector(terms: Vector) -> Vector:
        x, y, z = (rewritten(term, rewrite) for term in terms)
        return x, y, z

    def load(item: Load) -> Load:
        at = None if item.at is None else vector(item.at)
        return replace(item, vector=vector(item.vector), at=at)

    def given(item: Input) -> Input:
        found = item.formula
        return item if found is None else replace(item, formula=rewritten(found, rewrite))

    def rule(item: ContactRule) -> ContactRule:
        when = item.when
        return item if when is None else replace(item, when=rewritten_formula(when, rewrite))

    return replace(
        world,
        contacts=tuple(map(rule, world.contacts)),
        inputs=tuple(map(given, world.inputs)),
        loads=tuple(map(load, world.loads)),
        drives=tuple(replace(d, amount=rewritten(d.amount, rewrite)) for d in world.drives),
    )


@lru_cache(maxsize=64)
def meanings(world: World, asked: frozenset[str]) -> dict[str, Term]:
    """The names in ``asked`` that follow from the state, as terms over what they follow from."""
    layout = Layout.of(world.bodies, world.joints)
    wanted = {name for name in asked if name in layout.spins or SIGNAL.fullmatch(name)}
    if not wanted:
        return {}
    symbols = dict(_symbols(world, layout))
    state = ca.vertcat(*(symbols[name] for name in layout.variables))
    table = symbols | variables(layout, state) | dict(_at_rest(world.bodies))
    found = {name: table[name] for name in wanted if name in table}
    for contact in seen(world, table, wanted):
        found |= {name: value for name, value in contact.signals.items() if name in wanted}
    known = [(symbol, Symbol(name)) for name, symbol in symbols.items()]
    return {name: _term(name, value, known) for name, value in found.items()}


def _symbols(world: World, layout: Layout) -> Iterator[tuple[str, SX]]:
    """A symbol for each variable, each parameter and port, and the place of each fixed body."""
    ports = (item.name for item in world.inputs if item.formula is None)
    places = (
        f"{body.name}.{name}"
        for body in world.bodies
        if body.fixed
        for name in body.motion.coordinates
    )
    names = (*layout.variables, *(item.name for item in world.parameters), *ports, *places)
    return ((name, ca.SX.sym(name)) for name in names)


def _at_rest(bodies: Iterable[Body]) -> Iterator[tuple[str, SX]]:
    """The speeds of fixed bodies."""
    for body in (body for body in bodies if body.fixed):
        for name in (*body.motion.speeds, *body.motion.derived):
            yield f"{body.name}.{name}", ca.SX(0)


def _term(name: str, value: SX, known: list[tuple[SX, Symbol]]) -> Term:
    try:
        return read_back(value, known, longest=LONGEST)
    except Unreadable:
        message = f"{name!r} takes too much to work out outside of properties"
        raise ModelError([Problem(message)]) from None
