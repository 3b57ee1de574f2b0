"""The joints of a robot, their springs, and the motors that turn them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from dyverse.bodies import build
from dyverse.bodies.joint.joint import Drive, Joint
from dyverse.bodies.world import Input
from dyverse.expr.printing import number_text
from dyverse.robots.links import Links
from dyverse.robots.pose import BALL, HINGE, SLIDE, Pose, place, plain
from dyverse.robots.source import Source

KINDS = {BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}
ACTS = {SLIDE: (build.force, "length"), HINGE: (build.torque, "angle")}


class Joining(NamedTuple):
    """The joints, what acts along them, and the inputs that this takes."""

    joints: list[Joint]
    drives: list[Drive]
    inputs: list[Input]


class Joints:
    """Reads joints; bodies and joints have these names."""

    def __init__(
        self, source: Source, pose: Pose, links: Links, name: Callable[[str], str]
    ) -> None:
        self._source, self._pose, self._links, self._name = source, pose, links, name
        self.names: dict[int, str] = {}  # of joints that have a coordinate
        self._torques: dict[int, list[str]] = {}
        self._inputs: list[Input] = []

    def read(self) -> Joining:
        """All of them."""
        model = self._pose.model
        joints = [j for body in range(1, model.nbody) for j in self._above(body)]
        for actuator in range(model.nu):
            self._drive(actuator)
        if self._source.is_urdf:
            for number, joint in self.names.items():
                self._torques[number].append(self._port(f"{joint}_effort"))
        drives = []
        for number, terms in self._torques.items():
            act = ACTS[int(model.jnt_type[number])][0]
            drive = act(self.names[number], " + ".join(terms)) if terms else None
            drives += [drive] if isinstance(drive, Drive) else []
        return Joining(joints, drives, self._inputs)

    def _above(self, body: int) -> Iterator[Joint]:
        """What joins a body to its parent: nothing if it is free."""
        pose, found = self._pose, self._pose.joints(body)
        if not found:
            first, second = self._chain(body)
            yield build.joint(self._name(f"{second}_weld"), "weld", first, second)
        elif not pose.is_free(body):
            for joint, (first, second) in zip(found, pairwise(self._chain(body)), strict=True):
                yield self._joint(joint, first, second)

    def _chain(self, body: int) -> list[str]:
        """Its parent, what is between its joints, and itself."""
        names = self._links.names
        return [names[self._pose.parent(body)], *self._links.between[body], names[body]]

    def _joint(self, joint: int, first: str, second: str) -> Joint:
        pose, model = self._pose, self._pose.model
        kind, title = int(model.jnt_type[joint]), self._pose.name("joint", joint)
        name = self._name(title)
        at = place(pose.data.xanchor[joint])
        if kind == BALL:
            return build.joint(name, KINDS[kind], first, second, at=at)
        self.names[joint], self._torques[joint] = name, list(self._spring(joint, name))
        dof, start = int(model.jnt_dofadr[joint]), plain(pose.coordinate(joint))
        if model.dof_armature[dof]:
            why = "is the inertia of a rotor, which joints do not have"
            self._source.drop("joint", title, why, part="armature")
        return build.joint(
            name,
            KINDS[kind],
            first,
            second,
            at=at,
            axis=place(pose.data.xaxis[joint]),
            angle=start if kind == HINGE else 0.0,
            length=start if kind == SLIDE else None,
            damping=plain(model.dof_damping[dof]),
            friction=plain(model.dof_frictionloss[dof]),
            limits=self._limits(joint, kind, title),
            restitution=0.0,
        )

    def _limits(self, joint: int, kind: int, title: str) -> tuple[float, float] | None:
        model = self._pose.model
        if not model.jnt_limited[joint]:
            return None
        low, high = map(plain, model.jnt_range[joint])
        if kind == HINGE and high - low >= 2 * math.pi:
            self._source.drop("joint", title, "is a turn or more", part="range")
            return None
        return low, high

    def _spring(self, joint: int, name: str) -> Iterator[str]:
        model = self._pose.model
        if stiffness := plain(model.jnt_stiffness[joint]):
            coordinate = ACTS[int(model.jnt_type[joint])][1]
            rest = plain(model.qpos_spring[model.jnt_qposadr[joint]])
            yield f"-{number_text(stiffness)}*({name}.{coordinate} - {_signed(rest)})"

    def _drive(self, actuator: int) -> None:
        """A motor: gain times its input, and a part that grows with the coordinate and rate."""
        model, title = self._pose.model, self._pose.name("actuator", actuator)
        joint = int(model.actuator_trnid[actuator, 0])
        on_joint = model.actuator_trntype[actuator] in (0, 1) and joint in self.names
        plainly = on_joint and not model.actuator_dyntype[actuator]
        if (
            not plainly
            or model.actuator_gaintype[actuator]
            or model.actuator_biastype[actuator] > 1
        ):
            self._source.drop("actuator", title, "is no motor of a joint with a constant gain")
            return
        gear, gain = float(model.actuator_gear[actuator, 0]), model.actuator_gainprm[actuator, 0]
        coordinate = f"{self.names[joint]}.{ACTS[int(model.jnt_type[joint])][1]}"
        terms = [(gear * gain, self._port(title))]
        if model.actuator_biastype[actuator]:
            bias = model.actuator_biasprm[actuator]
            rate = f"{self.names[joint]}.rate"
            terms += [(gear * bias[0], "1"), (gear**2 * bias[1], coordinate)]
            terms += [(gear**2 * bias[2], rate)]
        self._torques[joint] += [f"{_signed(plain(c))}*{what}" for c, what in terms if plain(c)]
        if model.actuator_ctrllimited[actuator] or model.actuator_forcelimited[actuator]:
            self._source.drop("actuator", title, "bounds an input, which has none", part="range")

    def _port(self, wish: str) -> str:
        name = self._name(wish)
        self._inputs.append(build.port(name))
        return name


def _signed(number: float) -> str:
    return f"({number_text(number)})" if number < 0 else number_text(number)
