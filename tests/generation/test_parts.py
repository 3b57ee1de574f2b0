"""Every kind of automaton, and what it is made of."""

from __future__ import annotations

import pytest

from dyverse.generation.model import parse_model
from dyverse.generation.parts import parts_of

BALL = "body ball { sphere radius 1  mass 1 }\n"
CLOCK = "automaton clock { real x\n location run { x' = 1 }\n initial run }\n"
MODELS = {
    "bodies": (BALL, {"bodies"}),
    "written": (CLOCK, {"written"}),
    "network": (
        CLOCK + "automaton other { clock y location run initial run }\nsystem clock || other",
        {"network"},
    ),
    "coupled": (BALL + CLOCK + "system clock", {"bodies", "network"}),
}


@pytest.mark.parametrize("name", MODELS)
def test_parts_are_those_that_the_text_has(name: str) -> None:
    text, expected = MODELS[name]
    parts = parts_of(parse_model(text).automaton())
    known = {"bodies": parts.bodies, "network": parts.network, "written": parts.written}
    assert {part for part, found in known.items() if found is not None} == expected
    assert (parts.only_bodies is not None) == (name == "bodies")
    assert (parts.only_network is not None) == (name == "network")
    assert (parts.only_automata is not None) == (name in ("network", "written"))
    assert (parts.coupled is not None) == parts.is_coupled == (name == "coupled")
