"""How a run of rigid bodies changes with its settings.

Events are caused by a gap, a normal force, a friction reserve or a slip speed that becomes zero.
Impacts are differentiated in the pattern that they had (`dyverse.generation.symbolic.impact`); then
the state is moved onto the constraints of the next location, as the flow's `settle` does.

Where a contact begins or stops slipping its direction of friction changes very fast, and at the end
it has no derivative. What is off that direction vanishes with the slip speed itself: stiff methods
see it through, they may end a little earlier, and the instant is read with the last direction kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State, Visit
from dyverse.automaton.run import Arc
from dyverse.automaton.sides import values_at
from dyverse.expr.formula import Formula
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.fields import RigidField
from dyverse.generation.skeleton.location import Mode, Modes
from dyverse.generation.skeleton.names import signal_name
from dyverse.mechanics.closed import REDUNDANT, Closed, held_rows
from dyverse.simulation.variation.rigid_impact import OFF, Impacts, is_impact, size
from dyverse.simulation.variation.rigid_model import rigid_model
from dyverse.simulation.variation.switched_variation import SidedVariation, switched
from dyverse.simulation.variation.variation import Cause, Field, Linear, Passage, event_time

Indices = NDArray[np.intp]

STOPPED = 1e-6  # m/s: slower than this at the end of an arc, a slip has come to its end
SLOW = 1e-4  # m/s: below this speed the direction of a slip changes faster than anything else
BEGINNING = 400  # times at which such a slip is looked at after its begin,
ENDING = 40  # and before its end,
BEFORE = 1e-6  # the last of them by so much of the time that it is slow


class RigidVariation:
    """An answer to `dyverse.simulation.variation.variation.Variation`."""

    def __init__(self, automaton: RigidBodyAutomaton, names: Sequence[str]) -> None:
        self._automaton, self._dynamics = automaton, automaton.dynamics
        self._model = rigid_model(automaton, names)
        scene = automaton.scene
        known = {**scene.constants, **scene.starts, **scene.values}
        self._numbers = np.array([known[name] for name in names], dtype=np.float64)
        self._impacts = Impacts(self._dynamics, automaton.tolerances, self._model, self._numbers)

    def start(self) -> Array:
        """∂x(0)/∂p."""
        return self._model.start(self._numbers)

    def field(self, state: State) -> Field:
        """(14) of the location, linearised."""
        model = self._model.location(state.location)
        memory, numbers = self._memory(state), self._numbers
        if self._dynamics.switches:
            return self._on_sides(state)
        return lambda time, values: model.rate(time, values, numbers, memory)

    def _on_sides(self, state: State) -> SidedVariation:
        """The same where functions of the loads switch."""
        model = self._model.location(state.location)
        memory, numbers = self._memory(state), self._numbers
        first = len(memory) - len(self._dynamics.switches)

        def base(time: float, values: Array, sides: Array) -> Linear:
            memory[first:] = sides
            return model.rate(time, values, numbers, memory)

        field = RigidField(self._dynamics, self._automaton.plain_flow(state))
        return SidedVariation.at(base, self._model.surfaces, numbers, state, field)

    def beginning(self, arc: Arc) -> Array:
        """Times while some slip is only beginning, ever farther apart as it grows."""
        contacts = self._dynamics.contacts.index
        slips = tuple(contacts[name] for name in _modes(arc.start).having("slip"))
        rough = tuple(c for c in slips if not self._dynamics.is_frictionless(c))
        if not rough or self._dynamics.close(rough, arc.states[0]).slip_speed.min() >= SLOW:
            return np.empty(0)
        slow = self._dynamics.close(rough, arc.states).slip_speed.min(axis=1)
        begun = np.flatnonzero(slow >= SLOW)
        if not len(begun):
            return np.empty(0)
        lengths = (arc.times[begun[0]] - arc.times[0]) * np.geomspace(1e-8, 1, BEGINNING)
        return np.asarray(arc.times[0] + np.concatenate([[0.0], lengths]))

    def ending(self, arc: Arc, after: State | None) -> Array:
        """Times while some slip comes to its end, ever closer, to a little before the end."""
        stopping = [] if after is None else self._stopping(arc, after)
        if after is None or not stopping:
            return np.empty(0)
        end, memory = self._limit(arc, after)
        rate = self._model.location(end.location).rate(end.time, end.values, self._numbers, memory)
        braking = [self._onward(name, end, memory).by_state[0] @ rate.value for name in stopping]
        length = min(SLOW / max(map(abs, braking)), float(arc.times[-1] - arc.times[0]))
        times = arc.times[-1] - length * np.geomspace(1, BEFORE, ENDING)
        return np.asarray(np.maximum(times, arc.times[0]))

    def begin(self, X: Array, visits: tuple[Visit, ...], after: State) -> Passage:
        """Bodies that touch at the start."""
        remarks: list[str] = []
        still, before = np.zeros(X.shape[1]), X
        for visit in visits:
            X = self._impacts.behind(visit, X, remarks)
        return Passage(still, before, self._settled(after, X, remarks), tuple(remarks))

    def passage(
        self,
        arc: Arc,
        S: Array,
        visits: tuple[Visit, ...],
        after: State,
        *,
        fixed: Array | None,
    ) -> Passage:
        """Impacts, releases, sticking and slipping at the end of an arc."""
        if switched(arc.start, after):
            return self._across(arc, S, after)
        end, memory = self._limit(arc, after)
        rate = self._model.location(end.location).rate(end.time, end.values, self._numbers, memory)
        causes = self._causes(arc, visits, after, end, memory)
        time, remarks = event_time(causes, rate.value, S, fixed)
        X = before = S + np.outer(rate.value, time)
        for visit in visits:
            X = self._impacts.behind(visit, X, remarks)
        X = self._settled(after, X, remarks)
        return Passage(time, before, X, tuple(dict.fromkeys(remarks)))

    def _across(self, arc: Arc, S: Array, after: State) -> Passage:
        """No variable jumps where the loads do."""
        end, found = arc.end, self._on_sides(arc.start)
        rate = found(end.time, end.values).value
        time, remarks = event_time(found.causes(end, after), rate, S, None)
        X = S + np.outer(rate, time)
        return Passage(time, X, self._settled(after, X, remarks), tuple(remarks))

    def depth(self, formula: Formula, state: State) -> Linear:
        """How deep inside ``formula`` a state is."""
        model = self._model.location(state.location)
        return model.depth(formula, state.time, state.values, self._numbers, self._memory(state))

    def _memory(self, state: State) -> Array:
        """Remembered directions of contacts that begin to slip; others follow their slip."""
        location = _modes(state)
        memory = np.zeros((len(self._dynamics.contacts), 3))
        if location.having("trans"):
            ahead = self._automaton.plain_flow(state).ahead
            for (name, mode), direction in zip(location.closed, ahead, strict=True):
                if mode == "trans":
                    memory[self._dynamics.contacts.index[name]] = direction
        return np.concatenate([memory.ravel(), self._sides(state)])

    def _sides(self, state: State) -> Array:
        """The values of functions that switch."""
        if not self._dynamics.switches:
            return np.empty(0)
        return values_at(RigidField(self._dynamics, self._automaton.plain_flow(state)), state)

    def _stopping(self, arc: Arc, after: State) -> list[str]:
        """The contacts that slip along an arc and no more after it, without being struck."""
        later = dict(_modes(after).closed)
        slips = _modes(arc.start).having("slip")
        names = [name for name in slips if later.get(name, "slip") != "slip"]
        if not names:
            return []
        index = self._dynamics.contacts.index
        closed = self._dynamics.close(tuple(index[name] for name in names), arc.end.values)
        stops = closed.slip_speed <= STOPPED
        return [name for name, stopped in zip(names, stops, strict=True) if stopped]

    def _limit(self, arc: Arc, after: State) -> tuple[State, Array]:
        """The end of an arc; contacts that stop slipping there keep their last direction."""
        end, whole = arc.end, self._memory(replace(arc.end, sides=arc.start.sides))
        whole[: 3 * len(self._dynamics.contacts)] = self._memory(arc.start)[
            : 3 * len(self._dynamics.contacts)
        ]
        memory = whole[: 3 * len(self._dynamics.contacts)].reshape(-1, 3)
        stopping = self._stopping(arc, after)
        if not stopping:
            return end, whole
        row = max(0, len(arc.times) - 2)
        flow = self._automaton.plain_flow(arc.state(row))
        location = _modes(end)
        for name, ahead in zip(location.contacts, flow.ahead, strict=True):
            if name in stopping:
                memory[self._dynamics.contacts.index[name]] = ahead
        held: tuple[tuple[str, Mode], ...] = tuple(
            (name, "trans" if name in stopping else mode) for name, mode in location.closed
        )
        return State(end.time, Modes(held), end.values, end.held), whole

    def _causes(
        self, arc: Arc, visits: tuple[Visit, ...], after: State, end: State, memory: Array
    ) -> Iterator[Cause]:
        """What became zero: gaps of contacts that are struck, or else what the words differ in."""
        old, new = dict(_modes(arc.start).closed), dict(_modes(after).closed)
        hit = [name for v in visits if is_impact(v) for name in v.contacts if name not in old]
        if hit:
            yield from self._gaps(hit, end)
            return
        model = self._model.location(end.location)
        for name, mode in old.items():
            quantity = _watched(mode, new.get(name))
            signal = signal_name(quantity, name)
            if quantity == "slip_speed":
                yield Cause(signal, self._onward(name, end, memory))
            elif quantity:
                found = model.signal(signal, end.time, end.values, self._numbers, memory)
                yield Cause(signal, found)

    def _gaps(self, names: list[str], end: State) -> Iterator[Cause]:
        rows = {name: self._model.rows(name, end.values, self._numbers) for name in names}
        closing = [n for n, row in rows.items() if row.value[1] < -self._automaton.tolerances.speed]
        for name in closing or names:
            row = rows[name]
            gap = Linear(row.value[:1], row.by_time[:1], row.by_state[:1], row.by_values[:1])
            yield Cause(signal_name("gap", name), gap)

    def _onward(self, name: str, end: State, memory: Array) -> Linear:
        """The slip along the remembered direction."""
        contact = self._dynamics.contacts.index[name]
        frame = self._dynamics.close((contact,), end.values).frame[0]
        ahead = memory[3 * contact : 3 * contact + 3] @ frame[:, 1:]
        row = self._model.rows(name, end.values, self._numbers)
        return Linear(
            np.array([ahead @ row.value[2:]]),
            np.zeros(1),
            (ahead @ row.by_state[2:])[None, :],
            (ahead @ row.by_values[2:])[None, :],
        )

    def _settled(self, after: State, X: Array, remarks: list[str]) -> Array:
        """X on the constraints of the next location: closed gaps, no speed that is not allowed."""
        location, layout, X = _modes(after), self._dynamics.layout, X.copy()
        if not location.closed:
            return X
        contacts = tuple(self._dynamics.contacts.index[name] for name in location.contacts)
        closed = self._dynamics.close(contacts, after.values)
        held = np.array([(True, mode == "stick", mode == "stick") for _, mode in location.closed])
        gaps = self._off(after, X)[:, 0]
        shift = _correction(closed, 3 * np.arange(len(contacts)), gaps)
        X[layout.q] -= self._dynamics.moved(np.tile(after.values, (X.shape[1], 1)), shift.T).T
        speeds = self._off(after, X)[:, 1:] * held[:, :, None]
        rows = held_rows(held[:, 1])
        X[layout.v] -= _correction(closed, rows, speeds.reshape(-1, X.shape[1])[rows])
        for name, gap, speed in zip(location.contacts, gaps, speeds, strict=True):
            if max(size(gap), size(speed)) > OFF * (1 + size(X)):
                remarks.append(f"{name} would not stay as it is")
        return X

    def _off(self, state: State, X: Array) -> Array:
        """How gaps and γ of the closed contacts change, (contacts, 4, k)."""
        names, still = _modes(state).contacts, np.zeros(X.shape[1])
        rows = (self._model.rows(name, state.values, self._numbers) for name in names)
        return np.array([row.moved(X, still) for row in rows])


def _modes(state: State) -> Modes:
    assert isinstance(state.location, Modes)
    return state.location


def _watched(mode: Mode, later: Mode | None) -> str:
    """The signal whose zero takes a closed contact from one mode to another, or opens it.

    From having begun to slip to slipping nothing becomes zero: up to the tolerance it is the same.
    """
    if later is None:
        return "normal_force"
    if mode == later or mode == "trans":
        return ""
    return "friction_reserve" if mode == "stick" else "slip_speed"


def _correction(closed: Closed, rows: Indices, error: Array) -> Array:
    """`dyverse.mechanics.closed.correction` for several errors at once."""
    G = closed.delassus[np.ix_(rows, rows)]
    inverse = np.linalg.pinv(G, rcond=REDUNDANT, hermitian=True)
    return np.asarray(closed.MW[:, rows] @ (inverse @ error))
