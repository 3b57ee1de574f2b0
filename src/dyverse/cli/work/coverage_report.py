"""The section of a falsification's page on what was covered: numbers, pictures, paths."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dyverse.exporters.page import Markup, heading, marked, number, paragraph, picture, table
from dyverse.exporters.search_plot import Record, Samples, ranked, record_figure, samples_figure
from dyverse.falsification.plain import path
from dyverse.falsification.question import Question
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.verdict import Sampled, Verdict

Plain = dict[str, Any]  # JSON
MOST_PATHS = 12  # told one by one
MOST_PLACES = 12  # of a path


def covered(
    question: Question, verdict: Verdict, answer: Plain, record: Record
) -> Iterator[Markup]:
    """The section on what was covered."""
    bounds = answer["covered"]
    where = ", ".join(f"{name} = {number(x)}" for name, x in bounds["nearest"].items())
    least = "none" if bounds["least_margin"] is None else number(bounds["least_margin"])
    yield heading("What was covered")
    yield table(
        ("", ""),
        [
            ("runs", str(bounds["runs"])),
            ("different paths", str(bounds["paths"])),
            ("events in the longest run", str(bounds["deepest"])),
            ("events at most (depth)", str(bounds["depth"])),
            ("least margin", f"{least}{f' at {where}' if where else ''}"),
            ("runs cut off at the depth, undecided", str(bounds["at_depth"])),
            ("runs that ended otherwise, undecided", str(bounds["incomplete"])),
        ],
    )
    yield from (paragraph(marked(remark, "doubt")) for remark in bounds["remarks"])
    if record:
        words = "Simulated time, clauses and iterations of the solver"
        yield picture(record_figure(record), words)
    if verdict.covered.sampled is not None:
        yield from _sampled(question, verdict.covered.sampled)


def _sampled(question: Question, seen: Sampled) -> Iterator[Markup]:
    names = tuple(unknown.name for unknown in question.unknowns)
    samples = Samples(
        names=names, points=seen.points, margins=seen.margins, paths=seen.paths, runs=seen.runs
    )
    yield picture(samples_figure(samples), "Margins over runs and unknowns")
    order = ranked(seen.paths)
    rows = [_path_row(question, seen, i, name) for i, name in enumerate(order[:MOST_PATHS])]
    yield table(("path", "points", "least margin", "at", "locations there"), rows)
    if len(order) > MOST_PATHS:
        yield paragraph(f"… and {len(order) - MOST_PATHS} paths more.")


def _path_row(question: Question, seen: Sampled, i: int, name: str) -> tuple[str, ...]:
    """One path: how often it was met, and its run with the least margin, simulated again."""
    rows = [row for row, path_name in enumerate(seen.paths) if path_name == name]
    best = min(rows, key=lambda row: (math.isnan(seen.margins[row]), seen.margins[row]))
    settings = question.at(seen.points[best])
    where = ", ".join(
        f"{unknown.name} = {settings[unknown.name]:.6g}" for unknown in question.unknowns
    )
    places = path(run_at(question, seen.points[best]))
    margin = f"{seen.margins[best]:.6g}"
    return f"path {i + 1}", str(len(rows)), margin, where, _shortened(places)


def _shortened(places: list[str]) -> str:
    """A path in a cell: of a long one the beginning and the end."""
    if len(places) > MOST_PLACES:
        places = [*places[: MOST_PLACES // 2], "…", *places[-MOST_PLACES // 2 :]]
    return " → ".join(places)
