"""The long-term behaviour of a run, decided by evidence.

In comes an automaton and a start, out goes a verdict. A finite simulation is only a prefix: every
stick-slip run passes through slip⁺, and near the border of two behaviours a run may go round a
hundred times before it sticks. So nothing is counted. A run *converges* if it is inside an
ellipsoid about an equilibrium that no run leaves (`attraction`), and *repeats* if it is inside a
region in which the return map contracts (`contraction`). A run that ends, because jumps pile up or
because the model has no edge to take, is *unclassified*; without evidence until the time given, it
is *undecided*.

The run is followed piece by piece and ends as soon as there is evidence. An orbit within one
location has no jumps to return to; a plane across its way makes two, see `cutting`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from dyverse.abstraction.attraction import basin
from dyverse.abstraction.contraction import contraction, distance
from dyverse.abstraction.cutting import Cut, cut_automaton, part_of
from dyverse.abstraction.equilibria import newton, point
from dyverse.abstraction.field import Fields, stays
from dyverse.abstraction.orbits import Orbit, orbit
from dyverse.abstraction.passage import GRAZE, after_last_jump, word_of_run
from dyverse.abstraction.verdict import Converges, Repeats, Unclassified, Undecided, Verdict
from dyverse.abstraction.word import Lasso, Word
from dyverse.automaton.interface import State
from dyverse.automaton.run import Run, Stop
from dyverse.automaton.written import WrittenAutomaton
from dyverse.simulation.simulate import DEFAULTS, Options, simulate

PIECES = 60  # of the time given; after each there may be evidence
LOOKS = (12, 30, PIECES)  # pieces after which an orbit without jumps is looked for
LONGER = 3.0  # for how much more time, then, the run is followed
MOST_LETTERS = 60  # of a round
CANDIDATES = 2  # rounds of different length that are tried at a time
RETRY = 0.8  # evidence of an orbit is looked for again when the run is nearer by this


def classify(
    automaton: WrittenAutomaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
    fields: Fields | None = None,
) -> tuple[Verdict, Run]:
    """The behaviour of the run from ``start``, with as much of the run as it took."""
    trial = _Trial(fields or Fields(automaton), start or automaton.start(), options)
    for piece in range(1, PIECES + 1):
        time = until * piece / PIECES
        verdict = trial.follow(time) or (trial.circles(time) if piece in LOOKS else None)
        if verdict is not None:
            return verdict, trial.run
    reason = f"no evidence of an equilibrium or a periodic orbit by {until:g} s"
    return Undecided(trial.letters, until, reason), trial.run


@dataclass(frozen=True, slots=True, eq=False)
class _Hit:
    """The state right after a jump, and how many letters there were by then."""

    state: State
    letters: int


class _Trial:
    """A run so far, and the search for evidence."""

    def __init__(self, fields: Fields, start: State, options: Options) -> None:
        self._fields, self._state, self._options = fields, start, options
        self._runs: list[Run] = []
        self._hits: list[_Hit] = []
        self._next_look = 8  # at so many hits the search for an orbit begins
        self._orbit: Orbit | None = None
        self._failed = math.inf  # how near the orbit the run was when evidence was last looked for
        self.letters: Word = ()

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

    def follow(self, until: float) -> Verdict | None:
        """Go on to a time; the verdict, once there is one."""
        run = simulate(self._fields.automaton, self._state, until=until, options=self._options)
        self._runs.append(run)
        self._note(run)
        if run.stop == Stop.INTERRUPTED and self._options.progress is None:
            raise KeyboardInterrupt  # nobody but the user could have stopped it
        if run.stop == Stop.INTERRUPTED:
            return Undecided(self.letters, run.end.time, "interrupted")
        if run.stop != Stop.HORIZON:
            return Unclassified(self.letters, run.end.time, f"{run.stop}, {run.message}")
        return self._converges() or self._repeats()

    def _note(self, run: Run) -> None:
        """Keep the letters, the states after jumps, and where the run is now."""
        times = [event.time for event in run.events if event.kind != GRAZE]
        for arc in run.arcs[1:]:
            done = sum(time <= arc.start.time for time in times)
            self._hits.append(_Hit(arc.start, len(self.letters) + done))
        self.letters += word_of_run(run)
        jumped = after_last_jump(self._fields.automaton, run)
        if jumped is not None:
            self._hits.append(_Hit(jumped, len(self.letters)))
        self._state = jumped or run.end

    def _converges(self) -> Converges | None:
        field, x = self._fields[self._state.location], self._state.values
        if not field.is_autonomous:
            return None
        root = newton(field, x, through=x)
        if root is None or not stays(field, root):
            return None
        evidence = basin(field, point(field, root), x)
        return None if evidence is None else Converges(self.letters, self._state.time, evidence)

    def _repeats(self) -> Repeats | None:
        if self._orbit is None and len(self._hits) >= self._next_look:
            self._next_look = len(self._hits) * 2
            self._orbit = self._find_orbit()
        if self._orbit is None:
            return None
        section = self._orbit.start.location
        last = next((hit for hit in reversed(self._hits) if hit.state.location == section), None)
        if last is None or distance(self._orbit, last.state) > RETRY * self._failed:
            return None
        self._failed = distance(self._orbit, last.state)
        evidence = contraction(self._fields, self._orbit, last.state, options=self._options)
        if evidence is None:
            return None
        word = Lasso(self.letters[: last.letters], self._orbit.letters).reduced()
        return Repeats(word, self._state.time, evidence)

    def _find_orbit(self) -> Orbit | None:
        """A stable orbit that the last letters and states point to; a longer one if it repels."""
        last = self._hits[-1]
        if not all(self._fields[hit.state.location].is_autonomous for hit in self._hits[-9:]):
            return None
        for before in islice(self._rounds(), CANDIDATES):
            letters = self.letters[before.letters : last.letters]
            time = last.state.time - before.state.time
            found = orbit(self._fields, last.state, letters, time=time, options=self._options)
            if found is None or found.is_stable:
                return found
        return None

    def _rounds(self) -> Iterator[_Hit]:
        """Earlier hits from which the same letters led, twice, to the last one, ever nearer."""
        last = self._hits[-1]
        by_letters = {hit.letters: hit for hit in self._hits}
        for before in reversed(self._hits[:-1]):
            length = last.letters - before.letters
            earlier = by_letters.get(before.letters - length)
            if length > MOST_LETTERS or earlier is None:
                continue
            same = self.letters[earlier.letters : before.letters]
            if same == self.letters[before.letters : last.letters] and _nearer(
                earlier.state, before.state, last.state
            ):
                yield before

    def circles(self, until: float) -> Repeats | None:
        """Evidence of an orbit without jumps: the run goes on with its location cut in two."""
        automaton, cut = self._fields.automaton, self._way_across(until / 2)
        if cut is None:
            return None
        place = part_of(cut, cut.location, self._state.values, automaton.variables)
        trial = _Trial(
            Fields(cut_automaton(automaton, cut)),
            State(self._state.time, place, self._state.values),
            self._options,
        )
        for piece in range(1, PIECES + 1):
            verdict = trial.follow(until * (1 + LONGER * piece / PIECES))
            if isinstance(verdict, Repeats):
                orbit = verdict.evidence.orbit.within(cut.location)
                evidence = replace(verdict.evidence, orbit=orbit)
                return Repeats(self.letters, verdict.time, evidence)
            if verdict is not None:
                break
        return None

    def _way_across(self, since: float) -> Cut | None:
        """A plane through the middle of what the run has passed since a time without a jump."""
        if not self._hits or self._hits[-1].state.time <= since:
            rows = [arc.states[arc.times > since] for run in self._runs for arc in run.arcs]
            low, high = np.vstack(rows).min(axis=0), np.vstack(rows).max(axis=0)
            share = (high - low) / (1e-300 + np.abs(low) + np.abs(high))
            widest = int(np.argmax(share))
            if share[widest] > 1e-6:
                name = self._fields.automaton.variables[widest]
                return Cut(str(self._state.location), name, float(low[widest] + high[widest]) / 2)
        return None


def _nearer(one: State, two: State, three: State) -> bool:
    """Whether the second step is shorter than the first, or both are nothing."""
    first = float(np.abs(two.values - one.values).max())
    second = float(np.abs(three.values - two.values).max())
    small = 1e-7 * (1 + float(np.abs(three.values).max()))
    return one.location == two.location == three.location and second < max(first, small)
