"""What contacts offer to automata: from text or Python to values, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from dyverse.bodies.check.names import NAME
from dyverse.bodies.world import OCCASIONS, Occasion, Offer
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.text.syntax.statements import RESERVED, ContactStatement, Name, Offering

Offered = str | tuple[str, str] | Offer
Offers = str | Offer | Iterable[Offered]
USUAL: Occasion = "impact"


def offers_of(contact: ContactStatement) -> tuple[Offer, ...]:
    """What a contact offers; what is on no occasion is left out, `offer_problems` says why."""
    found = ((offering.channel.text, _occasion(offering)) for offering in contact.offers)
    return tuple(Offer(name, on) for name, on in found if on in OCCASIONS)


def offering(offer: Offer) -> Offering:
    """The same in the syntax tree; the usual occasion is left out."""
    return Offering(Name(offer.channel), None if offer.on == USUAL else Name(offer.on))


def offers_given(offers: Offers) -> tuple[Offer, ...]:
    """What was written in Python: one offer, or several of them.

    An offer is ``"hit"``, ``"grip on stick"`` or, among several, ``("grip", "stick")``.
    """
    if isinstance(offers, str | Offer):
        return (_given(offers),)
    return tuple(map(_given, offers))


def offer_problems(contact: ContactStatement) -> Iterator[Problem]:
    """Channels that are no names, occasions that there are not, and what is offered twice."""
    seen: set[tuple[str, str]] = set()
    for item in contact.offers:
        channel, on = item.channel, _occasion(item)
        if not NAME.fullmatch(channel.text) or channel.text in RESERVED:
            yield Problem(f"{channel.text!r} is no name for a channel", channel.span)
        if on not in OCCASIONS:
            meant = did_you_mean(on, OCCASIONS) or f"; there are {', '.join(OCCASIONS)}"
            place = item.on.span if item.on else None
            yield Problem(f"contacts offer nothing on {on!r}{meant}", place)
        if (channel.text, on) in seen:
            message = f"{channel.text!r} is offered twice on {on!r}; keep one"
            yield Problem(message, channel.span)
        seen.add((channel.text, on))


def _occasion(offering: Offering) -> str:
    return offering.on.text if offering.on else USUAL


def _given(offer: Offered) -> Offer:
    if isinstance(offer, Offer):
        return offer
    words = offer.split() if isinstance(offer, str) else [offer[0], "on", *offer[1:]]
    match words:
        case [channel]:
            return Offer(channel)
        case [channel, "on", occasion]:
            return Offer(channel, cast(Occasion, occasion))  # checked with the world
        case _:
            message = f"{offer!r} is no offer; write 'hit', or 'grip on stick'"
            raise ModelError([Problem(message)])
