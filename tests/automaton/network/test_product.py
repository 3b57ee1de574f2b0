import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.automaton.network.component import Channel, Variable
from dyverse.automaton.network.product import product
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Stop
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text
from tests.automaton.networks import MOST_JUMPS
from tests.automaton.test_network_random import COUNTERS, MOST, UNTIL, built, rules


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_product_does_what_the_network_does(data: st.DataObject) -> None:
    parts = data.draw(rules(2))
    rates = [[1, 0], [2, 1]]
    made = built(parts, rates, [0, 1, 2][:COUNTERS])
    options = Options(max_events=MOST, max_jumps=MOST_JUMPS)
    ours, theirs = (simulate(a, until=UNTIL, options=options) for a in (made, product(made)))
    assume(ours.stop == Stop.HORIZON)
    assert theirs.stop == Stop.HORIZON
    assert [(e.kind, str(e.target)) for e in ours.events] == [
        (e.kind, str(e.target)) for e in theirs.events
    ]
    times = [event.time for event in theirs.events]
    assert [event.time for event in ours.events] == pytest.approx(times, abs=1e-9)
    assert ours.final == pytest.approx(theirs.final, abs=1e-9)


@pytest.mark.parametrize("name", ["bouncing-ball-floor", "gear", "robot"])
def test_the_product_of_an_example_runs_alike(name: str) -> None:
    model = parse_model(example_text(name))
    made = model.automaton()
    until = model.until({}, 1.0)
    ours, theirs = (simulate(a, until=until) for a in (made, product(made)))  # type: ignore[arg-type]
    assert [e.time for e in ours.events] == pytest.approx([e.time for e in theirs.events])
    assert ours.final == pytest.approx(theirs.final, abs=1e-6)


def test_the_abstraction_of_a_network_is_that_of_its_product() -> None:
    """Two processes and a lock: of four combinations of places three can be reached."""
    process = [
        component(n, "out in", edge("out", "in", sync="take!"), edge("in", "out", sync="give!"))
        for n in ("a", "b")
    ]
    taken, given = edge("free", "held", sync="take?"), edge("held", "free", sync="give?")
    lock = component("c", "free held", taken, given)
    found = initial_abstraction(network(*process, lock), letters="actions").lts
    assert set(found.locations) == {"out, out, free", "in, out, held", "out, in, held"}
    assert found.alphabet == ("take", "give")
    assert len(found.steps) == 4


def test_a_product_that_is_too_large_is_refused() -> None:
    many = [component(f"p{i}", "a b", edge("a", "b")) for i in range(20)]
    with pytest.raises(ModelError, match="over 1000 locations"):
        product(network(*many), most=1000)


def test_what_cannot_be_multiplied_out_is_said() -> None:
    ranked = network(component("one", "a", edge("a", "a", priority=1)))
    with pytest.raises(ModelError, match="it has priorities"):
        product(ranked)


def test_urgent_and_committed_places_let_no_time_pass() -> None:
    made = network(
        component("one", [place("a", committed=True), place("b")], edge("a", "b", sync="go!")),
        component("two", "p", edge("p", "p", "c >= 0", {"c": 1}, action="other")),
        shared=(Variable("c", "clock"),),
        channels=(Channel("go", broadcast=True),),
    )
    alone = product(made)
    leaving = [str(edge) for edge in alone.edges if edge.source == "a, p"]
    assert leaving == ["a, p -> b, p"]
