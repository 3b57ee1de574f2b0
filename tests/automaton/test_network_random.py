"""Random networks against the naive interpreter: the same jumps at the same times."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.network.component import Channel, Component, NetworkEdge, Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import edge
from dyverse.automaton.run import Stop
from dyverse.automaton.written.writing import assignments
from dyverse.simulation.simulate import Options, simulate
from tests.automaton.networks import MOST_JUMPS, Naive, Rule

CLOCKS_EACH, COUNTERS = 1, 3
UNTIL, MOST = 8, 30
ACTIONS = ("", "go!", "go?", "go!", "go?", "all!", "all?")


@st.composite
def rules(draw: st.DrawFn, number: int) -> list[list[Rule]]:
    """Components with two places each; receivers and senders write different counters."""
    found = []
    for i in range(number):
        clock = st.integers(0, number - 1)
        mine = []
        for _ in range(draw(st.integers(2, 4))):
            sync = draw(st.sampled_from(ACTIONS))
            bounds = draw(st.lists(st.tuples(clock, st.integers(0, 4)), max_size=2))
            tests = st.tuples(
                st.integers(0, COUNTERS - 1), st.sampled_from(["==", "<="]), st.integers(0, 2)
            )
            copied = draw(st.lists(st.integers(0, COUNTERS - 1), max_size=1))
            mine.append(
                Rule(
                    source=draw(st.integers(0, 1)),
                    target=draw(st.integers(0, 1)),
                    clocks=tuple(bounds),
                    counters=tuple(draw(st.lists(tests, max_size=1))),
                    resets=tuple(draw(st.lists(st.just(i), max_size=1))),
                    copies=tuple((i % COUNTERS, source) for source in copied),
                    sync=sync,
                )
            )
        found.append(mine)
    return found


def built(parts: list[list[Rule]], rates: list[list[int]], counters: list[int]) -> Network:
    """The same as terms and formulas."""
    components = []
    for i, mine in enumerate(parts):
        places = tuple(
            Place(name=str(k), rates=assignments({f"c{i}": rates[i][k]})) for k in (0, 1)
        )
        components.append(
            Component(name=f"p{i}", places=places, initial="0", edges=tuple(map(edge_of, mine)))
        )
    clocks = [Variable(f"c{i}", "clock") for i in range(len(parts))]
    ints = [Variable(f"n{k}", "int", start) for k, start in enumerate(counters)]
    return Network(
        components=tuple(components),
        shared=(*clocks, *ints),
        channels=(Channel("all", broadcast=True),),
    )


def edge_of(rule: Rule) -> NetworkEdge:
    atoms = [f"c{c} >= {k}" for c, k in rule.clocks]
    atoms += [f"n{n} {sign} {k}" for n, sign, k in rule.counters]
    resets: dict[str, str | float] = {f"c{c}": 0 for c in rule.resets}
    resets |= {f"n{to}": f"n{source}" for to, source in rule.copies}
    when = " and ".join(atoms) or "true"
    return edge(str(rule.source), str(rule.target), when, resets, sync=rule.sync)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_network_does_what_its_components_say(data: st.DataObject) -> None:
    number = data.draw(st.integers(2, COUNTERS))  # so that no two write one counter
    parts = data.draw(rules(number))
    pairs = st.lists(st.integers(0, 2), min_size=2, max_size=2)
    rates = data.draw(st.lists(pairs, min_size=number, max_size=number))
    counters = data.draw(st.lists(st.integers(0, 2), min_size=COUNTERS, max_size=COUNTERS))
    naive = Naive(parts, rates, {"all"}, list(counters))
    expected = list(naive.run(UNTIL, MOST))
    options = Options(max_events=MOST, max_jumps=MOST_JUMPS)
    run = simulate(built(parts, rates, counters), until=float(UNTIL), options=options)
    told = [(e.time, e.kind, tuple(map(int, e.target))) for e in run.events][:MOST]  # type: ignore[call-overload]
    assert len(told) == len(expected) or run.stop == Stop.LIVELOCK
    for (time, kind, places), (when, name, there) in zip(told, expected, strict=False):
        assert abs(time - when) < 1e-8
        assert (kind, places) == (name, there)
    if run.stop == Stop.HORIZON:
        final = [run.final[f"n{k}"] for k in range(COUNTERS)]
        assert final == naive.counters
