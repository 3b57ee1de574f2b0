"""What lasts for ever, proved: what is asked, and how the answer looks.

Equilibria (`dyverse.proving.equilibria`) and periodic orbits (`dyverse.proving.orbits`) are found
elsewhere, in floats. Here a system is made that proofs about them are checked against: that of the
model's text, with its decimals as they are written. Only automata with real variables have one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np
from flint import acb, acb_mat, arb, arb_mat
from scipy.linalg import solve_discrete_lyapunov

from dyverse.automaton.interface import Array
from dyverse.certificate.automata import Automata
from dyverse.certificate.file import Unproved
from dyverse.certificate.place import Place
from dyverse.certificate.system import System
from dyverse.enclosure.front import rough
from dyverse.enclosure.interval import Interval, hull_of
from dyverse.enclosure.matrix import around, column, exact, is_positive_definite
from dyverse.proving.asking import ask
from dyverse.proving.reduction import reduced

SIZES = tuple(10.0**-k for k in range(4, 13))  # of boxes to try, relative


@dataclass(frozen=True, slots=True)
class Sure:
    """There is one, and only one that has to do with the ``room``."""

    at: dict[str, Interval]  # where it surely is
    room: dict[str, Interval]  # where there is no other
    stable: bool | None  # nothing if the spectrum does not tell
    spectrum: tuple[tuple[Interval, Interval], ...]  # real and imaginary parts; none if unknown
    period: Interval | None = None  # (s)
    time: float | None = None  # when it is there (s), if that matters


@dataclass(frozen=True, slots=True)
class Unsure:
    """Nothing is proved."""

    why: str


Outcome = Sure | Unsure


def lasting_system(text: str, settings: Mapping[str, float]) -> System:
    """The system of a model; it has a property that always holds, for it needs one, and π."""
    name = "lasts"
    while name in text:
        name += "_"
    more = f"{text}\nproperty {name}: always t > -pi until 1e15\n"
    return System(reduced(ask(more, name, ranges={}, settings=settings)))


def automata_of(system: System) -> Automata:
    """The automata of a system without bodies."""
    if system.automata is None or system.bodies is not None:
        raise Unproved("unsupported: bodies")
    return system.automata


def check_timeless(system: System, places: Iterable[Place]) -> None:
    """Refuse what depends on time."""
    time = system.frame.state[-1]
    for place in places:
        if ca.depends_on(ca.vertcat(place.rate, *place.depths.values()), time):
            raise Unproved("unsupported: what depends on time")


def contracted(
    middle: Array, size: Array, value: arb_mat, slope: arb_mat
) -> tuple[Interval, ...] | None:
    """Krawczyk's operator about ``middle``, if it lies inside of ``size``.  [moore2009] ch. 8

    ``value`` holds F there, ``slope`` its derivatives in all of the box: then F has one zero in the
    box, and it lies in what is returned.
    """
    try:
        inverse = exact(np.asarray(np.linalg.inv(rough(slope)), dtype=np.float64))
    except np.linalg.LinAlgError:
        return None
    away = column(around(arb(float(x))) for x in size)
    off = (exact(np.eye(len(size))) - inverse * slope) * away - inverse * value
    if not all(x.abs_upper() < arb(float(r)) for x, r in zip(off.entries(), size, strict=True)):
        return None
    return tuple(hull_of(arb(float(m)) + x) for m, x in zip(middle, off.entries(), strict=True))


def spectrum_of(matrix: arb_mat) -> list[acb] | None:
    """Enclosures of all eigenvalues of every matrix between the bounds."""
    try:
        return list(acb_mat(matrix).eig(multiple=True))
    except ValueError:
        return None


def is_contraction(matrix: arb_mat) -> bool:
    """Whether every matrix between the bounds makes some norm less: Q - MᵀQM is positive."""
    middle = rough(matrix)
    if not np.abs(np.linalg.eigvals(middle)).max(initial=0.0) < 1:
        return False
    shape = solve_discrete_lyapunov(middle.T, np.eye(len(middle)))
    norm = exact(np.asarray((shape + shape.T) / 2, dtype=np.float64))
    return is_positive_definite(norm) and is_positive_definite(
        norm - matrix.transpose() * norm * matrix
    )


def listed(spectrum: list[acb] | None) -> tuple[tuple[Interval, Interval], ...]:
    """Real and imaginary parts, the largest first."""
    pairs = [(hull_of(x.real), hull_of(x.imag)) for x in spectrum or ()]
    return tuple(sorted(pairs, key=lambda pair: -math.hypot(*(sum(ends) / 2 for ends in pair))))


def part(matrix: arb_mat, chosen: list[int]) -> arb_mat:
    """Some rows of a matrix, and the same columns."""
    entries = [matrix[i, j] for i in chosen for j in chosen]
    return arb_mat(len(chosen), len(chosen), entries)


def within(middle: float, size: float) -> Interval:
    """The interval about ``middle``, rounded inwards."""
    ends = (np.nextafter(middle + side * size, middle) if size else middle for side in (-1, 1))
    low, high = map(float, ends)
    return low, high
