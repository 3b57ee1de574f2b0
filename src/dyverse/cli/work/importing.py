"""The work of ``dyverse import``: files of other programs, told by their endings."""

from __future__ import annotations

import os
from pathlib import Path

from dyverse.automaton.foreign import untrusted
from dyverse.automaton.foreign_text import FmuText, fmu_text
from dyverse.automaton.run import Stop
from dyverse.cli.arguments.outputs import STDOUT, check_outputs
from dyverse.cli.terminal.reported import print_json, print_text, say
from dyverse.errors import ExportError, ModelError, Problem, visible
from dyverse.exporters.atomic import write_lines
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import simulate

KNOWN = (".fmu",)


def import_file(path: str, output: str, *, trust: bool, as_json: bool) -> None:
    """Write the model text for ``path``."""
    check_outputs(path, {"--output": output})
    if as_json and output == STDOUT:
        raise ExportError("--json and a file '-' both ask for standard output")
    ending = Path(path).suffix.lower()
    if ending not in KNOWN:
        known = ", ".join(KNOWN)
        raise ModelError([Problem(f"files of this kind cannot be read; known: {known}")], file=path)
    found = _fmu(path, output, trust=trust)
    lines = found.text.splitlines()
    if output == STDOUT:
        print_text(f"{line}\n" for line in lines)
    else:
        write_lines(output, lines)
        say(f"wrote {output}")
    for name, why in found.dropped:
        say(visible(f"{path}: left out {name!r}: it {why}"))
    if as_json:
        dropped = [{"name": name, "why": why} for name, why in found.dropped]
        print_json({"files": [output], "read": found.read, "dropped": dropped})


def _fmu(path: str, output: str, *, trust: bool) -> FmuText:
    """The text of an FMU, which has begun and made a step to show that it works here."""
    base = Path.cwd() if output == STDOUT else Path(output).resolve().parent
    place = os.path.relpath(Path(path).resolve(), base)
    found = fmu_text(path, place)
    model = parse_model(found.text, file=str(base / "model.drbt"))
    if not trust:
        raise ModelError([Problem(untrusted(item)) for item in model.foreign], file=path)
    run = simulate(model.trusting().automaton(), until=found.step)
    if run.stop is not Stop.HORIZON:
        raise ModelError([Problem(run.message)], file=path)
    return found
