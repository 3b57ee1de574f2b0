"""Playing in real time: how far a run should be by now, and how well that is kept.

The policy is declared: where computing is too slow, the run falls behind and the loss is told
(achieved speed, overruns); no time of the model is left out, only pictures are.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

SLOWEST, FASTEST = 0.01, 100.0  # times real time
LATE = 0.05  # s: by how much a run may be late before that is an overrun
SPAN = 1.0  # s: over which the achieved speed is measured


@dataclass(frozen=True, slots=True)
class Kept:
    """What was asked for and what was reached, as multiples of real time."""

    target: float
    achieved: float | None  # None while it is not known
    overruns: int


class Pace:
    """From clock time to time of the model, while a run is played."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = checked(speed)
        self._clock = self._model = 0.0  # where the count began
        self._seen: deque[tuple[float, float]] = deque()
        self.overruns = 0

    @property
    def speed(self) -> float:
        """Seconds of the model for each second."""
        return self._speed

    def begin(self, clock: float, model: float, speed: float | None = None) -> None:
        """Count from here, after a pause, a jump in time or a change of speed."""
        self._speed = self._speed if speed is None else checked(speed)
        self._clock, self._model = clock, model
        self._seen.clear()

    def due(self, clock: float) -> float:
        """How far the run should be at ``clock``."""
        return self._model + self._speed * (clock - self._clock)

    def clock_of(self, model: float) -> float:
        """When ``model`` is due."""
        return self._clock + (model - self._model) / self._speed

    def reached(self, clock: float, model: float) -> bool:
        """Note how far the run is at ``clock``; whether it is late: what is lost is let go."""
        self._seen.append((clock, model))
        while len(self._seen) > 2 and self._seen[1][0] < clock - SPAN:
            self._seen.popleft()
        late = clock - self.clock_of(model)
        if late <= LATE:
            return False
        self.overruns += 1
        self._clock, self._model = clock, model
        return True

    def kept(self) -> Kept:
        """The speeds, and how often the run was late."""
        return Kept(self._speed, self._achieved(), self.overruns)

    def _achieved(self) -> float | None:
        if len(self._seen) < 2 or self._seen[-1][0] - self._seen[0][0] < SPAN / 4:
            return None
        (begin, first), (end, last) = self._seen[0], self._seen[-1]
        return (last - first) / (end - begin)


def checked(speed: float) -> float:
    """A speed within what can be played."""
    return min(max(speed, SLOWEST), FASTEST)
