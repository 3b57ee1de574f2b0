"""Rotations by unit quaternions (w, x, y, z), by Hamilton's product, from body to world axes.

Components may be numbers, arrays of them, or CasADi expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dyverse.expr.algebra import Amounts

Amount = Any  # numbers, arrays or expressions, which have no types
Quaternion = tuple[Amount, Amount, Amount, Amount]
Vector = tuple[Amount, Amount, Amount]
Matrix = tuple[Vector, Vector, Vector]  # rows


def product(p: Sequence[Amount], q: Sequence[Amount]) -> Quaternion:
    """The product p ∘ q: first turn by q, then by p."""
    (a, b, c, d), (w, x, y, z) = p, q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def matrix(q: Sequence[Amount]) -> Matrix:
    """R(q) of a unit quaternion: the columns are the axes of the body, in world axes."""
    w, x, y, z = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def transposed(rows: Matrix) -> Matrix:
    """The inverse of a rotation."""
    x, y, z = zip(*rows, strict=True)
    return (x, y, z)


def times(rows: Matrix, vector: Sequence[Amount]) -> Vector:
    """A matrix times a vector."""
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in rows)
    return (x, y, z)


def cross(a: Sequence[Amount], b: Sequence[Amount]) -> Vector:
    """The cross product a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def quaternion_rate(q: Sequence[Amount], spin: Sequence[Amount]) -> Quaternion:
    """q̇ = ½ q ∘ (0, ω), with the spin ω in body axes (rad/s)."""
    w, x, y, z = product(q, (0.0, *spin))
    return (w / 2, x / 2, y / 2, z / 2)


def from_angles(angles: Sequence[Amount], amounts: Amounts[Amount]) -> Quaternion:
    """R_z(c) R_y(b) R_x(a) for angles (a, b, c) (rad), about the axes of the world, x first."""
    cosines = [amounts.cos(angle / 2) for angle in angles]
    sines = [amounts.sin(angle / 2) for angle in angles]
    about_x = (cosines[0], sines[0], 0.0, 0.0)
    about_y = (cosines[1], 0.0, sines[1], 0.0)
    about_z = (cosines[2], 0.0, 0.0, sines[2])
    return product(about_z, product(about_y, about_x))


def inverse(rows: Matrix) -> Matrix:
    """The inverse of a symmetric matrix, by cofactors."""
    (a, d, e), (_, b, f), (_, _, c) = rows
    A, B, C = b * c - f * f, a * c - e * e, a * b - d * d
    E, F, K = d * f - b * e, d * e - a * f, e * f - c * d
    size = a * A + d * K + e * E
    A, B, C, E, F, K = (part / size for part in (A, B, C, E, F, K))
    return ((A, K, E), (K, B, F), (E, F, C))
