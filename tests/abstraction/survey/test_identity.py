"""Attractors keep their numbers from point to point of a map."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from dyverse.abstraction.survey.attractors import search
from dyverse.abstraction.survey.identity import Identified, attractors
from dyverse.abstraction.survey.mapping import Axis, borders, parameter_map
from dyverse.simulation.simulate import Options
from tests.abstraction.adversaries import block
from tests.abstraction.systems import rings, van_der_pol

NAME = "equilibrium in here"


class Branches:
    """Two branches, at p² and at 2 - p, the second only for p < 1.5; the run takes the nearer."""

    def stream(self, tasks: Iterable[Any]) -> Iterator[Any]:
        return (self.at(**task) for task in tasks)

    def at(self, p: float, x: float) -> dict[str, Any]:
        places = [p * p, 2 - p] if p < 1.5 else [p * p]
        order = sorted(places) if round(10 * p) % 2 else sorted(places, reverse=True)
        found = [{"behaviour": NAME, "low": [y], "high": [y], "period": 0.0} for y in order]
        own = int(np.argmin([abs(y - x) for y in order]))
        return {"behaviour": NAME, "attractors": found, "attractor": own}


def numbered() -> Identified:
    return Identified(Branches(), {"p": 0.1, "x": 1.0}, np.array([4.0]))


def test_a_branch_keeps_its_number_in_whatever_order_it_is_found() -> None:
    """They meet at p = 1; up to p = 0.8 there is no doubt."""
    axes = [Axis("p", tuple(np.arange(0, 0.85, 0.1).tolist())), Axis("x", (0.0, 2.0))]
    made = parameter_map(axes, numbered())
    upper = {name for point, name in zip(made.points, made.behaviours, strict=True) if point["x"]}
    lower = {n for point, n in zip(made.points, made.behaviours, strict=True) if not point["x"]}
    assert len(upper) == len(lower) == 1
    assert upper != lower
    assert {*upper, *lower} == {f"{NAME} #1", f"{NAME} #2"}


def test_borders_between_attractors_of_one_kind_are_found() -> None:
    work = numbered()
    made = parameter_map([Axis("p", (0.4, 0.5)), Axis("x", (0.0, 2.0))], work)
    for border in borders(made, "x", work, width=1e-6):
        p = dict(border.settings)["p"]
        assert border.low <= (p * p + 2 - p) / 2 <= border.high
        assert border.narrowed


def test_what_is_far_away_is_new() -> None:
    work = numbered()
    made = parameter_map([Axis("p", (0.0, 2.0)), Axis("x", (4.0,))], work)
    assert len(set(made.behaviours)) == 2  # from 2 to 4 is half of the box


def test_answers_without_an_attractor_keep_their_names() -> None:
    class Lost(Branches):
        def at(self, p: float, x: float) -> dict[str, Any]:
            return {"behaviour": "escapes", "attractors": [], "attractor": None}

    work = Identified(Lost(), {"p": 1.0, "x": 1.0}, np.array([1.0]))
    assert [a["behaviour"] for a in work.results([{"p": 0.0, "x": 0.0}])] == ["escapes"]


def test_attractors_are_what_attracts() -> None:
    options = Options(solver="native")
    every, own = attractors(
        search(rings(), until=40, box=((-4.0, 4.0),) * 2, starts=6, options=options)
    )
    assert own is not None
    assert {one["behaviour"] for one in every} == {"orbit within ring"}
    sizes = sorted(round(one["high"][0]) for one in every)
    assert sizes == [1, 3]
    assert [one["period"] for one in every] == pytest.approx([2 * np.pi] * 2, rel=1e-6)
    every, own = attractors(search(van_der_pol(), until=60, options=options))
    assert [one["behaviour"] for one in every] == ["orbit within osc"]  # the middle repels
    every, own = attractors(search(block(3.2), until=60, options=options))
    assert own == 0
    assert every[0]["low"] == pytest.approx([-0.5, 0], abs=1e-4)
