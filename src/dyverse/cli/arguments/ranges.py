"""``--range NAME=LO:HI``: the numbers that are left open.

``NAME=LO:HI:N`` is a port in N pieces; ``linear`` and ``switching`` may follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyverse.bodies.pieces import Pieces
from dyverse.cli.arguments.settings import parse_settings
from dyverse.errors import ModelError, Problem
from dyverse.generation.model import Model

WORDS = ("linear", "switching")


@dataclass(frozen=True, slots=True)
class Ranges:
    """What is open, and in what pieces ports are."""

    limits: dict[str, tuple[float, float]]
    pieces: dict[str, Pieces]


def parse_ranges(model: Model, texts: Sequence[str]) -> Ranges:
    """The ranges by name, or a `ModelError` with what is wrong about them."""
    ends = [_ends(text) for text in texts]
    low = _numbers(model, [f"{name}={parts[0]}" for name, parts in ends])
    high = _numbers(model, [f"{name}={parts[1]}" for name, parts in ends])
    pieces = {name.strip(): _pieces(parts[2:]) for name, parts in ends if len(parts) > 2}
    return Ranges({name: (low[name], high[name]) for name in low}, pieces)


def _numbers(model: Model, texts: list[str]) -> dict[str, float]:
    return parse_settings(model.world, texts, more=model.settable(), option="--range")


def _ends(text: str) -> tuple[str, list[str]]:
    name, equals, limits = text.partition("=")
    parts = [part.strip() for part in limits.split(":")]
    if not (equals and _is_form(parts)):
        problem = (
            f"{text!r} is not of the form NAME=LO:HI, or NAME=LO:HI:N for an input in N pieces, "
            "behind which ':linear' and ':switching' may stand"
        )
        raise ModelError([Problem(problem)], file="--range")
    return name, parts


def _is_form(parts: list[str]) -> bool:
    count, words = parts[2:3], parts[3:]
    fine = all(word in WORDS for word in words) and len(set(words)) == len(words)
    return len(parts) > 1 and all(parts) and all(map(str.isdecimal, count)) and fine


def _pieces(parts: list[str]) -> Pieces:
    return Pieces(int(parts[0]), **dict.fromkeys(parts[1:], True))
