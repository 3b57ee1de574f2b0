"""A run as far as it has been followed: its letters, the states after its jumps, its rounds.

In comes an automaton and a start, and times up to which to go on; what is kept is what evidence of
the long run is looked for in. It also notes what makes a run doubtful: a jump that is made only
because guards count up to a margin, though without it the guard would be met much later or never.
Rounds that the run seems to make are candidates for periodic orbits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dyverse.abstraction.language.word import Word
from dyverse.abstraction.portrait.field import Fields
from dyverse.abstraction.portrait.orbits import Orbit, orbit
from dyverse.abstraction.portrait.passage import GRAZE, after_last_jump, guard_slope, word_of_run
from dyverse.automaton.guard.robustness import robustness
from dyverse.automaton.guard.waiting import arrived
from dyverse.automaton.interface import Array, State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Arc, Run, Stop
from dyverse.errors import SolverError
from dyverse.native.library import NATIVE
from dyverse.simulation.simulate import Options, simulate

ACCUMULATE = "jumps accumulate"  # what a run that ends says of jumps that pile up in time
EARLY = 0.01  # of the arc before it: a jump that its margin makes so much earlier is doubtful
LOOKED_AT = 2000  # jumps, of a run, are looked at for doubt
NEARER = 40  # halvings with which the end of a run that cannot be followed is approached
MOST_LETTERS = 60  # of a round
CANDIDATES = 3  # rounds of different length that are tried at a time
SEEN = 1e-9  # relative: a change from round to round that is one


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """The state right after a jump, and how many letters there were by then."""

    state: State
    letters: int


class Course:
    """The run so far."""

    def __init__(self, fields: Fields, start: State, options: Options) -> None:
        self.fields, self.state, self.options = fields, start, options
        self.hits: list[Hit] = []
        self.letters: Word = ()
        self.doubt = ""  # why the run may not be the model's
        self.low = self.high = start.values
        self._runs: list[Run] = []

    @property
    def run(self) -> Run:
        """All pieces as one run."""
        last = self._runs[-1]
        return Run(
            automaton=last.automaton,
            parts=tuple(part for run in self._runs for part in run.parts),
            events=tuple(event for run in self._runs for event in run.events),
            stop=last.stop,
            message=last.message,
        )

    @property
    def range(self) -> Array:
        """How far each variable has come."""
        return self.high - self.low

    def arcs(self) -> list[Arc]:
        """All stretches of time."""
        return [arc for run in self._runs for arc in run.arcs]

    def is_rounded(self) -> bool:
        """Whether a run that has ended did so only because guards count up to their margin.

        Jumps that pile up in time are no matter of a margin; a circle of jumps is, if there is a
        guard on it that does not hold without.
        """
        automaton, last = self.fields.automaton, self._runs[-1]
        if last.stop != Stop.LIVELOCK or ACCUMULATE in last.message:
            return False
        state, margin = self.state, 10 * automaton.margin
        for _ in range(len(automaton.edges) + 1):
            edges = automaton.enabled(state)
            if not edges or robustness(edges[0].guard, automaton.observe(state)) < margin:
                return True
            state = jump(automaton, edges[0], state)
        return False

    def follow(self, until: float) -> tuple[Stop, str]:
        """Go on to a time; why that ended, and what there is to say about it."""
        run, problem = self._piece(until)
        if run is None:
            return Stop.SOLVER, problem
        self._runs.append(run)
        self._note(run)
        return (Stop.SOLVER, problem) if problem else (run.stop, run.message)

    def _piece(self, until: float) -> tuple[Run | None, str]:
        """The next piece; where the numbers leave the floats, as much of it as there is."""
        run, problem = self._tried(until)
        if run is not None and (run.stop != Stop.SOLVER or run.solver == NATIVE):
            return (run, problem) if run.parts else (None, problem)
        found, good, bad = None, self.state.time, until  # others lose the arc on which they stop
        for _ in range(NEARER):
            middle = (good + bad) / 2
            run, _ = self._tried(middle)
            if run is not None and run.stop == Stop.HORIZON:
                found, good = run, middle
            else:
                bad = middle
        return found, problem

    def _tried(self, until: float) -> tuple[Run | None, str]:
        try:
            run = simulate(self.fields.automaton, self.state, until=until, options=self.options)
        except (SolverError, ArithmeticError) as error:
            return None, str(error)
        return run, run.message if run.stop == Stop.SOLVER else ""

    def _note(self, run: Run) -> None:
        """Keep the letters, the states after jumps, and where the run is now."""
        times = [event.time for event in run.events if event.kind != GRAZE]
        arcs = run.arcs
        for arc in arcs[1:]:
            done = sum(time <= arc.start.time for time in times)
            self.hits.append(Hit(arc.start, len(self.letters) + done))
        self.letters += word_of_run(run)
        jumped = after_last_jump(self.fields.automaton, run)
        if jumped is not None:
            self.hits.append(Hit(jumped, len(self.letters)))
        self.state = jumped or run.end
        self._doubts(arcs, jumped is not None)
        rows = np.vstack([arc.states for arc in arcs])
        self.low = np.minimum(self.low, rows.min(axis=0))
        self.high = np.maximum(self.high, rows.max(axis=0))

    def _doubts(self, arcs: tuple[Arc, ...], last_too: bool) -> None:
        """Look at the jumps: whether each would be made without a margin."""
        for arc in arcs if last_too else arcs[:-1]:
            length = float(arc.times[-1] - arc.times[0])
            edges = self.fields.automaton.enabled(arrived(self.fields.automaton, arc))
            if not edges or not length or self.doubt or len(self.hits) > LOOKED_AT:
                continue
            gradient, by_time = guard_slope(self.fields.automaton, edges[0], arc.end)
            speed = float(gradient @ self.fields[arc.location].rate(arc.end.values)) + by_time
            if abs(speed) * length * EARLY < self.fields.automaton.margin:
                self.doubt = (
                    f"the guard of {edges[0]} is approached ever more slowly: whether it is met, "
                    f"at {arc.times[-1]:.6g} s, rounding decides"
                )


def nearest_orbit(course: Course) -> Orbit | None:
    """A stable orbit that the last letters and states point to; a longer one if it repels."""
    last = course.hits[-1]
    if not all(course.fields[hit.state.location].is_autonomous for hit in course.hits[-9:]):
        return None
    for before in sorted(_rounds(course), key=lambda hit: _gap(hit, last))[:CANDIDATES]:
        letters = course.letters[before.letters : last.letters]
        time = last.state.time - before.state.time
        found = orbit(course.fields, last.state, letters, time=time, options=course.options)
        if found is not None and found.is_stable:
            return found
    return None


def drifting(course: Course) -> list[str]:
    """The variables that change from the last round to the one before, in a run that goes round."""
    if not course.hits:
        return []
    last = course.hits[-1]
    before = min(_rounds(course), key=lambda hit: _gap(hit, last), default=None)
    if before is None:
        return []
    change = np.abs(last.state.values - before.state.values)
    size = SEEN * (np.abs(last.state.values) + course.range)
    names = course.fields.automaton.variables
    return [name for name, moves in zip(names, change > size, strict=True) if moves]


def _rounds(course: Course) -> Iterator[Hit]:
    """Earlier hits from which the same letters led, twice, to the last one, ever nearer."""
    last, letters = course.hits[-1], course.letters
    by_letters = {hit.letters: hit for hit in course.hits}
    for before in reversed(course.hits[:-1]):
        length = last.letters - before.letters
        earlier = by_letters.get(before.letters - length)
        if length > MOST_LETTERS:
            return
        if earlier is None or length == 0:
            continue
        same = letters[earlier.letters : before.letters]
        if same == letters[before.letters : last.letters] and _nearer(
            earlier.state, before.state, last.state
        ):
            yield before


def _gap(one: Hit, other: Hit) -> float:
    return float(np.abs(one.state.values - other.state.values).max())


def _nearer(one: State, two: State, three: State) -> bool:
    """Whether the second step is shorter than the first, or both are nothing."""
    first = float(np.abs(two.values - one.values).max())
    second = float(np.abs(three.values - two.values).max())
    small = 1e-7 * (1 + float(np.abs(three.values).max()))
    return one.location == two.location == three.location and second < max(first, small)
