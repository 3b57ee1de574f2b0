"""Matrices of balls: what linear algebra says of every matrix between bounds. [johansson2017]

In come matrices of intervals or of exact numbers; out go products, and whether every symmetric
matrix between the bounds is positive definite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from dyverse.enclosure.interval import Interval, hull_of

Array = NDArray[np.float64]


def ball(interval: Interval) -> arb:
    """The least ball around an interval."""
    return arb(interval[0]).union(arb(interval[1]))


def balls(rows: Sequence[Sequence[Interval]], columns: int) -> arb_mat:
    """A matrix of intervals."""
    return arb_mat(len(rows), columns, [ball(entry) for row in rows for entry in row])


def exact(array: Array) -> arb_mat:
    """A matrix of numbers as they are; a vector is a column."""
    table = array[:, None] if array.ndim == 1 else array
    return arb_mat(table.shape[0], table.shape[1], [arb(float(x)) for x in table.ravel()])


def entries(matrix: arb_mat) -> list[list[arb]]:
    """The rows of a matrix."""
    rows, columns = range(matrix.nrows()), range(matrix.ncols())
    return [[matrix[i, j] for j in columns] for i in rows]


def intervals(column: arb_mat) -> tuple[Interval, ...]:
    """The entries of a matrix, row by row, as intervals."""
    return tuple(hull_of(entry) for row in entries(column) for entry in row)


def lengths(matrix: arb_mat) -> tuple[float, ...]:
    """The most that each row can be long."""
    squares = (sum((entry * entry for entry in row), arb(0)) for row in entries(matrix))
    return tuple(hull_of(square.upper().sqrt())[1] for square in squares)


def is_positive_definite(matrix: arb_mat) -> bool:
    """Whether every symmetric matrix between the bounds surely is: by elimination."""
    rows = entries(matrix)
    for k, row in enumerate(rows):
        pivot = row[k]
        if not pivot > 0:
            return False
        for below in rows[k + 1 :]:
            share = below[k] / pivot
            below[k:] = [
                entry - share * above for entry, above in zip(below[k:], row[k:], strict=True)
            ]
    return True


def by_columns(numbers: Sequence[arb], rows: int, columns: int) -> arb_mat:
    """A matrix from its entries column by column, as CasADi lists them."""
    return arb_mat(columns, rows, list(numbers)).transpose()


def column(numbers: Iterable[arb]) -> arb_mat:
    """A column of balls."""
    listed = list(numbers)
    return arb_mat(len(listed), 1, listed)


def around(size: arb) -> arb:
    """The ball about zero of this size."""
    return arb(0, size)


def upper(matrix: arb_mat) -> arb_mat:
    """The most that each entry can be in size."""
    sizes = [entry.abs_upper() for entry in matrix.entries()]
    return arb_mat(matrix.nrows(), matrix.ncols(), sizes)


def is_below(least: arb_mat, most: arb_mat) -> bool:
    """Whether every entry of one is surely less than that of the other."""
    return all(a < b for a, b in zip(least.entries(), most.entries(), strict=True))


def is_finite(matrix: arb_mat) -> bool:
    """Whether every entry is a number."""
    return all(entry.is_finite() for entry in matrix.entries())
