"""Inputs in pieces: a port becomes a function of time with a few numbers, each a parameter.

``u`` in three pieces until 6 s is ``u_1`` up to 2 s, ``u_2`` up to 4 s and ``u_3`` from then on. If
it is *linear* it goes straight from ``u_1`` at the start to ``u_2``, to ``u_3`` and to ``u_4`` at
the end: there is one number more than there are pieces. If it is *switching* its times are
parameters as well: ``u_t2`` is when ``u_2`` begins, or is reached. All of them can be set or left
open like any other parameter. What jumps or bends in time is found by every engine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dyverse.bodies.pieces import Pieces
from dyverse.bodies.world import Parameter, World
from dyverse.errors import ModelError, Problem
from dyverse.expr.term import CHOICE, Call, Number, Symbol, Term

TIME = Symbol("t")
Array = NDArray[np.float64]


InPieces: TypeAlias = Mapping[str, int | Pieces]


def as_pieces(pieces: InPieces) -> dict[str, Pieces]:
    """A number alone means constant pieces of equal length."""
    return {name: Pieces(p) if isinstance(p, int) else p for name, p in pieces.items()}


def with_pieces(world: World, pieces: InPieces, until: float) -> World:
    """The world with each of these ports in pieces up to ``until`` (s)."""
    chosen = as_pieces(pieces)
    if problems := [text for name in chosen if (text := _problem(world, name, chosen[name]))]:
        raise ModelError(map(Problem, problems))
    new = [p for name, own in chosen.items() for p in _parameters(name, own, until)]
    formulas = {name: _formula(name, own, until) for name, own in chosen.items()}
    inputs = tuple(
        replace(item, formula=formulas.get(item.name, item.formula)) for item in world.inputs
    )
    return replace(world, parameters=(*world.parameters, *new), inputs=inputs)


def longest_step(pieces: InPieces, until: float) -> float:
    """The longest step (s) of an integrator that is sure to notice every piece."""
    chosen = as_pieces(pieces).values()
    return min((own.shortest(until) / 2 for own in chosen), default=math.inf)


def _parameters(port: str, own: Pieces, until: float) -> list[Parameter]:
    values = [Parameter(name=name, value=Number(0.0)) for name in own.values(port)]
    times = zip(own.times(port), own.equal_times(until), strict=False)
    return values + [Parameter(name=name, value=Number(time)) for name, time in times]


def _problem(world: World, name: str, own: Pieces) -> str | None:
    ports = {item.name for item in world.inputs if item.formula is None}
    taken = {item.name for item in world.parameters} | {item.name for item in world.inputs}
    if own.count < 1:
        return f"{name!r} needs one piece or more"
    if own.switching and own.count < 2:
        return f"{name!r} needs two pieces or more to switch between"
    if name not in ports:
        known = ", ".join(sorted(ports)) or "none"
        return f"only an input without formula can come in pieces, not {name!r}; there are: {known}"
    if clash := taken.intersection(own.names(name)):
        return f"the pieces of {name!r} would be called {min(clash)!r}, which is taken"
    return None


def _formula(port: str, own: Pieces, until: float) -> Term:
    values: list[Term] = list(map(Symbol, own.values(port)))
    times: list[Term] = list(map(Symbol, own.times(port)))
    times = times or [Number(time) for time in own.equal_times(until)]
    return _lines(values, [*times, Number(until)]) if own.linear else _steps(values, times)


def placed(times: Array, low: Array, high: Array, gap: float) -> Array:
    """Rows of times put in order within their ranges, at least ``gap`` (s) apart.

    The ranges leave room for that: those of the times before and after.
    """
    found = np.maximum(np.sort(times, axis=1), low)
    for i in range(1, found.shape[1]):
        found[:, i] = np.maximum(found[:, i], found[:, i - 1] + gap)
    return np.minimum(found, high)


def _steps(values: list[Term], times: list[Term]) -> Term:
    total = values[0]
    for (before, after), time in zip(pairwise(values), times, strict=True):
        passed = (Call("sign", (TIME - time,)) + 1) / 2
        total = total + (after - before) * passed
    return total


def _lines(values: list[Term], times: list[Term]) -> Term:
    """Straight from each value to the next, which is reached in time; then it stays."""
    begins: list[Term] = [Number(0.0), *times[:-1]]
    total = values[-1]
    for (a, b), begin, end in reversed(list(zip(pairwise(values), begins, times, strict=True))):
        line = a + (b - a) * (TIME - begin) / (end - begin)
        total = Call(CHOICE, (Call("<", (TIME, end)), line, total))
    return total
