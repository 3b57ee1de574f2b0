"""Observing a run: each sampled state once, for all who want its signals.

Signals are worked out from the state, which is the costly part; so each state is observed once, and
all who want its row (`Sink`) get it in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, assert_never

from dyverse.automaton.interface import State, Visit
from dyverse.automaton.run import Arc, Moment, Run


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A state, every signal at it, where in ``run.parts`` it is, and whether time passes there."""

    state: State
    known: Mapping[str, float]
    place: int
    lasts: bool = True


class Sink(Protocol):
    """Whoever wants the rows of a run."""

    def take(self, row: Row) -> None:
        """Hear of the next row."""


def pour(run: Run, sinks: Iterable[Sink], names: Collection[str] | None = None) -> None:
    """Observe every sampled state and every moment once and hand it to all ``sinks``.

    If there are ``names``, nobody asks for other signals, and of many that saves most of the work.
    """
    receivers = tuple(sinks)
    for row in rows(run, names) if receivers else ():
        for sink in receivers:
            sink.take(row)


def rows(run: Run, names: Collection[str] | None = None) -> Iterator[Row]:
    """Every sampled state and every moment, in the order of time."""
    for place in range(len(run.parts)):
        yield from rows_of(run, place, names)


def rows_of(run: Run, place: int, names: Collection[str] | None = None) -> Iterator[Row]:
    """Those of one part of a run."""
    match run.parts[place]:
        case Arc() as arc:
            for i, known in enumerate(run.observed(arc, names)):
                yield Row(arc.state(i), known, place)
        case Moment(state=state):
            yield Row(state, run.seen(state, names), place, lasts=False)
        case Visit():
            pass  # the signals of a node are its own
        case part:
            assert_never(part)
