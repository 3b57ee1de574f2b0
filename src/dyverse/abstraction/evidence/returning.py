"""What bodies do in the long run, from one run of theirs: rest, or events that come back.

Comes in: a run of bodies, with automata or without. Goes out: a verdict on its evidence, numerical
throughout. The section is that of events: at each instant in which something happens there is a
letter (which kinds of event between which bodies) and what it leaves behind (velocities and spins
of all bodies, variables and places of automata, and the time since the instant before). A run
*comes back* every k instants if letters, times and speeds do, at the end and ever closer before it,
and if it does not come back sooner more slowly: what lies between is far apart, and stays so.
Where the bodies are does not count: a wheel that rolls on repeats itself further down the slope. So
an orbit here is one up to displacement, a gait.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from dyverse.abstraction.language.word import Lasso, Word, primitive_root, word_text
from dyverse.automaton.interface import Array, Event, State
from dyverse.automaton.run import Ending, Run

ROUNDS = 4  # to compare at the end of a run
ALIKE = 1e-7  # of the largest speed: rounds that differ by less are equal
NEAR = 1e-3  # or by this, if each is nearer to the last by some
SHRINKS = 0.95  # factor
STEADY = 0.01  # by how much distances that stay may change from one round to the next
STILL = 1e-6  # m/s, rad/s: of bodies at rest
WORTHLESS = ("graze", "accumulation", "jump")  # events that are no letters
MOTIONS = ("vx", "vy", "vz", "wx", "wy", "wz")


@dataclass(frozen=True, slots=True)
class Returns:
    """The run comes back every ``len(cycle)`` instants, after ``period`` (s)."""

    prefix: Word
    cycle: Word
    period: float
    factor: float | None  # by which rounds come nearer each time; None below what can be seen
    time: float

    @property
    def name(self) -> str:
        """How many instants a round has; its letters are in the word."""
        return f"orbit of {len(self.cycle)}"

    @property
    def word(self) -> str:
        """The infinite word."""
        return str(Lasso(self.prefix, primitive_root(self.cycle)).reduced())

    def __str__(self) -> str:
        nearer = "" if self.factor is None else f", each round nearer by a factor {self.factor:.3g}"
        many = f"{len(self.cycle)} instant{'s' if len(self.cycle) > 1 else ''}"
        return f"comes back every {many}, after {self.period:.9g} s, displaced or not{nearer}"


@dataclass(frozen=True, slots=True)
class Rests:
    """All bodies stand still at the end of the run, and nothing has happened for half of it."""

    letters: Word
    time: float
    location: str

    name = "rest"

    @property
    def word(self) -> str:
        """The finite word."""
        return word_text(self.letters)

    def __str__(self) -> str:
        return f"comes to rest in {self.location}"


@dataclass(frozen=True, slots=True)
class NotSeen:
    """There was no evidence of either in the time given, or the run ended by itself."""

    letters: Word
    time: float
    reason: str
    over: bool = False

    @property
    def name(self) -> str:
        """As verdicts on automata are called."""
        return "unclassified" if self.over else "undecided"

    @property
    def word(self) -> str:
        """The word so far."""
        return word_text(self.letters)

    def __str__(self) -> str:
        return f"is {self.name}: {self.reason}"


Seen = Returns | Rests | NotSeen


@dataclass(frozen=True, slots=True, eq=False)
class Instants:
    """The instants of a run at which something happens."""

    times: Array  # (n,)
    letters: Word
    rows: Array  # (n, m): what each leaves behind

    def distances(self, every: int) -> list[float]:
        """How far each of the last rounds is from the one before it, the last round last."""
        last, size = len(self.letters), ROUNDS * every
        if last < size + 1 or any(
            self.letters[i] != self.letters[i - every] for i in range(last - size + every, last)
        ):
            return []
        rounds = self._scaled(size).reshape(ROUNDS, every, -1)
        return [float(away) for away in np.abs(np.diff(rounds, axis=0)).max(axis=(1, 2))]

    def is_apart(self, every: int, within: int) -> bool:
        """Whether ``every`` so many instants the run is elsewhere, as far in the last two rounds.

        A round has ``within`` instants, a multiple of ``every``.
        """
        rows = self._scaled(2 * within + every)
        away = np.abs(rows[every:] - rows[:-every]).reshape(2, -1).max(axis=1)
        return bool(away[1] >= NEAR and abs(away[1] - away[0]) <= STEADY * away[1])

    def _scaled(self, count: int) -> Array:
        """The last so many instants: the time before each, and speeds, next to the largest."""
        waits = np.diff(self.times)[-count:, None]
        speeds = self.rows[-count:] / max(1.0, float(np.abs(self.rows[-count:]).max(initial=0.0)))
        return np.hstack([waits / waits.max(), speeds])


def returning(run: Run) -> Seen:
    """What ``run`` does in the long run, as far as it can be seen."""
    found = instants(run)
    end = run.end.time
    if run.stop.ending is not Ending.REACHED:
        over = run.stop.ending is Ending.OVER
        return NotSeen(found.letters, end, f"{run.stop}, {run.message}", over)
    if _is_still(run) and (not len(found.times) or found.times[-1] < end / 2):
        return Rests(found.letters, end, str(run.end.location))
    for every in range(1, (len(found.letters) - 1) // ROUNDS + 1):
        away = found.distances(every)
        if away and _comes_back(away):
            sooner = [n for n in range(1, every) if every % n == 0]
            if all(found.is_apart(n, every) for n in sooner):
                return _returns(found, every, away, end)
            break
    return NotSeen(found.letters, end, f"no {ROUNDS} rounds alike by {end:.9g} s")


def instants(run: Run) -> Instants:
    """Where something happens along ``run``."""
    after = {arc.start.time: arc.state(0) for arc in run.arcs}  # the last arc that starts there
    kept = [e for e in run.events if e.kind not in WORTHLESS]
    groups = [(time, list(some)) for time, some in groupby(kept, key=lambda e: e.time)]
    groups = [(time, some) for time, some in groups if time in after]
    rows = [_left_behind(run, after[time]) for time, _ in groups]
    width = len(_left_behind(run, run.end))
    return Instants(
        np.array([time for time, _ in groups]),
        tuple(_letter(some) for _, some in groups),
        np.array(rows).reshape(len(groups), width),
    )


def _letter(events: list[Event]) -> str:
    """What happens at one instant, and between which bodies."""
    parts = (" ".join((event.kind, *sorted(_bodies(event)))) for event in events)
    return ", ".join(dict.fromkeys(parts))


def _bodies(event: Event) -> Iterator[str]:
    """The pairs of bodies of an event, each once; which of their parts does not count."""
    pairs = (tuple(end.split(".")[0] for end in name.split("-")) for name in event.contacts)
    yield from dict.fromkeys("-".join(pair) for pair in pairs)


def _left_behind(run: Run, state: State) -> Array:
    """Velocities, spins, and what automata know."""
    seen = run.automaton.observe(state)
    positions = {name.rsplit(".", 1)[0] for name in seen if name.endswith(".vx")}
    speeds = [seen[f"{body}.{word}"] for body in sorted(positions) for word in MOTIONS]
    own = [
        float(value)
        for name, value in zip(run.automaton.variables, state.values, strict=True)
        if name.split(".")[0] not in positions and not name.endswith((".angle", ".length"))
    ]
    return np.array([*speeds, *own])


def _is_still(run: Run) -> bool:
    seen = run.automaton.observe(run.end)
    speeds = [abs(seen[name]) for name in seen if name.rsplit(".", 1)[-1] in MOTIONS]
    return max(speeds, default=0.0) <= STILL


def _comes_back(away: list[float]) -> bool:
    """Whether the last rounds are alike, or become so."""
    if away[-1] <= ALIKE:
        return True
    return away[-1] <= NEAR and all(b <= SHRINKS * a for a, b in pairwise(away))


def _returns(found: Instants, every: int, away: list[float], end: float) -> Returns:
    seen = away[-1] > ALIKE and away[-2] > 0
    first = len(found.letters) - ROUNDS * every
    return Returns(
        found.letters[:first],
        found.letters[first : first + every],
        float(found.times[-1] - found.times[-1 - every]),
        away[-1] / away[-2] if seen else None,
        end,
    )
