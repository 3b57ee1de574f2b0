"""The drawings of a scene for the page: numbers that never change, and signals for all others.

A signal of the scene is called after its place, ``scene.3.at.x``: that of the fourth drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from dyverse.animation.parts import Parts
from dyverse.animation.said import Json
from dyverse.automaton.interface import Location
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import Number, Term
from dyverse.expr.value import holds, value
from dyverse.generation.drawing import Content, Drawing, drawing_names

Known = Mapping[str, float]
AT = ("at", "from", "to")  # entries that are points
ALWAYS: dict[str, dict[str, Json]] = {
    "line": {"width": 0.02}
}  # what is drawn where nothing is said


class Scenery:
    """The drawings of a model, at any settings."""

    def __init__(self, drawings: Sequence[Drawing]) -> None:
        self._drawings = tuple(drawings)
        self._contents = dict(self._found())  # of each signal
        self.names = tuple(self._contents)

    @cached_property
    def is_flat(self) -> bool:
        """Whether all of it is in the plane of x and y."""
        points = (content for one in self._drawings for word, content in one.entries if word in AT)
        flat = all(point[2] == Number(0.0) for point in points if isinstance(point, tuple))
        return flat and bool(self._drawings)

    def needs(self, names: Sequence[str], parts: Parts) -> tuple[str, ...]:
        """The signals of the model behind ``names``, which may be signals of the scene."""
        places = _places(parts)
        drawn = any(name in self._contents for name in names)
        needed = (name for name in self._needed if name not in places) if drawn else ()
        return tuple(dict.fromkeys((*(n for n in names if n not in self._contents), *needed)))

    def values(
        self, names: Sequence[str], known: Known, parts: Parts, location: Location
    ) -> list[float]:
        """Signals of the model and of the scene, where what those need is ``known``."""
        if not any(name in self._contents for name in names):
            return [known.get(name, math.nan) for name in names]
        now = parts.lanes(location)
        here = {name: float(now[item] == place) for name, (item, place) in _places(parts).items()}
        whole = {**dict.fromkeys(self._needed, math.nan), **known, **here}
        return [
            _amount(self._contents[name], whole)
            if name in self._contents
            else known.get(name, math.nan)
            for name in names
        ]

    @cached_property
    def _needed(self) -> tuple[str, ...]:
        return tuple(sorted(frozenset[str]().union(*map(drawing_names, self._drawings))))

    def described(self, known: Known) -> list[Json]:
        """The drawings as the page reads them; ``known`` has what the limits of gauges use."""
        return [self._drawing(place, known) for place in range(len(self._drawings))]

    def _drawing(self, place: int, known: Known) -> Json:
        drawing = self._drawings[place]
        found: dict[str, Json] = {"kind": drawing.kind, **ALWAYS.get(drawing.kind, {})}
        for word, content in drawing.entries:
            found[_word(drawing.kind, word)] = _bound(f"scene.{place}.{word}", content)
        if drawing.limits is not None:
            found["limits"] = [value(bound, known) for bound in drawing.limits]
        return found

    def _found(self) -> Iterator[tuple[str, Term | Formula]]:
        for place, drawing in enumerate(self._drawings):
            for word, content in drawing.entries:
                yield from _signals(f"scene.{place}.{word}", content)


def _places(parts: Parts) -> dict[str, tuple[str, str]]:
    """The places of automata, by what a scene calls them."""
    return {
        f"{item.name}.{place.name}": (item.name, place.name)
        for item in parts.components
        for place in item.places
    }


def _word(kind: str, word: str) -> str:
    """What the page calls an entry."""
    return {"text": "text", "gauge": "label"}[kind] if word == "say" else word


def _signals(name: str, content: Content) -> Iterator[tuple[str, Term | Formula]]:
    match content:
        case str() | Number():
            return
        case (x, y, z):
            for axis, term in zip("xyz", (x, y, z), strict=True):
                yield from _signals(f"{name}.{axis}", term)
        case _:
            yield name, content


def _bound(name: str, content: Content) -> Json:
    """A number as it is, or the name of its signal."""
    match content:
        case str(text):
            return text
        case Number(value=amount):
            return int(amount) if name.endswith(".digits") else amount
        case (x, y, z):
            axes = zip("xyz", (x, y, z), strict=True)
            return [_bound(f"{name}.{axis}", term) for axis, term in axes]
        case _:
            return name


def _amount(content: Term | Formula, known: Known) -> float:
    """A number, or a truth as one."""
    if isinstance(content, Compare | And | Or | Not):
        return float(holds(content, known))
    return value(content, known)


NOTHING = Scenery(())
