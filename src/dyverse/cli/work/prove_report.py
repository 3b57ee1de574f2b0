"""The page of a proof: what is proved, what is open and why, a map, and the model.

All numbers come from the JSON of the answer, so the page and ``--json`` cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dyverse.cli.work.proving import drawn
from dyverse.exporters.boxes_plot import boxes_figure
from dyverse.exporters.page import (
    Kind,
    Markup,
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
from dyverse.proving.prove import Answer

Plain = dict[str, Any]  # JSON

SENTENCES: dict[str, tuple[str, Kind]] = {
    "safe": ("Safe: the property holds for all numbers in the ranges.", "good"),
    "unsafe": ("Unsafe: for the numbers in the boxes below the property fails.", "bad"),
    "open": ("Open: not all of the ranges could be decided.", "doubt"),
}
CLAIM = (
    "Safe and unsafe are proved, for every number in a box and with all rounding accounted for: "
    "every run of the model keeps the property, or every run breaks it. The numbers of the text "
    "are meant as they are written. What is open is not known."
)
MOST_BOXES = 500  # told one by one


def write_report(file: str | Path, model: str, answer: Answer, told: Plain, claim: str) -> None:
    """Write the page of an answer; ``told`` is its JSON, ``claim`` the text of the property."""
    parts = [
        *_verdict(told),
        *_question(told, claim),
        *_divided(answer, told),
        heading("Model"),
        preformatted(answer.question.text),
        paragraph(f"Made by dyverse {version('dyverse')}."),
    ]
    write_page(file, f"Proof of {told['property']} in {Path(model).name}", parts)


def _verdict(told: Plain) -> Iterator[Markup]:
    sentence, kind = SENTENCES[told["verdict"]]
    yield paragraph(marked(sentence, kind), kind="verdict")
    yield paragraph(CLAIM)
    if told["certificate"]:
        name = Path(told["certificate"]).name
        yield paragraph("Certificate: ", code(name), ", to be checked by:")
        yield preformatted(f"dyverse prove --check {name}")


def _question(told: Plain, claim: str) -> Iterator[Markup]:
    yield heading("Question")
    until = "" if told["until"] is None else f", until {number(told['until'])} s"
    yield paragraph("Property ", code(told["property"]), ": ", code(claim), until)
    rows = [(name, number(low), number(high)) for name, (low, high) in told["ranges"].items()]
    if rows:
        yield table(("left open", "from", "to"), rows)
    else:
        yield paragraph("Nothing is left open: there is one run.")


def _divided(answer: Answer, told: Plain) -> Iterator[Markup]:
    yield heading("What is proved")
    rows = [
        (
            word,
            f"{100 * told[word]['share']:.6g} %",
            number(told[word]["volume"]),
            str(told[word]["boxes"]),
        )
        for word in ("safe", "unsafe", "open")
    ]
    yield table(("", "share of the ranges", "volume", "boxes"), rows)
    if len(told["ranges"]) in (1, 2):
        yield picture(boxes_figure(drawn(answer)), "The ranges: what is safe, unsafe and open")
    if told["reasons"]:
        yield heading("Why something is open", level=3)
        reasons = [(kind, f"{100 * share:.6g} %") for kind, share in told["reasons"].items()]
        yield table(("reason", "share of the ranges"), reasons)
    listed = [_row(box) for box in told["boxes"][:MOST_BOXES]]
    more = len(told["boxes"]) - MOST_BOXES
    title = f"{len(told['boxes'])} boxes" + (f", the first {MOST_BOXES}" if more > 0 else "")
    yield details(title, table(("box", "verdict", "why"), listed))


def _row(box: Plain) -> tuple[str, str, str]:
    place = ", ".join(f"{n}: {number(a)} … {number(b)}" for n, (a, b) in box["ranges"].items())
    return place or "the run", box["verdict"], box.get("why", "")
