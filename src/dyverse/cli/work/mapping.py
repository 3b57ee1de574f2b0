"""The work of ``dyverse map``: the grid, the campaign, the files, the outcome."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dyverse.abstraction.behaviours.initial import lettered
from dyverse.abstraction.survey.identity import Identified
from dyverse.abstraction.survey.mapping import (
    UNDECIDED,
    Answer,
    Axis,
    Border,
    Map,
    PointWork,
    Rounds,
    Settings,
    borders,
    parameter_map,
)
from dyverse.abstraction.survey.returns import ReturnWork
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.campaign.campaign import Campaign
from dyverse.campaign.crew import crew
from dyverse.campaign.journal import Journal, own_journal
from dyverse.cli.arguments.grids import parse_axes, parse_widths
from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.terminal.interrupts import counted
from dyverse.cli.terminal.reported import interrupted, print_json, say
from dyverse.cli.terminal.tables import print_line, print_table
from dyverse.cli.work.abstracting import (
    BAD,
    DEFAULT_UNTIL,
    OPTIONS,
    abstractable,
    bad_names,
    whole_box,
)
from dyverse.cli.work.abstracting import UNDECIDED as UNDECIDED_CODE
from dyverse.cli.work.map_points import Points, counted_points, csv_points
from dyverse.cli.work.returning import check_bad, is_of_bodies, refuse
from dyverse.errors import ModelError, Problem

MOST_COLUMNS, MOST_ROWS = 14, 100
Work = PointWork | ReturnWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to map, how, and what to write."""

    over: tuple[str, ...]
    settings: tuple[str, ...] = ()
    until: float | None = None
    borders: tuple[str, ...] = ()
    box: tuple[str, ...] = ()
    starts: int | None = None
    bad: tuple[str, ...] = ()
    csv: str | None = None
    plot: str | None = None
    workers: int = 1
    scheduler: str | None = None
    journal: str | None = None

    def check(self, model: str) -> None:
        """Refuse numbers that make no sense and files that cannot be written."""
        if self.until is not None and not 0 < self.until < math.inf:
            raise ModelError([Problem("must be a finite time after 0")], file="--until")
        if self.workers < 1:
            raise ModelError([Problem("must be 1 or more")], file="--workers")
        check_outputs(model, {"--csv": self.csv, "--plot": self.plot}, journal=self.journal)
        if self.plot:
            from dyverse.exporters.plots import check_suffix  # matplotlib, only when needed

            check_suffix(self.plot)
            if len(self.over) > 2:
                raise ModelError([Problem("a picture shows one or two axes")], file="--plot")


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the automaton of a model at the settings of a point."""

    found: Opened
    settings: tuple[tuple[str, float], ...]

    def __call__(self, point: Mapping[str, float]) -> WrittenAutomaton:
        """The automaton at ``point``."""
        return lettered(abstractable(self.found, {**dict(self.settings), **point}))


@dataclass(frozen=True, slots=True)
class BodyMaker:
    """Makes the automaton of bodies at the settings of a point."""

    found: Opened
    settings: tuple[tuple[str, float], ...]

    def __call__(self, point: Mapping[str, float]) -> HybridAutomaton:
        """The automaton at ``point``."""
        return self.found.unasked().automaton({**dict(self.settings), **point})


def map_model(model: str, order: Order, *, as_json: bool) -> int:
    """Map ``model`` and report; the answer is the exit code."""
    order.check(model)
    found = opened(model)
    settings = parse_settings(found.world, found.set(order.settings), more=found.model.settable())
    axes = parse_axes(found.text_model, order.over)
    widths = parse_widths([axis.name for axis in axes], order.borders)
    until = found.model.until(settings, DEFAULT_UNTIL) if order.until is None else order.until
    work, bad = _work(found, settings, until, axes, order)
    with (
        _journal(work, axes, order) as journal,
        counted_points(bad, as_json=as_json) as points,
    ):
        made, enclosed = _worked(work, axes, widths, order, journal, points, visible=not as_json)
        _warn(enclosed, widths)
        _draw(made, order.plot, title=found.name)
        if as_json:
            print_json(_answer(made, enclosed, points))
        else:
            _tell(made, enclosed, points.bad)
        if not order.journal:
            journal.remove()
    if points.bad:
        return BAD
    return UNDECIDED_CODE if UNDECIDED in made.kinds else 0


def _work(
    found: Opened, settings: Settings, until: float, axes: tuple[Axis, ...], order: Order
) -> tuple[Work, tuple[str, ...]]:
    """What is done at each point, and what counts as bad; bad input is refused first."""
    given, first = tuple(settings.items()), {axis.name: axis.values[0] for axis in axes}
    if is_of_bodies(found.unasked().automaton({**settings, **first})):
        refuse({"--box": order.box, "--starts": order.starts}, found.name)
        return ReturnWork(BodyMaker(found, given), until, OPTIONS), check_bad(order.bad)
    work = PointWork(Maker(found, given), until, OPTIONS)
    model_at = work.make(first)
    box, starts = whole_box(model_at.variables, order.box, order.starts)
    return replace(work, box=box, starts=starts), tuple(bad_names(order.bad, model_at))


def _warn(enclosed: tuple[Border, ...], widths: dict[str, float]) -> None:
    """Say which borders are wider than was asked for."""
    for border in (border for border in enclosed if not border.narrowed):
        where = "".join(f", {name} = {number:g}" for name, number in border.settings)
        say(
            f"the border at {border.name} = {border.low:.9g} to {border.high:.9g}{where} could not "
            f"be narrowed to {widths[border.name]:g}: the points in it are undecided; "
            "a longer --until may help"
        )


def _worked(
    work: Work,
    axes: tuple[Axis, ...],
    widths: dict[str, float],
    order: Order,
    journal: Journal,
    points: Points,
    *,
    visible: bool,
) -> tuple[Map, tuple[Border, ...]]:
    """The map and its borders, done by a crew, kept in a journal."""
    with (
        crew(order.workers, order.scheduler) as hands,
        csv_points(order.csv, axes) as row,
        counted("points", Map(axes).size, visible) as step,
    ):
        rounds = _identified(Campaign(work, hands, journal), work, axes)

        def take(point: Settings, found: Answer) -> None:
            points.take(point, found)
            row([*map(repr, point.values()), found["behaviour"], found["word"]])
            step()

        try:
            made = parameter_map(axes, rounds, take)
            found = [borders(made, name, rounds, width=width) for name, width in widths.items()]
        except KeyboardInterrupt:
            say(interrupted(journal.path))
            raise
    if order.csv:
        say(f"wrote {order.csv}")
    return made, tuple(border for some in found for border in some)


def _identified(campaign: Campaign, work: Work, axes: tuple[Axis, ...]) -> Rounds:
    """The campaign; in a box, one whose attractors have numbers."""
    if isinstance(work, ReturnWork) or work.box is None:
        return campaign
    steps = {axis.name: _step(axis.values) for axis in axes}
    return Identified(campaign, steps, np.array([high - low for low, high in work.box]))


def _step(values: Sequence[float]) -> float:
    return (max(values) - min(values)) / max(len(values) - 1, 1) or 1.0


@contextmanager
def _journal(work: Work, axes: tuple[Axis, ...], order: Order) -> Iterator[Journal]:
    digest = hashlib.sha256(repr((work, axes, order.borders)).encode()).hexdigest()[:24]
    path = Path(order.journal) if order.journal else own_journal(f"map-{digest}")
    with Journal(path, digest) as journal:
        yield journal


def _draw(made: Map, path: str | None, *, title: str) -> None:
    if path is None:
        return
    from dyverse.exporters.map_plot import Scale, plot_map  # matplotlib, only when needed

    scales = [Scale(axis.name, tuple(axis.values)) for axis in made.axes]
    name = Path(title).name.removesuffix(".drbt").removeprefix("example:")
    plot_map(scales, made.behaviours, path, title=name)
    say(f"wrote {path}")


def _answer(made: Map, enclosed: tuple[Border, ...], points: Points) -> dict[str, Any]:
    return {
        "axes": {axis.name: list(axis.values) for axis in made.axes},
        "points": points.listed,
        "counts": made.counts,
        "borders": [_border(border) for border in enclosed],
        "bad": points.listed_bad,
    }


def _border(border: Border) -> dict[str, Any]:
    return {
        "parameters": dict(border.settings),
        "name": border.name,
        "low": border.low,
        "high": border.high,
        "below": border.below,
        "above": border.above,
        "narrowed": border.narrowed,
    }


def _tell(made: Map, enclosed: tuple[Border, ...], bad: int) -> None:
    kinds = list(made.counts)
    marks = {kind: "?" if kind == UNDECIDED else chr(ord("A") + n) for n, kind in enumerate(kinds)}
    sizes = [len(axis.values) for axis in made.axes]
    if len(sizes) == 2 and sizes[0] <= MOST_ROWS and sizes[1] <= MOST_COLUMNS:
        _tell_plane(made, marks)
    for kind, count in made.counts.items():
        print_line(f"{marks[kind]}  {count:>5} points: {kind}")
    for border in enclosed:
        where = ", ".join(f"{name} = {number:g}" for name, number in border.settings)
        print_line(
            f"{where}{': ' if where else ''}{border.name} between {border.low:.9g} and "
            f"{border.high:.9g}: {border.below} | {border.above}"
            f"{'' if border.narrowed else ', NOT narrowed as asked'}",
            "" if border.narrowed else "yellow",
        )
    if bad:
        print_line(f"{bad} points are bad", "bold red")


def _tell_plane(made: Map, marks: dict[str, str]) -> None:
    down, across = made.axes
    size = len(across.values)
    found = made.behaviours
    rows = [
        (f"{value:g}", *(marks[b] for b in found[n * size : (n + 1) * size]))
        for n, value in enumerate(down.values)
    ]
    headings = (f"{down.name} \\ {across.name}", *(f"{value:g}" for value in across.values))
    print_table(headings, rows, numbers=range(1, size + 1))
