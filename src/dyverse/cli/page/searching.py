"""Searches that the animator's page can start: falsify a property, map outcomes over a grid.

Both take the model with the numbers of the run that is shown, and vary what the request names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, assert_never

from dyverse.abstraction.survey.mapping import Axis, Map, PointWork, Settings
from dyverse.animation.asked import Refused, Request, number_in, numbers_in, text_in
from dyverse.animation.playable import Playable
from dyverse.animation.serving.searching import Say
from dyverse.automaton.endings import WORDS
from dyverse.automaton.run import Run, Stop
from dyverse.cli.arguments.grids import parse_axes
from dyverse.cli.arguments.opened import DEFAULT_UNTIL, Opened
from dyverse.cli.work.abstracting import DEFAULT_UNTIL as LONG_RUN
from dyverse.cli.work.falsifying import progress_line
from dyverse.cli.work.mapping import Maker
from dyverse.errors import ModelError, Problem
from dyverse.falsification.asking import ask, open_numbers
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS as VERDICTS
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import Limits, Progress
from dyverse.falsification.verdict import NotFound, Safe, Unknown, Unsafe, Verdict, Witness
from dyverse.generation.model import Model
from dyverse.generation.parts import parts_of
from dyverse.simulation.requirement.properties import Broken, Open, outcome
from dyverse.simulation.simulate import Options, simulate

SECONDS = 900.0  # at most, for one search
POINTS = 10_000  # of a map
EVERY = 0.2  # s between two reports
NATIVE = Options(solver="native")
KEPT = "keeps all properties"
Plain = dict[str, Any]  # JSON


def falsify_played(play: Playable, request: Request, say: Say) -> None:
    """Look for a run that breaks a property, within the ranges that the page has."""
    question = asked_by_page(play, request)
    runs = number_in(request, "runs") if "runs" in request else float("inf")
    told = 0.0

    def tell(now: Progress) -> None:
        nonlocal told
        if time.monotonic() > told + EVERY:
            told = time.monotonic()
            say(progress(now.runs, runs, progress_line(now)))

    say(progress(0, runs, "searching"))
    verdict = falsify(question, limits=Limits(seconds=SECONDS, runs=runs), tell=tell)
    say(_verdict_message(question, verdict))


def asked_by_page(play: Playable, request: Request) -> Question:
    """Which property, and what is varied from where to where."""
    model, wanted = text_model(play), request.get("ranges")
    if not isinstance(wanted, dict):
        raise Refused("'ranges' must have the least and the most by name")
    ends = {str(name): numbers_in(wanted, name, 2) for name in wanted}
    settings = {name: x for name, x in play.settings.items() if name not in ends}
    own = {unknown.name: unknown.nominal for unknown in open_numbers(model, {}, settings)}
    still = {name: x for name, x in own.items() if name not in ends}
    ranges = {name: (low, high) for name, (low, high) in ends.items()}
    return ask(model, text_in(request, "property"), ranges=ranges, settings={**still, **settings})


def text_model(play: Playable) -> Model:
    """The model, if it is written in our language."""
    if isinstance(play.model, Model):
        return play.model
    raise ModelError([Problem("an UPPAAL file has no properties or ranges of ours")])


def progress(done: float, total: float, text: str) -> Plain:
    """How far a search is."""
    return {"say": "progress", "done": done, "total": total, "text": text}


def _verdict_message(question: Question, verdict: Verdict) -> Plain:
    witness, text = _told(verdict)
    found = witness and {
        "settings": dict(witness.settings),
        "parameters": {u.name: witness.settings[u.name] for u in question.unknowns},
        "time": witness.time,
    }
    covered = verdict.covered.runs
    word = VERDICTS[type(verdict)]
    return {"say": "verdict", "verdict": word, "witness": found, "covered": covered, "text": text}


def _told(verdict: Verdict) -> tuple[Witness | None, str]:
    """The run to play, and what is claimed, in a sentence."""
    seen = f"{verdict.covered.runs} runs on {verdict.covered.paths} paths"
    match verdict:
        case Unsafe(witness=witness):
            return witness, f"after {seen}, confirmed at a hundred times tighter tolerance"
        case NotFound():
            return None, f"in {seen}; that proves nothing"
        case Unknown(why=why, marginal=marginal):
            return marginal, f"{why}; {seen}"
        case Safe(certificate=certificate):
            return None, certificate
        case _:
            assert_never(verdict)


def map_played(play: Playable, request: Request, say: Say) -> None:
    """What becomes of runs over a grid, point by point; the picture so far is told now and then."""
    axes, over = _axes(play, request)
    grid = Map(axes)
    if grid.size > POINTS:
        raise Refused(f"the grid has {grid.size} points; a map in the page may have {POINTS}")
    at = _outcomes(play, grid.point(0))
    found: list[str | None] = [None] * grid.size
    told = -EVERY
    for place, point in enumerate(grid.points):
        if time.monotonic() > told + EVERY:
            told = time.monotonic()
            say(progress(place, grid.size, f"{place} of {grid.size} points"))
            say({"say": "map", "over": over, "values": list(found)})
        found[place] = at(point)
    say({"say": "map", "over": over, "values": found})


def _axes(play: Playable, request: Request) -> tuple[tuple[Axis, ...], list[Plain]]:
    wanted = request.get("over")
    if not isinstance(wanted, list) or not 1 <= len(wanted) <= 2:
        raise Refused("'over' must have one or two axes")
    over = [_axis(item) for item in wanted]
    texts = [
        f"{axis['name']}={axis['lo']!r}:{axis['hi']!r}:{axis['n']}"
        if axis["n"] > 1
        else f"{axis['name']}={(axis['lo'] + axis['hi']) / 2!r}"
        for axis in over
    ]
    return parse_axes(text_model(play), texts), over


def _axis(item: object) -> Plain:
    if not isinstance(item, dict):
        raise Refused("an axis has name, lo, hi and n")
    ends = {end: number_in(item, end) for end in ("lo", "hi")}
    return {"name": text_in(item, "name"), **ends, "n": int(number_in(item, "n"))}


def _outcomes(play: Playable, first: Settings) -> Callable[[Settings], str]:
    """What is told of a point: the long-term behaviour of an automaton, else how a run ends.

    That is the same as ``dyverse map`` tells, where that has an answer.
    """
    settings = {name: x for name, x in play.settings.items() if name not in first}
    written = parts_of(play.model.automaton({**settings, **first})).written
    if written is None or written.nodes:
        return lambda point: _ending(play, {**settings, **point})
    until = play.model.until(settings, LONG_RUN)
    made = Maker(Opened(play.name, text_model(play), play.text), tuple(settings.items()))
    work = PointWork(made, until, NATIVE)
    return lambda point: str(work(point)["behaviour"])


def _ending(play: Playable, settings: Mapping[str, float]) -> str:
    """Which properties a run breaks; without properties, where it is at its end."""
    until = play.model.until(settings, DEFAULT_UNTIL)
    try:
        run = simulate(play.model.automaton(settings), until=until, options=NATIVE)
    except ModelError as error:
        return "; ".join(problem.message for problem in error.problems)
    return _judged(play, run, settings)


def _judged(play: Playable, run: Run, settings: Mapping[str, float]) -> str:
    known = play.model.values(settings)
    found = {claim.name: outcome(run, claim, known) for claim in play.model.properties}
    if broken := [name for name, one in found.items() if isinstance(one, Broken)]:
        return f"breaks {', '.join(broken)}"
    if run.stop is not Stop.HORIZON:
        return run.message or WORDS[run.stop]
    if undecided := [name for name, one in found.items() if isinstance(one, Open)]:
        return f"leaves {', '.join(undecided)} open"
    return KEPT if found else f"ends in {run.end.location}"
