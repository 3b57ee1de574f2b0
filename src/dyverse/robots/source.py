"""A robot's file, read by MuJoCo: everything in it has a name, and a line where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat

from dyverse.errors import ModelError, Problem
from dyverse.text.file import file_text
from dyverse.text.fresh_names import Names

if TYPE_CHECKING:
    import mujoco

URDF, MJCF = "robot", "mujoco"  # the outermost elements
NEEDED = "MuJoCo reads the files of robots, and it is not installed: pip install 'dyverse[robots]'"


class Element(NamedTuple):
    """An element of the file: where it begins, and the elements around it, outermost first."""

    tag: str
    attributes: dict[str, str]
    line: int
    around: tuple[tuple[str, str], ...]  # their tags and names

    @property
    def is_outer(self) -> bool:
        """Whether nothing but the outermost element is around it."""
        return len(self.around) == 1

    @property
    def owner(self) -> str:
        """The name of the element around it."""
        return self.around[-1][1] if self.around else ""


class Dropped(NamedTuple):
    """Something of the file that the world does not have: its line, 0 if it has none, and why."""

    name: str
    why: str
    line: int = 0


@dataclass(slots=True)
class Source:
    """What MuJoCo read, where its elements stand by kind and name, and what is left out."""

    spec: mujoco.MjSpec
    elements: tuple[Element, ...]
    places: dict[tuple[str, str], int]
    dropped: list[Dropped] = field(default_factory=list)
    is_free: bool = False

    @property
    def is_urdf(self) -> bool:
        """Whether it is a URDF file; else it is MJCF."""
        return self.elements[0].tag == URDF

    def release(self) -> None:
        """Let the base of a URDF file move; so it does if there is nothing else that could."""
        self.spec.worldbody.bodies[0].add_freejoint(name="release")
        self.is_free = True

    @property
    def base(self) -> str:
        """The name of what stands still: the link that hangs on no other, or the world."""
        return _roots(self.elements)[0] if self.is_urdf and not self.is_free else "world"

    def drop(self, kind: str, name: str, why: str, *, part: str = "") -> None:
        """Leave out what has this name, or a part of it."""
        said = f"{part} of {name}" if part else name
        self.dropped.append(Dropped(said, why, self.places.get((kind, name), 0)))


def open_source(path: str) -> Source:
    """Read the robot in ``path``; `ModelError` says what is wrong with it."""
    text = file_text(path)
    elements = tuple(_elements(text, path))
    if not elements or elements[0].tag not in (URDF, MJCF):
        wrong = f"no robot: its outermost element is neither <{URDF}> (URDF) nor <{MJCF}> (MJCF)"
        raise ModelError([Problem(wrong)], file=path)
    if elements[0].tag == URDF and len(roots := _roots(elements)) != 1:
        told = ", ".join(roots) or "none"
        raise ModelError([Problem(f"one link has to hang on no other, found {told}")], file=path)
    try:
        import mujoco
    except ImportError:
        raise ModelError([Problem(NEEDED)], file=path) from None
    mujoco.set_mju_user_warning(_unsaid)
    try:
        spec = mujoco.MjSpec.from_file(path)
    except ValueError as error:
        raise refused(error, path) from None
    source = Source(spec, elements, {})
    _name(source)
    return source


def _unsaid(_warning: str) -> None:
    """MuJoCo would write it into a file; what it warns of is refused later."""


def _roots(elements: tuple[Element, ...]) -> list[str]:
    """The links of a URDF file that are no child of a joint."""
    below = {e.attributes.get("link") for e in elements if e.tag == "child"}
    links = (e.attributes.get("name", "") for e in elements if e.tag == "link" and e.is_outer)
    return [name for name in links if name not in below]


def refused(error: Exception, path: str) -> ModelError:
    """What MuJoCo said about the file, on one line."""
    said = re.sub(r"\s+", " ", str(error)).strip()
    return ModelError([Problem(f"MuJoCo does not read it: {said}")], file=path)


def _elements(text: str, path: str) -> Iterator[Element]:
    """All elements, in the order of the file. Entities of its own are no part of such files."""
    found: list[Element] = []
    around: list[tuple[str, str]] = []
    parser = expat.ParserCreate()

    def begins(tag: str, attributes: dict[str, str]) -> None:
        found.append(Element(tag, attributes, parser.CurrentLineNumber, tuple(around)))
        around.append((tag, attributes.get("name", "")))

    def ends(_tag: str) -> None:
        around.pop()

    def declares(*_about: object) -> None:
        wrong = f"line {parser.CurrentLineNumber}: it declares entities, which are not read"
        raise ModelError([Problem(wrong)], file=path)

    parser.StartElementHandler, parser.EndElementHandler = begins, ends
    parser.EntityDeclHandler = declares
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise ModelError([Problem(f"no XML: {error}")], file=path) from None
    return iter(found)


def _name(source: Source) -> None:
    """Give everything a name by which it is known after compiling, and note its line."""
    spec = source.spec
    kinds: dict[str, list[Any]] = {
        "body": list(spec.bodies),
        "joint": list(spec.joints),
        "geom": list(spec.geoms),
        "actuator": list(spec.actuators),
    }
    for kind, items in kinds.items():
        names = Names(frozenset(item.name for item in items))
        for number, item in enumerate(items, start=1):
            item.name = item.name or names.new(f"{kind}{number}")
            if line := re.fullmatch(r"line (\d+)", item.info or ""):
                source.places[kind, item.name] = int(line[1])
    if source.is_urdf:
        _urdf_lines(source)


def _urdf_lines(source: Source) -> None:
    """MuJoCo does not tell where things stand in URDF: they are found by name and order."""
    words = {"link": "body", "joint": "joint"}
    collisions: dict[str, list[int]] = {}
    for element in source.elements:
        if element.tag in words and "name" in element.attributes and element.is_outer:
            source.places[words[element.tag], element.attributes["name"]] = element.line
        if element.tag == "collision":
            collisions.setdefault(element.owner, []).append(element.line)
    for body in source.spec.bodies:
        lines = collisions.get(body.name, [])
        if len(lines) == len(body.geoms):
            source.places |= {
                ("geom", geom.name): line for geom, line in zip(body.geoms, lines, strict=True)
            }
