"""The joints of a world as the tables of the C runtime say it, in the order of elimination."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dyverse.bodies.joint.joint import Joint
from dyverse.bodies.joint.links import links
from dyverse.bodies.world import World
from dyverse.mechanics.joint.order import Order, elimination_order
from dyverse.mechanics.joint.single import condition_count
from dyverse.mechanics.system import System
from dyverse.native.code.codegen import ModelCode

WORLD = -1  # in place of a body


@dataclass(frozen=True, slots=True)
class JointTables:
    """What `dv_structure` says of joints: how many there are, how many angles, and its tables."""

    joints: int
    angles: int
    tables: dict[str, list[int]]


def joint_tables(system: System, code: ModelCode) -> JointTables:
    """The tables of a world's joints."""
    world, known = system.world, system.joints.joints
    order = elimination_order([_pushed(world, joint) for joint in known])
    joints = [known[i] for i in order.joints]
    index = {name: i for i, name in enumerate(system.layout.bodies)}
    kinds = {kind: i for i, kind in enumerate(code.joints)}
    settings = {name: i for i, name in enumerate(code.settings)}
    angles = {name: i for i, name in enumerate(system.layout.joint_coordinates)}
    ends = (_ends(joint, index) for joint in joints)
    tables = {
        "joint_ends": [end for both in ends for end in both],
        "joint_kind": [kinds[joint.kind.word] for joint in joints],
        "joint_conditions": [condition_count(joint.kind.word) for joint in joints],
        "joint_fitting": [settings[f"{joint.name}.joint0"] for joint in joints],
        "joint_angle": [angles.get(f"{joint.name}.angle", -1) for joint in joints],
        **_changed(order),
    }
    return JointTables(len(joints), len(angles), tables)


def _changed(order: Order) -> dict[str, list[int]]:
    first = accumulate(map(len, order.after), initial=0)
    return {"joint_first": list(first), "joint_after": [j for own in order.after for j in own]}


def _ends(joint: Joint, index: dict[str, int]) -> tuple[int, int]:
    return index[joint.a], index[joint.b] if isinstance(joint.b, str) else WORLD


def _pushed(world: World, joint: Joint) -> list[str]:
    """Those of its bodies that forces move."""
    bodies = (world.body(name) for name in joint.bodies)
    return [body.name for body in bodies if not body.fixed and body.moves is None]


def held_bodies(system: System) -> set[str]:
    """The bodies that are in a joint."""
    return {name for joint in system.joints.joints for name in joint.bodies}


def linked(system: System) -> NDArray[np.bool_]:
    """Of each contact whether it is a rope or a limit; these come last."""
    contacts, count = len(system.contacts), len(list(links(system.world)))
    return np.arange(contacts) >= contacts - count
