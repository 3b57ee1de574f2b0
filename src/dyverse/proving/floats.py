"""The ring of floats, many at once: programs over arrays, without any guarantee."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.enclosure.program import Program, Ring

Numbers = Any  # an array, or a number where something is the same everywhere


def _of_one(function: Callable[[Numbers], Numbers]) -> Callable[[Numbers, Numbers], Numbers]:
    return lambda x, _: function(x)


def _of_truths(function: Callable[..., Numbers]) -> Callable[[Numbers, Numbers], Numbers]:
    return lambda x, y: function(x, y) * 1.0


FLOATS: Ring[Numbers] = Ring(
    float,
    {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": np.divide,
        "neg": _of_one(operator.neg),
        "inv": _of_one(np.reciprocal),
        "twice": lambda x, _: x + x,
        "sq": lambda x, _: x * x,
        "pow": np.power,
        "constpow": np.power,
        "sqrt": _of_one(np.sqrt),
        "exp": _of_one(np.exp),
        "log": _of_one(np.log),
        "sin": _of_one(np.sin),
        "cos": _of_one(np.cos),
        "tan": _of_one(np.tan),
        "asin": _of_one(np.arcsin),
        "acos": _of_one(np.arccos),
        "atan": _of_one(np.arctan),
        "atan2": np.arctan2,
        "sinh": _of_one(np.sinh),
        "cosh": _of_one(np.cosh),
        "tanh": _of_one(np.tanh),
        "fabs": _of_one(np.abs),
        "sign": _of_one(np.sign),
        "floor": _of_one(np.floor),
        "ceil": _of_one(np.ceil),
        "fmin": np.fmin,
        "fmax": np.fmax,
        "lt": _of_truths(np.less),
        "le": _of_truths(np.less_equal),
        "eq": _of_truths(np.equal),
        "ne": _of_truths(np.not_equal),
        "not": lambda x, _: 1.0 - x,
        "and": _of_truths(np.logical_and),
        "or": _of_truths(np.logical_or),
        "if_else_zero": lambda x, y: np.where(x, y, 0.0),
    },
)


def run(program: Program, *arguments: Array) -> list[Array]:
    """All results, each with its numbers as rows; the columns are those of the arguments."""
    columns = arguments[0].shape[1:]
    with np.errstate(all="ignore"):
        found = program.run(FLOATS, *(list(argument) for argument in arguments))
    return [_rows(row, columns) for row in found]


def _rows(numbers: list[Numbers], columns: tuple[int, ...]) -> Array:
    """The same as one array; a number that is the same everywhere fills its row."""
    made = np.empty((len(numbers), *columns))
    for row, number in zip(made, numbers, strict=True):
        row[...] = number
    return made
