"""A robot put together: MuJoCo's compiled model, with its joints where they begin."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.robots.source import Source, refused

if TYPE_CHECKING:
    import mujoco

FREE, BALL, SLIDE, HINGE = range(4)  # kinds of joints
WORLD = 0  # the body that everything hangs on
DIGITS = 12  # of numbers in the text: what a file says, not how it was rounded
NOISE = 1e-12  # m, or part of a turn: what turning back and forth leaves

Place = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Pose:
    """A compiled model, and where everything is (m, world axes)."""

    model: mujoco.MjModel
    data: mujoco.MjData

    def name(self, kind: str, number: int) -> str:
        """The name of a body, joint, geom or actuator."""
        found: Any = getattr(self.model, kind)(number)
        return str(found.name)

    def joints(self, body: int) -> list[int]:
        """The joints between a body and its parent."""
        first, count = int(self.model.body_jntadr[body]), int(self.model.body_jntnum[body])
        return list(range(first, first + count))

    def parent(self, body: int) -> int:
        """The body that it hangs on."""
        return int(self.model.body_parentid[body])

    def is_free(self, body: int) -> bool:
        """Whether nothing holds a body."""
        return any(int(self.model.jnt_type[joint]) == FREE for joint in self.joints(body))

    def coordinate(self, joint: int) -> float:
        """The angle (rad) or length (m) of a joint."""
        return float(self.data.qpos[self.model.jnt_qposadr[joint]])


def posed(source: Source, start: Mapping[str, float], path: str) -> Pose:
    """Put the robot together, bodies without joints into those that they hang on.

    Joints begin where ``start`` says (rad, m), else where the file does, and within their limits.
    """
    import mujoco

    source.spec.compiler.fusestatic = True
    try:
        with warnings.catch_warnings(action="ignore"):  # of what is old-fashioned
            model = source.spec.compile()
    except ValueError as error:
        raise refused(error, path) from None
    data = mujoco.MjData(model)
    known = [model.joint(j).name for j in range(model.njnt) if model.jnt_type[j] in (SLIDE, HINGE)]
    for name in start:
        if name not in known:
            raise ModelError([Problem(f"no joint {name!r}{did_you_mean(name, known)}")], file=path)
    for joint in range(model.njnt):
        if model.jnt_type[joint] in (SLIDE, HINGE):
            at, (low, high) = model.jnt_qposadr[joint], model.jnt_range[joint]
            wish = start.get(model.joint(joint).name, float(data.qpos[at]))
            data.qpos[at] = np.clip(wish, low, high) if model.jnt_limited[joint] else wish
    mujoco.mj_forward(model, data)
    return Pose(model, data)


def turn(quaternion: NDArray[np.float64]) -> Rotation:
    """MuJoCo's quaternion (w, x, y, z) as a turn."""
    return Rotation.from_quat(quaternion, scalar_first=True)


def angles(turned: Rotation) -> Place:
    """A turn as angles about the global axes, x first (rad)."""
    (xx, xy, _), (yx, yy, _), (zx, zy, zz) = turned.as_matrix()
    tilt = math.asin(min(1.0, max(-1.0, -zx)))
    if math.hypot(xx, yx) < NOISE:  # the first and the last axis are one
        return 0.0, plain(tilt), plain(math.atan2(-xy, yy))
    return plain(math.atan2(zy, zz)), plain(tilt), plain(math.atan2(yx, xx))


def place(point: NDArray[np.float64]) -> Place:
    """Three numbers as they are written."""
    x, y, z = point
    return plain(x), plain(y), plain(z)


def plain(number: float) -> float:
    """A number as it is written: not more digits than a file has, and no noise for a zero."""
    return 0.0 if abs(number) < NOISE else float(f"{number:.{DIGITS}g}")
