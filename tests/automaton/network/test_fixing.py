import pytest

from dyverse.automaton.network.fixing import with_numbers
from dyverse.automaton.network.network import Network
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text


@pytest.mark.parametrize("name", ["two-tanks", "gear"])
def test_a_network_with_numbers_for_parameters_runs_the_same(name: str) -> None:
    network = parse_model(example_text(name)).automaton()
    assert isinstance(network, Network)
    fixed = with_numbers(network)
    assert network.parameters
    assert not fixed.parameters
    runs = [simulate(each, until=5.0) for each in (network, fixed)]
    ours, theirs = ([(event.kind, event.target) for event in run.events] for run in runs)
    assert ours == theirs != []
    times = [[event.time for event in run.events] for run in runs]
    assert times[0] == pytest.approx(times[1], abs=1e-9)
    assert runs[0].end.values == pytest.approx(runs[1].end.values, abs=1e-9)
