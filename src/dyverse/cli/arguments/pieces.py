"""``--set u=1:2:3``: a port that is constant in pieces of equal length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dyverse.bodies.piecewise import longest_step, piece_names, with_pieces
from dyverse.cli.arguments.opened import Opened
from dyverse.errors import ModelError


def in_pieces(found: Opened, texts: Sequence[str], until: float) -> tuple[Opened, list[str], float]:
    """The model with its ports in pieces, settings with a number for each, the longest step (s)."""
    given = {text.partition("=")[0].strip(): text.partition("=")[2] for text in texts}
    pieces = {name: numbers.count(":") + 1 for name, numbers in given.items() if ":" in numbers}
    if not pieces:
        return found, list(texts), longest_step(pieces, until)
    try:
        world = with_pieces(found.world, pieces, until)
    except ModelError as error:
        raise ModelError(error.problems, file="--set") from None
    changed = replace(found.text_model, world=world)
    plain = [text for text in texts if text.partition("=")[0].strip() not in pieces]
    for name, count in pieces.items():
        numbers = zip(piece_names(name, count), given[name].split(":"), strict=True)
        plain += [f"{piece}={number}" for piece, number in numbers]
    return replace(found, model=changed), plain, longest_step(pieces, until)


def told_in_pieces(settings: Mapping[str, float], pieces: Mapping[str, int]) -> dict[str, str]:
    """Settings as ``--set`` takes them: the pieces of a port together."""
    names = {name: piece_names(name, count) for name, count in pieces.items()}
    steps = {piece for parts in names.values() for piece in parts}
    told = {name: repr(number) for name, number in settings.items() if name not in steps}
    return told | {
        name: ":".join(repr(settings[piece]) for piece in parts) for name, parts in names.items()
    }
