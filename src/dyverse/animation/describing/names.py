"""Which signals a model has, in the order in which people ask for them, and their units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dyverse.animation.parts import Parts
from dyverse.automaton.interface import HybridAutomaton
from dyverse.bodies.joint.joint import PlacedJoint
from dyverse.bodies.signals import MODES
from dyverse.generation.signals import QUANTITIES
from dyverse.generation.skeleton.names import signal_name

UNITS = {
    **dict.fromkeys(("x", "y", "z", "gap"), "m"),
    **dict.fromkeys(("vx", "vy", "vz", "normal_speed", "slip_speed"), "m/s"),
    **dict.fromkeys(("wx", "wy", "wz", "sx", "sy", "sz"), "rad/s"),
    **dict.fromkeys(("rx", "ry", "rz"), "rad"),
    **dict.fromkeys(("normal_acceleration", "slip_acceleration"), "m/s²"),
    **dict.fromkeys(("normal_force", "friction_force", "friction_limit", "friction_reserve"), "N"),
}
OF_ALL = {"energy": "J", "t": "s"}  # what a model with bodies has besides
OF_JOINTS = {
    "angle": "rad",
    "length": "m",
    **dict.fromkeys(("fx", "fy", "fz"), "N"),
    **dict.fromkeys(("mx", "my", "mz"), "N m"),
}
RATES = {"angle": "rad/s", "length": "m/s"}
FIRST = ("x", "y", "z", "vx", "vy", "vz")
LATER = ("wx", "wy", "wz", "rx", "ry", "rz", "qw", "qx", "qy", "qz", "sx", "sy", "sz")


Units = Callable[[str], str]


def units_of(parts: Parts, variables: Mapping[str, str]) -> Units:
    """What tells the unit of a signal, or nothing: ``variables`` of automata have what is said."""
    scene = None if parts.rigid is None else parts.rigid.scene
    bodies = frozenset(body.name for body in scene.bodies) if scene else frozenset[str]()
    rates = {joint.name: RATES.get(joint.joint.kind.coordinate, "") for joint in joints_of(parts)}

    def unit_of(name: str) -> str:
        owner, _, last = name.rpartition(".")
        if "[" in name:
            return UNITS.get(name.partition("[")[0], "")
        if owner in rates:
            return rates[owner] if last == "rate" else OF_JOINTS.get(last, "")
        if owner in bodies:
            return UNITS.get(last, "")
        if name == "t" or (scene and not owner):
            return OF_ALL.get(name, "")
        return variables.get(last, "")

    return unit_of


def joints_of(parts: Parts) -> tuple[PlacedJoint, ...]:
    """The joints between the bodies, if there are any."""
    return () if parts.rigid is None else parts.rigid.scene.joints


def signal_names(automaton: HybridAutomaton, parts: Parts) -> tuple[str, ...]:
    """Every signal by name, each once."""
    return tuple(dict.fromkeys(_names(automaton, parts)))


def _names(automaton: HybridAutomaton, parts: Parts) -> Iterator[str]:
    rigid = parts.rigid
    if rigid is None:
        yield from automaton.variables
        yield from automaton.observe(automaton.start())
        return
    moving = [body.name for body in rigid.scene.bodies if not body.fixed]
    own = frozenset(rigid.variables)
    for coordinate in FIRST:
        yield from (f"{body}.{coordinate}" for body in moving)
    joints = joints_of(parts)
    yield from (name for joint in joints for name in (*joint.variables, *joint.derived))
    yield "energy"
    yield from rigid.dynamics.system.inputs
    yield from (name for name in automaton.variables if name not in own)
    yield from (f"{i.name}.{p.name}" for i in parts.components for p in i.places)
    yield from (signal_name("gap", contact) for contact in rigid.contacts)
    for coordinate in LATER:
        has = (body.name for body in rigid.scene.bodies if coordinate in body.motion.quantities)
        yield from (f"{body}.{coordinate}" for body in has if body in moving)
    reactions = rigid.dynamics.reactions
    yield from () if reactions is None else reactions.names
    for quantity in (*QUANTITIES, *MODES):
        yield from (signal_name(quantity, contact) for contact in rigid.contacts)
    yield from rigid.scene.values
    yield "t"
