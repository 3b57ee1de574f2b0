"""Witnesses in one file that can be handed on: what was asked, of which model, and what was found.

The file is JSON and stands alone: it holds the text of the model, all settings, the seed, the
versions that found it, and of every witness its path, events and the states it begins and ends in.
Whoever opens it runs the same model with the same numbers; see ``docs/reference/witness.md``.
"""

from __future__ import annotations

import json
import math
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

from dyverse.errors import ModelError, Problem

FORMAT = 1
MARK = "dyverse witness"  # the first key
NAMES = ("dyverse", "numpy", "scipy", "casadi")  # whose versions are kept

Plain = dict[str, Any]  # JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One witness: its kind, what is set where it is, and what `witness_json` tells of it."""

    kind: str
    settings: Mapping[str, str]  # as --set takes them
    parameters: Mapping[str, float]
    told: Plain = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessFile:
    """A question and its witnesses, of which the first is the one that counts."""

    model: str  # its name
    text: str = field(repr=False)
    claim: str  # the property, or nothing
    never: str  # the behaviour that was asked about instead, or nothing
    ranges: tuple[str, ...]  # as --range takes them
    settings: tuple[str, ...]  # as --set takes them
    until: float
    depth: int
    seed: int
    method: str
    witnesses: tuple[Found, ...]
    versions: Mapping[str, str] = field(default_factory=lambda: versions())

    def of_kind(self, kind: str) -> Found | None:
        """The witness of that kind, or with that number from 1 on."""
        if kind.isdecimal() and 1 <= int(kind) <= len(self.witnesses):
            return self.witnesses[int(kind) - 1]
        return next((found for found in self.witnesses if found.kind == kind), None)


def versions() -> dict[str, str]:
    """Of whatever has a say in the numbers."""
    return {"python": platform.python_version()} | {name: version(name) for name in NAMES}


def witness_text(file: WitnessFile) -> str:
    """The file's text."""
    told = {MARK: FORMAT} | asdict(file)
    return json.dumps(told, indent=1, allow_nan=False)


def is_witness(text: str) -> bool:
    """Whether a text is a file of witnesses, be it a damaged one; no model begins so."""
    return re.match(rf'\s*\{{\s*"{MARK}"', text) is not None


def read_witness(text: str, *, file: str) -> WitnessFile:
    """The file of that text, or a `ModelError` that says what is wrong with it."""
    try:
        return _read(json.loads(text))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        problem = f"is no file of witnesses: {error.msg} ({where}); it may have been cut off"
        raise ModelError([Problem(problem)], file=file) from None
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise ModelError([Problem(f"is no file of witnesses: {what}")], file=file) from None


def _read(told: Plain) -> WitnessFile:
    if told[MARK] != FORMAT:
        raise ValueError(f"it has format {told[MARK]!r}, and this version reads {FORMAT}")
    witnesses = tuple(_found(one) for one in told["witnesses"])
    if not witnesses:
        raise ValueError("there is none in it")
    return WitnessFile(
        model=_text(told, "model"),
        text=_text(told, "text"),
        claim=_text(told, "claim"),
        never=_text(told, "never"),
        ranges=tuple(map(str, told["ranges"])),
        settings=tuple(map(str, told["settings"])),
        until=_number(told["until"]),
        depth=int(told["depth"]),
        seed=int(told["seed"]),
        method=_text(told, "method"),
        witnesses=witnesses,
        versions={str(name): str(number) for name, number in dict(told["versions"]).items()},
    )


def _found(told: Plain) -> Found:
    return Found(
        kind=_text(told, "kind"),
        settings={str(name): str(text) for name, text in dict(told["settings"]).items()},
        parameters={str(name): _number(x) for name, x in dict(told["parameters"]).items()},
        told=dict(told["told"]),
    )


def _text(told: Plain, key: str) -> str:
    if not isinstance(told[key], str):
        raise TypeError(f"{key!r} is no text")
    return str(told[key])


def _number(amount: object) -> float:
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not math.isfinite(amount):
        raise ValueError(f"{amount!r} is no number")
    return float(amount)
