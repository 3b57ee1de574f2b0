"""How coordinates follow speeds, q̇ = N(q) v, and what follows from both.

A body that is the same however it is turned counts its turns: q̇ = v. One with an orientation has a
unit quaternion, from its own axes to those of the world, and its spin in its own axes. Amounts may
be numbers, arrays of them, or CasADi expressions: one for each entry of a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.world import ORIENTED
from dyverse.expr.rotation import Matrix, Quaternion, matrix, quaternion_rate, times
from dyverse.expr.symbolic import split
from dyverse.mechanics.layout import Layout

Amount = Any  # numbers, arrays or expressions, which have no types


def coordinate_rates(
    layout: Layout, places: Sequence[Amount], speeds: Sequence[Amount]
) -> list[Amount]:
    """N(q) v: the rates of the coordinates ``places``."""
    found: list[Amount] = []
    for motion, q, v in zip(layout.motions, layout.q_of, layout.v_of, strict=True):
        if motion == ORIENTED:
            velocity, spin = speeds[v][:3], speeds[v][3:]
            found += [*velocity, *quaternion_rate(places[q][3:], spin)]
        else:
            found += speeds[v]
    return found


def orientations(layout: Layout, places: Sequence[Amount]) -> Iterator[tuple[int, Quaternion]]:
    """The quaternion of every moving body that has one, and which of them it is."""
    for row in layout.turning:
        w, x, y, z = places[layout.q_of[row]][3:]
        yield row, (w, x, y, z)


def world_spins(layout: Layout, places: Sequence[Amount], speeds: Sequence[Amount]) -> list[Amount]:
    """What `Layout.spins` names: spins in world axes, ω = R s."""
    spins: list[Amount] = []
    for row, turned in orientations(layout, places):
        spins += times(matrix(turned), speeds[layout.v_of[row]][3:])
    return spins


def variables(layout: Layout, state: Amount) -> dict[str, Amount]:
    """The entries of a state in expressions and the spins that follow from them, by name."""
    own = split(state)
    spins = world_spins(layout, own[layout.q], own[layout.v])
    return dict(zip(layout.variables + layout.spins, own + spins, strict=True))


def rotations(layout: Layout, places: Sequence[Amount]) -> dict[int, Matrix]:
    """R of every moving body that has an orientation."""
    return {row: matrix(turned) for row, turned in orientations(layout, places)}


def entries(values: Array) -> list[Amount]:
    """A state, or several, entry by entry: numbers, or a column of them for each."""
    return values.tolist() if values.ndim == 1 else list(np.moveaxis(values, -1, 0))


def normalised(layout: Layout, values: Array) -> None:
    """Give every quaternion of a state length one again."""
    for row in layout.turning:
        place = layout.q_of[row]
        turned = values[place.start + 3 : place.stop]
        turned /= np.linalg.norm(turned)
