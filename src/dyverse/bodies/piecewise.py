"""Inputs that are constant in pieces: a port becomes steps at equal times, one number per piece.

``u`` in three pieces until 6 s is ``u_1`` up to 2 s, ``u_2`` up to 4 s and ``u_3`` from then on;
these are parameters of the new world, so they can be set or left open like any other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from dyverse.bodies.world import Parameter, World
from dyverse.errors import ModelError, Problem
from dyverse.expr.term import Call, Number, Symbol, Term


def piece_names(port: str, count: int) -> tuple[str, ...]:
    """The parameters that stand for the pieces of a port."""
    return tuple(f"{port}_{i + 1}" for i in range(count))


def with_pieces(world: World, pieces: Mapping[str, int], until: float) -> World:
    """The world with each of these ports in so many pieces of equal length up to ``until`` (s)."""
    if problems := [text for name in pieces if (text := _problem(world, name, pieces[name]))]:
        raise ModelError(map(Problem, problems))
    new = [Parameter(name=n, value=Number(0.0)) for p in pieces for n in piece_names(p, pieces[p])]
    inputs = tuple(
        replace(item, formula=_steps(item.name, pieces[item.name], until))
        if item.name in pieces
        else item
        for item in world.inputs
    )
    return replace(world, parameters=(*world.parameters, *new), inputs=inputs)


def longest_step(pieces: Mapping[str, int], until: float) -> float:
    """The longest step (s) of an integrator that is sure to notice every piece."""
    return until / max(pieces.values()) / 2 if pieces else math.inf


def _problem(world: World, name: str, count: int) -> str | None:
    ports = {item.name for item in world.inputs if item.formula is None}
    taken = {item.name for item in world.parameters} | {item.name for item in world.inputs}
    if count < 1:
        return f"{name!r} needs one piece or more"
    if name not in ports:
        known = ", ".join(sorted(ports)) or "none"
        return f"only an input without formula can come in pieces, not {name!r}; there are: {known}"
    if clash := taken.intersection(piece_names(name, count)):
        return f"the pieces of {name!r} would be called {min(clash)!r}, which is taken"
    return None


def _steps(port: str, count: int, until: float) -> Term:
    first, *others = piece_names(port, count)
    total: Term = Symbol(first)
    for i, (before, after) in enumerate(zip((first, *others), others, strict=False), start=1):
        passed = (Call("sign", (Symbol("t") - until * i / count,)) + 1) / 2
        total = total + (Symbol(after) - Symbol(before)) * passed
    return total
