"""What is sent to pages."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@dataclass(slots=True)
class Said:
    """Something for some pages; a ``frame`` may be left out for a newer one."""

    to: tuple[int, ...]
    data: str | bytes
    frame: bool = False


Hear = Callable[[list[Said]], None]


def spoken(message: Mapping[str, Json]) -> str:
    """A message as text."""
    return json.dumps(finite({"v": 1, **message}), separators=(",", ":"))


def finite(found: Json) -> Json:
    """The same without numbers that JSON has no word for."""
    match found:
        case float():
            return found if math.isfinite(found) else None
        case list():
            return [finite(item) for item in found]
        case dict():
            return {name: finite(item) for name, item in found.items()}
        case _:
            return found
