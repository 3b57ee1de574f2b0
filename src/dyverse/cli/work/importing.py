"""The work of ``dyverse import``: files of other programs, told by their endings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from dyverse.automaton.fmu.component import untrusted
from dyverse.automaton.fmu.text import fmu_text
from dyverse.automaton.run import Stop
from dyverse.cli.arguments.outputs import STDOUT, check_outputs
from dyverse.cli.arguments.settings import assignments
from dyverse.cli.terminal.reported import print_json, print_text, say
from dyverse.errors import ExportError, ModelError, Problem, visible
from dyverse.exporters.atomic import write_lines
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import simulate

ROBOTS = (".urdf", ".xml", ".mjcf")
KNOWN = (".fmu", *ROBOTS)


class Read(NamedTuple):
    """The text for a file, what of it was read, and what was left out: name, reason, line or 0."""

    text: str
    read: dict[str, list[str]]
    dropped: list[tuple[str, str, int]]


class Wishes(NamedTuple):
    """Of a robot, where joints ``start`` and whether its base is ``free``; ``trust`` in FMUs."""

    start: list[str]
    free: bool
    trust: bool


def import_file(path: str, output: str, wishes: Wishes, *, as_json: bool) -> None:
    """Write the model text for ``path``."""
    check_outputs(path, {"--output": output}, stdout=True)
    if as_json and output == STDOUT:
        raise ExportError("--json and a file '-' both ask for standard output")
    ending = Path(path).suffix.lower()
    if ending not in KNOWN:
        known = ", ".join(KNOWN)
        raise ModelError([Problem(f"files of this kind cannot be read; known: {known}")], file=path)
    found = _robot(path, wishes) if ending in ROBOTS else _fmu(path, output, wishes)
    lines = found.text.splitlines()
    if output == STDOUT:
        print_text(f"{line}\n" for line in lines)
    else:
        write_lines(output, lines)
        say(f"wrote {output}")
    for name, why, line in found.dropped:
        place = f"{path}:{line}" if line else path
        say(visible(f"{place}: left out {name!r}: it {why}"))
    if as_json:
        keys = ("name", "why", "line")
        dropped = [dict(zip(keys[: 2 + bool(d[2])], d, strict=False)) for d in found.dropped]
        print_json({"files": [output], "read": found.read, "dropped": dropped})


def _robot(path: str, wishes: Wishes) -> Read:
    """The text of a robot, which is a model that can begin."""
    from dyverse.robots.robot import robot

    start = assignments(wishes.start, lambda _name: None, option="--set")
    found = robot(path, start, is_free=wishes.free)
    parse_model(found.text, file=path)
    return Read(found.text, found.read, [(d.name, d.why, d.line) for d in found.dropped])


def _fmu(path: str, output: str, wishes: Wishes) -> Read:
    """The text of an FMU, which has begun and made a step to show that it works here."""
    if wishes.start or wishes.free:
        wrong = Problem("an FMU has neither joints that begin somewhere nor a base")
        raise ModelError([wrong], file=path)
    base = Path.cwd() if output == STDOUT else Path(output).resolve().parent
    place = os.path.relpath(Path(path).resolve(), base)
    found = fmu_text(path, place)
    model = parse_model(found.text, file=str(base / "model.drbt"))
    if not wishes.trust:
        raise ModelError([Problem(untrusted(item)) for item in model.foreign], file=path)
    run = simulate(model.trusting().automaton(), until=found.step)
    if run.stop is not Stop.HORIZON:
        raise ModelError([Problem(run.message)], file=path)
    return Read(found.text, found.read, [(name, why, 0) for name, why in found.dropped])
