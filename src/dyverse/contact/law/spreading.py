"""Which impulses are taken where several contacts share a blow: the shortest, as with loads.

In come impulses that obey the laws; out go those that obey them with the same contacts sticking and
slipping, the shortest of all that slip in the same directions, and where nothing slips the shortest
within the cones of friction. So whoever has found the first ones, the last ones are the same. Where
contacts are independent nothing changes, and of many contacts the impulses stay as they were found:
to share them out costs more than to find them, and who lies under a heap does not know from which
side a blow comes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dyverse.contact.law.cones import shortest_within
from dyverse.contact.law.problem import Array, ContactProblem, contact_residuals, response

SAME = 1e-9  # share of the largest speed that counts as none
NOISE = 1e-12  # share of the largest speed that rounding leaves
REDUNDANT = 1e-9  # singular values below this share of the largest are none
FEW = 12  # contacts: impulses of more are not shared out
TURNS = 60  # of directions of slip, which change with the impulses
LEARNT = 3  # changes between turns, from which the next one is foreseen
ALIKE = 1e-12  # changes that say nothing new
CLOSE = 1e-14  # share of the largest impulse: no turn changes any by more

Flags = NDArray[np.bool_]


def spread(problem: ContactProblem, impulses: Array) -> Array:
    """The shortest impulses; ``impulses`` themselves where that is not to be had.

    Who does not part may be pressed; who would have to pull is not.
    """
    if len(problem) > FEW:
        return impulses
    xi, most = response(problem, impulses), float(np.abs(problem.free).max(initial=0.0))
    pressed = np.abs(xi[:, 0]) <= SAME * most
    sticks = (problem.friction > 0) & (np.hypot(xi[:, 1], xi[:, 2]) <= SAME * most)
    if len(problem) < 2 or not impulses.any() or not pressed.any():
        return impulses
    if (pressed & ~sticks & (problem.friction > 0)).any():
        found = _slipping(problem, impulses, pressed, sticks)
    else:
        found = _standing(problem, impulses, pressed, sticks)
    if found is None:
        return impulses
    left, before = (contact_residuals(problem, each).max() for each in (found, impulses))
    return found if left <= max(before, NOISE * most) else impulses


def _standing(
    problem: ContactProblem, impulses: Array, pressed: Flags, sticks: Flags
) -> Array | None:
    """The shortest within the cones, where nothing slips: they are convex, and the laws linear."""
    turned = _turned(problem, impulses, pressed, sticks & pressed, independent=False)
    return turned and shortest_within(*turned, np.where(sticks & pressed, problem.friction, 0.0))


def _slipping(
    problem: ContactProblem, impulses: Array, pressed: Flags, sticks: Flags
) -> Array | None:
    """The shortest where something slips: who would have to pull most is dropped, one by one."""
    found, dropped = None, False
    while pressed.any():
        found = _shortest(problem, impulses, pressed, sticks & pressed, independent=dropped)
        if found is None or (found[:, 0] >= 0).all():
            break
        pressed[found[:, 0].argmin()], dropped = False, True
    return found


def _shortest(
    problem: ContactProblem, impulses: Array, pressed: Flags, sticks: Flags, *, independent: bool
) -> Array | None:
    """The shortest impulses of those contacts, found by turns; pulling ones among them.

    Contacts that are independent have no others, and are left alone unless told otherwise.
    """
    size = float(np.abs(impulses).max())
    found, turns = impulses, list[tuple[Array, Array]]()
    for _ in range(TURNS):
        turned = _turned(problem, found, pressed, sticks, independent)
        better = turned and turned[0]
        if better is None or np.abs(better - found).max() <= CLOSE * size:
            return better
        turns = [*turns[-LEARNT:], (better, better - found)]
        found = _foreseen(turns)
    return None


def _foreseen(turns: list[tuple[Array, Array]]) -> Array:
    """Where turns lead that change impulses as the last ones did: Anderson's mixing.

    Alone they may go round in circles, for slip turns impulses and impulses turn slip.
    """
    ends, changes = (np.array([one[part].ravel() for one in turns]) for part in (0, 1))
    learnt = np.diff(changes, axis=0)
    shares = np.linalg.lstsq(learnt @ learnt.T, learnt @ changes[-1], rcond=ALIKE)[0]
    return np.asarray(ends[-1] - shares @ np.diff(ends, axis=0)).reshape(turns[-1][0].shape)


def _turned(
    problem: ContactProblem, now: Array, pressed: Flags, sticks: Flags, independent: bool
) -> tuple[Array, Array] | None:
    """The shortest impulses with slip in the directions that it has ``now``, and their changes.

    The changes are orthonormal, (k, 3n).
    """
    slips = pressed & ~sticks & (problem.friction > 0)
    xi = response(problem, now)[:, 1:]
    speed = np.hypot(xi[:, 0], xi[:, 1])
    if (speed[slips] <= SAME * np.abs(problem.free).max()).any():
        return None
    places = [*(3 * np.flatnonzero(pressed)), *(3 * np.flatnonzero(sticks)[:, None] + [1, 2]).flat]
    T = np.zeros((problem.free.size, len(places)))
    T[places, np.arange(len(places))] = 1
    for column, j in enumerate(np.flatnonzero(pressed).tolist()):
        if slips[j]:
            T[3 * j + 1 : 3 * j + 3, column] = -problem.friction[j] * xi[j] / speed[j]
    unit = 1 / np.sqrt(problem.matrix.diagonal()[places])
    A = unit[:, None] * (problem.matrix[places] @ T) * unit
    U, sizes, V = np.linalg.svd(A)
    rank = int((sizes > REDUNDANT * sizes[0]).sum())
    if rank == len(places) and not independent:
        return None
    y = V[:rank].T @ ((U.T[:rank] @ (-unit * problem.free[places])) / sizes[:rank])
    whole, open_ = T @ (unit * y), T @ (unit[:, None] * V[rank:].T)
    changes = np.linalg.qr(open_)[0].T
    return (whole - (changes @ whole) @ changes).reshape(-1, 3), changes
