"""An FMU as model text: an automaton that is told its parameters and inputs, and read for outputs.

It runs as it stands, with the values that the FMU begins with; whoever connects it gives it others
in a ``system`` statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from dyverse.automaton.fmu.component import COURSE, EXCHANGE, REAL
from dyverse.automaton.network.component import Kind
from dyverse.expr.printing import number_text
from dyverse.expr.term import CONSTANTS, FUNCTIONS
from dyverse.foreign.description import GIVEN, Description, Signal, description
from dyverse.text.fresh_names import Names
from dyverse.text.instances import TIME
from dyverse.text.syntax.statements import RESERVED

STEPS = 1000  # in a run, if the FMU does not say how long one is
TAKEN = frozenset(
    (*RESERVED, *CONSTANTS, *FUNCTIONS, TIME, EXCHANGE, COURSE, "slip_speed", "energy")
)
OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class FmuText:
    """The text, what was read by causality, and what was left out with the reason."""

    text: str
    step: float
    read: dict[str, list[str]]
    dropped: tuple[tuple[str, str], ...]


def fmu_text(path: str, place: str) -> FmuText:
    """The model text for the FMU in ``path``, which the text calls ``place``."""
    about = description(path)
    kept = [signal for signal in about.signals if signal.causality in (*GIVEN, OUTPUT)]
    reasons = {signal.name: _why_not(signal) for signal in kept}
    used = [signal for signal in kept if not reasons[signal.name]]
    fresh = Names(TAKEN)
    names = {signal.name: fresh.of(signal.name) for signal in used}
    step = about.step or (about.until or 1.0) / STEPS
    read = {word: [s.name for s in used if s.causality == word] for word in (*GIVEN, OUTPUT)}
    return FmuText(
        text="".join(f"{line}\n" for line in _lines(about, used, names, place, step)),
        step=step,
        read=read,
        dropped=tuple((name, why) for name, why in reasons.items() if why),
    )


def _why_not(signal: Signal) -> str:
    if '"' in signal.name or not signal.name.isprintable():
        return "has a name that the language cannot hold"
    return signal.why_not


def _lines(
    about: Description, used: list[Signal], names: dict[str, str], place: str, step: float
) -> Iterator[str]:
    maker = f", made by: {about.tool}" if about.tool else ""
    yield f"# {_plain(about.model)}: an FMU{_plain(maker)}"
    own = re.sub(r"\W", "_", PurePath(place).stem, flags=re.ASCII)
    own = own if own[:1].isalpha() and own not in TAKEN else f"fmu_{own}"
    formals = [s for s in used if s.causality in GIVEN]
    if not formals:
        yield f"automaton {own} {{"
    for number, signal in enumerate(formals):
        head = f"automaton {own}(" if number == 0 else "  "
        tail = ") {" if number == len(formals) - 1 else ","
        yield f"{head}{names[signal.name]} = {number_text(signal.start)}{tail}{_remark(signal)}"
    links = [f'{names[s.name]} = "{s.name}"' for s in used if names[s.name] != s.name]
    said = f'  fmu "{place}" step {number_text(step)}'
    yield said if not links else f"{said} {{"
    yield from (f"    {link}" for link in links)
    if links:
        yield "  }"
    for signal in used:
        if signal.causality == OUTPUT:
            yield f"  {_kind(signal)} {names[signal.name]}{_remark(signal)}"
    yield "}"
    if about.until:
        yield f"horizon {number_text(about.until)}"


def _kind(signal: Signal) -> Kind:
    if signal.kind in REAL:
        return "real"
    return "bool" if signal.kind == "Boolean" else "int"


def _remark(signal: Signal) -> str:
    words = ", ".join(filter(None, (signal.causality, signal.unit, signal.says)))
    return f"  # {_plain(words)}" if signal.causality != OUTPUT or words != OUTPUT else ""


def _plain(text: str) -> str:
    return " ".join(text.split())
