"""The work of ``dyverse falsify``: ask, search with progress, tell the verdict."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn

from dyverse.automaton.guard.robustness import shown
from dyverse.bodies.describe import claim_text
from dyverse.campaign.crew import crew
from dyverse.campaign.journal import forget_journal, own_journal
from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.ranges import parse_ranges
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.arguments.signals import told_in_pieces
from dyverse.cli.terminal.reported import interrupted, print_json, say
from dyverse.cli.terminal.tables import console, print_line, print_table
from dyverse.cli.work.witnessing import (
    Plain,
    found_in,
    ranges_of,
    starting,
    starting_file,
    told,
)
from dyverse.errors import ModelError, Problem
from dyverse.exporters.atomic import write_lines
from dyverse.expr.term import Number
from dyverse.falsification.asking import ask, open_numbers
from dyverse.falsification.falsify import Method, falsify
from dyverse.falsification.plain import verdict_json, visited_json
from dyverse.falsification.question import DEPTH, Question
from dyverse.falsification.search.shooting import Limits, Progress, Tell
from dyverse.falsification.verdict import NotFound, Safe, Unknown, Unsafe, Verdict, Witness
from dyverse.falsification.visited import visited
from dyverse.falsification.witness_file import WitnessFile, witness_text
from dyverse.generation.model import Model

if TYPE_CHECKING:
    from dyverse.cli.work.certifying import Certified

METHODS = get_args(Method)
LONG_RUN, LONG_DEPTH = 500.0, 100_000  # s and events, to see how a run behaves
FOUND, UNDECIDED = 1, 3  # exit codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to search, how, and what to write."""

    ranges: tuple[str, ...] = ()
    claim: str | None = None
    never: str | None = None
    settings: tuple[str, ...] = ()
    until: float | None = None
    depth: int | None = None
    seed: int = 0
    method: str = "shooting"
    seconds: float | None = None
    runs: int | None = None
    workers: int = 1
    scheduler: str | None = None
    journal: str | None = None
    report: str | None = None
    witnesses: int = 1
    witness: str | None = None  # a file to write
    starts: str | None = None  # a file of witnesses to begin with
    prove: bool = False

    def check(self, model: str) -> None:
        """Refuse numbers that make no sense and files that cannot be written."""
        wishes = {
            "--workers": (self.workers >= 1, "must be 1 or more"),
            "--witnesses": (self.witnesses >= 1, "must be 1 or more"),
            "--seed": (self.seed >= 0, "must be 0 or more"),
            "--time": (self.seconds is None or self.seconds > 0, "must be more than 0 s"),
            "--runs": (self.runs is None or self.runs >= 1, "must be 1 or more"),
            "--until": (
                self.until is None or 0 < self.until < math.inf,
                "must be a finite time after 0",
            ),
            "--method": (self.method in METHODS, f"must be one of {', '.join(METHODS)}"),
            "--depth": (self.depth is None or self.depth >= 1, "must be 1 event or more"),
        }
        for option, (fine, wish) in wishes.items():
            if not fine:
                raise ModelError([Problem(wish)], file=option)
        files = {"--report": self.report, "--witness": self.witness}
        check_outputs(model, files, journal=self.journal)

    def again(self, file: WitnessFile | None) -> Order:
        """The same, with the question of a file of witnesses wherever the command says nothing."""
        if file is None:
            return self
        given = {text.partition("=")[0].strip() for text in self.ranges + self.settings}
        named = self.claim is not None or self.never is not None
        return replace(
            self,
            ranges=self.ranges + _others(file.ranges, given),
            settings=self.settings + _others(file.settings, given),
            claim=self.claim if named else file.claim or None,
            never=self.never if named else file.never or None,
            until=file.until if self.until is None else self.until,
            depth=self.depth or file.depth,
        )

    @property
    def limits(self) -> Limits:
        """When to give up."""
        return Limits(seconds=self.seconds or math.inf, runs=self.runs or math.inf)


def _others(texts: tuple[str, ...], given: set[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text.partition("=")[0].strip() not in given)


def falsify_model(model: str, order: Order, *, as_json: bool) -> int:
    """Falsify ``model`` and report; the answer is the exit code."""
    order.check(model)
    found = opened(model)
    order = order.again(found.file)
    question = _question(found, order)
    if file := starting_file(found, order.starts, order.method):
        question = starting(question, file)
    verdict = _searched(question, order, visible=not as_json)
    certified = _certified(found, question, verdict, order) if order.prove else None
    if certified is not None:
        verdict = certified.verdict
    answer = answer_json(model, question, verdict)
    if certified is not None:
        answer["certified"] = certified.json()
    if (order.report or as_json) and verdict.covered.sampled is not None:
        answer["covered"]["visited"] = visited_json(visited(question, verdict.covered.sampled))
    if order.witness:
        _save(order.witness, found, order, question, answer)
    if order.report:
        from dyverse.cli.work.falsify_report import write_report  # matplotlib, only when needed

        asked = [asdict(row) for row in verdict.covered.asked]
        write_report(
            order.report, model, question, verdict, answer, text=found.source, record=asked
        )
        say(f"wrote {order.report}")
    if as_json:
        print_json(answer)
    else:
        _tell(question, verdict, answer)
        if certified is not None:
            print_line(certified.line())
    if not order.journal:
        forget_journal(_journal(question, order))
    return _exit_code(verdict)


def answer_json(model: str, question: Question, verdict: Verdict) -> Plain:
    """The verdict, each witness with the command that runs it again."""
    answer = verdict_json(question, verdict)
    for one in told(answer).values():
        one["command"] = _command(model, question, one)
    return answer


def _save(path: str, found: Opened, order: Order, question: Question, answer: Plain) -> None:
    witnesses = found_in(answer, question)
    if not witnesses:
        say(f"no witness was found: {path} is not written")
        return
    file = WitnessFile(
        model=found.file.model if found.file else Path(found.name).name,
        text=found.source,
        claim="" if order.never else question.system.claim.name,
        never=order.never or "",
        ranges=ranges_of(question),
        settings=order.settings,
        until=question.until,
        depth=question.depth,
        seed=order.seed,
        method=order.method,
        witnesses=witnesses,
    )
    write_lines(path, [witness_text(file)])
    say(f"wrote {path}")


def _question(found: Opened, order: Order) -> Question:
    model_of_text = found.text_model
    ranges = parse_ranges(model_of_text, order.ranges)
    settings = parse_settings(found.world, order.settings, more=found.model.settable())
    try:
        if order.never is not None:
            return _never(model_of_text, order.never, ranges.limits, settings, order)
        return ask(
            model_of_text,
            order.claim,
            ranges=ranges.limits,
            pieces=ranges.pieces,
            settings=settings,
            until=order.until,
            depth=order.depth or DEPTH,
        )
    except ModelError as error:
        raise found.named(error) from None


def _never(
    model: Model,
    behaviour: str,
    ranges: dict[str, tuple[float, float]],
    settings: dict[str, float],
    order: Order,
) -> Question:
    from dyverse.cli.work.never import never  # the languages, only when needed

    until = model.until(settings, LONG_RUN) if order.until is None else order.until
    return Question(
        system=never(model, behaviour, settings),
        unknowns=open_numbers(model, ranges, settings),
        until=until,
        depth=max(order.depth or DEPTH, LONG_DEPTH),
        settings=tuple(sorted(settings.items())),
    )


def _certified(found: Opened, question: Question, verdict: Verdict, order: Order) -> Certified:
    """What can be proved of the verdict."""
    from dyverse.cli.work.certifying import Certifier  # the prover, only when needed

    certifier = Certifier(found.source, found.text_model, question, order.until, order.seconds)
    with crew(order.workers, order.scheduler) as workers:
        return certifier.certified(verdict, workers)


def _searched(question: Question, order: Order, *, visible: bool) -> Verdict:
    kept = _journal(question, order)
    with crew(order.workers, order.scheduler) as workers, _shown(visible) as tell:
        try:
            verdict = falsify(
                question,
                method=cast(Method, order.method),
                seed=order.seed,
                limits=order.limits,
                crew=workers,
                journal=kept,
                tell=tell,
                witnesses=order.witnesses,
            )
        except KeyboardInterrupt:
            say(interrupted(kept))
            raise
    return verdict


def _journal(question: Question, order: Order) -> Path | None:
    """The one that was named, else one in the cache."""
    if order.journal:
        return Path(order.journal)
    return own_journal(f"{question.digest}-{order.seed}")


@contextmanager
def _shown(visible: bool) -> Iterator[Tell]:
    """A line that tells how far the search is, if someone can see it."""
    out = console(err=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Bar(
        *columns, console=out, transient=True, disable=not (visible and out.is_terminal)
    ) as bar:
        task = bar.add_task("searching")

        def tell(progress: Progress) -> None:
            bar.update(task, description=progress_line(progress))

        yield tell


def progress_line(progress: Progress) -> str:
    """How far a search is."""
    return (
        f"{progress.doing}: {progress.runs} {progress.counted}, {progress.paths} paths, up to "
        f"{progress.deepest} events, least margin {shown(progress.least_margin):.3g}, "
        f"{progress.seconds:.1f} s"
    )


def _command(model: str, question: Question, witness: dict[str, Any]) -> str:
    """The command line that runs the witness again."""
    told = told_in_pieces(witness["parameters"], dict(question.pieces))
    sets = [f"--set {shlex.quote(f'{name}={numbers}')}" for name, numbers in told.items()]
    until = f"--until {witness['until']!r}"
    command = "dyverse abstract" if question.system.descent == "none" else "dyverse simulate"
    return " ".join([command, shlex.quote(model), *sets, until])


def _exit_code(verdict: Verdict) -> int:
    match verdict:
        case Unsafe():
            return FOUND
        case Unknown():
            return UNDECIDED
        case NotFound() | Safe():
            return 0


def _ending(question: Question) -> str:
    """Until when the property is asked for, and how long runs are if it looks further ahead."""
    end = question.system.claim.until
    if not isinstance(end, Number) or end.value == question.until:
        return f" until {question.until:g} s"
    return f" until {end.value:g} s, in runs to {question.until:g} s"


def _tell(question: Question, verdict: Verdict, answer: dict[str, Any]) -> None:
    claim = question.system.claim
    print_line(f"property {claim.name}: {claim_text(claim)}{_ending(question)}")
    for unknown in question.unknowns:
        print_line(f"  {unknown.name} in [{unknown.low:g}, {unknown.high:g}]")
    match verdict:
        case Unsafe():
            _tell_unsafe(question, verdict, answer)
        case NotFound():
            print_line("NOT FOUND: no violation in what was covered; that proves nothing", "bold")
        case Unknown(why=why, marginal=marginal):
            print_line(f"UNKNOWN: {why}", "bold yellow")
            if marginal is not None:
                _tell_witnesses(question, {"marginal": marginal}, answer["marginal"])
        case Safe(certificate=certificate):
            print_line(f"SAFE: {certificate}", "bold green")
    _tell_covered(verdict)


def _tell_unsafe(question: Question, verdict: Unsafe, answer: dict[str, Any]) -> None:
    print_line(f"UNSAFE: broken at t = {verdict.witness.time:.9g} s", "bold red")
    kinds = {
        "witness": verdict.witness,
        "nearest to the model's own numbers": verdict.nearest,
        "worst": verdict.deepest,
        "simplest": verdict.simplest,
    }
    kinds |= {f"other {i}": other for i, other in enumerate(verdict.others, start=1)}
    _tell_witnesses(question, kinds, answer["witness"])
    if simple := answer["simplest"]:
        own = [u.name for u in question.unknowns if u.name not in simple["changed"]]
        if own:
            print_line(f"as the model has them in the simplest: {', '.join(own)}")


def _tell_witnesses(
    question: Question, kinds: dict[str, Witness | None], first: dict[str, Any]
) -> None:
    """Some witnesses beside each other, then where the first goes and how to run it again."""
    names = [unknown.name for unknown in question.unknowns]
    rows = [_row(kind, witness, names) for kind, witness in kinds.items() if witness]
    headings = ("", *names, "broken at (s)", "margin", "error")
    print_table(headings, rows, numbers=range(1, len(names) + 4))
    print_line("path: " + " → ".join(first["path"]))
    print_line(f"replay: {first['command']}")


def _row(kind: str, witness: Witness, names: list[str]) -> tuple[str, ...]:
    numbers = [f"{witness.settings[name]:.9g}" for name in names]
    margins = f"{shown(witness.margin):.3g}", f"{witness.error:.2g}"
    return (kind, *numbers, f"{witness.time:.9g}", *margins)


def _tell_covered(verdict: Verdict) -> None:
    covered = verdict.covered
    runs = f"{covered.runs} runs, " if covered.runs else ""
    least = f"; least margin {shown(covered.least_margin):.6g}" if covered.runs else ""
    where = ", ".join(f"{name} = {number:.9g}" for name, number in covered.nearest.items())
    print_line(
        f"covered: {runs}{covered.paths} different paths, up to {covered.deepest} events"
        f"{least}{f' at {where}' if where else ''}"
    )
    for remark in covered.remarks:
        print_line(remark)
