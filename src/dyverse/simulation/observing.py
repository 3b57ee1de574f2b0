"""Observing a run: each sampled state once, for all who want its signals.

Signals are worked out from the state, which is the costly part; so each state is observed once, and
all who want its row (`Sink`) get it in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def pour(run: Run, sinks: Iterable[Sink]) -> None:
    """Observe every sampled state and every moment once and hand it to all ``sinks``."""
    receivers = tuple(sinks)
    for row in _rows(run) if receivers else ():
        for sink in receivers:
            sink.take(row)


def _rows(run: Run) -> Iterator[Row]:
    for place, part in enumerate(run.parts):
        match part:
            case Arc():
                for i, known in enumerate(run.observed(part)):
                    yield Row(part.state(i), known, place)
            case Moment(state=state):
                yield Row(state, run.automaton.observe(state), place, lasts=False)
            case Visit():
                pass  # the signals of a node are its own
            case _:
                assert_never(part)
