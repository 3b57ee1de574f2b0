"""What contacts offer: Python and text give the same, and the same is wrong with both."""

import pytest

from dyverse.bodies.build import contact, contact_all, plane, sphere, world
from dyverse.bodies.offers import Offers
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import Offer
from dyverse.errors import ModelError

TEXT = """
body ball { sphere radius 1  mass 1  position (0, 2, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { OFFERS }
"""
BODIES = (sphere("ball", radius=1, mass=1, position=(0, 2, 0)), plane("floor", normal=(0, 1, 0)))
FORMS: list[tuple[Offers, str]] = [
    ("hit", "offers hit"),
    ("grip on stick", "offers grip on stick"),
    (Offer("up", "release"), "offers up on release"),
    (("hit", "down"), "offers hit  offers down"),
    (
        ["hit", ("down", "touch"), "hit on slip"],
        "offers hit offers down on touch offers hit on slip",
    ),
    ((), ""),
]


@pytest.mark.parametrize(("offers", "text"), FORMS)
def test_python_and_text_offer_the_same(offers: Offers, text: str) -> None:
    made = world(*BODIES, contact("ball", "floor", offers=offers))
    assert made == parse_world(TEXT.replace("OFFERS", text))
    everywhere = world(*BODIES, contact_all(offers=offers))
    assert everywhere.contacts[0].offers == made.contacts[0].offers


WRONG: list[tuple[Offers, str]] = [
    ("grip on stik", "contacts offer nothing on 'stik'; did you mean 'stick'?"),
    ([("grip", "fire")], "nothing on 'fire'; there are impact, touch, release, stick, slip"),
    (["hit", "hit on impact"], "'hit' is offered twice on 'impact'; keep one"),
]


@pytest.mark.parametrize(("offers", "message"), WRONG)
def test_what_is_wrong_is_told_for_python(offers: Offers, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        world(*BODIES, contact("ball", "floor", offers=offers))
    assert message in str(caught.value)


@pytest.mark.parametrize("offers", ["hit!", "2", "until"])
def test_a_channel_has_a_name(offers: str) -> None:
    with pytest.raises(ModelError, match="is no name for a channel"):
        world(*BODIES, contact("ball", "floor", offers=offers))


@pytest.mark.parametrize("offers", ["", "grip at stick", "grip on stick or slip"])
def test_an_offer_is_a_channel_and_perhaps_an_occasion(offers: str) -> None:
    with pytest.raises(ModelError, match="is no offer; write 'hit', or 'grip on stick'"):
        contact("ball", "floor", offers=offers)


def test_all_that_is_wrong_in_a_text_has_its_place() -> None:
    with pytest.raises(ModelError) as caught:
        parse_world(TEXT.replace("OFFERS", "offers a on sipl  offers b  offers b on impact"))
    found = [(p.message, p.span and p.span.column) for p in caught.value.problems]
    assert found == [
        ("contacts offer nothing on 'sipl'; did you mean 'slip'?", 34),
        ("'b' is offered twice on 'impact'; keep one", 57),
    ]
