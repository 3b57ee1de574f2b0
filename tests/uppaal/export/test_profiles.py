"""Networks written for checkers: what is written is read again and does the same."""

import itertools
import math
import re

import pytest

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import (
    Action,
    Channel,
    Component,
    NetworkEdge,
    Place,
    Variable,
)
from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds, signal_bounds
from dyverse.errors import ExportError
from dyverse.expr.formula import Formula, formula_symbols
from dyverse.expr.printing import formula_text
from dyverse.expr.term import Number, Symbol
from dyverse.expr.value import holds
from dyverse.simulation.simulate import simulate
from dyverse.text.parse import parse_formula, parse_term
from dyverse.uppaal.export.profiles import tchecker, uppaal_smc, uppaal_stub
from dyverse.uppaal.export.stub import signals_of, stubbed
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.language.printing import label_text
from dyverse.uppaal.language.words import RESERVED
from dyverse.uppaal.loading.load import model_of
from tests.uppaal.sample_models import model


def formula(text: str) -> Formula:
    return parse_formula(text)


def place(name: str, invariant: str = "true", **rates: str) -> Place:
    found = tuple(Assignment(n.replace("__", "."), parse_term(t)) for n, t in rates.items())
    return Place(name=name, rates=found, invariant=formula(invariant))


def ball_floor_control() -> Network:
    """The paper's ball, touch-sensitive floor and control program. [amnell2000] Example 1"""
    ball = Component(
        name="ball",
        places=(place("fall", floor="1", ball__y="ball.u", ball__u="-9.8"),),
        edges=(
            NetworkEdge(
                source="fall",
                target="fall",
                guard=formula("ball.y <= 0 and ball.u < 0"),
                reset=(Assignment("ball.u", parse_term("-0.8*ball.u")),),
                action=Action("hit", True),
            ),
        ),
        initial="fall",
    )
    control = Component(
        name="init",  # a word of UPPAAL
        places=(place("high"), place("check"), place("low_bounces")),
        edges=(
            NetworkEdge(
                source="high",
                target="check",
                action=Action("hit", False),
                reset=(Assignment("z", Number(0.0)),),
            ),
            NetworkEdge(
                source="check",
                target="check",
                action=Action("hit", False),
                guard=formula("z >= 1"),
                reset=(Assignment("z", Number(0.0)),),
            ),
            NetworkEdge(
                source="check",
                target="low_bounces",
                action=Action("hit", False),
                guard=formula("z < 1"),
            ),
        ),
        initial="high",
    )
    return Network(
        name="touch",
        components=(ball, control),
        shared=(
            Variable("floor"),  # a word of UPPAAL too
            Variable("ball.y", start=20.0),
            Variable("ball.u"),
            Variable("z", "clock"),
        ),
    )


def again(text: str) -> Network:
    return model_of(parse_document(text, file="again.xml")).network


def test_the_stub_of_a_ball_keeps_its_signals_within_their_bounds() -> None:
    network = ball_floor_control()
    run = simulate(network, until=15.0)
    bounds = signal_bounds([run], "hit")
    text = uppaal_stub(network, [bounds], unit=0.001)
    assert "observed in 1 runs" in text
    stub = again(text)
    assert {v.kind for v in stub.shared} <= {"clock", "int", "bool"}
    times = [time / 1000 for time in simulate(stub, until=15_000.0).times("hit")]
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert times[0] == pytest.approx(math.sqrt(2 * 20 / 9.8), abs=1.1e-3)
    assert all(bounds.low - 1.1e-3 <= gap <= (bounds.high or math.inf) for gap in gaps)


def test_a_stub_allows_every_run_that_was_observed() -> None:
    """Each signal of the real run satisfies the stub's guard and invariant at its time."""
    network = ball_floor_control()
    run = simulate(network, until=15.0)
    found = stubbed(network, [signal_bounds([run], "hit")], unit=0.001).network
    last, begun = 0.0, 0.0
    for time in run.times("hit"):
        known = {"since_hit": (time - last) * 1000, "begun_hit": begun}
        edge, spot = found.components[0].edges[0], found.components[0].places[0]
        assert holds(edge.guard, known)
        assert holds(spot.invariant, known)
        last, begun = time, 1.0


def test_names_that_uppaal_keeps_for_itself_are_changed() -> None:
    for text in (uppaal_stub(ball_floor_control()), uppaal_smc(ball_floor_control())):
        found = parse_document(text)
        names = {template.name for template in found.templates}
        assert not names & RESERVED
        assert "init_1" in names
    assert "hybrid clock floor_1;" in uppaal_smc(ball_floor_control())


def test_the_statistical_profile_runs_like_the_network_until_it_rests() -> None:
    network = ball_floor_control()
    written = again(uppaal_smc(network))
    assert all(channel.broadcast and channel.urgent for channel in written.channels)
    plain, found = simulate(network, until=15.0), simulate(written, until=15.0)
    assert found.times("hit__ball__init") == pytest.approx(plain.times("hit"), abs=1e-6)
    assert found.final["ball_y"] == pytest.approx(plain.final["ball.y"], abs=1e-6)
    later = simulate(written, until=60.0)
    assert later.end.time == pytest.approx(60.0)


def test_handshakes_as_broadcasts_still_wait_for_their_partner() -> None:
    """The receiver is ready only from 3 on; a plain broadcast would be lost at 1."""
    sender = Component(
        name="s",
        places=(place("a"), place("b")),
        initial="a",
        edges=(
            NetworkEdge(source="a", target="b", guard=formula("x >= 1"), action=Action("go", True)),
        ),
    )
    receiver = Component(
        name="r",
        places=(place("a"), place("b"), place("c")),
        initial="a",
        edges=(
            NetworkEdge(source="a", target="b", guard=formula("x >= 3")),
            NetworkEdge(source="b", target="c", action=Action("go", False)),
        ),
    )
    network = Network(components=(sender, receiver), shared=(Variable("x", "clock"),))
    run = simulate(again(uppaal_smc(network)), until=5.0)
    assert run.times("go__s__r") == pytest.approx([3.0])
    assert simulate(network, until=5.0).times("go") == pytest.approx([3.0])


def test_equalities_of_moving_quantities_get_a_tolerance_in_smc_only() -> None:
    item = Component(
        name="c",
        places=(place("a", x="2"), place("b")),
        initial="a",
        edges=(NetworkEdge(source="a", target="b", guard=formula("x == 5 and n == 0")),),
    )
    network = Network(components=(item,), shared=(Variable("x"), Variable("n", "int", 0, 0, 9)))
    text = uppaal_smc(network)
    assert "x &gt;= 5.0 - 0.001" in text
    assert "x &lt;= 5.0 + 0.001" in text
    assert "n == 0" in text


def timed(
    guard: str,
    invariant: str = "true",
    reset: tuple[Assignment, ...] = (),
    **parameters: float,
) -> Network:
    edge = NetworkEdge(source="a", target="b", guard=formula(guard), reset=reset)
    item = Component(
        name="p", places=(place("a", invariant), place("b")), edges=(edge,), initial="a"
    )
    shared = (
        Variable("x", "clock"),
        Variable("y", "clock"),
        Variable("n", "int", 1, 0, 9),
        Variable("m", "int", 2, 0, 9),
    )
    return Network(components=(item,), shared=shared, parameters=tuple(parameters.items()))


@pytest.mark.parametrize(
    ("guard", "edges"),
    [
        ("x >= 3", ["x >= 3"]),
        ("x - y < 2 and n == 1", ["x - y < 2 && n == 1"]),
        ("3 + n <= x", ["x >= 3 + n"]),
        ("x >= 3 or y >= 5", ["x >= 3", "y >= 5"]),
        ("x != 3", ["x < 3", "x > 3"]),
        ("not (x < 3 and y < 5)", ["x >= 3", "y >= 5"]),
        (
            "(x > 1 or n == 0) and (y > 2 or n == 1)",
            ["x > 1 && y > 2", "x > 1 && n == 1", "n == 0 && y > 2", "n == 0 && n == 1"],
        ),
        ("n == 0 or m == 0", ["n == 0 || m == 0"]),
    ],
)
def test_guards_become_edges_with_conjunctions_over_clocks(guard: str, edges: list[str]) -> None:
    found = parse_document(uppaal_stub(timed(guard)))
    labels = [arrow.label("guard") for arrow in found.templates[0].arrows]
    assert [label_text(label) for label in labels if label] == edges


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (timed("2*x >= 3"), "compares a clock, or the difference of two"),
        (timed("x + y >= 3"), "compares a clock"),
        (timed("x >= 0.5"), "choose a smaller unit"),
        (timed("true", "x <= 1 or y <= 1"), "an invariant cannot have 'or' over clocks"),
        (model("train_gate.xml").network, "runs code, which no checker takes"),
    ],
)
def test_what_a_checker_cannot_take_is_told(network: Network, message: str) -> None:
    with pytest.raises(ExportError, match=re.escape(message)):
        uppaal_stub(network)


def test_a_smaller_unit_makes_times_whole() -> None:
    text = uppaal_stub(timed("x >= 0.5 and x - y <= 2", "x <= 1.5"), unit=0.5)
    assert "x &gt;= 1 &amp;&amp; x - y &lt;= 4" in text
    assert "x &lt;= 3" in text


def test_bounds_need_a_signal_and_values_of_the_object() -> None:
    network = ball_floor_control()
    with pytest.raises(ExportError, match=r"no hybrid object sends 'beep' \(known: hit\)"):
        uppaal_stub(network, [Bounds(action="beep", low=0.0, high=1.0)])


def test_parameters_are_numbers_for_a_checker() -> None:
    """A control program with a limit as a parameter is a timed automaton, not a hybrid object."""
    network = timed("x >= 2*limit + 1", limit=3.0)
    assert stubbed(network).hybrid == ()
    assert "x &gt;= 7" in uppaal_stub(network)


def test_a_swap_is_written_with_a_copy() -> None:
    swap = (Assignment("n", Symbol("m")), Assignment("m", Symbol("n")))
    network = timed("x >= 1 and n < m", reset=swap)
    text = uppaal_stub(network)
    assert "old_n = n, n = m, m = old_n" in text
    run = simulate(again(text), until=2.0)
    assert (run.final["n"], run.final["m"]) == (2, 1)
    assert "do: old_n = n; n = m; m = old_n" in tchecker(network)


class Checked:
    """A TChecker file taken apart; everything must be declared before it is used."""

    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert lines[0].startswith("system:")
        self.found: dict[str, list[list[str]]] = {}
        for line in lines:
            head, _, attributes = line.partition("{")
            words = head.split(":")
            self._check(words)
            self.found.setdefault(words[0], []).append([*words[1:], attributes.rstrip("}")])

    def names(self, kind: str, field: int) -> list[str]:
        return [row[field] for row in self.found.get(kind, [])]

    def _check(self, words: list[str]) -> None:
        if words[0] == "edge":
            spots = {tuple(row[:2]) for row in self.found["location"]}
            assert {(words[1], words[2]), (words[1], words[3])} <= spots
            assert words[4] in self.names("event", 0)
        if words[0] == "location":
            assert words[1] in self.names("process", 0)
        for end in words[1:] if words[0] == "sync" else ():
            who, _, event = end.rstrip("?").partition("@")
            assert who in self.names("process", 0)
            assert event in self.names("event", 0)


def test_fischer_for_tchecker_is_the_same_automaton() -> None:
    network = model("fischer.xta").network
    found = Checked(tchecker(network))
    assert len(found.found["process"]) == 3
    assert len(found.found["location"]) == sum(len(c.places) for c in network.components)
    assert len(found.found["edge"]) == sum(len(c.edges) for c in network.components)
    assert "sync" not in found.found
    assert ["1", "0", "3", "0", "id", ""] in found.found["int"]
    first = found.found["edge"][1]
    assert first[-1] == "provided: P_1_x <= 2 : do: P_1_x = 0; id = 1"


def test_each_pair_of_sender_and_receiver_has_a_sync_line() -> None:
    """Bridge: two people and a torch on two channels."""
    found = Checked(tchecker(model("bridge.xta").network))
    pairs = [tuple(row[:2]) for row in found.found["sync"]]
    assert sorted(pairs) == sorted(
        (f"{who}@{channel}_emit", f"Torch@{channel}_recv")
        for who in ("A", "B")
        for channel in ("take", "release")
    )


def test_a_broadcast_names_its_listeners_as_weak() -> None:
    sender = Component(
        name="s",
        places=(place("a"),),
        initial="a",
        edges=(NetworkEdge(source="a", target="a", action=Action("go", True)),),
    )
    hears = NetworkEdge(source="a", target="a", action=Action("go", False))
    others = tuple(
        Component(name=name, places=(place("a"),), edges=(hears,), initial="a") for name in "pq"
    )
    network = Network(components=(sender, *others), channels=(Channel("go", broadcast=True),))
    found = Checked(tchecker(network))
    assert found.found["sync"] == [["s@go_emit", "p@go_recv?", "q@go_recv?", ""]]


def test_tchecker_gets_no_counters_that_nothing_depends_on() -> None:
    """Labels are all that can be asked for there, and a counter has no end."""
    count = (Assignment("n", Symbol("n") + 1), Assignment("m", Number(3.0)))
    text = tchecker(timed("x >= 1 and m == 2", reset=count))
    assert "# n is left out" in text
    assert "do: m = 3}" in text
    assert ":0:9:1:n" not in text
    assert "n = n + 1" in uppaal_stub(timed("x >= 1", reset=count))


def test_times_beyond_what_checkers_count_are_told() -> None:
    with pytest.raises(ExportError, match="choose a larger unit"):
        uppaal_stub(timed("x >= 2"), unit=1e-9)


def test_a_named_internal_jump_of_an_object_is_a_signal_too() -> None:
    """A thermostat has no channels; its switching is what others could see."""
    item = Component(
        name="heater",
        places=(place("on", "T <= 22", T="3"), place("off", "T >= 18", T="-1")),
        edges=(
            NetworkEdge(source="on", target="off", guard=formula("T >= 22"), name="stop"),
            NetworkEdge(source="off", target="on", guard=formula("T <= 18"), name="go"),
        ),
        initial="on",
    )
    network = Network(components=(item,), shared=(Variable("T", start=20.0),))
    assert signals_of(network) == ("stop", "go")
    text = uppaal_stub(network, [Bounds(action="stop", low=5.0, high=6.0, first_high=6.0)])
    assert "since_stop &gt;= 5 * begun_stop" in text
    assert "since_stop &lt;= 6" in text


def test_bounds_that_were_proved_are_never_rounded_inwards() -> None:
    """A proof of 3 - 1e-12 gives at least 2; what someone says may be meant as 3."""
    network, third = ball_floor_control(), 3 - 1e-12
    proved = Bounds(action="hit", low=third, high=third, first_high=third, by="for all runs")
    said = Bounds(action="hit", low=third, high=third, first_high=third)
    assert "since_hit &gt;= 2 * begun_hit" in uppaal_stub(network, [proved])
    assert "since_hit &gt;= 3 * begun_hit" in uppaal_stub(network, [said])


def test_words_of_queries_are_no_names() -> None:
    """UPPAAL refuses a template or a place that is called ``control`` or ``deadlock``."""
    item = Component(name="control", places=(place("deadlock"),), edges=(), initial="deadlock")
    found = parse_document(uppaal_stub(Network(components=(item,))))
    assert found.templates[0].name == "control_1"
    assert found.templates[0].places[0].name == "deadlock_1"


def test_an_edge_that_never_meets_anyone_is_left_out_for_tchecker() -> None:
    """There an event that is in no sync line would be taken alone."""
    waits = NetworkEdge(source="a", target="b", action=Action("go", False))
    item = Component(name="p", places=(place("a"), place("b")), edges=(waits,), initial="a")
    text = tchecker(Network(components=(item,)))
    assert "edge:" not in text
    assert "# a -> b: no one to meet on it" in text


def test_bounds_for_a_limited_time_say_nothing_about_later() -> None:
    """A ball of 8 s: behind them, the stub may be silent or bounce as it likes."""
    network = model("bouncing_ball.xml").network
    signal = signals_of(network)[0]
    for until, is_free in ((8.0, True), (None, False)):
        bounds = Bounds(action=signal, low=1.0, high=2.0, first_high=3.0, until=until)
        stub = stubbed(network, [bounds], unit=0.5).network
        items = [item for item in stub.components if any(e.action for e in item.edges)]
        late = [p for item in items for p in item.places if p.name.endswith(" later")]
        assert bool(late) == is_free
        read = {s.name for p in late for s in formula_symbols(p.invariant)}
        assert f"since_{signal}" not in read
        ends = [e for item in items for e in item.edges if e.target.endswith(" later")]
        assert not is_free or any("elapsed >= 16" in formula_text(e.guard) for e in ends)
