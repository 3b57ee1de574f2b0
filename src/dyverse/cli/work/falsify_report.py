"""The page of a falsification: the verdict and what it claims, witnesses, and what was covered.

All numbers come from the JSON of the verdict, so the page and ``--json`` cannot disagree; runs and
points, which are not in the JSON, are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import assert_never

from dyverse.animation.playable import Playable
from dyverse.animation.replays.notebook import framed
from dyverse.automaton.guard.robustness import shown
from dyverse.bodies.describe import claim_text
from dyverse.cli.arguments.source import EXAMPLE
from dyverse.cli.work.witnessing import Plain, told
from dyverse.exporters.page import (
    Kind,
    Markup,
    Part,
    code,
    details,
    heading,
    marked,
    number,
    paragraph,
    picture,
    preformatted,
    table,
    write_page,
)
from dyverse.exporters.requirement_tree import requirement_lines
from dyverse.exporters.search_plot import Record, Samples, ranked, record_figure, samples_figure
from dyverse.exporters.violation import violation_figure
from dyverse.falsification.plain import path
from dyverse.falsification.question import Question
from dyverse.falsification.search.slopes import run_at
from dyverse.falsification.verdict import NotFound, Safe, Sampled, Unknown, Unsafe, Verdict, Witness
from dyverse.generation.model import parse_model

MOST_EVENTS = 200  # told without folding
KINDS = {
    "marginal": "Marginal: within the error",
    "witness": "Witness",
    "nearest": "Nearest to the model's own numbers",
    "deepest": "Worst found",
    "simplest": "Simplest: as the model wherever that does not matter",
}
CLAIMS = {
    "unsafe": "The witness below was found by the search and then simulated again by the reference "
    "engine, also at a hundred times tighter tolerance: that run breaks the property by more than "
    "its error. This says nothing about which other values break it, or how many.",
    "not_found": "No run that was looked at breaks the property. This is not a proof: between the "
    "values that were tried, anything may happen.",
    "unknown": "For that reason neither a violation nor its absence is claimed. What was seen is "
    "below.",
    "safe": "No run within the ranges, the horizon and the depth breaks the property; how that is "
    "known is said above.",
}
MOST_PATHS = 12  # told one by one
MOST_PLACES = 12  # of a path


def write_report(
    file: str | Path,
    model: str,
    question: Question,
    verdict: Verdict,
    answer: Plain,
    *,
    text: str = "",
    record: Record = (),
) -> None:
    """Write the page of a verdict on the model of that name and text.

    ``answer`` is the verdict's JSON, ``record`` tells the solver's calls.
    """
    claim = question.system.claim
    parts = [
        *_verdict(verdict, answer),
        *_question(question, answer),
        *_replay(model, text, question, verdict),
        *_witnesses(question, verdict, answer),
        *_covered(question, verdict, answer, record),
        *_model(text),
        paragraph(f"Made by dyverse {version('dyverse')}."),
    ]
    write_page(file, f"Falsification of {claim.name} in {Path(model).name}", parts)


def _verdict(verdict: Verdict, answer: Plain) -> Iterator[Markup]:
    sentence, kind = _sentence(verdict, answer)
    yield paragraph(marked(sentence, kind), kind="verdict")
    yield paragraph(CLAIMS[answer["verdict"]])


def _sentence(verdict: Verdict, answer: Plain) -> tuple[str, Kind]:
    match verdict:
        case Unsafe():
            time = number(answer["witness"]["time"])
            return f"Unsafe: {answer['property']} can be broken, at t = {time} s.", "bad"
        case NotFound():
            return "Not found: no violation in what was covered; that proves nothing.", "doubt"
        case Unknown(why=why):
            return f"Unknown: {why}.", "doubt"
        case Safe(certificate=certificate):
            return f"Safe: {certificate}.", "good"
        case _:
            assert_never(verdict)


def _question(question: Question, answer: Plain) -> Iterator[Markup]:
    claim, bounds = question.system.claim, answer["covered"]
    yield heading("Question")
    until = number(bounds["until"])
    yield paragraph(
        "Property ", code(claim.name), ": ", code(claim_text(claim)), f", looked at until {until} s"
    )
    rows = [
        (unknown.name, *map(number, bounds["ranges"][unknown.name]), number(unknown.nominal))
        for unknown in question.unknowns
    ]
    if rows:
        yield table(("left open", "from", "to", "the model's own"), rows)
    else:
        yield paragraph("Nothing is left open: there is one run.")
    if question.settings:
        settings = [(name, number(amount)) for name, amount in question.settings]
        yield table(("set", "value"), settings)


def _replay(model: str, text: str, question: Question, verdict: Verdict) -> Iterator[Markup]:
    """The first witness to play and step through, where the animator's page has been built."""
    witness = next((one for one in _found(verdict).values() if one is not None), None)
    if witness is None:
        return
    frame = framed(witness.run, _playable(model, text, question, witness))
    if frame is not None:
        yield heading("Replay")
        yield paragraph("The witness, to be played, stepped through and looked at from all sides.")
        yield Markup(frame)


def _playable(model: str, text: str, question: Question, witness: Witness) -> Playable | None:
    """What the run is of, where the text tells: inputs in pieces are not in it."""
    if not text or question.pieces:
        return None
    made = parse_model(text, file=model)
    name = Path(model).name.removeprefix(EXAMPLE)
    return Playable(name=name, model=made, text=text, settings=dict(witness.settings))


def _witnesses(question: Question, verdict: Verdict, answer: Plain) -> Iterator[Markup]:
    found, plain = _found(verdict), told(answer)
    if not plain:
        return
    yield heading("Witnesses")
    yield _summary(plain)
    for name, one in plain.items():
        twin = next(n for n in plain if plain[n]["parameters"] == one["parameters"])
        yield heading(_title(name), level=3)
        if twin != name:
            yield paragraph(f"The same run as: {_title(twin)}.")
        elif witness := found[name]:
            yield from _witness(question, witness, one, _title(name))


def _title(kind: str) -> str:
    return KINDS.get(kind, f"Another, {kind.removeprefix('other')}")


def _found(verdict: Verdict) -> dict[str, Witness | None]:
    """The runs that a verdict comes with, by their names in the JSON."""
    match verdict:
        case Unsafe(witness=witness, nearest=near, deepest=deep, simplest=simple, others=others):
            own = {"witness": witness, "nearest": near, "deepest": deep, "simplest": simple}
            return own | {f"other{i}": other for i, other in enumerate(others, start=1)}
        case Unknown(marginal=marginal):
            return {"marginal": marginal}
        case NotFound() | Safe():
            return {}
        case _:
            assert_never(verdict)


def _summary(plain: dict[str, Plain]) -> Markup:
    """The witnesses beside each other."""
    parameters = list(next(iter(plain.values()))["parameters"])
    rows: list[tuple[Part, ...]] = [
        (p, *(number(one["parameters"][p]) for one in plain.values())) for p in parameters
    ]
    for key, words in (
        ("time", "broken at (s)"),
        ("margin", "margin at its worst"),
        ("error", "its error"),
        ("worst_time", "worst at (s)"),
    ):
        rows.append((words, *(number(one[key]) for one in plain.values())))
    return table(("", *map(_title, plain)), rows)


def _witness(question: Question, witness: Witness, answer: Plain, title: str) -> Iterator[Markup]:
    if "command" in answer:
        yield paragraph("To run it again:")
        yield preformatted(answer["command"])
    yield paragraph("Path: ", " → ".join(answer["path"]))
    margin, time = number(answer["margin"]), number(answer["worst_time"])
    note = f"decides: {margin} at t = {time} s"
    tree = requirement_lines(question.system.claim.requirement, witness.decides, note)
    yield paragraph("The property, and what it is broken by:")
    yield preformatted("\n".join(tree))
    drawing = violation_figure(
        witness.run,
        question.system.claim,
        witness.settings,
        broken=witness.time,
        worst=witness.worst_time,
        title=title,
    )
    yield picture(drawing, f"{title}: paths, margin of the property, gaps, energy and modes")
    yield _events(answer["events"])
    initial = [(name, number(amount)) for name, amount in answer["initial"].items()]
    yield details("Initial state", table(("variable", "at 0 s"), initial))


def _events(events: list[Plain]) -> Markup:
    rows = [(number(e["time"]), e["kind"], ", ".join(e["contacts"])) for e in events]
    listed = table(("time (s)", "event", "contacts"), rows)
    if not events:
        return paragraph("Nothing happens on this run: no events.")
    return listed if len(events) <= MOST_EVENTS else details(f"{len(events)} events", listed)


def _model(text: str) -> Iterator[Markup]:
    if text:
        yield heading("Model")
        yield preformatted(text)


FLAT = (
    "A margin of 0 keeps the property: what decides there, such as a location or a whole number, "
    "is as it must be, and has no distance."
)


def _covered(
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
    if bounds["least_margin"] == 0 and not isinstance(verdict, Unsafe):
        yield paragraph(FLAT)
    yield from (paragraph(marked(remark, "doubt")) for remark in bounds["remarks"])
    if record:
        words = "Simulated time, clauses and iterations of the solver"
        yield picture(record_figure(record), words)
    if "visited" in bounds:
        yield from _visited(bounds["visited"])
    if verdict.covered.sampled is not None:
        yield from _sampled(question, verdict.covered.sampled)


def _visited(seen: Plain) -> Iterator[Markup]:
    """Places, edges and contacts, and how many runs met each; what none met stands out."""
    runs = seen["runs"]
    if seen["locations"]:
        rows = [(name, _times(count)) for name, count in seen["locations"].items()]
        yield _of_all(f"Locations, in {runs} runs, one of each path", ("location", "runs"), rows)
    if seen["edges"]:
        edges = [
            (edge["edge"], edge["guard"], _times(edge["runs"]), _missed(edge))
            for edge in seen["edges"]
        ]
        yield _of_all("Edges", ("edge", "guard", "runs", "guard missed by at least"), edges)
    if seen["contacts"]:
        hows = list(next(iter(seen["contacts"].values())))
        contacts = [
            (name, *(_times(counts[how]) for how in hows))
            for name, counts in seen["contacts"].items()
        ]
        yield _of_all("Contacts, and runs in which they close so", ("contact", *hows), contacts)


def _of_all(words: str, headings: tuple[str, ...], rows: Sequence[tuple[Part, ...]]) -> Markup:
    listed = table(headings, rows)
    return details(words, listed)


def _times(count: int) -> Part:
    return str(count) if count else marked("never", "doubt")


def _missed(edge: Plain) -> str:
    return "" if edge["missed"] is None else number(edge["missed"])


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
    margin = f"{shown(seen.margins[best]):.6g}"
    return f"path {i + 1}", str(len(rows)), margin, where, _shortened(places)


def _shortened(places: list[str]) -> str:
    """A path in a cell: of a long one the beginning and the end."""
    if len(places) > MOST_PLACES:
        places = [*places[: MOST_PLACES // 2], "…", *places[-MOST_PLACES // 2 :]]
    return " → ".join(places)
