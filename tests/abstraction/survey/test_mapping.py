"""The map of the drillstring, point by point, and the borders of its behaviours."""

import csv
import math
import tracemalloc
from functools import partial
from itertools import pairwise
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from dyverse.abstraction.survey.mapping import (
    UNDECIDED,
    Answer,
    Axis,
    Border,
    Map,
    PointWork,
    Settings,
    Spaced,
    borders,
    parameter_map,
    with_parameters,
)
from dyverse.campaign.campaign import Campaign
from dyverse.campaign.crew import Alone, crew
from dyverse.campaign.journal import Journal
from dyverse.errors import ModelError
from tests.abstraction.systems import drilling

TURNS, STUCK = "equilibrium in slip_plus", "equilibrium in stick"
SLIPS = "slip_plus stick trans_plus for ever"
NAMES = {"positive velocity": TURNS, "stuck": STUCK, "stick-slip": SLIPS}
DRILL = PointWork(partial(with_parameters, drilling(6000, 55_000)), until=600.0)


def reference() -> dict[tuple[float, float], str]:
    """The behaviour at (u, W), from an independent simulation; see README.md."""
    with (Path(__file__).parent / "drillstring_map.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return {(float(u), float(weight)): NAMES[kind] for u, weight, kind in rows}


@pytest.mark.parametrize(
    ("every", "counts"),
    [
        (4, {TURNS: 7, STUCK: 4, SLIPS: 1}),
        pytest.param(1, {TURNS: 87, STUCK: 49, SLIPS: 7}, marks=pytest.mark.long),
    ],
)
def test_the_map_of_the_drillstring_agrees(every: int, counts: dict[str, int]) -> None:
    """At 143 points, or some of them."""
    expected = reference()
    axes = [Axis("u", tuple(sorted({u for u, _ in expected}))[::every])]
    axes += [Axis("W", tuple(sorted({weight for _, weight in expected}))[::every])]
    found = parameter_map(axes, Campaign(DRILL, Alone(), Journal(None, "drill")))
    assert found.counts == counts
    for point, behaviour in zip(found.points, found.behaviours, strict=True):
        assert behaviour == expected[point["u"], point["W"]], point


@pytest.mark.parametrize(
    ("low", "high", "border", "below", "above"),
    [
        (51_412, 51_432, 51_422, TURNS, SLIPS),
        pytest.param(57_552, 57_572, 57_562, SLIPS, STUCK, marks=pytest.mark.long),
    ],
)
def test_the_borders_at_6000_n_m(
    low: float, high: float, border: float, below: str, above: str
) -> None:
    """51,422 N and 57,562 N, from an independent simulation, within 10 N."""
    found = parameter_map(
        [Axis("u", (6000.0,)), Axis("W", (low, high))],
        Campaign(DRILL, Alone(), Journal(None, "drill")),
    )
    assert found.behaviours == (below, above)
    assert low < border < high


def steps(settings: Settings) -> Answer:
    """A cheap model: bands in x whose borders move with y; one of them cannot be decided."""
    x = settings["x"] - settings["y"]
    bands = [(0.3, "one"), (0.6, "two"), (0.61, "undecided"), (2.0, "three")]
    return {"behaviour": next(name for end, name in bands if x < end)}


GRID = [Axis("y", (0.0, 0.1)), Axis("x", (0.0, 0.5, 1.0))]


def campaign() -> Campaign:
    return Campaign(steps, Alone(), Journal(None, "steps"))


def test_borders_are_enclosed() -> None:
    found = borders(parameter_map(GRID, campaign()), "x", campaign(), width=1e-6)
    assert len(found) == 4
    for border in found:
        exact = {"one": 0.3, "two": 0.605}[border.below] + dict(border.settings)["y"]
        wide = 1e-6 if border.below == "one" else 0.03
        assert border.low <= exact <= border.high
        assert border.high - border.low <= wide
        assert border.narrowed == (border.below == "one")


def test_a_third_behaviour_between_two_makes_two_borders() -> None:
    coarse = parameter_map([Axis("y", (0.0,)), Axis("x", (0.0, 1.0))], campaign())
    found = borders(coarse, "x", campaign(), width=0.05)
    assert [(border.below, border.above) for border in found] == [("one", "two"), ("two", "three")]


def test_a_border_narrower_than_floats_is_not_narrowed() -> None:
    coarse = parameter_map([Axis("y", (0.0,)), Axis("x", (0.0, 0.5))], campaign())
    (only,) = borders(coarse, "x", campaign(), width=1e-20)
    assert not only.narrowed
    assert only.high - only.low < 1e-15


def test_borders_along_another_parameter() -> None:
    coarse = parameter_map([Axis("y", (0.0, 0.5)), Axis("x", (0.5,))], campaign())
    (only,) = borders(coarse, "y", campaign(), width=1e-3)
    assert only == Border(only.settings, "y", only.low, only.high, "two", "one")
    assert only.low <= 0.2 <= only.high


def test_an_unknown_axis_is_refused() -> None:
    with pytest.raises(ModelError, match="no axis 'z'"):
        borders(parameter_map(GRID, campaign()), "z", campaign(), width=0.1)


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(ModelError, match=r"unknown parameter 'weight'"):
        DRILL({"weight": 1.0})


def test_the_map_does_not_depend_on_the_number_of_workers() -> None:
    axes = [Axis("u", (6000.0,)), Axis("W", (45_000.0, 60_000.0))]
    maps: list[Map] = []
    for workers in (1, 2):
        with crew(workers) as hands:
            maps.append(parameter_map(axes, Campaign(DRILL, hands, Journal(None, "drill"))))
    assert maps[0] == maps[1]


def test_a_killed_map_goes_on_from_its_journal(tmp_path: Path) -> None:
    kept = tmp_path / "map.jsonl"
    with Journal(kept, "steps") as journal:
        whole = parameter_map(GRID, Campaign(steps, Alone(), journal))
    lines = kept.read_text("utf-8").splitlines(keepends=True)
    kept.write_text("".join(lines[:4]) + lines[4][:10], "utf-8")  # as a kill leaves it
    with Journal(kept, "steps") as journal:
        again = Campaign(steps, Alone(), journal)
        assert parameter_map(GRID, again) == whole
        assert again.recalled == 3


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.integers(2, 50))
def test_spaced_numbers_are_those_of_numpy(low: float, width: float, number: int) -> None:
    spaced = Spaced(low, low + width, number)
    assert list(spaced) == np.linspace(low, low + width, number).tolist()
    assert spaced[-1] == low + width
    assert spaced[1:3] == tuple(spaced)[1:3]


def test_answers_are_handed_on_and_forgotten() -> None:
    """Twenty thousand answers of a kilobyte each never are in memory together."""
    taken = 0

    def work(point: Settings) -> Answer:
        return {"behaviour": "left" if point["x"] < 0.5 else "right", "word": "x" * 1000}

    def take(point: Settings, found: Answer) -> None:
        nonlocal taken
        taken += len(found["word"])

    tracemalloc.start()
    axes = [Axis("x", Spaced(0.0, 1.0, 20_000))]
    found = parameter_map(axes, Campaign(work, Alone(), Journal(None, "many")), take)
    (border,) = borders(found, "x", Campaign(work, Alone(), Journal(None, "many")), width=1e-9)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken == 20_000_000
    assert peak < 1_000_000
    assert found.counts == {"left": 10_000, "right": 10_000}
    assert border.low < 0.5 <= border.high


@given(st.data())
def test_brackets_are_the_neighbours_of_every_row(data: st.DataObject) -> None:
    """Against all points sorted into rows, on grids of up to three axes in any order."""
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    axes = [Axis(f"p{i}", data.draw(distinct(size))) for i, size in enumerate(sizes)]
    kinds = st.sampled_from(["one", "two", UNDECIDED])
    drawn = iter(data.draw(st.lists(kinds, min_size=64, max_size=64)))
    rounds = Campaign(lambda point: {"behaviour": next(drawn)}, Alone(), Journal(None, "any"))
    found = parameter_map(axes, rounds)
    name = data.draw(st.sampled_from(axes)).name
    rows: dict[tuple[tuple[str, float], ...], list[tuple[float, str]]] = {}
    for point, kind in zip(found.points, found.behaviours, strict=True):
        others = tuple(item for item in point.items() if item[0] != name)
        rows.setdefault(others, []).extend([(point[name], kind)] if kind != UNDECIDED else [])
    expected = {
        Border(others, name, low, high, below, above)
        for others, row in rows.items()
        for (low, below), (high, above) in pairwise(sorted(row))
        if below != above
    }
    assert set(borders(found, name, rounds, width=math.inf)) == expected


def distinct(size: int) -> st.SearchStrategy[tuple[float, ...]]:
    numbers = st.integers(-9, 9).map(float)
    return st.lists(numbers, min_size=size, max_size=size, unique=True).map(tuple)
