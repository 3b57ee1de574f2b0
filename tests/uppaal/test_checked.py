"""Exports given to a checker that shares no code with the exporter: it finds what runs show.

The checker is `tests.uppaal.zones`. (The Python package of TChecker itself brings a library for
newer systems than those that dyverse runs on, so it is no part of the tests.)
"""

import math

import pytest

from dyverse.abstraction.timing.spacing import established
from dyverse.automaton.network.component import (
    Action,
    Channel,
    Component,
    NetworkEdge,
    Place,
    Variable,
)
from dyverse.automaton.network.moves import Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds
from dyverse.exporters.network import as_network
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from dyverse.text.parse import parse_formula
from dyverse.uppaal.export.profiles import tchecker
from dyverse.uppaal.export.stub import signals_of
from tests.uppaal.sample_models import model
from tests.uppaal.tck_file import Arrow, Atom, System, compared, number, read
from tests.uppaal.zones import reachable

CLOSE = 1e-5  # units: what the simulator's root finding may miss


def network_of(name: str) -> Network:
    return as_network(parse_model(example_text(name), file=name).automaton({}))


def proved(network: Network, *signals: str, until: float = math.inf) -> list[Bounds]:
    names = signals or signals_of(network)
    found = [established(network, name, until=until) for name in names]
    assert all(isinstance(item, Bounds) for item in found), [str(item) for item in found]
    return [item for item in found if isinstance(item, Bounds)]


def check(text: str, labels: set[str]) -> bool:
    return reachable(read(text), labels)


def test_fischer_keeps_one_process_in_its_critical_section() -> None:
    text = tchecker(model("fischer.xta").network)
    assert check(text, {"P_1.critical"})
    assert check(text, {"P_3.critical"})
    assert not check(text, {"P_1.critical", "P_2.critical"})
    broken = text.replace("P_1_x > 2", "P_1_x > 1").replace("P_2_x > 2", "P_2_x > 1")
    assert broken != text
    assert check(broken, {"P_1.critical", "P_2.critical"})


def test_with_one_torch_the_two_of_the_bridge_are_never_both_over() -> None:
    text = tchecker(model("bridge.xta").network)
    assert check(text, {"A.far", "B.near"})
    assert check(text, {"B.coming"})
    assert not check(text, {"A.far", "B.far"})
    assert not check(text, {"A.going", "B.going"})


@pytest.mark.parametrize(("until", "is_low"), [(14.0, False), (14.7, False), (14.8, True)])
def test_the_control_program_sees_low_bounces_as_soon_as_runs_do(
    until: float, is_low: bool
) -> None:
    """From 20 m the first interval under 1 s ends at t₁ (1 + 2 Σ eⁱ, i ≤ 7) = 14.793 s.

    Behind the time for which the bounds were proved, the ball may do what it likes.
    """
    first = math.sqrt(2 * 20 / 9.8)
    assert 14.7 < first * (1 + 2 * sum(0.8**i for i in range(1, 8))) < 14.8
    network = network_of("bouncing-ball-floor")
    text = tchecker(network, proved(network, until=until), unit=0.001)
    assert check(text, {"control.wait"})
    assert check(text, {"control.low_bounces", "ball.fly"}) == is_low
    assert check(text, {"control.low_bounces", "ball.fly_later"})


def test_without_bounds_everything_may_happen() -> None:
    assert check(tchecker(network_of("bouncing-ball-floor")), {"control.low_bounces"})


def test_robot_and_control_go_round_for_ever() -> None:
    """All places are reached; the bounds of two signals are enough for that."""
    network = network_of("robot")
    text = tchecker(network, proved(network, "pickup", "there"), unit=0.5)
    for place in ("inner.at_release", "inner.returned", "outer.rising", "control.working"):
        assert check(text, {place}), place
    assert not check(text, {"inner.returning", "outer.high"})
    assert not check(text, {"inner.to_pickup", "control.idle"})


@pytest.mark.parametrize(("sent", "ends"), [("x >= 5", "late"), ("x <= 3", "early")])
def test_listeners_with_guards_hear_what_their_guards_allow(sent: str, ends: str) -> None:
    """One listener, two guards with a gap between them: a signal there is not heard."""
    hears = Action("go", False)
    listener = Component(
        name="ear",
        places=tuple(Place(name=name) for name in ("waits", "early", "late")),
        edges=(
            NetworkEdge(source="waits", target="early", guard=parse_formula("x < 4"), action=hears),
            NetworkEdge(source="waits", target="late", guard=parse_formula("x > 4"), action=hears),
        ),
        initial="waits",
    )
    sender = Component(
        name="mouth",
        places=(Place(name="silent"), Place(name="done", committed=True)),
        edges=(
            NetworkEdge(
                source="silent",
                target="done",
                guard=parse_formula(sent),
                action=Action("go", True),
            ),
        ),
        initial="silent",
    )
    network = Network(
        components=(sender, listener),
        shared=(Variable("x", "clock"),),
        channels=(Channel("go", broadcast=True),),
    )
    text = tchecker(network)
    assert "ear@go_recv?" not in text
    assert check(text, {"mouth.done", f"ear.{ends}"})
    assert not check(text, {"mouth.done", "ear.waits"})
    other = {"early": "late", "late": "early"}[ends]
    assert not check(text, {f"ear.{other}"})
    deaf = text.replace(sent, "x == 4")
    assert check(deaf, {"mouth.done", "ear.waits"})


class Replay:
    """The events of a run, one after the other, in the automaton of a file."""

    def __init__(self, system: System, network: Network, unit: float) -> None:
        self.system, self.unit = system, unit
        self.called = [
            dict(zip((p.name for p in item.places), spots, strict=False))  # later ones follow
            for item, spots in zip(network.components, system.spots.values(), strict=True)
        ]
        self.places, self.time = system.start, 0.0
        self.ints = {name: start for name, (_, _, start) in system.ints.items()}
        self.clocks = dict.fromkeys(system.clocks, 0.0)

    def wait(self, time: float) -> None:
        for name in self.clocks:
            self.clocks[name] += (time - self.time) / self.unit
        self.time = time
        for process, place in zip(self.system.processes, self.places, strict=True):
            assert self._hold(self.system.spots[process][place].invariant), (time, place)

    def jump(self, target: Places) -> None:
        """Some transition must lead to ``target``."""
        wanted = tuple(names[place] for names, place in zip(self.called, target, strict=True))
        assert any(self._taken(wanted, move) for move in self.system.moves(self.places)), (
            self.time,
            target,
        )

    def _taken(self, wanted: tuple[str, ...], arrows: dict[str, Arrow]) -> bool:
        at = dict(zip(self.system.processes, self.places, strict=True))
        after = at | {process: arrow.target for process, arrow in arrows.items()}
        if tuple(after.values()) != wanted or not all(self._hold(a.guard) for a in arrows.values()):
            return False
        for name, value in (update for arrow in arrows.values() for update in arrow.updates):
            if name in self.clocks:
                self.clocks[name] = float(number(value, self.ints))
            else:
                self.ints[name] = number(value, self.ints)
        self.places = wanted
        return True

    def _hold(self, atoms: tuple[Atom, ...]) -> bool:
        return all(map(self._holds, atoms))

    def _holds(self, atom: Atom) -> bool:
        bound = float(number(atom.bound, self.ints))
        if not atom.clocks:
            return compared(number(atom.left, self.ints), atom.relation, bound)
        value, *others = (self.clocks[name] for name in atom.clocks)
        value -= sum(others)
        return any(compared(value + x, atom.relation, bound) for x in (-CLOSE, 0.0, CLOSE))


def replayed(network: Network, bounds: list[Bounds], until: float) -> int:
    """How many events of a run the stub can follow; it must follow all."""
    replay = Replay(read(tchecker(network, bounds, unit=0.001)), network, 0.001)
    events = simulate(network, until=until).events
    for event in events:
        assert isinstance(event.target, Places)
        replay.wait(event.time)
        replay.jump(event.target)
    return len(events)


@pytest.mark.parametrize(
    ("name", "signals", "until", "horizon", "count"),
    [
        ("bouncing-ball-floor", ("bounce",), 15.0, 15.0, 16),
        ("robot", ("pickup", "low", "home"), 60.0, math.inf, 80),
        ("thermostat", ("on", "off"), 100.0, math.inf, 20),
        ("two-tanks", ("left", "right"), 5.6, 5.6, 4),
    ],
)
def test_the_stub_with_established_bounds_can_do_what_a_run_does(
    name: str, signals: tuple[str, ...], until: float, horizon: float, count: int
) -> None:
    network = network_of(name)
    bounds = proved(network, *signals, until=horizon)
    assert replayed(network, bounds, until) >= count


def test_a_run_that_is_not_in_the_stub_is_noticed() -> None:
    """Bounds that are too narrow by a tenth of a second leave the run out."""
    narrow = Bounds(action="off", low=8.2, high=9.0, first_low=2.2, first_high=2.3)
    with pytest.raises(AssertionError):
        replayed(network_of("thermostat"), [narrow], 20.0)
