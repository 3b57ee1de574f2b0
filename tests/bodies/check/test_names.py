"""The names that a model defines."""

from __future__ import annotations

import pytest

from dyverse.bodies.check import names, normal
from dyverse.text.parse import parse
from dyverse.text.syntax.statements import Model

BALLS = "\n".join(
    f"body b{i} {{ sphere radius 1  mass 1  position (0, {3 * i}, 0) }}" for i in (1, 2, 3)
)


def test_planes_are_looked_for_once_not_once_for_each_body(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(model: Model) -> int | None:
        asked.append(model)
        return normal.planar_axis_of(model)

    monkeypatch.setattr(names, "planar_axis_of", counted)
    assert set(names.names_of(parse(f"planar\n{BALLS}")).features) == {"b1", "b2", "b3"}
    assert len(asked) == 1
