"""The syntax tree of the model language: what was written, statement by statement, with places.

Places (`Span`) take no part in comparison, so a tree that was printed and parsed again equals the
first. What the statements mean is the business of `dyverse.bodies`, and of `dyverse.automaton` for
those about automata (`dyverse.text.syntax.automata`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from dyverse.errors import Span
from dyverse.expr.formula import Formula
from dyverse.expr.requirement import Requirement
from dyverse.text.syntax.automata import (
    AUTOMATON_ENTRIES,
    CHANNEL_ENTRIES,
    DISCONTINUOUS_ENTRIES,
    EDGE_ENTRIES,
    LOCATION_ENTRIES,
    AutomatonStatement,
    ChannelStatement,
    DiscontinuousStatement,
    FunctionStatement,
    SystemStatement,
)
from dyverse.text.syntax.drawings import SceneStatement
from dyverse.text.syntax.elements import Definition as Definition
from dyverse.text.syntax.elements import Entry as Entry
from dyverse.text.syntax.elements import Joining as Joining
from dyverse.text.syntax.elements import Name as Name
from dyverse.text.syntax.elements import Offering as Offering
from dyverse.text.syntax.elements import PartEntry as PartEntry
from dyverse.text.syntax.elements import Row as Row
from dyverse.text.syntax.elements import Value as Value

REPEAT, INCLUDE = "repeat", "include"
ROPE = "rope"  # begins a statement too, and can be a name
STATEMENTS = (
    "parameter",
    "gravity",
    "impact",
    "planar",
    "body",
    "input",
    "force",
    "torque",
    "spring",
    "damper",
    "joint",
    "contact",
    "property",
    "horizon",
    "function",
    "automaton",
    "discontinuous",
    "channel",
    "system",
    "scene",
    REPEAT,
    INCLUDE,
)
TEMPORAL = ("implies", "historically", "once", "since")  # of properties; they can be names too
RESERVED = (
    *STATEMENTS,
    *("and", "or", "not", "true", "false", "always", "eventually"),
    *("before", "until", "in", "all", "if"),
)
PIECEWISE = ("pieces", "linear", "switching")  # behind the range of an input
CHOOSING = ("then", "else")  # behind 'if'; elsewhere they are names
SHAPES: dict[str, tuple[str, ...]] = {  # the shape, and what its measures are called
    "sphere": ("radius",),
    "plane": ("normal",),
    "point": (),
    "box": ("size",),
    "capsule": ("radius", "length"),
    "cylinder": ("radius", "length"),
    "disc": ("radius", "rounding"),
    "ellipsoid": ("axes",),
    "polyhedron": ("vertices",),
}
HULL, HULL_ENTRIES = "hull", ("scale", "most", "centred")  # vertices, once the file is read
MEASURES = tuple(dict.fromkeys(name for names in SHAPES.values() for name in names))
BODY_ENTRIES = (
    "mass",
    "density",
    "inertia",
    "position",
    "rotation",
    "velocity",
    "spin",
    "moves",
    "turns",
    "drags",
    "fixed",
)
PART, PART_ENTRIES = "part", ("at", "rotation")
SPRING_ENTRIES = ("stiffness", "length", "damping")
JOINTS = ("revolute", "prismatic", "spherical", "weld", "distance", "rope", "stop")
JOINT_PLACES = ("at", "from", "to", "axis")
JOINT_ENTRIES = (
    *JOINT_PLACES,
    *("angle", "length", "damping", "friction", "limits", "restitution", "gap"),
)
CONTACT_ENTRIES = ("restitution", "tangential_restitution", "friction", "rolling", "spinning")
OFFERS = "offers"
ENTRIES = tuple(
    dict.fromkeys(
        (
            *(*SHAPES, HULL, *HULL_ENTRIES),
            *(*BODY_ENTRIES, PART, *PART_ENTRIES, *SPRING_ENTRIES),
            *(*JOINTS, *JOINT_ENTRIES),
            *(*CONTACT_ENTRIES, OFFERS),
            *(*AUTOMATON_ENTRIES, *LOCATION_ENTRIES, *EDGE_ENTRIES, *CHANNEL_ENTRIES),
            *DISCONTINUOUS_ENTRIES,
        )
    )
)


@dataclass(frozen=True, slots=True)
class ParameterStatement:
    """``parameter K = 2 in [1, 3]``."""

    name: Name
    value: Value
    limits: tuple[Value, Value] | None = None


@dataclass(frozen=True, slots=True)
class SettingStatement:
    """``gravity (0, -9.81, 0)`` or ``horizon 2``."""

    keyword: str
    value: Value
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ImpactStatement:
    """``impact sequence``, or ``impact newton without collision``."""

    keyword: ClassVar[str] = "impact"
    law: Name
    option: tuple[Name, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def without_collision(self) -> bool:
        """Whether it says so."""
        return tuple(word.text for word in self.option) == ("without", "collision")


@dataclass(frozen=True, slots=True)
class PlanarStatement:
    """``planar``, or ``planar (0, 1, 0)``: the normal of the planes that bodies stay in."""

    keyword: ClassVar[str] = "planar"
    normal: Value | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BodyStatement:
    """``body ball { sphere radius 1  mass 2 }``."""

    name: Name
    entries: tuple[Entry, ...]
    parts: tuple[PartEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class InputStatement:
    """``input u1 = -K*ball.x, u2``."""

    definitions: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class LoadStatement:
    """``force ball (u1, 0, 0)``, ``force ball (u1, 0, 0) at (0, 1, 0)``, ``torque ball …``."""

    kind: Literal["force", "torque"]
    body: Name
    value: Value
    at: Value | None = None  # the point of the body, in its axes


@dataclass(frozen=True, slots=True)
class SpringStatement:
    """``spring ball1 ball2 { stiffness 10 }`` or ``damper ball (0, 0, 0) { damping 1 }``."""

    kind: Literal["spring", "damper"]
    body: Name
    other: Name | Value
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class JointStatement:
    """``joint elbow { revolute upper lower  at (0, 1, 0)  axis (0, 0, 1) }``."""

    name: Name
    joins: tuple[Joining, ...]  # one, if it makes sense
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class ContactStatement:
    """``contact ball1 ball2 { restitution 0.8 }``; no pair means all, no entries means off."""

    pair: tuple[Name, Name] | None
    entries: tuple[Entry, ...] | None
    offers: tuple[Offering, ...] = ()
    whens: tuple[Formula, ...] = ()  # one, if it is only there under a condition
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PropertyStatement:
    """``property caught: always ball.y > 0 until 2``."""

    name: Name
    requirement: Requirement
    until: Value | None = None


Statement = (
    ParameterStatement
    | SettingStatement
    | ImpactStatement
    | PlanarStatement
    | BodyStatement
    | InputStatement
    | LoadStatement
    | SpringStatement
    | JointStatement
    | ContactStatement
    | PropertyStatement
    | FunctionStatement
    | AutomatonStatement
    | DiscontinuousStatement
    | ChannelStatement
    | SystemStatement
    | SceneStatement
)


@dataclass(frozen=True, slots=True)
class Model:
    """A whole text: its statements in order."""

    statements: tuple[Statement, ...]
