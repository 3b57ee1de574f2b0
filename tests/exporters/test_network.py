import json

import pytest

from dyverse.errors import ExportError
from dyverse.exporters.network import (
    as_network,
    network_counts,
    network_dot,
    network_json,
    network_listing,
    ranges_of,
)
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_text
from tests import scenes
from tests.catalogue import CATALOGUE, square_root, thermostat


def test_a_hand_written_automaton_is_a_network_of_one() -> None:
    made = as_network(thermostat())
    assert network_counts(made)["dynamical_locations"] == 2
    lines = list(network_listing(made))
    assert "  on -> off  (off)" in lines
    assert "    Dom: T <= high" in lines
    assert "    T' = k * (30 - T)" in lines


@pytest.mark.parametrize("name", ["robot", "racket", "bouncing-ball-floor", "thermostat"])
def test_what_is_written_is_whole(name: str) -> None:
    made = as_network(parse_model(example_text(name)).automaton())
    edges = sum(len(item.edges) for item in made.components)
    data = json.loads(json.dumps(network_json(made)))
    assert sum(len(item["edges"]) for item in data["automata"]) == edges
    drawing = list(network_dot(made))
    assert sum("->" in line for line in drawing) == edges
    assert drawing.count("  }") == len(made.components)


def test_what_is_no_network_is_refused() -> None:
    with pytest.raises(ExportError, match="computation nodes"):
        as_network(square_root())
    with pytest.raises(ExportError, match="RigidBodyAutomaton cannot be written as a network"):
        as_network(generate(scenes.drop()))


def test_the_catalogue_is_written() -> None:
    for case in CATALOGUE.values():
        made = case.make()
        if not made.nodes:
            assert network_counts(as_network(made))["edges"] == len(made.edges)


@pytest.mark.parametrize("name", ["bouncing-ball-floor", "two-tanks", "thermostat", "drillstring"])
def test_ranges_of_starts_and_parameters_are_listed(name: str) -> None:
    model = parse_model(example_text(name))
    made, ranges = as_network(model.automaton()), ranges_of(model.parameters)
    lines, data = list(network_listing(made, ranges)), network_json(made, ranges)
    assert ranges
    for item, (low, high) in ranges.items():
        (line,) = [line for line in lines if line.partition(" = ")[0].split()[-1:] == [item]]
        assert line.endswith(f" in [{low}, {high}]")
        named = {**data["variables"], **data["parameters"]}  # type: ignore[dict-item]
        assert named[item]["range"] == [low, high]  # type: ignore[call-overload,index]
