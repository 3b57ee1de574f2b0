"""Rounds of bodies, in floats: free flights and impacts, from a state in flight back to it.

Where nothing depends on time the section is a plane across the flow. Where waves of time drive the
bodies, such as a table that vibrates, all of one pace w or of multiples of it, everything comes
back after 2π/w; then the section is a time, so many such periods after the start.
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np
from flint import arb

from dyverse.automaton.interface import Array, HybridAutomaton, State
from dyverse.automaton.run import Run, Stop
from dyverse.certificate.bodies import Bodies
from dyverse.certificate.file import Change, Impact, Leg, Unproved
from dyverse.certificate.place import Place
from dyverse.certificate.system import System
from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.plain import are_same
from dyverse.enclosure.program import Program, Undecided, program
from dyverse.enclosure.waves import paces
from dyverse.expr.symbolic import SX, split, symbolic
from dyverse.generation.parts import parts_of
from dyverse.proving.draft import Draft
from dyverse.proving.floats import run as in_floats
from dyverse.proving.grid import Grid
from dyverse.proving.skeleton import Happening, skeleton
from dyverse.proving.tours import (
    SECTION,
    SOLVER,
    SPAN,
    Guess,
    Round,
    across,
    numbers_of,
    with_section,
)
from dyverse.simulation.simulate import simulate

NEAR = 1e-3  # by how much a period may differ from a whole number of those of the waves
OTHER = "unsupported: waves of time whose paces are not plainly multiples of one"


class BodyTour:
    """The rounds of bodies that run without automata, from a state in free flight."""

    here = None

    def __init__(self, system: System, automaton: HybridAutomaton, guess: Guess) -> None:
        if system.automata is not None:
            raise Unproved("unsupported: orbits of bodies that run with automata")
        assert system.bodies is not None
        self._system, self._automaton, self._guess = system, automaton, guess
        self._bodies: Bodies = system.bodies
        self._names, self.time = system.frame.names, guess.time
        self.first = np.array([guess.values[name] for name in self._names])
        self._moved = dict(_moved(self._bodies, self._names))
        made = program([system.frame.state, system.frame.values], [self._column()])
        then = [arb(0)] * len(self._names) + [arb(self.time)]
        found = made.run(BALLS, then, system.numbers)[0]
        self.known = dict(zip(self._moved, found, strict=True))

    def _column(self) -> SX:
        """The states that time alone decides."""
        return ca.vertcat(ca.SX(0, 1), *self._moved.values())

    def round(self, middle: Array) -> Round:
        """One round from ``middle``, in floats."""
        run = self._run(middle)
        *moves, end = self._happenings(run)
        draft = Draft(self._system, Grid(()), numbers_of(self._system), SPAN)
        draft.begin(np.append(middle, self.time), None)
        legs = tuple(draft.legs(moves))
        last = self._section(legs, middle)
        sizes = np.vstack([np.abs(arc.states) for arc in run.arcs]).max(axis=0)
        known = dict(zip(self._automaton.variables, sizes.tolist(), strict=True))
        scale = np.array([known[name] for name in self._names])
        steps = draft.towards(last, SECTION, end.time)
        free = [i for i in range(len(self._names)) if i not in self.known]
        return Round(legs, last, steps, free, scale)

    def _run(self, middle: Array) -> Run:
        values = self._guess.values | dict(zip(self._names, middle.tolist(), strict=True))
        listed = np.array([values[name] for name in self._automaton.variables])
        start = State(self.time, self._guess.location, listed)
        until = self.time + self._guess.period
        run = simulate(self._automaton, start, until=until, options=SOLVER)
        if run.stop is not Stop.HORIZON:
            raise Unproved(f"unsupported: a round ends early: {run.message or run.stop.value}")
        return run

    def _happenings(self, run: Run) -> list[Happening]:
        rigid = parts_of(self._automaton).bodies
        assert rigid is not None
        found = list(skeleton(self._bodies, rigid.dynamics, run))
        if any(happening.rests for happening in found):
            raise Unproved("unsupported: an orbit on which impacts accumulate")
        if found[0].modes or found[-1].modes:
            raise Unproved("unsupported: an orbit that does not begin and end in free flight")
        return found

    def _section(self, legs: tuple[Leg, ...], middle: Array) -> Place:
        """Where a round ends."""
        system, place = self._system, self._system.place(())
        found = [pace for own in self._read(legs) for pace in own]
        if not found:
            return across(system, place, middle)
        turn = 2 * system.symbol_of("pi") / _least(system, found)
        value = _number(system, turn)
        times = round(self._guess.period / value)
        if times < 1 or abs(self._guess.period - times * value) > NEAR * value:
            raise Unproved("border: the period is no multiple of that of the waves of time")
        return with_section(system, place, self.time + times * turn - system.frame.state[-1])

    def _read(self, legs: tuple[Leg, ...]) -> Iterator[list[SX]]:
        """The paces of what is read of time, by all that happens on the way."""
        frame, bodies = self._system.frame, self._bodies
        numbers = split(frame.values)
        yield paces(program([frame.state, frame.values], [self._column()]), numbers)
        for modes in dict.fromkeys((*(leg.place for leg in legs), ())):
            place = self._system.place(modes)
            depths = ca.vertcat(ca.SX(0, 1), *place.depths.values())
            yield paces(place.field.rate, numbers)
            yield paces(program([frame.state, frame.values], [depths]), numbers)
            if modes:
                yield paces(bodies.shape(tuple(contact for contact, _ in modes)), numbers)
        for leg in legs:
            if isinstance(leg.then, Impact):
                for made, after in self._struck(leg.then):
                    yield paces(made, numbers, time_out=after)
            elif not isinstance(leg.then, Change):
                raise Unproved("unsupported: an orbit with other events than impacts")

    def _struck(self, impact: Impact) -> Iterator[tuple[Program, bool]]:
        """The programs of an impact, and whether the last result of each is the time."""
        law = self._bodies.impact(impact.pattern, tuple(i for i, _ in impact.impulses))
        yield from ((own, False) for own in (law.law.equations, law.signs, law.response))
        yield law.law.after, True
        yield self._bodies.shape(tuple(contact for contact, _ in impact.pattern)), False


def _moved(bodies: Bodies, names: tuple[str, ...]) -> Iterator[tuple[int, SX]]:
    """The states of bodies that are moved, by number, as expressions of time."""
    table = bodies.symbolic.table
    for body in bodies.symbolic.world.bodies:
        if body.driven is None:
            continue
        own = {f"{body.name}.{word}{axis}" for word in ("r", "w") for axis in "xyz"} & {*names}
        if own or body.drags is not None:
            raise Unproved(f"unsupported: orbits with {body.name}, which turns or runs as told")
        for word, vector in zip(("", "v"), body.driven[:2], strict=True):
            for axis, term in zip("xyz", vector, strict=True):
                if (name := f"{body.name}.{word}{axis}") in names:
                    yield names.index(name), ca.SX(symbolic(term, table))


def _least(system: System, found: list[SX]) -> SX:
    """The pace of which all are plainly whole multiples."""
    sizes = [abs(_number(system, pace)) for pace in found]
    if not all(np.isfinite(sizes)) or not min(sizes) > 0:
        raise Unproved(OTHER)
    least = found[int(np.argmin(sizes))]
    for pace, size in zip(found, sizes, strict=True):
        times = round(size / min(sizes))
        same = least if times == 1 else times * least
        if not (are_same(pace, same) or are_same(pace, -same)):
            raise Unproved(OTHER)
    return least if _number(system, least) > 0 else -least


def _number(system: System, expression: SX) -> float:
    """About what an expression of fixed numbers is."""
    try:
        made = program([system.frame.values], [expression])
    except Undecided as error:
        raise Unproved(str(error)) from None
    return float(in_floats(made, numbers_of(system))[0][0, 0])
