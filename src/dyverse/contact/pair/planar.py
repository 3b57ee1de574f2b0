"""Contacts of bodies that are kept in planes across an axis, by guides without friction.

Bodies move along such planes and turn about their normal a, so that points of theirs move along
them, too. Where two surfaces touch, with the unit normal n, they slip along one direction,

    t = n × a / ‖n × a‖,

and friction acts along it: with a second component it would press on the guides alone. What
resists rolling does so about n × t, and nothing spins about n.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dyverse.contact.pair.kinematics import Pair


@lru_cache(maxsize=256)
def in_plane(pair: Pair, across: int) -> Pair:
    """The same pair of bodies that are kept in planes across the axis of that number."""
    return replace(pair, name=f"{pair.name}_in_plane", across=across)
