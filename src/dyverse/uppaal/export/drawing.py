"""Where the parts of a template stand, so that UPPAAL can show what was written for it."""

from __future__ import annotations

from dataclasses import replace

from dyverse.uppaal.language.document import Arrow, Attributes, Label, Place

WIDTH, COLUMNS, LINE = 250, 4, 17


def place_drawn(place: Place, number: int) -> Place:
    """Places stand on a grid, their names above and their labels below."""
    x, y = number % COLUMNS * WIDTH, number // COLUMNS * WIDTH
    labels = tuple(
        replace(label, attributes=_at(x - 10, y + LINE * (n + 1)))
        for n, label in enumerate(place.labels)
    )
    return replace(
        place, labels=labels, attributes=_at(x, y), name_attributes=_at(x - 10, y - 2 * LINE)
    )


def arrow_drawn(arrow: Arrow, before: list[Arrow], places: tuple[Place, ...]) -> Arrow:
    """An edge with nails that keep it apart from those before it between the same places."""
    spots = {place.id: dict(place.attributes) for place in places}
    (x1, y1), (x2, y2) = (_spot(spots[end]) for end in (arrow.source, arrow.target))
    ends = {arrow.source, arrow.target}
    count = sum({other.source, other.target} == ends for other in before)
    away = 50 * (count + 1)
    nails: tuple[Attributes, ...]
    if arrow.source == arrow.target:
        nails = (_at(x1 - away, y1 - away), _at(x1 + away, y1 - away))
        middle = (x1 - away, y1 - away)
    else:
        middle = ((x1 + x2) // 2, (y1 + y2) // 2 - away * bool(count))
        nails = (_at(*middle),) if count else ()
    labels = tuple(_placed(label, middle, n) for n, label in enumerate(arrow.labels))
    return replace(arrow, labels=labels, nails=nails)


def _placed(label: Label, middle: tuple[int, int], number: int) -> Label:
    return replace(label, attributes=_at(middle[0] - 40, middle[1] - LINE * (3 - number)))


def _spot(attributes: dict[str, str]) -> tuple[int, int]:
    return int(attributes["x"]), int(attributes["y"])


def _at(x: int, y: int) -> Attributes:
    return (("x", str(x)), ("y", str(y)))
