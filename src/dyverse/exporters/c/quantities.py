"""What the outside sees of a model: settings, states and outputs, with units and starts."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """What a setting is; see ``dyverse_model.h``."""

    FIXED = 0
    TUNABLE = 1
    PORT = 2
    SEED = 3


class Kind(IntEnum):
    """What an output tells; see ``dyverse_model.h``."""

    STATE = 0
    ENERGY = 1
    EVENTS = 2
    IMPACTS = 3
    LOCATION = 4
    MODE = 5
    GAP = 6
    NORMAL = 7
    FRICTION = 8


MODES = ("open", "stick", "trans", "slip")  # the values of a MODE
GROUPS = ("counts", "locations", "gaps", "forces")  # outputs that are there if they are asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with a name; ``kind`` is a `Role` or a `Kind`."""

    name: str
    unit: str = ""
    value: float = 0.0
    low: float = -math.inf
    high: float = math.inf
    kind: int = 0
    index: int = 0
    nominal: float = 0.0  # of states: what tools scale their absolute tolerance by
    says: str = ""  # a description
    labels: tuple[str, ...] = ()  # of a number that stands for one of several things


def free_name(name: str, taken: Container[str]) -> str:
    """``name``, or, where the model has given it to something, the same with underscores."""
    while name in taken:
        name += "_"
    return name


UNITS = {"position": "m", "rotation": "rad", "velocity": "m/s", "spin": "rad/s"}


def unit_of(variable: str) -> str:
    """The unit of a variable of a body or a joint, ``ball.vx``, ``elbow.angle``."""
    letter = variable.rpartition(".")[2]
    if letter == "angle":
        return UNITS["rotation"]
    words = {1: "position"} | {
        2: {"r": "rotation", "v": "velocity", "w": "spin", "s": "spin"}.get(letter[0], "")
    }
    return UNITS.get(words.get(len(letter), ""), "")


def contact_outputs(contacts: tuple[str, ...], groups: frozenset[str]) -> Iterator[Quantity]:
    """Modes, gaps and forces of contacts, if they are asked for."""
    for i, contact in enumerate(contacts):
        place = f"[{contact.replace('-', ',')}]"
        if "locations" in groups:
            yield Quantity(
                name=f"mode{place}",
                kind=Kind.MODE,
                index=i,
                says=f"whether {contact} is open, sticks, begins to slip or slips",
                labels=MODES,
            )
        if "gaps" in groups:
            says = f"distance of the surfaces of {contact}"
            yield Quantity(name=f"gap{place}", unit="m", kind=Kind.GAP, index=i, says=says)
        if "forces" in groups:
            for kind, name in ((Kind.NORMAL, "normal_force"), (Kind.FRICTION, "friction_force")):
                says = f"{name.replace('_', ' ')} at {contact}"
                yield Quantity(name=f"{name}{place}", unit="N", kind=kind, index=i, says=says)
