"""Files of witnesses: what an answer puts into one, and a search that begins with one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.signals import told_in_pieces
from dyverse.errors import ModelError, Problem
from dyverse.falsification.question import Question
from dyverse.falsification.witness_file import Found, WitnessFile

Plain = dict[str, Any]  # JSON
KINDS = ("witness", "nearest", "deepest", "simplest", "marginal")  # of witnesses, in an answer
HERE = ("parameters", "command")  # told elsewhere in a file, or only good where it was found


def told(answer: Plain) -> dict[str, Plain]:
    """The witnesses of an answer by their kinds; further ones are called ``other1`` and so on."""
    own = {kind: answer[kind] for kind in KINDS if answer.get(kind)}
    return own | {f"other{i}": other for i, other in enumerate(answer["others"], start=1)}


def found_in(answer: Plain, question: Question) -> tuple[Found, ...]:
    """The witnesses of an answer."""
    return tuple(
        Found(
            kind=kind,
            settings=told_in_pieces(one["parameters"], dict(question.pieces)),
            parameters=one["parameters"],
            told={key: x for key, x in one.items() if key not in HERE},
        )
        for kind, one in told(answer).items()
    )


def ranges_of(question: Question) -> tuple[str, ...]:
    """What a question leaves open, as ``--range`` takes it."""
    ends = {u.name: f"{u.low!r}:{u.high!r}" for u in question.unknowns}
    for port, own in question.pieces:
        parts = [ends.pop(name) for name in own.names(port)]
        ends[port] = f"{parts[0]}:{own.text}"
    return tuple(f"{name}={limits}" for name, limits in ends.items())


def starting_file(found: Opened, path: str | None, method: str) -> WitnessFile | None:
    """The file whose witnesses to look at first: the one that is named, else the model itself."""
    file = opened(path).file if path else found.file
    if path and file is None:
        raise ModelError([Problem(f"{path} is no file of witnesses")], file="--from")
    if path and method != "shooting":
        raise ModelError([Problem(f"method {method!r} begins with no run")], file="--from")
    return file


def starting(question: Question, file: WitnessFile) -> Question:
    """The question, to look first where the witnesses of a file are."""
    return replace(question, starts=tuple(question.near(one.parameters) for one in file.witnesses))
