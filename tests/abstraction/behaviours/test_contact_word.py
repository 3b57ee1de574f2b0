"""A block on a floor and two vector fields are the same system, and spell the same words."""

from pathlib import Path

import pytest

from dyverse import generate, parse_world, simulate
from dyverse.abstraction.behaviours.contact_word import contact_places, contact_word
from dyverse.errors import ModelError

BLOCK = (Path(__file__).parents[3] / "examples" / "belt" / "block.drbt").read_text("utf-8")
CONTACT, SPEED = "floor-block", "block.vx"


def test_a_block_that_is_pushed_slides_sticks_and_is_dragged() -> None:
    run = simulate(generate(parse_world(BLOCK), {"block.vx": 2.0}), until=4)
    places = contact_places(run, CONTACT, SPEED)
    assert places[:4] == ("slip_plus", "trans_minus", "slip_minus", "stick")
    assert "".join(contact_word(run, CONTACT, SPEED)).startswith("cdacd")


def test_without_friction_at_rest_it_never_sticks() -> None:
    run = simulate(generate(parse_world(BLOCK), {"mu_s": 0, "mu_c": 0, "block.vx": 2.0}), until=4)
    assert "stick" not in contact_places(run, CONTACT, SPEED)
    assert set(contact_word(run, CONTACT, SPEED)) == set("bcd")


def test_a_contact_that_opens_has_no_letters() -> None:
    run = simulate(generate(parse_world(BLOCK), {"block.y": 0.2}), until=0.1)
    assert contact_word(run, CONTACT, SPEED) == ()


def test_an_unknown_signal_is_refused() -> None:
    run = simulate(generate(parse_world(BLOCK), {"block.vx": 2.0}), until=1)
    with pytest.raises(ModelError, match=r"unknown signal 'block.xv'; did you mean"):
        contact_word(run, CONTACT, "block.xv")
