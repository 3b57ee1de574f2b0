"""Runs of random UPPAAL files, state by state, against an interpreter in exact fractions.

Wherever a run may choose, the jumps that the engine offers must lead to the very states that the
interpreter finds; each stretch of time must be allowed, and none may pass over an instant at which
a jump must be made; where a run ends early, the interpreter must be stuck as well.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from dyverse.automaton.interface import Edge
from dyverse.automaton.interface import State as EngineState
from dyverse.automaton.network.component import Fault
from dyverse.automaton.network.moves import Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.timed import GRAIN
from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError
from dyverse.simulation.choice import Ask, Choice, Priority
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.loading.load import model_of
from tests.uppaal.drawn import Drawing
from tests.uppaal.oracle import Array, State, System, Wrong

GRAIN_OF_TIME = Fraction(GRAIN)
UNTIL = 12.0
EVENTS = 25
LARGEST = 7  # no constant of a drawn file is larger


class Comparison:
    """One file, its engine and its oracle."""

    def __init__(self, seed: int, text: str | None = None, run: str | None = None) -> None:
        text = text or Drawing(seed).text()
        self.network: Network = model_of(parse_document(run or text, file=f"{seed}.xta")).network
        self.system = System(parse_document(text))
        self.random = Random(seed)
        self.left_alone: set[object] = set()  # states in which the chooser has waited
        self.asked = 0

    def run(self, solver: str, *, waits: bool) -> Run:
        """A run in which this comparison chooses, or the first of all jumps is made at once."""
        choice: Choice = Ask(self._choose) if waits else Priority()
        options = Options(solver=solver, choice=choice, max_events=EVENTS)
        return simulate(self.network, until=UNTIL, options=options)

    def _choose(self, state: EngineState, edges: tuple[Edge, ...], may_wait: bool) -> int | None:
        self.asked += 1
        self.check_offers(state, edges)
        if may_wait and self.random.random() < 0.4:
            self.left_alone.add(self.exact(state).key())
            return None
        return self.random.randrange(len(edges))

    def exact(self, state: EngineState) -> State:
        """A state of the engine in fractions; its times are multiples of the grain."""
        names = dict(zip(self.network.variables, state.values.tolist(), strict=True))
        found = State(tuple(map(str, _places(state))), {})
        for path, value in self.system.start.store.items():
            found.store[path] = _taken(path, value, names)
        return found

    def check_offers(self, state: EngineState, edges: tuple[Edge, ...]) -> None:
        """The jumps lead to the states that the oracle finds, no more and no fewer."""
        try:
            wanted = {after.key() for after in self.system.successors(self.exact(state))}
        except Wrong:
            return  # the engine notices when it makes that jump
        offered = set()
        for edge in edges:
            try:
                offered.add(self.exact(self.network.take(edge, state)).key())
            except Fault:
                return
        assert offered == wanted

    def check(self, run: Run) -> None:
        """All stretches of time, and the end."""
        for arc in run.arcs:
            start, end = self.exact(arc.state(0)), self.exact(arc.end)
            delay = Fraction(float(arc.times[-1])) - Fraction(float(arc.times[0]))
            if delay:
                assert self.system.may_delay(start, delay)
                assert self.system.delayed(start, delay).key() == end.key()
                if start.key() not in self.left_alone:
                    self._check_patience(start, delay)
        if run.stop in (Stop.TIMELOCK, Stop.DEADLOCK):
            self._check_stuck(run.end)
        elif run.stop is Stop.FAULT:
            with pytest.raises(Wrong):
                self._walk(self.exact(run.end))
        else:
            assert run.stop in (Stop.HORIZON, Stop.MAX_EVENTS, Stop.LIVELOCK)

    def _check_patience(self, start: State, delay: Fraction) -> None:
        """Nothing could be done before the end of a stretch in which nobody waits."""
        for early in sorted({d for d in self._moments(start) if 0 <= d < delay}):
            assert not self.system.successors(self.system.delayed(start, early)), early

    def _moments(self, state: State) -> set[Fraction]:
        """When a constraint may begin to hold."""
        flat = state.flat()
        ends = [k - flat[path] for path in self.system.clocks for k in range(LARGEST + 1)]
        return {Fraction(0), *ends, *(end + GRAIN_OF_TIME for end in ends)}

    def _check_stuck(self, state: EngineState) -> None:
        here = self.exact(state)
        assert not self.system.successors(here)
        assert not self.system.may_delay(here, GRAIN_OF_TIME)

    def _walk(self, state: State, depth: int = 3) -> None:
        """Into all states that follow at once: one of the evaluations is invalid."""
        for after in self.system.successors(state) if depth else ():
            self._walk(after, depth - 1)


def _places(state: EngineState) -> Places:
    assert isinstance(state.location, Places)
    return state.location


def _taken(path: str, value: object, names: dict[str, float]) -> object:
    match value:
        case Array(low=low, items=items):
            parts = enumerate(items)
            return Array(low, [_taken(f"{path}[{low + i}]", item, names) for i, item in parts])
        case dict():
            return {name: _taken(f"{path}.{name}", item, names) for name, item in value.items()}
        case Fraction():
            return Fraction(names[path])  # clocks have no rounding errors
    assert names[path] == round(names[path])
    return round(names[path])


def compared(solver: str, seeds: range) -> int:
    """How many choices were compared."""
    asked = 0
    for seed in seeds:
        document = parse_document(Drawing(seed).text())
        if not System(document).invariant(System(document).start):
            with pytest.raises(ModelError, match="does not hold at the start"):
                model_of(document)
            continue
        for waits in (False, True):
            comparison = Comparison(seed)
            comparison.check(comparison.run(solver, waits=waits))
            asked += comparison.asked
    return asked


@pytest.mark.parametrize(
    "first", [0, 20, 40, *(pytest.param(i, marks=pytest.mark.long) for i in range(60, 200, 20))]
)
def test_the_reference_engine_goes_where_the_oracle_goes(first: int) -> None:
    assert compared("reference", range(first, first + 20)) > 50


@pytest.mark.parametrize(
    "first", [1000, 1008, *(pytest.param(i, marks=pytest.mark.long) for i in range(1016, 1040, 8))]
)
def test_the_native_engine_goes_where_the_oracle_goes(first: int) -> None:
    assert compared("native", range(first, first + 8)) > 10


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("guard x > 2", "guard x >= 2"),
        ("x <= 4", "x <= 5"),
        ("assign n = 1, m = n", "assign m = n, n = 1"),
    ],
)
def test_a_run_that_uppaal_does_not_allow_is_noticed(old: str, new: str) -> None:
    """The engine runs one file, the oracle another."""
    text = """
    clock x; int[0, 3] n, m;
    process P() {
        state a { x <= 4 }, b; init a;
        trans a -> b { guard x > 2; assign n = 1, m = n; };
    }
    system P;
    """
    assert old in text

    def compare_some() -> None:
        for seed in range(20):
            comparison = Comparison(seed, text, text.replace(old, new))
            comparison.check(comparison.run("reference", waits=True))

    with pytest.raises(AssertionError):
        compare_some()
