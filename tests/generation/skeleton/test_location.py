"""Locations are values: they hash, compare, pickle and print."""

from __future__ import annotations

import pickle

from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes, Node, entrance, words


def test_dynamical_locations_print_as_on_the_architecture_page() -> None:
    location = Modes((("ball1-ball2", "slip"), ("ball1-floor", "stick")))
    assert str(location) == "{ball1-ball2: slip, ball1-floor: stick}"
    assert str(FREE_FLIGHT) == "{}"


def test_places_print_with_their_node() -> None:
    assert str(Node("impact", ("ball1-ball2",), "en")) == "impact{ball1-ball2}.en"
    assert Node("contact", ("a-b", "b-c"), "3").name == "contact{a-b, b-c}"


def test_locations_are_equal_by_value_and_survive_pickling() -> None:
    location = Modes((("a-b", "slip"),))
    assert location == Modes((("a-b", "slip"),))
    assert hash(location) == hash(Modes((("a-b", "slip"),)))
    assert pickle.loads(pickle.dumps(location)) == location
    assert entrance("impact", ("a-b",)) == Node("impact", ("a-b",), "en")


def test_a_location_knows_its_index_sets() -> None:
    location = Modes((("a-b", "slip"), ("a-c", "stick"), ("b-c", "slip")))
    assert location.contacts == ("a-b", "a-c", "b-c")
    assert location.having("slip") == ("a-b", "b-c")
    assert location.having("trans") == ()


def test_there_are_three_words_per_contact() -> None:
    assert len(set(words(("a-b", "a-c", "b-c")))) == 27
    assert list(words(())) == [FREE_FLIGHT]
