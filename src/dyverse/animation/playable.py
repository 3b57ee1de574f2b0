"""A model that can be played, and what the page is told about it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from dyverse.automaton.interface import HybridAutomaton
from dyverse.bodies.world import Parameter, Property, World
from dyverse.expr.term import Term
from dyverse.generation.drawing import Drawing

Settings = Mapping[str, float]
_UNIT = re.compile(
    r"(1|m|s|kg|k?N|k?J|k?W|k?Pa|Hz|rad|degrees)"
    r"(( C(elsius)?)|( (m|s|kg|rad)){0,2}[²³]?([/^][/^²³a-zA-Z0-9]+)?)"
)
_DECLARED = re.compile(
    r"\b(real|clock|int)\s+((?:(?!\b(?:real|clock|int|bool|location)\b)[^#;{}\n])+)"
    r"(?:#[ \t]*([^\n]+))?"
)
_BEFORE_WORDS = re.compile(rf"^{_UNIT.pattern}:\s*")
_PARAMETER = re.compile(r"\bparameter\s+(\w+)")
_BRACKETS = re.compile(r"\[[^\]]*\]|\([^)]*\)")


class PlayableModel(Protocol):
    """What the animator asks of a model; text and UPPAAL files both answer."""

    @property
    def world(self) -> World:
        """Its bodies, parameters and inputs."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All that can be uncertain."""

    @property
    def properties(self) -> tuple[Property, ...]:
        """What is asked of it."""

    @property
    def scene(self) -> tuple[Drawing, ...]:
        """What is drawn besides its bodies."""

    def settable(self) -> tuple[str, ...]:
        """The names of arguments and starting values of automata."""

    def values(self, settings: Settings) -> dict[str, float]:
        """Every parameter and port by name, at these settings."""

    def until(self, settings: Settings, otherwise: float) -> float:
        """How long a run is to last (s)."""

    def automaton(self, settings: Settings | None = None) -> HybridAutomaton:
        """Its automaton at these settings."""


@runtime_checkable
class Means(Protocol):
    """A model with names that are written out in its automata."""

    @property
    def meant(self) -> dict[str, Term]:
        """What they stand for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playable:
    """A model with its name and text; ``path`` is the file that it may be saved to."""

    name: str
    model: PlayableModel
    text: str = field(default="", repr=False)
    path: str | None = None
    example: str | None = None
    settings: Settings = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    longest_step: float = math.inf  # s; with a longer one a piece of an input could be missed

    @property
    def title(self) -> str:
        """What the text says of itself: the comment that it begins with, or its name."""
        return next(_comments(self.text), self.name)

    def remark(self, name: str) -> tuple[str, str]:
        """What the comment behind a parameter says of it: its unit, if it tells, and the rest.

        Behind several on one line it tells one unit for all, or one for each.
        """
        found = re.search(
            rf"^([^#\n]*\bparameter\s+{re.escape(name)}\b[^#\n]*)#\s*(.+)$", self.text, re.M
        )
        if found is None:
            return "", ""
        names = _PARAMETER.findall(found[1])
        parts = [part.strip() for part in found[2].split(",")]
        units = [unit for part in _of_units(parts, len(names)) if (unit := _unit_in(part))]
        words = [_BEFORE_WORDS.sub("", part) for part in parts if not _UNIT.fullmatch(part)]
        if len(units) == len(names) > 1:
            return _short(units[names.index(name)]), ", ".join(words)
        return (_short(units[0]) if units else ""), ", ".join(words)

    def variable_units(self) -> dict[str, str]:
        """The units of variables by the names they are declared with, where all agree on them.

        Clocks are in seconds; of other variables the comment behind them may tell.
        """
        told: dict[str, set[str]] = {}
        for kind, declared, comment in _DECLARED.findall(self.text):
            names = [
                part.split()[0] for part in _BRACKETS.sub("", declared).split(",") if part.split()
            ]
            for name, unit in zip(names, _units(kind, comment, len(names)), strict=True):
                told.setdefault(name, set()).add(unit)
        return {name: units.pop() for name, units in told.items() if len(units) == 1}


def _of_units(parts: list[str], count: int) -> list[str]:
    """The parts of a comment that may be units, of one parameter or of several."""
    return [parts[0], parts[-1], *parts] if count == 1 else parts[:count]


def _unit_in(part: str) -> str:
    """The unit that a part of a comment is, perhaps with words behind it, or has in brackets."""
    plain = re.split(r"\s*[(:]", part, maxsplit=1)[0]
    found = (plain, *re.findall(r"\(([^()]*)\)", part))
    return next((unit for unit in found if _UNIT.fullmatch(unit)), "")


def _short(unit: str) -> str:
    """A unit with the sign for degrees."""
    return re.sub("^degrees( C(elsius)?)?", lambda found: "°C" if found[1] else "°", unit)


def _units(kind: str, comment: str, count: int) -> list[str]:
    """The units of so many variables: one for all, or one for each."""
    if kind == "clock":
        return ["s"] * count
    parts = map(str.strip, comment.split(","))
    units = [_short(part) for part in parts if _UNIT.fullmatch(part)]
    return units if len(units) == count else (units if len(units) == 1 else [""]) * count


def _comments(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip() and not line.startswith(("#", "//")):
            return
        if words := line.lstrip("#/ ").strip():
            yield words
