"""Observing a run: each sampled state once, for all who want its signals.

Signals are worked out from the state, which is the costly part; so each state is observed once, and
all who want its row (`Sink`) get it in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from dyverse.automaton.interface import State
from dyverse.automaton.run import Arc, Run


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A sampled state, every signal at it, and where in ``run.parts`` it is."""

    state: State
    known: Mapping[str, float]
    place: int


class Sink(Protocol):
    """Whoever wants the rows of a run."""

    def take(self, row: Row) -> None:
        """Hear of the next row."""


def pour(run: Run, sinks: Iterable[Sink]) -> None:
    """Observe every sampled state once and hand it to all ``sinks``."""
    receivers = tuple(sinks)
    for place, arc in enumerate(run.parts) if receivers else ():
        if not isinstance(arc, Arc):
            continue
        for i, known in enumerate(run.observed(arc)):
            row = Row(arc.state(i), known, place)
            for sink in receivers:
                sink.take(row)
