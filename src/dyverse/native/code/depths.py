"""How deep inside each property a state is, as code: what the runtime minimises along a run.

In come the plain properties of a world, out go the functions ``dv_properties`` (time, state,
settings, contact forces -> depths, negative where a property fails) and ``dv_ends`` (settings ->
until when each is asked for). Forces and modes depend on the location, so the runtime gives them:
normal force, friction, and whether it is closed and sticks, of each contact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import casadi as ca

from dyverse.automaton.guard.robustness import fold, greatest, least, normal, symbolic_margin
from dyverse.bodies.scene import symbolic_scene
from dyverse.bodies.signals import MODES, is_event, is_reaction
from dyverse.bodies.world import Property, World
from dyverse.expr.buffered import column
from dyverse.expr.formula import Compare, Formula, formula_symbols
from dyverse.expr.requirement import plain
from dyverse.expr.symbolic import SX, symbolic
from dyverse.mechanics.mass import kinetic
from dyverse.mechanics.seen import seen
from dyverse.mechanics.system import System

Definition = tuple[str, list[SX], list[SX]]  # name, arguments, results


def depth_functions(system: System) -> tuple[Definition, Definition]:
    """The definitions of ``dv_properties`` and ``dv_ends``."""
    world, known = system.world, system.names
    used = _used(world)
    forces = ca.SX.sym("f", 4 * len(system.contacts) if _of_contacts(used) else 0)
    table = known.table | _contact_signals(system, forces, used)
    if "energy" in used:
        table["energy"] = energy_of(system)
    depths = [_depth(formula, table) for _, formula in watched(world)]
    until = [claim.until for claim, _ in watched(world)]
    ends = [math.inf if end is None else symbolic(end, table) for end in until]
    arguments = [known.time, known.state, known.settings, forces]
    return (
        ("dv_properties", arguments, [column(depths)]),
        ("dv_ends", [known.settings], [column(ends)]),
    )


def watched(world: World) -> Iterator[tuple[Property, Formula]]:
    """The plain properties of a world, which have a formula that the runtime can watch."""
    for claim in world.properties:
        found = plain(claim.requirement)
        if found is None:
            continue
        names = [symbol.name for symbol in formula_symbols(found.formula)]
        if not any(is_event(name) or is_reaction(name) for name in names):
            yield claim, found.formula


def uses_forces(world: World) -> bool:
    """Whether some property speaks of contact forces or modes."""
    asked = tuple(f"{signal}[" for signal in ("normal_force", "friction_force", *MODES))
    return any(name.startswith(asked) for name in _used(world))


def _used(world: World) -> set[str]:
    return {symbol.name for _, formula in watched(world) for symbol in formula_symbols(formula)}


def _of_contacts(used: set[str]) -> bool:
    """Whether one of the names is of a contact."""
    return any("[" in name for name in used)


def _depth(formula: Formula, table: Mapping[str, SX]) -> SX:
    def leaf(comparison: Compare) -> SX:
        return symbolic_margin(comparison, table)

    def every(parts: list[SX]) -> SX:
        return least(parts) if parts else ca.SX(math.inf)

    def some(parts: list[SX]) -> SX:
        return greatest(parts) if parts else ca.SX(-math.inf)

    return fold(normal(formula), leaf, every, some)


def _contact_signals(system: System, forces: SX, used: set[str]) -> dict[str, SX]:
    """Gaps, speeds and forces of the contacts that are used."""
    found: dict[str, SX] = {}
    for contact in seen(system.world, system.names.table, used):
        first, place = 4 * contact.number, f"[{contact.ends}]"
        normal, friction, closed, sticking = ca.vertsplit(forces[first : first + 4])
        found |= contact.signals
        found[f"normal_force{place}"], found[f"friction_force{place}"] = normal, friction
        found[f"closed{place}"], found[f"sticking{place}"] = closed, sticking
        found[f"slipping{place}"] = closed - sticking
    return found


def energy_of(system: System) -> SX:
    """Kinetic energy plus that of gravity and springs."""
    known = system.names
    potential = system.written(known.time, known.state, known.settings)[1]
    moving = kinetic(symbolic_scene(system.world, known.table), known.state[system.layout.v])
    return moving + potential
