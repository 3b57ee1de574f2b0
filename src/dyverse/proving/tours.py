"""Rounds of orbits, in floats: what happens on the way from a section back to it.

A tour makes the legs of a round for states that are given; what is true of them is found in
`dyverse.proving.orbits`. The section of an automaton is a plane across the flow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import casadi as ca
import numpy as np
from flint import arb

from dyverse.automaton.interface import Array, HybridAutomaton, Location, State
from dyverse.automaton.network.moves import Places
from dyverse.certificate.automata import Here
from dyverse.certificate.file import Jump, Leg, Unproved
from dyverse.certificate.place import Place, Terms
from dyverse.certificate.system import System
from dyverse.enclosure.front import Step
from dyverse.expr.symbolic import SX, split
from dyverse.proving.draft import Draft
from dyverse.proving.floats import run as in_floats
from dyverse.proving.grid import Grid
from dyverse.proving.jumps import jumps
from dyverse.proving.lasting import automata_of, check_timeless
from dyverse.proving.skeleton import Happening
from dyverse.simulation.simulate import Options, simulate

SPAN = 0.4  # of steps
SECTION = "section"
FINE = 2.0**20  # of the normal of a section, whose numbers are whole
SOLVER = Options(solver="native")


@dataclass(frozen=True, slots=True)
class Guess:
    """An orbit that was found: a state on it in the middle of a stretch, and its period (s)."""

    location: Location
    values: dict[str, float]
    period: float
    time: float = 0.0  # when it is there (s), if that matters


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """A draft of one round: its legs, and the steps back to the section."""

    legs: tuple[Leg, ...]
    last: Place
    steps: tuple[Step, ...]
    free: list[int]  # states that change at all
    scale: Array  # how large they get, (states,)


class Tour(Protocol):
    """Makes rounds that begin near a state."""

    @property
    def first(self) -> Array:
        """The state, (states,)."""

    @property
    def time(self) -> float:
        """When rounds begin (s)."""

    @property
    def here(self) -> Here | None:
        """Where the automata are then."""

    @property
    def known(self) -> Mapping[int, arb]:
        """The states that time alone decides, as they are when rounds begin."""

    def round(self, middle: Array) -> Round:
        """One round from ``middle``, in floats."""


class AutomatonTour:
    """The rounds of automata that do not depend on time."""

    time, known = 0.0, MappingProxyType[int, arb]({})

    def __init__(self, system: System, automaton: HybridAutomaton, guess: Guess) -> None:
        automata_of(system)
        self._system, self._automaton, self._guess = system, automaton, guess
        self._names, self.here = system.frame.names, Here(Places([str(guess.location)]), ())
        self.first = np.array([guess.values[name] for name in self._names])

    def round(self, middle: Array) -> Round:
        """One round from ``middle``, in floats."""
        system, guess = self._system, self._guess
        found = dict(zip(self._names, middle, strict=True))
        start = State(0.0, guess.location, np.array([found[name] for name in guess.values]))
        run = simulate(self._automaton, start, until=guess.period, options=SOLVER)
        sizes = np.vstack([np.abs(arc.states) for arc in run.arcs]).max(axis=0)
        scale = np.array([dict(zip(guess.values, sizes, strict=True))[n] for n in self._names])
        end: Happening
        *moves, end = jumps(
            automata_of(system), self._automaton, run, [Happening((), run.end.time)]
        )
        draft = Draft(system, Grid(()), numbers_of(system), SPAN)
        draft.begin(np.append(middle, 0.0), self.here)
        legs = tuple(draft.legs(moves))
        if draft.here != self.here:
            raise Unproved("border: the orbit does not come back to its location")
        last = across(system, system.place((), self.here), middle)
        return Round(legs, last, draft.towards(last, SECTION, end.time), self._moving(legs), scale)

    def _moving(self, legs: tuple[Leg, ...]) -> list[int]:
        """The states that change on the way; nothing may depend on time."""
        automata, here, found = automata_of(self._system), self.here, set[int]()
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


def numbers_of(system: System) -> Array:
    """The values of a system without unknowns, as a column."""
    return np.array([[float(x.mid())] for x in system.numbers]).reshape(-1, 1)


def across(system: System, place: Place, middle: Array) -> Place:
    """A location with a plane near a state across the flow, in exact numbers."""
    first = np.append(middle, 0.0)[:, None]
    way = in_floats(place.field.rate, first, numbers_of(system))[0][:-1, 0]
    way = np.round(way / np.abs(way).max() * FINE)
    level = round(float(way @ middle) * 1024) / 1024
    return with_section(system, place, level - ca.dot(ca.SX(way.tolist()), system.frame.state[:-1]))


def with_section(system: System, place: Place, depth: SX) -> Place:
    """A location where something more is watched, which comes to zero at the section."""
    depths = {**place.depths, SECTION: depth}
    terms = Terms(place.rate, place.table, depths, place.own, place.modes)
    return Place(system.frame, terms)
