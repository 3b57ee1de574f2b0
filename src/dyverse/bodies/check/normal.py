"""The normal of planes that bodies are to stay in, as it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyverse.bodies.amounts import number
from dyverse.bodies.world import AXES, USUAL_AXIS
from dyverse.errors import ModelError, Problem
from dyverse.text.syntax.statements import Model, PlanarStatement, Row

ALONG_AXIS = "planes are across an axis: planar (1, 0, 0), (0, 1, 0) or (0, 0, 1)"


def planar_axis(normal: bool | Sequence[float]) -> int | None:
    """The number of the axis that bodies move across, if they do, as Python says it."""
    if isinstance(normal, bool):
        return USUAL_AXIS if normal else None
    axis = _along(normal)
    if axis is None:
        raise ModelError([Problem(ALONG_AXIS)])
    return axis


def planar_axis_of(model: Model) -> int | None:
    """The same as a text says it; none if that makes no sense."""
    planes = (s for s in model.statements if isinstance(s, PlanarStatement))
    return next(map(_axis, planes), None)


def _axis(statement: PlanarStatement) -> int | None:
    if not isinstance(statement.normal, Row):
        return USUAL_AXIS if statement.normal is None else None
    found = [number(term, {}) for term in statement.normal.items]
    return _along([x for x in found if x is not None])


def _along(normal: Sequence[float]) -> int | None:
    """The one axis that a direction is along."""
    places = [i for i, x in enumerate(normal) if x != 0]
    return places[0] if len(normal) == len(AXES) and len(places) == 1 else None


def normal_problems(statement: PlanarStatement) -> Iterator[Problem]:
    """A normal that is along no axis, or not known before numbers are put in."""
    normal = statement.normal
    whole = isinstance(normal, Row) and len(normal.items) == len(AXES)
    if normal is not None and whole and _axis(statement) is None:
        yield Problem(ALONG_AXIS, normal.span or statement.span)
