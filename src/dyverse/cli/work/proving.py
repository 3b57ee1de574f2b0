"""The work of ``dyverse prove``: ask, divide with progress, tell what is proved."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from dyverse.bodies.check.resistance import resistance_place, resisting_rules
from dyverse.bodies.describe import claim_text
from dyverse.campaign.crew import crew
from dyverse.campaign.journal import forget_journal, own_journal
from dyverse.certificate.check import Checked, check
from dyverse.certificate.file import Json, Question, Unproved
from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.ranges import parse_ranges
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.terminal.reported import interrupted, print_json, say
from dyverse.cli.terminal.tables import console, print_line, print_table
from dyverse.cli.work.certifying import provable
from dyverse.enclosure.program import Undecided
from dyverse.errors import ModelError, Problem
from dyverse.exporters.atomic import replacing
from dyverse.exporters.boxes_plot import Boxes
from dyverse.falsification.asking import ask
from dyverse.generation.model import parse_model
from dyverse.proving.prove import (
    Answer,
    Decided,
    Limits,
    Progress,
    Tell,
    Word,
    digest,
    prove,
    undecided,
)
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends
from dyverse.proving.writing import Writer

CODES: dict[Word, int] = {"safe": 0, "unsafe": 1, "open": 3}
VERDICTS = {
    "safe": "SAFE: proved for all numbers in the ranges",
    "unsafe": "UNSAFE: proved for some of the ranges that the property fails",
    "open": "OPEN: not all of the ranges could be decided",
}
STYLES = {"safe": "bold green", "unsafe": "bold red", "open": "bold yellow"}
MOST_REASONS = 12  # told one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to prove, how far to go, and what to write."""

    ranges: tuple[str, ...] = ()
    claim: str | None = None
    settings: tuple[str, ...] = ()
    until: float | None = None
    finest: int = 15
    seconds: float | None = None
    workers: int = 1
    scheduler: str | None = None
    journal: str | None = None
    certificate: str | None = None
    report: str | None = None
    plot: str | None = None

    def check(self, model: str) -> None:
        """Refuse numbers that make no sense and files that cannot be written."""
        wishes = {
            "--workers": (self.workers >= 1, "must be 1 or more"),
            "--finest": (0 <= self.finest <= 60, "must be 0 to 60"),
            "--time": (self.seconds is None or self.seconds > 0, "must be more than 0 s"),
            "--until": (
                self.until is None or 0 < self.until < math.inf,
                "must be a finite time after 0",
            ),
        }
        for option, (fine, wish) in wishes.items():
            if not fine:
                raise ModelError([Problem(wish)], file=option)
        files = {
            "--certificate": self.certificate,
            "--report": self.report,
            "--plot": self.plot,
        }
        check_outputs(model, files, journal=self.journal)

    @property
    def limits(self) -> Limits:
        """When to give up."""
        return Limits(seconds=self.seconds or math.inf, finest=self.finest)


def prove_model(model: str, order: Order, *, as_json: bool) -> int:
    """Prove what can be proved about ``model`` and report; the answer is the exit code."""
    order.check(model)
    found = opened(model)
    question = _question(found, order)
    if order.plot and len(question.unknowns) not in (1, 2):
        raise ModelError([Problem("can be drawn for one or two unknowns only")], file="--plot")
    try:
        answer = _divided(reduced(question), order, visible=not as_json)
    except (Unproved, Undecided) as error:
        answer = undecided(question, str(error))
    told = answer_json(answer, order.certificate if answer.looked_at else None)
    _write(order, model, answer, told)
    if as_json:
        print_json(told)
    else:
        _tell(found, answer, told)
    if not order.journal:
        forget_journal(_journal(answer.question, order))
    return CODES[answer.verdict]


def check_certificate(path: str, model: str | None, *, as_json: bool) -> int:
    """Check a certificate; one that is not valid is bad input."""
    start = time.process_time()
    found = check(path)
    if model is not None and opened(model).source != found.question.text:
        raise ModelError([Problem(f"is not about the text of {model}")], file=path)
    told = _checked_json(path, found)
    if as_json:
        print_json(told)
        return 0
    _tell_question(found.question, told["property_text"])
    for word in ("safe", "unsafe", "open"):
        print_line(f"{word}: {percent(told[word]['share'])}", STYLES[word])
    seconds = time.process_time() - start
    print_line(f"the certificate is valid: {found.boxes} boxes checked in {seconds:.1f} s")
    return 0


def _question(found: Opened, order: Order) -> Question:
    model = found.text_model
    ranges = parse_ranges(model, order.ranges)
    settings = parse_settings(found.world, order.settings, more=found.model.settable())
    if ranges.pieces:
        raise ModelError([Problem("inputs in pieces cannot be proved yet")], file="--range")
    try:
        asked = ask(model, order.claim, ranges=ranges.limits, settings=settings, until=order.until)
        if asked.pieces:
            name = asked.pieces[0][0]
            message = f"inputs in pieces cannot be proved yet; write --set {name}=VALUE"
            place = next(item.span for item in model.world.inputs if item.name == name)
            raise ModelError([Problem(message, place)])
        if resisting_rules(model.world):
            message = "rolling and spinning resistance cannot be proved about yet; leave it out"
            raise ModelError([Problem(message, resistance_place(model.world))])
        return provable(found.source, model, asked, order.until)
    except ModelError as error:
        raise found.named(error) from None


def _divided(question: Question, order: Order, *, visible: bool) -> Answer:
    kept = _journal(question, order)
    with (
        _certificate(order.certificate, question) as keep,
        crew(order.workers, order.scheduler) as workers,
        _shown(visible) as tell,
    ):
        try:
            return prove(
                question, limits=order.limits, crew=workers, journal=kept, keep=keep, tell=tell
            )
        except KeyboardInterrupt:
            say(interrupted(kept))
            raise


@contextmanager
def _certificate(path: str | None, question: Question) -> Iterator[Callable[[Json], None] | None]:
    """Where boxes go with their proofs, if somewhere."""
    if path is None:
        yield None
        return
    with replacing(path) as beside, Writer(beside, question) as writer:
        yield writer.add


def _journal(question: Question, order: Order) -> Path | None:
    """The one that was named, else one in the cache."""
    if order.journal:
        return Path(order.journal)
    return own_journal(f"prove-{digest(question)}-{order.certificate is not None:d}")


@contextmanager
def _shown(visible: bool) -> Iterator[Tell]:
    """A bar that tells how much is decided, if someone can see it."""
    out = console(err=True)
    columns = (BarColumn(), TextColumn("{task.description}"))
    hidden = not (visible and out.is_terminal)
    with Bar(*columns, console=out, transient=True, disable=hidden) as bar:
        task = bar.add_task("proving", total=1.0)

        def tell(progress: Progress, _: Decided) -> None:
            line = (
                f"safe {percent(progress.safe)}, unsafe {percent(progress.unsafe)}; "
                f"{progress.boxes} boxes, {progress.seconds:.1f} s"
            )
            bar.update(task, completed=progress.safe + progress.unsafe, description=line)

        yield tell


def answer_json(answer: Answer, certificate: str | None) -> dict[str, Any]:  # JSON
    """What is proved: shares and volumes of the ranges, every box, and why boxes are open."""
    question = answer.question
    volume = math.prod(float(high) - float(low) for _, low, high in question.unknowns)
    counts = Counter(box.verdict for box in answer.boxes)
    return {
        "verdict": answer.verdict,
        "property": question.claim,
        "ranges": {name: [float(low), float(high)] for name, low, high in question.unknowns},
        "until": None if question.until is None else float(question.until),
        **{
            word: {
                "share": float(answer.share(word)),
                "volume": float(answer.share(word)) * volume,
                "boxes": counts[word],
            }
            for word in CODES
        },
        "boxes": [_box_json(question, box) for box in answer.boxes],
        "reasons": _reasons(answer),
        "certificate": certificate,
        "stats": {"boxes": answer.looked_at, "seconds": answer.seconds},
    }


def drawn(answer: Answer) -> Boxes:
    """The boxes as a picture has them."""
    question = answer.question
    return Boxes(
        names=tuple(name for name, _, _ in question.unknowns),
        limits=np.array([ends(question, box.halves) for box in answer.boxes]),
        words=tuple(box.verdict for box in answer.boxes),
    )


def _box_json(question: Question, box: Decided) -> dict[str, Any]:  # JSON
    names = [name for name, _, _ in question.unknowns]
    limits = ends(question, box.halves).tolist()
    found = {"verdict": box.verdict, "ranges": dict(zip(names, limits, strict=True))}
    return found | ({"why": box.why} if box.why else {})


def _reasons(answer: Answer) -> dict[str, float]:
    """The share of the ranges that is open for each kind of reason, largest first."""
    found: dict[str, float] = {}
    for box in answer.boxes:
        if box.verdict == "open":
            kind = box.why.partition(":")[0]
            found[kind] = found.get(kind, 0.0) + float(box.share)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _checked_json(path: str, found: Checked) -> dict[str, Any]:  # JSON
    shares = {"safe": found.safe, "unsafe": found.unsafe, "open": found.open}
    verdict = "unsafe" if found.unsafe else "open" if found.open else "safe"
    return {
        "valid": True,
        "certificate": path,
        "verdict": verdict,
        "property": found.question.claim,
        "property_text": _claimed(found.question),
        "until": None if found.question.until is None else float(found.question.until),
        "ranges": {n: [float(low), float(high)] for n, low, high in found.question.unknowns},
        "settings": {name: float(number) for name, number in found.question.settings},
        **{word: {"share": float(share)} for word, share in shares.items()},
        "boxes": found.boxes,
    }


def _claimed(question: Question) -> str:
    """The property of a question in the words of the model language."""
    claims = parse_model(question.text).properties
    return claim_text(next(claim for claim in claims if claim.name == question.claim))


def _write(order: Order, model: str, answer: Answer, told: dict[str, Any]) -> None:
    """The picture and the page, if they are wanted."""
    if order.plot:
        from dyverse.exporters.boxes_plot import plot_boxes  # matplotlib, only when needed

        plot_boxes(drawn(answer), order.plot, title=answer.question.claim)
        say(f"wrote {order.plot}")
    if order.report:
        from dyverse.cli.work.prove_report import write_report

        write_report(order.report, model, answer, told, _claimed(answer.question))
        say(f"wrote {order.report}")
    if told["certificate"]:
        say(f"wrote {order.certificate}")


def _tell(found: Opened, answer: Answer, told: dict[str, Any]) -> None:
    _tell_question(answer.question, _claimed(answer.question))
    print_line(VERDICTS[answer.verdict], STYLES[answer.verdict])
    rows = [
        (
            word,
            percent(told[word]["share"]),
            f"{told[word]['volume']:.6g}",
            str(told[word]["boxes"]),
        )
        for word in CODES
    ]
    print_table(("", "share", "volume", "boxes"), rows, numbers=(1, 2, 3))
    for kind, share in list(told["reasons"].items())[:MOST_REASONS]:
        where = next(box for box in told["boxes"] if box.get("why", "").startswith(kind))
        place = ", ".join(f"{n} = {a:.6g} … {b:.6g}" for n, (a, b) in where["ranges"].items())
        print_line(f"open, {percent(share)}: {where['why']}{f' (as at {place})' if place else ''}")
    print_line(f"{answer.looked_at} boxes looked at in {answer.seconds:.1f} s")


def _tell_question(question: Question, claim: str) -> None:
    until = "" if question.until is None else f" until {question.until} s"
    print_line(f"property {question.claim}: {claim}{until}")
    for name, low, high in question.unknowns:
        print_line(f"  {name} in [{low}, {high}]")
    for name, number in question.settings:
        print_line(f"  {name} = {number}")


def percent(share: float) -> str:
    """A share that is neither all nor nothing never looks so."""
    if share in (0, 1):
        return f"{share:.0%}"
    digits = 2 if 1e-4 <= share <= 1 - 1e-4 else 6
    return f"{100 * share:.{digits}f} %"
