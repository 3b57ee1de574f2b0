"""The long-term behaviour of a run, decided by evidence.

In comes an automaton and a start, out goes a verdict. A finite simulation is only a prefix: every
stick-slip run passes through slip⁺, and near the border of two behaviours a run may go round a
hundred times before it sticks. So nothing is counted. A run *converges* if it is inside an
ellipsoid about an equilibrium that no run leaves (`attraction`), *repeats* if it has come near an
orbit about which the return map contracts (`contraction`), and *escapes* if it has grown beyond
all measure (`escape`). A run that is over, because jumps pile up or because the model has no edge
to take, is *unclassified*; without evidence until the time given, or until the run was given up,
it is *undecided*.

The run is followed piece by piece and ends as soon as there is evidence. An orbit within one
location has no jumps to return to; a plane across its way makes two, see `cutting`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import assert_never

import numpy as np

from dyverse.abstraction.evidence.attraction import Basin, basin
from dyverse.abstraction.evidence.contraction import NEAR, contraction, distance, scale_of
from dyverse.abstraction.evidence.course import Course, Hit, drifting, nearest_orbit
from dyverse.abstraction.evidence.escape import Escape, blows_up, grows
from dyverse.abstraction.evidence.forced import phased, unphased, unphased_run, with_phase
from dyverse.abstraction.evidence.rest import held, rests
from dyverse.abstraction.evidence.verdict import (
    Converges,
    Escapes,
    Repeats,
    Unclassified,
    Undecided,
    Verdict,
)
from dyverse.abstraction.language.word import Lasso
from dyverse.abstraction.portrait.cutting import Cut, cut_automaton, part_of
from dyverse.abstraction.portrait.equilibria import newton, point
from dyverse.abstraction.portrait.field import Fields, LocationField, stays
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.automaton.interface import Array, State
from dyverse.automaton.run import Ending, Run, Stop
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.simulation.simulate import DEFAULTS, Options, check_solver

PIECES = 60  # of the time given; after each there may be evidence
LOOKS = (12, 30, PIECES)  # pieces after which an orbit without jumps is looked for
LONGER = 3.0  # for how much more time, then, the run is followed
PASSES = 4  # of a plane, before a run may be on an orbit through it
RETRY = 0.7  # evidence of an orbit is looked for again when the run is nearer by this
FIRST_LOOK = 8  # hits after which the search for an orbit begins


def classify(
    automaton: WrittenAutomaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
    fields: Fields | None = None,
) -> tuple[Verdict, Run]:
    """The behaviour of the run from ``start``, with as much of the run as it took.

    What depends on time must have a period; else evidence is found only where nothing does.
    """
    check_solver(options.solver)
    begin = start or automaton.start()
    if automaton.period is None:
        return _classified(Course(fields or Fields(automaton), begin, options), until)
    course = Course(Fields(phased(automaton)), with_phase(automaton, begin), options)
    verdict, run = _classified(course, until)
    return unphased(verdict), unphased_run(automaton, run)


def _classified(course: Course, until: float) -> tuple[Verdict, Run]:
    trial = _Trial(course)
    with np.errstate(all="ignore"):  # runs that escape leave the floats
        verdict = trial.verdict(until)
    return verdict, course.run


class _Trial:
    """The search for evidence along a run."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._fields = course.fields
        self._next_look = FIRST_LOOK
        self._orbit: Orbit | None = None
        self._failed = math.inf  # how near the orbit the run was when evidence was last looked for

    def verdict(self, until: float) -> Verdict:
        """Follow the run as long as there is no evidence."""
        for piece in range(1, PIECES + 1):
            time = until * piece / PIECES
            found = self.follow(time) or (self.circles(time) if piece in LOOKS else None)
            if found is not None:
                return self._doubted(found)
        return self._undecided(f"no evidence of a long-term behaviour by {until:g} s{self._why()}")

    def follow(self, until: float) -> Verdict | None:
        """Go on to a time; the verdict, once there is one."""
        course = self.course
        stop, message = course.follow(until)
        reason = f"{stop}, {message}"
        match stop.ending:
            case Ending.REACHED:
                return self._converges() or self._repeats() or self._grows()
            case Ending.OVER if not course.is_rounded():
                return Unclassified(course.letters, course.state.time, reason)
            case Ending.CUT if stop is Stop.SOLVER:
                return self._blows_up() or self._undecided(message)
            case Ending.OVER | Ending.CUT:
                return self._undecided(reason)
            case _:
                assert_never(stop.ending)

    def _undecided(self, reason: str) -> Undecided:
        return Undecided(self.course.letters, self.course.state.time, reason)

    def _doubted(self, found: Verdict) -> Verdict:
        """The same, unless it is about a run that rounding has made."""
        is_claim = isinstance(found, Converges | Repeats | Escapes)
        return self._undecided(self.course.doubt) if is_claim and self.course.doubt else found

    def _why(self) -> str:
        """What still changes from round to round, if the run seems to go round."""
        moving = drifting(self.course)
        return f"; {', '.join(moving)} still change from round to round" if moving else ""

    def _converges(self) -> Converges | None:
        state = self.course.state
        field, x = self._fields[state.location], state.values
        if not field.is_autonomous:
            return None
        evidence = rests(field, x) or self._drawn(field, x) or held(field, x)
        return None if evidence is None else Converges(self.course.letters, state.time, evidence)

    def _drawn(self, field: LocationField, x: Array) -> Basin | None:
        root = newton(field, x, through=x)
        if root is None or not stays(field, root):
            return None
        return basin(field, point(field, root), x)

    def _grows(self) -> Escapes | None:
        evidence = grows(self._fields, self.course.arcs())
        return None if evidence is None else self._escapes(evidence)

    def _blows_up(self) -> Escapes | None:
        if not self._fields[self.course.state.location].is_autonomous:
            return None
        evidence = blows_up(self._fields, self.course.arcs())
        return None if evidence is None else self._escapes(evidence)

    def _escapes(self, evidence: Escape) -> Escapes:
        return Escapes(self.course.letters, self.course.state.time, evidence)

    def _repeats(self) -> Repeats | None:
        course = self.course
        if len(course.hits) >= self._next_look:
            self._next_look = len(course.hits) * 2
            found = nearest_orbit(course)
            if found is not None:
                self._orbit, self._failed = found, math.inf
        if self._orbit is None:
            return None
        scale = scale_of(self._orbit, course.range)
        hits = _in_phase(self._orbit, course.hits, scale)
        if len(hits) < 2:
            return None
        away = distance(self._orbit, hits[-1].state, scale)
        if away > min(NEAR, RETRY * self._failed):
            return None
        self._failed = away
        states = [hit.state for hit in hits]
        evidence = contraction(
            self._fields, self._orbit, states, scale=scale, options=course.options
        )
        if evidence is None:
            return None
        word = Lasso(course.letters[: hits[-1].letters], self._orbit.letters).reduced()
        return Repeats(word, course.state.time, evidence)

    def circles(self, until: float) -> Repeats | None:
        """Evidence of an orbit without jumps: the run goes on with its location cut in two."""
        course, cut = self.course, self._way_across(until / 2)
        if cut is None:
            return None
        automaton = self._fields.automaton
        place = part_of(cut, cut.location, course.state.values, automaton.variables)
        start = State(course.state.time, place, course.state.values)
        trial = _Trial(Course(Fields(cut_automaton(automaton, cut)), start, course.options))
        for piece in range(1, PIECES + 1):
            verdict = trial.follow(until * (1 + LONGER * piece / PIECES))
            if isinstance(verdict, Repeats):
                orbit = verdict.evidence.orbit.within(cut.location)
                evidence = replace(verdict.evidence, orbit=orbit)
                return Repeats(course.letters, verdict.time, evidence)
            if verdict is not None:
                break
        return None

    def _way_across(self, since: float) -> Cut | None:
        """A plane through the middle of what the run has passed, often, since its last jump."""
        course = self.course
        if course.hits and course.hits[-1].state.time > since:
            return None
        rows = np.vstack([arc.states[arc.times > since] for arc in course.arcs()])
        middle = (rows.min(axis=0) + rows.max(axis=0)) / 2
        passed = (np.diff(np.sign(rows - middle), axis=0) != 0).sum(axis=0)
        share = np.ptp(rows, axis=0) / (1e-300 + np.abs(rows).max(axis=0))
        widest = int(np.argmax(np.where(passed >= PASSES, share, 0.0)))
        if passed[widest] < PASSES or share[widest] <= 1e-6:
            return None
        name = self._fields.automaton.variables[widest]
        return Cut(str(course.state.location), name, float(middle[widest]))


def _in_phase(orbit: Orbit, hits: list[Hit], scale: Array) -> list[Hit]:
    """The last two hits, a round apart, where the run is nearest to the start of the orbit."""
    size, by_letters = len(orbit.letters), {hit.letters: hit for hit in hits}
    last = [hit for hit in hits if hit.letters > hits[-1].letters - size]
    there = [hit for hit in last if hit.state.location == orbit.start.location]
    if not there:
        return []
    nearest = min(there, key=lambda hit: distance(orbit, hit.state, scale))
    before = by_letters.get(nearest.letters - size)
    return [nearest] if before is None else [before, nearest]
