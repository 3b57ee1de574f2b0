"""What the C runtime asks Python: who chooses, and functions that are no terms.

`Host` answers the questions of a `da_host` for one run. Whatever goes wrong in an answer is kept as
``failure``, and the runtime ends the run: an exception cannot pass through C. So Ctrl-C is held
while C runs, and heard inside of answers and when C has returned.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dyverse.automaton.guard.waiting import Delay
from dyverse.automaton.interface import Array, Edge, State
from dyverse.automaton.network.component import Fault
from dyverse.automaton.network.flow import known_numbers
from dyverse.automaton.network.network import Network
from dyverse.automaton.node import ENTRANCE
from dyverse.generation.parts import parts_of
from dyverse.interrupts import Held
from dyverse.native.automata.library import Engine
from dyverse.native.automata.model import AutomatonModel
from dyverse.native.automata.options import Options
from dyverse.native.automata.record import edge_namer
from dyverse.native.automata.sheet import Automaton, is_supported
from dyverse.native.header import C, headers
from dyverse.native.running import Code

FAILED = -2
WAIT = -1
Seen = tuple[State, tuple[Edge, ...]]


class Host:
    """The answers for one run of ``automaton`` in ``engine``.

    If it is a part of something else, ``look`` shows that, with so many edges to choose from.
    """

    def __init__(
        self,
        automaton: Automaton,
        model: AutomatonModel,
        engine: Engine,
        options: Options,
        look: Callable[[int], Seen] | None = None,
    ) -> None:
        self._look = look or self._seen
        self._automaton, self._model, self._engine = automaton, model, engine
        self._options, self._taken = options, edge_namer(automaton)
        self.failure: BaseException | None = None
        self._held = Held()
        answers: dict[str, Callable[..., int]] = {}
        if not is_supported(automaton):
            answers = {"allows": self._allows, "apply": self._apply, "visit": self._visit}
        if options.pick is not None:
            answers["choose"] = self._choose
        ffi, kinds = headers(), dict(headers().typeof("da_host").fields)
        self._calls = {
            name: ffi.callback(kinds[name].type, self._kept(answers[name])) for name in answers
        }
        self.c = ffi.new("da_host *", self._calls)

    def run(self, until: float) -> Code:
        """Let the engine run; what was kept is the caller's to look at."""
        if not self._calls:
            return self._engine.run(until)
        with self._held:
            return self._engine.run(until)

    def _kept(self, answer: Callable[..., int]) -> Callable[..., int]:
        """The same, with exceptions kept."""

        def call(_: object, *arguments: object) -> int:
            try:
                self._held.release()
                found = answer(*arguments)
                self._held.hold()
            except BaseException as failure:
                self._held.hold()
                self.failure = self.failure or failure
                return FAILED
            return found

        return call

    def _choose(self, count: int, delay: int) -> int:
        assert self._options.pick is not None
        place = self._options.pick(count, Delay(delay), lambda: self._look(count))
        return WAIT if place is None else place

    def _seen(self, count: int) -> Seen:
        state = self._state()
        moves = (self._engine.move(number) for number in range(count))
        return state, tuple(self._taken(state, move) for move in moves)

    def _allows(self, edge: int) -> int:
        procedure = self._network.moves.halves[edge].edge.procedure
        assert procedure is not None
        return int(procedure.condition(self._network.known(self._state())))

    def _apply(self, edge: int, x: C, fresh: C, changed: C) -> int:
        network = self._network
        procedure = network.moves.halves[edge].edge.procedure
        assert procedure is not None
        values = np.array(headers().unpack(x, len(network.variables)))
        constants = dict(network.parameters)
        known = known_numbers(network.variables, constants, self._engine.time, values)
        try:
            found = procedure.apply(known)
        except Fault:  # perhaps of a jump that is not taken; if it is, the reference tells why
            return 0
        for name, number in found.items():
            place = network.index[name]
            fresh[place], changed[place] = number, 1
        return 1

    def _visit(self, number: int, x: C, own: C, told: C) -> int:
        """Pass through a node; the numbers after it are put where they came from."""
        written = parts_of(self._automaton).written
        assert written is not None
        node, count = written.nodes[number], len(written.variables)
        values: Array = np.array(headers().unpack(x, count))
        state = State(self._engine.time, node.at(ENTRANCE), values)
        visit = written.visit(state)
        for place, number in enumerate(visit.after.values.tolist()):
            x[place] = number
        for place, name in enumerate(node.local):
            own[place] = float(visit.result[name])
        told[0], told[1] = float(visit.sweeps), visit.residual
        return int(visit.failure is not None)

    @property
    def _network(self) -> Network:
        network = parts_of(self._automaton).network
        assert network is not None
        return network

    def _state(self) -> State:
        engine = self._engine
        return State(engine.time, self._model.location(engine.positions), engine.x)
