"""When the laws of contact have one solution, whatever the pattern that was found.

One contact with friction: with Λ_N > 0 and m = Λ_T/Λ_N in the disc of radius μ, the normal law
gives Λ_N = -c_N/(a + b·m), and ξ_T = c_T - c_N (b + D m)/(a + b·m) for G = [[a, bᵀ], [b, D]].
Coulomb's law is a variational inequality for m; it has one solution if a + b·m > 0 and if the map
m ↦ (b + D m)/(a + b·m) is strictly monotone on the disc, which is so if D(a + b·m) - (b + D m)bᵀ
has a positive definite symmetric part there. Contacts without friction: G_NN positive definite,
for then the linear complementarity problem has one solution [cottle2009].
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, arb_mat

from dyverse.certificate.file import Unproved
from dyverse.enclosure.balls import ROUNDED
from dyverse.enclosure.matrix import around, is_positive_definite


def one_solution(shape: arb_mat, frictions: Sequence[arb], smooth: Sequence[bool]) -> None:
    """Refuse a contact problem that may have several solutions; ``shape`` is G."""
    if all(smooth):
        normals = range(0, shape.nrows(), 3)
        whole = arb_mat(len(normals), len(normals), [shape[i, j] for i in normals for j in normals])
        if not is_positive_definite(whole):
            raise Unproved(
                "unsupported: contacts without friction may share their forces in several ways"
            )
        return
    if len(frictions) > 1:
        raise Unproved("unsupported: several contacts with friction at once")
    (mu,) = frictions
    if not -mu.lower() <= ROUNDED * mu.upper():
        raise Unproved("unsupported: friction may be negative")
    a, b, m = shape[0, 0], _part(shape, (1, 2), (0,)), arb_mat(2, 1, [around(mu.upper())] * 2)
    D = _part(shape, (1, 2), (1, 2))
    grip = a + (b.transpose() * m)[0, 0]
    slope = D * grip - (b + D * m) * b.transpose()
    if not (grip > 0 and is_positive_definite(slope + slope.transpose())):
        raise Unproved("unsupported: a contact may have several solutions")


def _part(matrix: arb_mat, rows: Sequence[int], columns: Sequence[int]) -> arb_mat:
    """A part of a matrix."""
    return arb_mat(len(rows), len(columns), [matrix[i, j] for i in rows for j in columns])
