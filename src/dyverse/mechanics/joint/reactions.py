"""What joints exert on their bodies: forces and torques in world axes, by name.

``elbow.fx`` … is the force on the second body, ``elbow.mx`` … the torque on it about the joint; the
first body has the opposite. What drives the coordinate of a joint, its damping and its friction are
loads, not reactions.
"""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.joint.joint import PlacedJoint
from dyverse.bodies.placed import Scene
from dyverse.expr.rotation import matrix
from dyverse.mechanics.joint.elimination import Joints
from dyverse.mechanics.layout import DOF, Layout
from dyverse.mechanics.turning import entries, orientations


class Reactions:
    """The reactions of all joints of a scene."""

    def __init__(self, scene: Scene, layout: Layout, joints: Joints) -> None:
        self._joints, self._layout, self._known = joints, layout, scene.held
        self._row = {layout.bodies[body]: row for row, body in enumerate(layout.moving)}
        self._owners = np.array(joints.equations.owners, dtype=np.intp)
        self.names = tuple(
            f"{item.name}.{name}" for item in scene.held for name in item.joint.kind.reactions
        )

    def at(self, values: Array, free: Array) -> Array:
        """All of them where everything else causes the acceleration ``free``."""
        joined = self._joints.at(values)
        forces, found = joined.reactions(free), []
        lying = orientations(self._layout, entries(values))
        turned: dict[int, Array] = {row: np.array(matrix(q)) for row, q in lying}
        for i, item in enumerate(self._known):
            own = self._owners == i
            wrench = self._wrench(item, joined.W[:, own] @ forces[own], turned)
            found.append(wrench[: len(item.joint.kind.reactions)])
        return np.concatenate(found)

    def _wrench(self, item: PlacedJoint, pushes: Array, turned: dict[int, Array]) -> Array:
        """Force and torque on the second body, from what is pushed on either that moves."""
        sides = zip(item.joint.bodies, item.fitting.anchors, (-1.0, 1.0), strict=False)
        row, anchor, sign = next(
            (self._row[body], anchor, sign)
            for body, anchor, sign in reversed(list(sides))
            if body in self._row
        )
        force, torque = np.split(pushes[DOF * row : DOF * (row + 1)], 2)
        R = turned.get(row, np.eye(3))
        about = R @ torque - np.cross(R @ np.array(anchor), force)
        return sign * np.concatenate([force, about])
