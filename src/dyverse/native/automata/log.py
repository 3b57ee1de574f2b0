"""The log of one run, kept as it came and read when someone asks.

In come the pieces in which the runtime wrote it, out goes the `dyverse.automaton.run.Story` of a
run. Most of the time that a run takes is the time to read it.
"""

from __future__ import annotations

from collections.abc import Callable

from dyverse.automaton.interface import Array, Event, State
from dyverse.automaton.memory import Memory
from dyverse.automaton.run import Part, end_of
from dyverse.native.automata.record import Recorder


class Log:
    """What was written of a run so far; ``recorder`` reads it."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.automaton = recorder.automaton
        self._pieces: list[Array] = []
        self._memory: Callable[[], Memory] | None = None

    def end_with(self, memory: Callable[[], Memory]) -> None:
        """The run can go on; ``memory`` says what it remembers at its end, if someone asks."""
        self._memory = memory

    def add(self, piece: Array) -> None:
        """The next piece; from now on nobody may write to it."""
        piece.flags.writeable = False
        self._pieces.append(piece)

    def read(self) -> Recorder:
        """The recorder, which has read all that there is."""
        while self._pieces:
            self._recorder.take(self._pieces.pop(0))
        self._recorder.end_arc()
        if self._memory is not None:
            memory, self._memory = self._memory, None
            self._recorder.remember(memory())
        return self._recorder

    def parts(self) -> tuple[Part, ...]:
        """Arcs and visits."""
        return tuple(self.read().parts)

    def events(self) -> tuple[Event, ...]:
        """Events."""
        return tuple(self.read().events)

    @property
    def end(self) -> State:
        """The last state."""
        return end_of(self.read().parts[-1])
