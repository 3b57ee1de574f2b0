"""The examples that ship with dyverse: model texts by name.

They lie in ``examples/NAME/model.drbt`` of the repository, and in an installed package in
``dyverse/examples``. ``balls-N`` is written here for any N: the family that [navarro2018] Table 2
counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.given import check_kind

MODEL = "model.drbt"
PICTURE = "picture.png"
SCENE = "scene.png"
MOST_BALLS = 1000

_PACKAGE = Path(__file__).parents[1]
_HOMES = (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples")  # installed, or the repository
_BALLS = re.compile(r"balls-([1-9][0-9]*)")
_LISTED_BALLS = tuple(f"balls-{number}" for number in range(1, 5))
_GOLDEN = (math.sqrt(5) - 1) / 2  # its multiples spread evenly over an interval


def example_names() -> tuple[str, ...]:
    """All examples in the order of the alphabet; of ``balls-N`` the first four."""
    return tuple(sorted({*_folders(), *_LISTED_BALLS}))


def example_text(name: str) -> str:
    """The model text of an example, or a `ModelError` that suggests another name."""
    check_kind(name, str, "the name of an example")
    folders = _folders()
    if name in folders:
        return (folders[name] / MODEL).read_text(encoding="utf-8")
    if (found := _BALLS.fullmatch(name)) is None:
        raise _refused(name, f"unknown example {name!r}{_hint(name)}")
    if len(found[1]) > len(str(MOST_BALLS)) or int(found[1]) > MOST_BALLS:
        raise _refused(name, f"{name} is too much; balls-N is there for N up to {MOST_BALLS}")
    return balls_text(int(found[1]))


def example_description(name: str) -> str:
    """What an example shows, in one line: the comment that its model begins with."""
    first = example_text(name).lstrip().partition("\n")[0]
    if first.startswith(("#", "//")):
        return first.lstrip("#/ ").strip()
    return _heading(name)


def example_picture(name: str) -> Path | None:
    """The picture of an example, if it has one."""
    return _drawn(name, PICTURE)


def example_scene(name: str) -> Path | None:
    """What the animator draws of an example, if there is something to draw; else its picture."""
    return _drawn(name, SCENE) or _balls_scene(name) or _drawn(name, PICTURE)


def _balls_scene(name: str) -> Path | None:
    """What is drawn of the first members of the family of balls."""
    found = _BALLS.fullmatch(name)
    paths = [home / "balls" / f"scene-{found[1]}.png" for home in _HOMES] if found else []
    return next((path for path in paths if path.is_file()), None)


def _drawn(name: str, file: str) -> Path | None:
    folder = _folders().get(name)
    path = None if folder is None else folder / file
    return path if path is not None and path.is_file() else None


def balls_text(number: int) -> str:
    """Balls on a ring that head for its middle, each a little aside and at its own speed."""
    ring = max(2.0, number * 1.3 / math.tau)
    return "\n".join(
        [
            f"# {_title(number)} of radius 0.5 m in free space; balls-N for any N",
            *(_ball(i, number, ring) for i in range(number)),
            "contact all { restitution 0.8  friction 0.3 }",
            f"horizon {math.ceil(2 * ring)}",
            "",
        ]
    )


def _title(number: int) -> str:
    return "1 ball drifts, a unit mass" if number == 1 else f"{number} balls meet, unit masses"


def _ball(i: int, number: int, ring: float) -> str:
    angle = math.tau * i / number
    speed = 1 + 0.5 * (i * _GOLDEN % 1)
    heading = angle + math.pi + 0.1 * ((i + 1) * _GOLDEN % 1 - 0.5)
    place = f"position {_row(ring, angle)}  velocity {_row(speed, heading)}"
    return f"body ball{i + 1} {{ sphere radius 0.5  mass 1  {place} }}"


def _row(length: float, angle: float) -> str:
    x, y = (round(length * part, 4) + 0.0 for part in (math.cos(angle), math.sin(angle)))
    return f"({x:g}, {y:g}, 0)"


def _folders() -> dict[str, Path]:
    home = next((home for home in _HOMES if home.is_dir()), None)
    if home is None:
        return {}
    return {folder.name: folder for folder in home.iterdir() if (folder / MODEL).is_file()}


def _heading(name: str) -> str:
    """The heading of the example's README, or nothing."""
    readme = _folders()[name] / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else []
    return next(_headings(lines), "")


def _headings(lines: list[str]) -> Iterator[str]:
    return (line.lstrip("# ").strip() for line in lines if line.startswith("#"))


def _hint(name: str) -> str:
    names = example_names()
    return did_you_mean(name, names) or f"; there are {', '.join(names)} (and balls-N for any N)"


def _refused(name: str, message: str) -> ModelError:
    return ModelError([Problem(message)], file=f"example:{name}")
