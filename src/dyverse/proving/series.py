"""Truncated power series of many runs at once: programs over (terms, runs), in floats.

The recurrences are the usual ones [hairer1993]: each coefficient of a result follows from those
before it. Where a function switches, the constant term decides.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.enclosure.program import Ring

Series = Any  # an array (terms, runs), or a number


def multiply(a: Series, b: Series) -> Series:
    """The product, cut."""
    if np.ndim(a) < 2 or np.ndim(b) < 2:
        return a * b
    found, terms = a[0] * b, len(a)
    for k in range(1, terms):
        found[k:] += a[k] * b[: terms - k]
    return found


def _by_terms(first: Callable[[Array], Array], term: Callable[..., Array]) -> Callable[..., Series]:
    """A function whose k-th coefficient follows from those before it."""

    def over(a: Series, _: Series) -> Series:
        if np.ndim(a) < 2:
            return first(np.asarray(a, dtype=np.float64))
        found = np.empty_like(a)
        found[0] = first(a[0])
        for k in range(1, len(a)):
            found[k] = term(a, found, k)
        return found

    return over


def _folded(a: Array, b: Array, low: int, high: int, k: int) -> Array:
    """Σ aⱼ bₖ₋ⱼ for j from ``low`` to ``high``."""
    found: Array = (a[low : high + 1] * b[k - high : k - low + 1][::-1]).sum(axis=0)
    return found


def _weighted(a: Array, b: Array, k: int, high: int) -> Array:
    """Σ j aⱼ bₖ₋ⱼ / k for j from 1 to ``high``."""
    weights = np.arange(1, high + 1)[:, None] / k
    found: Array = (weights * a[1 : high + 1] * b[k - high : k][::-1]).sum(axis=0)
    return found


inverse = _by_terms(lambda a: 1 / a, lambda a, c, k: -_folded(a, c, 1, k, k) / a[0])
root = _by_terms(np.sqrt, lambda a, c, k: (a[k] - _folded(c, c, 1, k - 1, k)) / (2 * c[0]))
exponential = _by_terms(np.exp, lambda a, c, k: _weighted(a, c, k, k))
logarithm = _by_terms(np.log, lambda a, c, k: (a[k] - _weighted(c, a, k, k - 1)) / a[0])


def divide(a: Series, b: Series) -> Series:
    """The quotient, cut."""
    return a / b if np.ndim(b) < 2 else multiply(a, inverse(b, b))


def wave(a: Series) -> tuple[Series, Series]:
    """Sine and cosine."""
    if np.ndim(a) < 2:
        return np.sin(a), np.cos(a)
    sine, cosine = np.empty_like(a), np.empty_like(a)
    sine[0], cosine[0] = np.sin(a[0]), np.cos(a[0])
    for k in range(1, len(a)):
        sine[k], cosine[k] = _weighted(a, cosine, k, k), -_weighted(a, sine, k, k)
    return sine, cosine


def _slope(a: Series) -> Series:
    if np.ndim(a) < 2:
        return 0.0 * a
    return np.vstack([a[1:] * np.arange(1, len(a))[:, None], np.zeros_like(a[:1])])


def _integral(slope: Series, first: Array) -> Series:
    if np.ndim(slope) < 2:
        return first
    found = np.empty_like(slope)
    found[0], found[1:] = first, slope[:-1] / np.arange(1, len(slope))[:, None]
    return found


def _arc(y: Series, x: Series) -> Series:
    """The angle of (x, y): its slope is (x y' - y x')/(x² + y²)."""
    turning = multiply(x, _slope(y)) - multiply(y, _slope(x))
    return _integral(divide(turning, multiply(x, x) + multiply(y, y)), np.arctan2(_at(y), _at(x)))


def _at(a: Series) -> Any:
    return a[0] if np.ndim(a) == 2 else a


def _power(a: Series, b: Series) -> Series:
    if np.ndim(b) == 0 and float(b).is_integer() and abs(b) < 16:
        found: Series = 1.0
        for _ in range(abs(int(b))):
            found = multiply(found, a)
        return found if b >= 0 else inverse(found, found)
    return exponential(multiply(logarithm(a, a), b), a)


def _sine(a: Series) -> Series:
    below = _wide(1.0, a) - multiply(a, a)
    return _integral(divide(_slope(a), root(below, a)), np.arcsin(_at(a)))


def _decided(function: Callable[..., Any]) -> Callable[[Series, Series], Series]:
    """A function that is constant between its jumps: the constant terms decide."""
    return lambda a, b: function(_at(a), _at(b)) * 1.0


def _chosen(a: Series, b: Series, first: Any) -> Series:
    """Of two series the first where ``first`` is true."""
    return np.where(first, *np.broadcast_arrays(_wide(a, b), _wide(b, a)))


def _wide(a: Series, like: Series) -> Series:
    """A number as a series, if the other is one."""
    if np.ndim(a) == 2 or np.ndim(like) < 2:
        return a
    return np.vstack([np.broadcast_to(a, like[:1].shape), np.zeros_like(like[1:])])


SERIES: Ring[Series] = Ring(
    float,
    {
        "add": lambda a, b: _wide(a, b) + _wide(b, a),
        "sub": lambda a, b: _wide(a, b) - _wide(b, a),
        "mul": multiply,
        "div": divide,
        "neg": lambda a, _: -a,
        "inv": inverse,
        "twice": lambda a, _: a + a,
        "sq": lambda a, _: multiply(a, a),
        "pow": _power,
        "constpow": _power,
        "exp": exponential,
        "log": logarithm,
        "sqrt": root,
        "sin": lambda a, _: wave(a)[0],
        "cos": lambda a, _: wave(a)[1],
        "tan": lambda a, _: divide(*wave(a)),
        "asin": lambda a, _: _sine(a),
        "acos": lambda a, _: _wide(np.pi / 2, a) - _sine(a),
        "atan": lambda a, _: _arc(a, _wide(1.0, a)),
        "atan2": lambda a, b: _arc(_wide(a, b), _wide(b, a)),
        "sinh": lambda a, _: (exponential(a, a) - exponential(-a, a)) / 2,
        "cosh": lambda a, _: (exponential(a, a) + exponential(-a, a)) / 2,
        "tanh": lambda a, _: _wide(1.0, a) - 2 * inverse(_wide(1.0, a) + exponential(a + a, a), a),
        "fabs": lambda a, _: np.sign(_at(a)) * a,
        "fmin": lambda a, b: _chosen(a, b, _at(a) < _at(b)),
        "fmax": lambda a, b: _chosen(a, b, _at(a) > _at(b)),
        "sign": _decided(lambda a, _: np.sign(a)),
        "floor": _decided(lambda a, _: np.floor(a)),
        "ceil": _decided(lambda a, _: np.ceil(a)),
        "lt": _decided(operator.lt),
        "le": _decided(operator.le),
        "eq": _decided(operator.eq),
        "ne": _decided(operator.ne),
        "not": _decided(lambda a, _: 1.0 - a),
        "and": _decided(np.logical_and),
        "or": _decided(np.logical_or),
        "if_else_zero": lambda a, b: np.where(_at(a), b, 0.0),
    },
)
