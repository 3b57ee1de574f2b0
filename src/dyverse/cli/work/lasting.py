"""``abstract --prove``: what is proved of the equilibria and orbits that were found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dyverse.abstraction.evidence.returning import Returns, Seen
from dyverse.abstraction.portrait.equilibria import Point
from dyverse.abstraction.portrait.orbits import Orbit
from dyverse.abstraction.survey.survey import Survey
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.run import Run
from dyverse.certificate.file import Unproved
from dyverse.certificate.system import System
from dyverse.enclosure.program import Undecided
from dyverse.generation.skeleton.location import FREE_FLIGHT
from dyverse.proving.equilibria import equilibrium
from dyverse.proving.lasting import Outcome, Unsure, lasting_system
from dyverse.proving.orbits import orbit
from dyverse.proving.tours import Guess
from dyverse.simulation.simulate import Options, simulate

ROUNDS = 2  # among which a flight is chosen
EXACT = 1024  # per second: the times at which rounds of bodies may begin


class Prover:
    """Proves what lasts in one model at some settings."""

    def __init__(self, text: str, automaton: HybridAutomaton, settings: dict[str, float]) -> None:
        self._automaton = automaton
        self._system: System | Unsure
        try:
            self._system = lasting_system(text, settings)
        except (Unproved, Undecided) as error:
            self._system = Unsure(str(error))

    def tell(self, seen: Survey, result: dict[str, Any]) -> None:
        """Add a ``proof`` to each equilibrium, set and orbit of an answer."""
        names = seen.automaton.variables
        for entry, point in zip(result["equilibria"], seen.points, strict=True):
            entry["proof"] = _json(self._at(point, names))
        for entry in result["sets"]:
            entry["proof"] = _json(Unsure("unsupported: a set of equilibria, none of them alone"))
        for entry, found in zip(result["orbits"], seen.orbits, strict=True):
            entry["proof"] = _json(self._round(found, names))

    def _at(self, point: Point, names: tuple[str, ...]) -> Outcome:
        if isinstance(self._system, Unsure):
            return self._system
        values = dict(zip(names, point.values.tolist(), strict=True))
        return equilibrium(self._system, point.location, values)

    def _round(self, found: Orbit, names: tuple[str, ...]) -> Outcome:
        if isinstance(self._system, Unsure):
            return self._system
        guess = _guess(found, names)
        if guess is None:
            return Unsure("unsupported: what depends on time")
        return orbit(self._system, self._automaton, guess)

    def tell_bodies(self, run: Run, seen: Seen, result: dict[str, Any]) -> None:
        """Add a ``proof`` of what bodies do."""
        result["proof"] = _json(self._bounces(run, seen))

    def _bounces(self, run: Run, seen: Seen) -> Outcome:
        if isinstance(self._system, Unsure):
            return self._system
        if not isinstance(seen, Returns):
            return Unsure("unsupported: nothing but orbits is proved of bodies")
        guess = _flight(self._automaton, run, seen)
        if guess is None:
            return Unsure("unsupported: an orbit of bodies that are never in free flight")
        return orbit(self._system, self._automaton, guess)


def _flight(automaton: HybridAutomaton, run: Run, seen: Returns) -> Guess | None:
    """A state in the middle of the longest flight of the last rounds, at a time that is exact."""
    late = run.end.time - ROUNDS * seen.period
    whole = (arc for arc in run.arcs[:-1] if arc.times[0] > late)
    arcs = [arc for arc in whole if arc.location == FREE_FLIGHT]
    if not arcs:
        return None
    longest = max(arcs, key=lambda arc: float(arc.times[-1] - arc.times[0]))
    first, last = float(longest.times[0]), float(longest.times[-1])
    time = round((first + last) / 2 * EXACT) / EXACT
    if not first < time < last:
        return None
    end = simulate(automaton, longest.start, until=time, options=Options(solver="native")).end
    values = dict(zip(automaton.variables, end.values.tolist(), strict=True))
    return Guess(end.location, values, seen.period, time)


def _guess(found: Orbit, names: tuple[str, ...]) -> Guess | None:
    """A state in the middle of the longest stretch; none where time is a variable of its own."""
    longest = max(found.round.arcs, key=lambda arc: float(arc.times[-1] - arc.times[0]))
    middle = (longest.times[0] + longest.times[-1]) / 2
    values = longest.states[int(np.argmin(np.abs(longest.times - middle)))].tolist()
    if len(values) != len(names):
        return None
    place = str(longest.location) if found.letters else found.locations[0]
    return Guess(place, dict(zip(names, values, strict=True)), found.period)


def _json(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Unsure):
        return {"proved": False, "why": outcome.why}
    return {
        "proved": True,
        "at": outcome.at,
        "alone_in": outcome.room,
        "stable": outcome.stable,
        "spectrum": outcome.spectrum,
        **({} if outcome.period is None else {"period": outcome.period}),
        **({} if outcome.time is None else {"time": outcome.time}),
    }


def lines(result: dict[str, Any]) -> Iterator[str]:
    """The same in words."""
    for entry in (*result["equilibria"], *result["sets"], *result["orbits"]):
        yield line(entry)


def line(entry: dict[str, Any]) -> str:
    """What is proved of one behaviour, in words."""
    proof = entry["proof"]
    if not proof["proved"]:
        return f"not proved: {entry['behaviour']}: {proof['why']}"
    kind = {True: "stable", False: "unstable", None: "of unknown stability"}[proof["stable"]]
    where = ", ".join(f"{name} in {_ends(*ends)}" for name, ends in proof["at"].items())
    period = f", period in {_ends(*proof['period'])} s" if "period" in proof else ""
    when = f" at {proof['time']:.12g} s" if "time" in proof else ""
    return f"proved: {entry['behaviour']}: there is exactly one near {where}{when}{period}; {kind}"


def _ends(low: float, high: float) -> str:
    return f"[{low:.12g}, {high:.12g}]"
