"""Guards at their boundary: random networks with constant rates against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.network.component import Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Run, Stop
from dyverse.simulation.simulate import Options, simulate
from tests.automaton.exact import MOST_JUMPS, Atom, Exact, Rule

UNTIL, MOST = 7.03125, 80  # no boundary is met at the end
RATES = [Fraction(n) for n in (-2, -1, 0, 1, 2)] + [Fraction(1, 3), Fraction(-1, 2)]
NUMBERS = st.integers(0, 3).map(Fraction)
SOLVERS = ("reference", "native", "cvode")
ENDS = {"horizon": Stop.HORIZON, "timelock": Stop.TIMELOCK, "livelock": Stop.LIVELOCK}


@st.composite
def systems(draw: st.DrawFn) -> Exact:
    """One to three components with few numbers, so that much happens at once."""
    count = draw(st.integers(1, 3))
    atom = st.builds(
        Atom, st.integers(0, count - 1), st.sampled_from(["<=", "<", ">=", ">", "=="]), NUMBERS
    )
    limit = st.builds(Atom, st.integers(0, count - 1), st.sampled_from(["<=", ">="]), NUMBERS)
    syncs = ("", "", "go!", "go?") if count > 1 else ("",)
    way = st.lists(atom, min_size=1, max_size=3).map(tuple)
    ways = st.one_of(st.tuples(way), st.tuples(way), st.tuples(way, way))
    rules = [
        [
            Rule(
                source=draw(st.integers(0, 1)),
                target=draw(st.integers(0, 1)),
                ways=draw(ways),
                resets=tuple(draw(st.lists(st.tuples(st.just(i), NUMBERS), max_size=1))),
                sync=draw(st.sampled_from(syncs)),
            )
            for _ in range(draw(st.integers(1, 3)))
        ]
        for i in range(count)
    ]
    rates = [[draw(st.sampled_from(RATES)) for _ in range(2)] for _ in range(count)]
    free: st.SearchStrategy[tuple[Atom, ...]] = st.just(())
    kept = st.one_of(free, free, st.tuples(limit))
    limits = [[draw(kept) for _ in range(2)] for _ in range(count)]
    return Exact(rules, rates, limits, [draw(NUMBERS) for _ in range(count)])


def built(system: Exact) -> Network:
    """The same as terms and formulas."""
    components = []
    for i, rules in enumerate(system.rules):
        places = [
            place(
                str(k),
                {f"x{i}": str(system.rates[i][k])},
                invariant=" and ".join(map(str, system.invariants[i][k])) or "true",
            )
            for k in (0, 1)
        ]
        edges = tuple(
            edge(
                str(rule.source),
                str(rule.target),
                " or ".join(f"({' and '.join(map(str, way))})" for way in rule.ways),
                {f"x{v}": str(number) for v, number in rule.resets},
                sync=rule.sync,
                action="" if rule.sync else f"e{i}{k}",
            )
            for k, rule in enumerate(rules)
        )
        components.append(component(f"p{i}", places, *edges))
    starts = (Variable(f"x{i}", "real", float(x)) for i, x in enumerate(system.x))
    return network(*components, shared=tuple(starts))


def told(run: Run) -> list[tuple[float, str, tuple[int, ...]]]:
    jumps = [event for event in run.events if event.kind != "graze"]
    return [(e.time, e.kind, tuple(map(int, str(e.target).split(", ")))) for e in jumps]


def check_agreement(system: Exact, solver: str) -> None:
    options = Options(solver=solver, max_events=2 * MOST, max_jumps=MOST_JUMPS)
    run = simulate(built(system), until=UNTIL, options=options)
    ours, exact = told(run), list(system.run(UNTIL, MOST))
    if system.ended == "livelock":  # of an instant without end, those are told that were taken
        ours = [row for row in ours if row[0] < system.time - Fraction(1, 10**6)]
        exact = [row for row in exact if row[0] < system.time]
    if system.ended == "enough":
        ours, exact = ours[: MOST - MOST_JUMPS], exact[: MOST - MOST_JUMPS]
    else:
        assert run.stop is ENDS[system.ended]
    assert [row[1:] for row in ours] == [row[1:] for row in exact]
    assert [row[0] for row in ours] == pytest.approx([float(row[0]) for row in exact], abs=1e-8)
    if run.stop is Stop.HORIZON:
        final = [run.final[f"x{i}"] for i in range(len(system.x))]
        assert final == pytest.approx([float(x) for x in system.x], abs=1e-8)


def single(guard: str, x: tuple[float, str], y: tuple[float, str]) -> Network:
    """One edge; x and y start here and move so."""
    places = [place("a", {"x": x[1], "y": y[1], "c": "1"}), place("b")]
    starts = Variable("x", "real", x[0]), Variable("y", "real", y[0]), Variable("c", "real")
    return network(component("one", places, edge("a", "b", guard, action="go")), shared=starts)


RISING, STILL = (0.1, "1/3"), (4.0, "0")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("guard", "x", "y", "times"),
    [
        ("x == 4 and y <= 4", RISING, RISING, [11.7]),
        ("x >= 4 and y <= 4", RISING, RISING, [11.7]),
        ("x <= 4 and x >= 4", RISING, STILL, [11.7]),
        ("x >= 4 and y < 4", RISING, RISING, []),
        ("x == 4 and y == 4", RISING, (7.9, "-1/3"), [11.7]),
        ("x >= 4 and y >= 4", RISING, STILL, [11.7]),
        ("x >= 4 and y >= 4", RISING, (4 - 4e-16, "0"), [11.7]),
        ("x >= 4 and y > 4", RISING, STILL, []),
        ("c >= 1.3 and y == 0.3", RISING, (0.1 + 0.2, "0"), [1.3]),
        ("c >= 1.3 or y > 4", RISING, STILL, [1.3]),
        ("x*(2 - x) >= 1", (0.5, "1"), STILL, [0.5]),
    ],
)
def test_a_guard_that_is_met_at_its_boundary(
    guard: str, x: tuple[float, str], y: tuple[float, str], times: list[float], solver: str
) -> None:
    if solver == "cvode":
        pytest.importorskip("sksundae")
    run = simulate(single(guard, x, y), until=12.0, options=Options(solver=solver))
    assert run.times("go") == pytest.approx(times, abs=1e-7)
    assert run.stop is Stop.HORIZON


@pytest.mark.parametrize("solver", ["reference", "native"])
@pytest.mark.parametrize(
    "last", [place("b", {"x": 1}, urgent=True), place("b", {"x": 1}, invariant="x <= 4")]
)
def test_where_no_time_may_pass_guards_are_read_at_the_point(last: Place, solver: str) -> None:
    steps = [edge("a", "b", "x >= 4", action="in"), edge("b", "d", "x <= 4", action="out")]
    made = network(
        component("one", [place("a", {"x": 1}), last, place("d")], *steps),
        shared=(Variable("x"),),
    )
    run = simulate(made, until=5.0, options=Options(solver=solver))
    assert [event.kind for event in run.events] == ["in", "out"]


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_an_alarm_is_raised_though_another_turns_around(solver: str) -> None:
    """At x = 4 the first automaton turns x around; that the second saw 4 is true all the same."""
    made = network(
        component(
            "turns", [place("up", {"x": 1}), place("down", {"x": -1})], edge("up", "down", "x >= 4")
        ),
        component("alarm", "a b", edge("a", "b", "x >= 4", action="rings")),
        shared=(Variable("x"),),
    )
    run = simulate(made, until=6.0, options=Options(solver=solver))
    assert run.times("rings") == pytest.approx([4.0])
    assert run.final["x"] == pytest.approx(2.0)


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_an_invariant_begins_at_its_boundary_where_no_edge_leaves(solver: str) -> None:
    falls = place("a", {"x": -2}, invariant="x <= 0")
    made = network(component("one", [falls]), shared=(Variable("x", start=-1e-16),))
    run = simulate(made, until=1.0, options=Options(solver=solver))
    assert run.stop is Stop.HORIZON
    assert run.final["x"] == pytest.approx(-2.0)


@settings(max_examples=150, deadline=None)
@given(system=systems())
def test_the_reference_engine_meets_every_boundary(system: Exact) -> None:
    check_agreement(system, "reference")


@settings(max_examples=12, deadline=None)
@given(system=systems())
def test_the_native_engine_meets_every_boundary(system: Exact) -> None:
    check_agreement(system, "native")


@settings(max_examples=25, deadline=None)
@given(system=systems())
def test_cvode_meets_every_boundary(system: Exact) -> None:
    pytest.importorskip("sksundae")
    check_agreement(system, "cvode")
