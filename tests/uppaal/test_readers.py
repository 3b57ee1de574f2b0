"""Exported XML given to readers of others, and checked for the order in which UPPAAL reads it."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import pyuppaal
import uppaalpy

from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds
from dyverse.exporters.network import as_network
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_text
from dyverse.uppaal.export.profiles import uppaal_smc, uppaal_stub
from dyverse.uppaal.export.stub import signals_of
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.language.words import TAKEN
from tests.uppaal.sample_models import model

CHILDREN = {  # what may stand in an element, in this order; '+' and '*' as in regular expressions
    "nta": "(declaration )?(template )+(system )(queries )?",
    "template": "(name )(parameter )?(declaration )?(location )+(branchpoint )*(init )"
    "(transition )*",
    "location": "(name )?(label )*(urgent )?(committed )?",
    "transition": "(source )(target )(label )*(nail )*",
}
KINDS = {
    "location": ("invariant", "exponentialrate"),
    "transition": ("select", "guard", "synchronisation", "assignment", "probability"),
}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def network_of(name: str) -> Network:
    if name.endswith((".xta", ".xml")):
        return model(name).network
    return as_network(parse_model(example_text(name), file=name).automaton({}))


def exported(name: str, profile: str) -> str:
    network = network_of(name)
    if profile == "smc":
        return uppaal_smc(network)
    signals = signals_of(network)
    bounds = [Bounds(action=signal, low=1.0, high=2.0, first_high=3.0) for signal in signals]
    return uppaal_stub(network, bounds, unit=0.5)


FILES = pytest.mark.parametrize(
    ("name", "profile"),
    [
        (name, profile)
        for name in ("bouncing-ball-floor", "robot", "thermostat", "two-tanks", "fischer.xta")
        for profile in ("stub", "smc")
    ],
)


@FILES
def test_elements_stand_in_the_order_in_which_uppaal_reads_them(name: str, profile: str) -> None:
    root = ElementTree.fromstring(exported(name, profile))
    assert root.tag == "nta"
    for element in root.iter():
        tags = "".join(f"{child.tag} " for child in element)
        assert re.fullmatch(CHILDREN.get(element.tag, ""), tags), (element.tag, tags)
        kinds = [child.get("kind") for child in element if child.tag == "label"]
        assert all(kind in KINDS[element.tag] for kind in kinds)
        assert len(set(kinds)) == len(kinds)


@FILES
def test_names_and_references_are_what_uppaal_takes(name: str, profile: str) -> None:
    root = ElementTree.fromstring(exported(name, profile))
    for template in root.iter("template"):
        named = [template, *template.iter("location")]
        names = [element.findtext("name") or "" for element in named]
        assert all(NAME.fullmatch(text) for text in names)
        assert not set(names) & TAKEN
        assert len(set(names)) == len(names)
        ids = {location.get("id") for location in template.iter("location")}
        used = {e.get("ref") for tag in ("init", "source", "target") for e in template.iter(tag)}
        assert used <= ids
        syncs = [e.text or "" for e in template.iter("label") if e.get("kind") == "synchronisation"]
        assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*[!?]", text) for text in syncs)


def sizes(text: str) -> list[tuple[str, int, int]]:
    found = parse_document(text).templates
    return [(item.name, len(item.places), len(item.arrows)) for item in found]


@FILES
def test_uppaal_py_reads_the_same_automata(name: str, profile: str, tmp_path: Path) -> None:
    text, file = exported(name, profile), tmp_path / "model.xml"
    file.write_text(text)
    found = uppaalpy.NTA.from_xml(str(file))
    assert sizes(text) == [
        (item.name.name, len(item.graph.nodes), len(item.graph.edges)) for item in found.templates
    ]


@FILES
def test_pyuppaal_reads_the_same_automata(name: str, profile: str, tmp_path: Path) -> None:
    text, file = exported(name, profile), tmp_path / "model.xml"
    file.write_text(text)
    found = pyuppaal.UModel(str(file))
    assert sizes(text) == [
        (item.name, len(item.locations), len(item.edges)) for item in found.templates
    ]
