"""What contacts offer to automata: channels, given on exactly what a run tells as events.

When the bodies have come to their next dynamical location, each kind of event of that passage
gives the channels that its contacts offer on it: impacts first, then touches, releases, sticks and
slips, in each kind in the order of the contact list. A channel is given once for one passage.
"""

from __future__ import annotations

from collections.abc import Mapping

from dyverse.bodies.placed import Scene
from dyverse.bodies.world import OCCASIONS, Offer
from dyverse.generation.coupled.jumps import Underway
from dyverse.generation.naming import changes
from dyverse.generation.skeleton.location import Modes

Offers = Mapping[str, tuple[Offer, ...]]  # by contact, in the order of the contact list


def offers_of(scene: Scene) -> Offers:
    """What each contact offers; those that offer nothing are left out."""
    return {pair.name: pair.offers for pair in scene.contacts if pair.offers}


def channels_of(offers: Offers) -> tuple[str, ...]:
    """All channels that are offered."""
    return tuple(dict.fromkeys(offer.channel for own in offers.values() for offer in own))


def signals(offers: Offers, passage: Underway, reached: Modes) -> tuple[str, ...]:
    """The channels that the bodies give on their way to ``reached``."""
    told = {"impact": passage.hit, **changes(passage.left, reached, passage.hit)}
    given = (
        offer.channel
        for occasion in OCCASIONS
        for contact, own in offers.items()
        if contact in told.get(occasion, ())
        for offer in own
        if offer.on == occasion
    )
    return tuple(dict.fromkeys(given))
