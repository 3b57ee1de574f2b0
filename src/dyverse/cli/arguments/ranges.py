"""``--range NAME=LO:HI``: the numbers that are left open; ``NAME=LO:HI:N`` a port in N pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyverse.cli.arguments.settings import parse_settings
from dyverse.errors import ModelError, Problem
from dyverse.generation.model import Model


@dataclass(frozen=True, slots=True)
class Ranges:
    """What is open, and in how many pieces a port is."""

    limits: dict[str, tuple[float, float]]
    pieces: dict[str, int]


def parse_ranges(model: Model, texts: Sequence[str]) -> Ranges:
    """The ranges by name, or a `ModelError` with what is wrong about them."""
    ends = [_ends(text) for text in texts]
    low = _numbers(model, [f"{name}={parts[0]}" for name, parts in ends])
    high = _numbers(model, [f"{name}={parts[1]}" for name, parts in ends])
    pieces = {name.strip(): int(parts[2]) for name, parts in ends if len(parts) == 3}
    return Ranges({name: (low[name], high[name]) for name in low}, pieces)


def _numbers(model: Model, texts: list[str]) -> dict[str, float]:
    return parse_settings(model.world, texts, more=model.settable(), option="--range")


def _ends(text: str) -> tuple[str, list[str]]:
    name, equals, limits = text.partition("=")
    parts = [part.strip() for part in limits.split(":")]
    count_is_fine = len(parts) == 2 or (len(parts) == 3 and parts[2].isdecimal())
    if not (equals and count_is_fine and all(parts)):
        problem = (
            f"{text!r} is not of the form NAME=LO:HI, or NAME=LO:HI:N for an input in N pieces"
        )
        raise ModelError([Problem(problem)], file="--range")
    return name, parts
