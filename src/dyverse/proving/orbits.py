"""Periodic orbits, proved: exactly one near a state, and whether it attracts.

A section is laid through a state in the middle of a stretch, across the flow. The return map P
takes all states near it once round, through all jumps, back to the section. It is enclosed together
with its derivative by the checker of certificates; by Krawczyk's operator on P(x) = x there is
exactly one fixed point. If all eigenvalues of the derivative are less than one the orbit attracts;
if one is greater it does not.  [moore2009] ch. 8, [dibernardo2008] §2.5
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np
from flint import acb, arb, arb_mat, arb_poly

from dyverse.automaton.interface import Array, HybridAutomaton, State
from dyverse.automaton.network.moves import Places
from dyverse.certificate.automata import Here
from dyverse.certificate.file import Box, Jump, Leg, Unproved
from dyverse.certificate.place import Place, Terms
from dyverse.certificate.system import System
from dyverse.certificate.walk import Walk
from dyverse.enclosure.front import Front, Step, rough
from dyverse.enclosure.interval import Interval, hull_of
from dyverse.enclosure.matrix import ball, column, exact
from dyverse.enclosure.program import Undecided
from dyverse.enclosure.slope import product_of
from dyverse.expr.symbolic import split
from dyverse.proving.course import Undrafted
from dyverse.proving.draft import Draft
from dyverse.proving.floats import run as in_floats
from dyverse.proving.grid import Grid
from dyverse.proving.jumps import jumps
from dyverse.proving.lasting import (
    SIZES,
    Outcome,
    Sure,
    Unsure,
    automata_of,
    check_timeless,
    contracted,
    is_contraction,
    listed,
    part,
    spectrum_of,
    within,
)
from dyverse.proving.skeleton import Happening
from dyverse.simulation.simulate import Options, simulate

ROUNDS = 4  # of Newton's method
SPAN = 0.4  # of steps
SECTION = "section"
FINE = 2.0**20  # of the normal of a section, whose numbers are whole
NOWHERE = Box((), ())  # there are no unknowns
SOLVER = Options(solver="native")


@dataclass(frozen=True, slots=True)
class Guess:
    """An orbit that was found: a state on it in the middle of a stretch, and its period (s)."""

    location: str
    values: dict[str, float]
    period: float


def orbit(system: System, automaton: HybridAutomaton, guess: Guess) -> Outcome:
    """What is proved of the orbit near a guess."""
    try:
        automata_of(system)
        return _Orbit(system, automaton, guess).outcome()
    except (Unproved, Undecided, Undrafted) as error:
        return Unsure(str(error))


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """A draft of one round: its legs, and the steps back to the section."""

    legs: tuple[Leg, ...]
    last: Place
    steps: tuple[Step, ...]


class _Orbit:
    def __init__(self, system: System, automaton: HybridAutomaton, guess: Guess) -> None:
        self._system, self._automaton, self._guess = system, automaton, guess
        self._names, self._here = system.frame.names, Here(Places([guess.location]), ())
        self._middle = np.array([guess.values[name] for name in self._names])
        self._numbers = np.array([[float(x.mid())] for x in system.numbers]).reshape(-1, 1)
        self._free: list[int] = []  # states that change at all
        self._scale = np.abs(self._middle)  # how large they get

    def outcome(self) -> Outcome:
        """Try boxes of several sizes, the largest first."""
        nothing, found = np.zeros(len(self._names)), self._round()
        scale = self._scale
        for _ in range(ROUNDS):
            there, slope = self._returned(found, nothing)
            free = self._free
            off = np.array([float(x.mid()) for x in there])[free] - self._middle[free]
            step = np.linalg.solve(rough(part(slope, free)) - np.eye(len(free)), off)
            self._middle[free] -= step
            found = self._round()
            if np.abs(step).max(initial=0.0) < 1e-13 * scale.max():
                break
        there, _ = self._returned(found, nothing)
        why = "too wide: the derivative of the return map cannot be enclosed"
        first: Sure | None = None
        for share in SIZES:
            size = nothing.copy()
            size[self._free] = share * scale[self._free]
            try:
                _, slope = self._returned(found, size)
            except (Unproved, Undecided) as error:
                why = str(error)
                continue
            sure = self._sure(there, slope, size)
            if sure is not None and sure.stable is not None:
                return sure if first is None else replace(sure, room=first.room)
            first = first or sure
        return first or Unsure(why)

    def _sure(self, there: list[arb], slope: arb_mat, size: Array) -> Sure | None:
        """Krawczyk's operator on P(x) - x."""
        free, middle = self._free, self._middle
        value = column(there[i] - arb(float(middle[i])) for i in free)
        inner = part(slope, free)
        found = contracted(middle[free], size[free], value, inner - exact(np.eye(len(free))))
        if found is None:
            return None
        spectrum, last = spectrum_of(inner), len(there) - 1
        period = there[last]
        for i, own in zip(free, found, strict=True):
            period += slope[last, i] * (ball(own) - arb(float(middle[i])))
        inside = dict(zip(free, found, strict=True))
        at: dict[str, Interval] = {}
        room: dict[str, Interval] = {}
        for i, (name, m, r) in enumerate(zip(self._names, middle, size, strict=True)):
            at[name] = inside.get(i, (float(m), float(m)))
            room[name] = within(m, r)
        return Sure(at, room, _contracts(inner, spectrum), listed(spectrum), hull_of(period))

    def _round(self) -> _Round:
        """One round from the middle, in floats."""
        system, guess = self._system, self._guess
        start = State(0.0, guess.location, self._ordered())
        run = simulate(self._automaton, start, until=guess.period, options=SOLVER)
        automata = automata_of(system)
        sizes = np.vstack([np.abs(arc.states) for arc in run.arcs]).max(axis=0)
        self._scale = np.array(
            [dict(zip(guess.values, sizes, strict=True))[n] for n in self._names]
        )
        end: Happening
        *moves, end = jumps(automata, self._automaton, run, [Happening((), run.end.time)])
        draft = Draft(system, Grid(()), self._numbers, SPAN)
        draft.begin(np.append(self._middle, 0.0), self._here)
        legs = tuple(draft.legs(moves))
        if draft.here != self._here:
            raise Unproved("border: the orbit does not come back to its location")
        last = self._across()
        self._free = self._moving(legs)
        return _Round(legs, last, draft.towards(last, SECTION, end.time))

    def _ordered(self) -> Array:
        """The middle in the order of the automaton that is run."""
        found = dict(zip(self._names, self._middle, strict=True))
        return np.array([found[name] for name in self._guess.values])

    def _across(self) -> Place:
        """The location of the start with a plane nearby across the flow, in exact numbers."""
        place, frame = self._system.place((), self._here), self._system.frame
        first = np.append(self._middle, 0.0)[:, None]
        way = in_floats(place.field.rate, first, self._numbers)[0][:-1, 0]
        way = np.round(way / np.abs(way).max() * FINE)
        level = round(float(way @ self._middle) * 1024) / 1024
        depth = level - ca.dot(ca.SX(way.tolist()), frame.state[:-1])
        depths = {**place.depths, SECTION: depth}
        return Place(frame, Terms(place.rate, place.table, depths, place.own, place.modes))

    def _moving(self, legs: tuple[Leg, ...]) -> list[int]:
        """The states that change on the way; nothing may depend on time."""
        automata, here, found = automata_of(self._system), self._here, set[int]()
        for leg in legs:
            place = self._system.place((), here)
            check_timeless(self._system, [place])
            found |= {i for i, rate in enumerate(split(place.rate)[:-1]) if not rate.is_zero()}
            assert isinstance(leg.then, Jump)
            move = automata.moves.move(here.places, leg.then.edges)
            changes = automata.changes(move, place.table)
            found |= {i for i, name in enumerate(self._names) if name in changes}
            here = automata.after(here, move, {})
        place = self._system.place((), here)
        check_timeless(self._system, [place])
        found |= {i for i, rate in enumerate(split(place.rate)[:-1]) if not rate.is_zero()}
        return sorted(found)

    def _returned(self, found: _Round, size: Array) -> tuple[list[arb], arb_mat]:
        """Where all states of a box come back to, and when; and the derivative of that."""
        states = np.append(self._middle, 0.0)
        center = tuple(arb_poly([arb(float(x))]) for x in states)
        sizes = column(arb(float(x)) for x in np.append(size, 0.0))
        front = Front(center, exact(np.eye(len(states))), sizes, np.ones(len(states)))
        walk = Walk(self._system, NOWHERE, start=(front, self._here))
        for leg in found.legs:
            walk.along(leg)
        walk.reach(found.last, found.steps, SECTION)
        there = [model[0] for model in walk.front.models()]
        return there, product_of(walk.passed, len(states))


def _contracts(slope: arb_mat, spectrum: list[acb] | None) -> bool | None:
    """Whether all multipliers are less than one, or one is greater."""
    sizes = [abs(x) for x in spectrum or ()]
    if any(size > 1 for size in sizes):
        return False
    return True if (sizes and all(size < 1 for size in sizes)) or is_contraction(slope) else None
