"""``--over NAME=LO:HI:N``: the grid of a map; ``--border NAME=WIDTH`` and ``--box NAME=LO:HI``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dyverse.abstraction.survey.mapping import Axis, Map, Spaced
from dyverse.cli.arguments.settings import as_number, parse_settings
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.generation.model import Model

OVER, BORDER, BOX = "--over", "--border", "--box"
MOST_POINTS = 1_000_000_000


def parse_axes(model: Model, texts: Sequence[str]) -> tuple[Axis, ...]:
    """The axes, or a `ModelError` with what is wrong about them."""
    axes = tuple(_axis(model, text) for text in texts)
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise _refused(f"{name!r} is there twice")
    if (size := Map(axes).size) > MOST_POINTS:
        raise _refused(f"the grid has {size:.3g} points; a map may have {MOST_POINTS:,}")
    return axes


def _axis(model: Model, text: str) -> Axis:
    name, equals, values = (part.strip() for part in text.partition("="))
    ends = values.split(":")
    if not equals or not values or len(ends) not in (1, 3):
        raise _refused(f"{text!r} is not of the form NAME=LO:HI:N or NAME=V1,V2,…")
    if len(ends) == 1:
        return Axis(name, tuple(_number(model, name, item) for item in values.split(",")))
    low, high = (_number(model, name, end) for end in ends[:2])
    count = _count(ends[2].strip())
    if count < 2 or not low < high:
        raise _refused(f"{text!r}: LO must be less than HI, and N a whole number, 2 or more")
    return Axis(name, Spaced(low, high, count))


def _count(text: str) -> int:
    """A whole number; one of very many digits is as good as too many points, others are 0."""
    return int(text[:18]) if text.isascii() and text.isdecimal() else 0


def _number(model: Model, name: str, text: str) -> float:
    settings = [f"{name}={text}"]
    return parse_settings(model.world, settings, more=model.settable(), option=OVER)[name]


def parse_widths(names: Sequence[str], texts: Sequence[str]) -> dict[str, float]:
    """The widths to which borders are enclosed, by name of the axis."""
    widths: dict[str, float] = {}
    for text in texts:
        name, _, amount = (part.strip() for part in text.partition("="))
        if name not in names:
            hint = did_you_mean(name, names)
            raise ModelError([Problem(f"{name!r} is no axis of the map{hint}")], file=BORDER)
        try:
            widths[name] = float(amount)
        except ValueError:
            widths[name] = 0.0
        if not widths[name] > 0:
            raise ModelError([Problem(f"{text!r} needs a width over 0")], file=BORDER)
    return widths


def parse_box(names: Sequence[str], texts: Sequence[str]) -> dict[str, tuple[float, float]]:
    """The ends of a box, by name of the variable."""
    box: dict[str, tuple[float, float]] = {}
    problems: list[Problem] = []
    for text in texts:
        name, _, ends = (part.strip() for part in text.partition("="))
        numbers = [as_number(end) for end in ends.split(":")]
        if name not in names:
            problems.append(Problem(f"unknown variable {name!r}{did_you_mean(name, names)}"))
        elif name in box:
            problems.append(Problem(f"{name!r} is there twice"))
        elif len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            problems.append(Problem(f"{text!r} is not of the form NAME=LO:HI"))
        elif not -math.inf < numbers[0] < numbers[1] < math.inf:
            problems.append(Problem(f"{text!r}: LO must be less than HI, and both finite"))
        else:
            box[name] = numbers[0], numbers[1]
    if problems:
        raise ModelError(problems, file=BOX)
    return box


def _refused(message: str) -> ModelError:
    return ModelError([Problem(message)], file=OVER)
