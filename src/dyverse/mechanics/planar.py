"""Whether the bodies of a planar scene are where guides let them be, and as fast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.bodies.world import AXES, ORIENTED
from dyverse.errors import Problem
from dyverse.expr.rotation import matrix
from dyverse.mechanics.layout import Layout

MISFIT = 1e-9  # m/s, rad/s or rad: what is out by less is rounding


def leaving(scene: Scene, layout: Layout, values: Array) -> Iterator[Problem]:
    """A problem for each body that a state set by hand has leaving its plane."""
    for row, body in enumerate(scene.moving):
        if body.across is not None:
            q, v = values[layout.q][layout.q_of[row]], values[layout.v][layout.v_of[row]]
            if out := _out(body, body.across, q, v):
                axis = AXES[body.across]
                message = f"body {body.name!r} leaves its plane across {axis} with {out}"
                yield Problem(message)


def _out(body: PlacedBody, across: int, q: Array, v: Array) -> str:
    """By what it does."""
    about = np.array(body.about)
    if abs(v[across]) > MISFIT:
        return "this velocity"
    if np.abs(v[3:] - about * (about @ v[3:])).max() > MISFIT:
        return "this spin"
    if body.motion == ORIENTED:
        w, x, y, z = q[3:].tolist()
        lies = np.array(matrix((w, x, y, z))) @ about / (w * w + x * x + y * y + z * z)
        if np.abs(lies - np.eye(3)[across]).max() > MISFIT:
            return "this orientation"
    return ""
