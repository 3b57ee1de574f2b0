"""Whether bodies start where their joints let them be, and as fast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.joint.joint import Joint
from dyverse.bodies.joint.links import joint_links
from dyverse.bodies.world import AXES
from dyverse.errors import Problem
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.joint.elimination import Joined, Joints

MISFIT = 1e-6  # m, rad, m/s or rad/s: what is out by less is put right


def start_problems(dynamics: Dynamics, values: Array) -> Iterator[Problem]:
    """A problem for each joint that the state ``values`` of a start does not fit."""
    yield from _beyond(dynamics, values)
    if dynamics.joints is None:
        return
    joints = dynamics.joints
    joined = joints.at(values)
    out = list(_out(joints, joined.error))
    for joint, error in out:
        hint = "move its bodies, or leave out 'length'"
        message = f"does not fit at the start: it is out by {error:.6g} m; {hint}"
        yield Problem(f"joint {joint.name!r} {message}", joint.span)
    if not out:
        yield from _too_fast(dynamics, joints, joined, values)


def _beyond(dynamics: Dynamics, values: Array) -> Iterator[Problem]:
    """Ropes, stops and limits that do not reach as far as they should."""
    gaps = dynamics.contacts.approach(values)[0]
    for joint in dynamics.system.world.joints:
        for link in joint_links(dynamics.system.world, joint):
            beyond = -float(gaps[dynamics.contacts.index[link.name]])
            if not beyond <= MISFIT:
                what = joint.kind.word if joint.is_contact else "joint"
                message = f"{what} {joint.name!r} starts beyond its end, by {beyond:.6g}"
                yield Problem(f"{message}; move its bodies", joint.span)


def _too_fast(
    dynamics: Dynamics, joints: Joints, joined: Joined, values: Array
) -> Iterator[Problem]:
    for joint, error in _out(joints, joined.W.T @ values[dynamics.layout.v]):
        near = values.copy()
        dynamics.join(near)
        told = "; ".join(_speeds(dynamics, near, joint.bodies))
        message = f"does not let its bodies start with these speeds: they are out by {error:.6g}"
        yield Problem(f"joint {joint.name!r} {message}; nearest are {told}", joint.span)


def _out(joints: Joints, errors: Array) -> Iterator[tuple[Joint, float]]:
    """The joints some of whose conditions are out by too much, and by how much."""
    owners = np.array(joints.equations.owners, dtype=np.intp)
    for i, joint in enumerate(joints.equations.joints):
        worst = float(np.abs(errors[owners == i]).max(initial=0.0))
        if not worst <= MISFIT:
            yield joint, worst


def _speeds(dynamics: Dynamics, values: Array, bodies: tuple[str, ...]) -> Iterator[str]:
    """Velocity and spin of those bodies that move, as they are written."""
    layout = dynamics.layout
    names = layout.variables + layout.spins
    known = dict(zip(names, (*values, *dynamics.derived(values)), strict=False))
    for body in bodies:
        if f"{body}.vx" in known:
            for word, letter in (("velocity", "v"), ("spin", "w")):
                parts = ", ".join(f"{known[f'{body}.{letter}{axis}']:.9g}" for axis in AXES)
                yield f"{body} {word} ({parts})"
