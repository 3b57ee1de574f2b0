"""``--set u=1:2:3``: a port in pieces.

Its numbers follow each other at equal times, or where ``@`` says so: ``u=1:2@0.5:3@2`` is 2 from
0.5 s on and 3 from 2 s on. With ``:linear`` behind them they are joined by straight lines, the
first at the start and the last at the end: ``u=1:2@0.5:3:linear``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dyverse.bodies.pieces import Pieces
from dyverse.bodies.piecewise import longest_step, with_pieces
from dyverse.cli.arguments.opened import Opened
from dyverse.cli.arguments.settings import as_number
from dyverse.errors import ModelError, Problem

LINEAR = ":linear"
FINEST = 2000  # steps that the shortest of many pieces may ask for


@dataclass(frozen=True, slots=True)
class Signal:
    """A port in pieces, with its numbers and its times as they were written."""

    pieces: Pieces
    values: tuple[str, ...]
    times: tuple[str, ...]

    def settings(self, port: str) -> list[str]:
        """A setting for each of its parameters."""
        named = zip(self.pieces.names(port), self.values + self.times, strict=True)
        return [f"{name}={number}" for name, number in named]


def in_pieces(found: Opened, texts: Sequence[str], until: float) -> tuple[Opened, list[str], float]:
    """The model with its ports in pieces, settings with a number for each, the longest step (s)."""
    given = {text.partition("=")[0].strip(): text.partition("=")[2] for text in texts}
    signals = {name: _signal(name, text, until) for name, text in given.items() if ":" in text}
    pieces = {name: signal.pieces for name, signal in signals.items()}
    if not pieces:
        return found, list(texts), longest_step(pieces, until)
    try:
        world = with_pieces(found.world, pieces, until)
    except ModelError as error:
        raise ModelError(error.problems, file="--set") from None
    changed = replace(found.text_model, world=world)
    plain = [text for text in texts if text.partition("=")[0].strip() not in pieces]
    plain += [text for name, signal in signals.items() for text in signal.settings(name)]
    step = min(_longest_step(signal, until) for signal in signals.values())
    return replace(found, model=changed), plain, step


def _signal(name: str, text: str, until: float) -> Signal:
    linear = text.strip().endswith(LINEAR)
    parts = [part.strip() for part in text.strip().removesuffix(LINEAR).split(":")]
    values = tuple(part.partition("@")[0] for part in parts)
    inner = parts[1:-1] if linear else parts[1:]
    times = tuple(part.partition("@")[2] for part in inner) if "@" in text else ()
    signal = Signal(Pieces(len(parts) - linear, linear, bool(times)), values, times)
    if problem := _problem(signal, parts, until):
        raise ModelError([Problem(f"{name!r}: {problem}")], file="--set")
    return signal


def _problem(signal: Signal, parts: list[str], until: float) -> str | None:
    """What is wrong with its times, if something is; numbers are looked at like all others."""
    if signal.pieces.linear and len(parts) < 2:
        return "a straight line needs two numbers, u=0:1:linear"
    if not all(parts):
        return "write numbers with ':' between them, u=1:2:3"
    if "@" in "".join(parts) and not (all(signal.times) and signal.times):
        ends = " and the last" if signal.pieces.linear else ""
        return f"each number but the first{ends} needs a time, u=1:2@0.5:3@2"
    if "@" in parts[0] or (signal.pieces.linear and "@" in parts[-1]):
        return "the first number begins at 0 s, and of a line the last is reached at the end"
    times = [as_number(time) for time in signal.times]
    known = [time for time in times if time is not None]
    if len(known) < len(times):
        return f"{signal.times[times.index(None)]!r} is no time"
    if any(b <= a for a, b in pairwise([0.0, *known, until])):
        return f"times must follow each other between 0 and {until:g} s"
    return None


def _longest_step(signal: Signal, until: float) -> float:
    """The longest step (s) that is sure to notice every piece, but for those that are tiny."""
    if not signal.times:
        return longest_step({"": signal.pieces}, until)
    times = [0.0, *(as_number(time) or 0.0 for time in signal.times), until]
    return max(min(b - a for a, b in pairwise(times)) / 2, until / FINEST)


def told_in_pieces(settings: Mapping[str, float], pieces: Mapping[str, Pieces]) -> dict[str, str]:
    """Settings as ``--set`` takes them: the numbers of a port together."""
    parts = {name for port, own in pieces.items() for name in own.names(port)}
    told = {name: repr(number) for name, number in settings.items() if name not in parts}
    return told | {port: _told(settings, port, own) for port, own in pieces.items()}


def _told(settings: Mapping[str, float], port: str, own: Pieces) -> str:
    values = [repr(settings[name]) for name in own.values(port)]
    for i, name in enumerate(own.times(port), start=1):
        values[i] = f"{values[i]}@{settings[name]!r}"
    return ":".join(values) + (LINEAR if own.linear else "")
