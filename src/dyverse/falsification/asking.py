"""From a model to a question: which numbers are open, what is claimed, how far to look."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from dyverse.bodies.pieces import Pieces
from dyverse.bodies.piecewise import InPieces, as_pieces, with_pieces
from dyverse.bodies.world import Input, Property, World
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr.requirement import reach
from dyverse.expr.term import Number
from dyverse.expr.value import value
from dyverse.falsification.question import DEPTH, Question, Unknown
from dyverse.falsification.system import system
from dyverse.generation.model import Model
from dyverse.given import check_kind, number_problem

HORIZON = 10.0  # s, where neither the property nor the model has an end
NOTHING: Mapping[str, float] = {}
NO_PIECES: InPieces = {}
NO_RANGES: Mapping[str, tuple[float, float]] = {}


def ask(
    model: Model | World,
    name: str | None = None,
    *,
    ranges: Mapping[str, tuple[float, float]] = NO_RANGES,
    settings: Mapping[str, float] = NOTHING,
    pieces: InPieces = NO_PIECES,
    until: float | None = None,
    depth: int = DEPTH,
) -> Question:
    """Can the property ``name`` of the model, or its only one, be broken?

    Open are the parameters and ports that have a range in the model and are not set, and what
    ``ranges`` names: parameters, ports, starting values. A port named in ``pieces`` is constant in
    so many pieces of equal length, or in such as `Pieces` says, each number open in the port's
    range. The question looks at times up to ``until``, else to the end of the property, the
    model's horizon, or 10 s.
    """
    check_kind(model, (Model, World), "a model or a world")
    _check_ranges(ranges)
    whole = model if isinstance(model, Model) else Model(model)
    claim = _claim(whole, name)
    own = _open_ports(whole, settings)
    chosen = {p.name: p.pieces for p in own if p.pieces and p.name not in pieces}
    chosen |= as_pieces(pieces)
    ranges = {**_port_ranges(whole, own, settings), **ranges}
    if chosen:
        end = until or _end(whole, claim, (), settings)
        whole = replace(whole, world=with_pieces(whole.world, chosen, end))
        claim = _claim(whole, claim.name)
        ranges = _spread(ranges, chosen, end)
    middle = {name: _middle(*limits) for name, limits in ranges.items()}
    if problems := list(whole.problems({**middle, **settings})):
        raise ModelError(problems)
    unknowns = open_numbers(whole, ranges, settings)
    if until is not None:
        claim = replace(claim, until=Number(until))
    return Question(
        system=system(whole, claim),
        unknowns=unknowns,
        until=_end(whole, claim, unknowns, settings),
        depth=depth,
        settings=tuple(sorted(settings.items())),
        pieces=tuple(chosen.items()),
    )


def _check_ranges(ranges: Mapping[str, tuple[float, float]]) -> None:
    for name, limits in ranges.items():
        pair = isinstance(limits, Sequence | np.ndarray) and len(limits) == 2
        if not pair or any(number_problem(limit) == "not a number" for limit in limits):
            problem = f"the range of {name!r} is {limits!r}; give two numbers: (1, 3)"
            raise ModelError([Problem(problem)])


def _middle(low: float, high: float) -> float:
    """A number of a range; that a range is not finite is told later, by its own name."""
    middle = low / 2 + high / 2
    return middle if math.isfinite(middle) else 0.0


def _open_ports(model: Model, settings: Mapping[str, float]) -> list[Input]:
    """The inputs that have a range in the model and are not set."""
    return [i for i in model.world.inputs if i.limits is not None and i.name not in settings]


def _port_ranges(
    model: Model, ports: list[Input], settings: Mapping[str, float]
) -> dict[str, tuple[float, float]]:
    known = model.values(settings)
    limits = {port.name: port.limits for port in ports if port.limits is not None}
    return {name: (value(low, known), value(high, known)) for name, (low, high) in limits.items()}


def _spread(
    ranges: Mapping[str, tuple[float, float]], pieces: Mapping[str, Pieces], until: float
) -> dict[str, tuple[float, float]]:
    """The range of a port for each of its numbers, and ranges for its times."""
    found: dict[str, tuple[float, float]] = {}
    for name, limits in ranges.items():
        own = pieces.get(name)
        found |= dict.fromkeys(own.values(name) if own else (name,), limits)
    for name, own in pieces.items():
        gap, times = own.shortest(until), own.times(name)
        for i, time in enumerate(times, start=1):
            found[time] = (i * gap, until - (own.count - i) * gap)
    return found


def _claim(model: Model, name: str | None) -> Property:
    names = [claim.name for claim in model.properties]
    if not names:
        problem = "the model has no property to break; add one: property up: always ball.y > 0"
        raise ModelError([Problem(problem)])
    if name is None and len(names) > 1:
        raise ModelError([Problem(f"the model has several properties; name one: {_list(names)}")])
    if name is not None and name not in names:
        hint = did_you_mean(name, names) or f"; known: {_list(names)}"
        raise ModelError([Problem(f"no property {name!r}{hint}")])
    return model.properties[0 if name is None else names.index(name)]


def _list(names: list[str]) -> str:
    return ", ".join(names)


def open_numbers(
    model: Model, ranges: Mapping[str, tuple[float, float]], settings: Mapping[str, float]
) -> tuple[Unknown, ...]:
    """The parameters with a range in the model that are not set, and what ``ranges`` names."""
    if twice := [name for name in ranges if name in settings]:
        raise ModelError([Problem(f"{twice[0]!r} is both set and given a range")])
    automaton = model.automaton(settings)
    own = {**automaton.observe(automaton.start()), **model.values(settings)}
    limits = {
        p.name: (value(p.limits[0], own), value(p.limits[1], own))
        for p in model.parameters
        if p.limits is not None and p.name not in settings
    }
    return tuple(
        Unknown(name=name, low=low, high=high, nominal=own[name])
        for name, (low, high) in {**limits, **ranges}.items()
    )


def _end(
    model: Model, claim: Property, unknowns: tuple[Unknown, ...], settings: Mapping[str, float]
) -> float:
    """The latest time to look at; an end that depends on unknowns is looked at in their corners."""
    corners = product(*((u.low, u.high) for u in unknowns[:8]))
    names = [unknown.name for unknown in unknowns]
    points = ({**settings, **dict(zip(names, corner, strict=False))} for corner in corners)
    return max(_end_at(model, claim, model.values(point)) for point in points)


def _end_at(model: Model, claim: Property, known: Mapping[str, float]) -> float:
    """The same where everything is known: a horizon counts only for a property without an end."""
    if claim.until is not None:
        return claim.over(known)
    if model.horizon is not None:
        return value(model.horizon, known)
    return max(HORIZON, reach(claim.requirement, known))
