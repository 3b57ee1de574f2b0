"""The contact list: which bodies can touch, and by which rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dyverse.bodies.contact_list import ContactList, Numbers
from dyverse.bodies.merging import WAYS, Merging
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.shapes import Meeting, Meetings
from dyverse.bodies.world import ZERO, Body, ContactRule, Law, Offer, World
from dyverse.contact.pair.kinematics import Pair, Resistance
from dyverse.contact.pair.planar import in_plane
from dyverse.contact.pair.resistance import resisting
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term


class Neighbours(NamedTuple):
    """Two bodies that can touch, in the order of the world's bodies, and what their rule says."""

    a: Body
    b: Body
    law: Law
    offers: tuple[Offer, ...]
    when: Formula | None = None


class Sort(NamedTuple):
    """What contacts of the same shapes under the same rule have in common."""

    law: Law
    offers: tuple[Offer, ...]
    met: Meeting
    when: Formula | None = None


class TouchingPair(NamedTuple):
    """One contact: two bodies, what of them can touch, and what their rule says."""

    a: Body
    b: Body
    law: Law
    offers: tuple[Offer, ...]
    met: Meeting
    when: Formula | None = None

    @staticmethod
    def of(a: Body, b: Body, sort: Sort) -> TouchingPair:
        """The contact of that sort between two bodies."""
        return TouchingPair(a, b, *sort)

    @property
    def sort(self) -> Sort:
        """What it has in common with others."""
        return Sort(self.law, self.offers, self.met, self.when)

    @property
    def name(self) -> str:
        """The contact as people write it, ``ball1-ball2`` or ``block.corner1-floor``."""
        return contact_name(self.a.name, self.b.name, self.met)

    @property
    def pair(self) -> Pair:
        """The pair of shapes."""
        return self.met.pair

    @property
    def ends(self) -> tuple[str, str]:
        """The names of the bodies in the order of that pair."""
        names = self.a.name, self.b.name
        return names[::-1] if self.met.swapped else names


def contact_name(a: str, b: str, met: Meeting) -> str:
    """The name of a contact of two bodies: whatever touches has its own name behind a dot."""
    ends = ((a, met.a.name), (b, met.b.name))
    return "-".join(f"{body}.{part}" if part else body for body, part in ends)


class Rules:
    """Which rule holds between two bodies of a world.

    Bodies that are joined do not touch, unless a rule of their own says that they do.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._own = {frozenset(rule.pair): rule for rule in world.contacts if rule.pair}
        holding = (joint for joint in world.joints if not joint.is_contact)
        joined = (frozenset(j.bodies) for j in holding if len(set(j.bodies)) == 2)
        self._own |= {pair: ContactRule(law=None) for pair in joined if pair not in self._own}
        others = (rule for rule in world.contacts if rule.pair is None)
        self._others = next(others, ContactRule())

    def pair(self, a: Body, b: Body) -> Neighbours | None:
        """The two of them, if they can touch: not both are fixed, and it is not switched off."""
        own = self._own and self._own.get(frozenset((a.name, b.name)))
        rule = own or self._others
        if rule.law is None or (a.is_unmoved and b.is_unmoved):
            return None
        return Neighbours(a, b, rule.law, rule.offers, rule.when)

    def pairs(self) -> tuple[Numbers, Numbers, list[ContactRule]]:
        """Every two bodies that can touch, by number (n, 2), the rule of each, and these rules."""
        bodies = self._world.bodies
        places: dict[str, list[int]] = {}
        for i, body in enumerate(bodies):
            places.setdefault(body.name, []).append(i)
        number = np.zeros((len(bodies), len(bodies)), dtype=np.int32)
        for k, pair in enumerate(self._own):
            ends = [places.get(name, []) for name in (*pair, *pair)[:2]]
            for i, j in product(*ends):
                number[i, j] = number[j, i] = k + 1
        rules = [self._others, *self._own.values()]
        unmoved = np.array([body.is_unmoved for body in bodies], dtype=bool)
        touches = np.array([rule.law is not None for rule in rules])[number]
        touches &= ~(unmoved[:, None] & unmoved)
        found = np.argwhere(np.triu(touches, 1)).astype(np.int32)
        return found, number[found[:, 0], found[:, 1]], rules

    def count(self) -> int:
        """How many contacts there are, without looking at each if bodies have one shape each."""
        resists = any(rule.law and resistances(rule.law) for rule in self._world.contacts)
        if resists or any(body.shape.corner_names for body in self._world.bodies):
            return len(touching_pairs(self._world))
        bodies = {body.name: body for body in self._world.bodies}
        named = [sorted(pair) for pair in self._own if len(pair) == 2 and pair <= bodies.keys()]
        own = sum(self.pair(bodies[a], bodies[b]) is not None for a, b in named)
        if self._others.law is None:
            return own
        fixed = sum(body.is_unmoved for body in bodies.values())
        free = math.comb(len(bodies), 2) - math.comb(fixed, 2)
        return (
            own + free - sum(not (bodies[a].is_unmoved and bodies[b].is_unmoved) for a, b in named)
        )


def neighbours(world: World) -> Iterator[Neighbours]:
    """Every two bodies that are not both fixed and not switched off."""
    rules = Rules(world)
    found = (rules.pair(a, b) for a, b in combinations(world.bodies, 2))
    return (pair for pair in found if pair is not None)


def touching_pairs(world: World) -> ContactList[Body, Sort, TouchingPair]:
    """Every contact of these; checks have said so if it is not known how two shapes touch."""
    same = {body.shape: body.shape for body in world.bodies}
    return contact_list(world, [same[body.shape] for body in world.bodies])


def contact_list(
    world: World, shapes: Sequence[Shape[Any]]
) -> ContactList[Body, Sort, TouchingPair]:
    """The contacts of bodies that have these shapes; those that are alike are the same object."""
    bodies, rule, rules = Rules(world).pairs()
    merging = Merging(world.bodies, world.planar)
    way = merging.ways(bodies)
    numbers: dict[int, int] = {}
    shape = np.array([numbers.setdefault(id(one), len(numbers)) for one in shapes], dtype=np.int64)
    shaped = shape[bodies[:, 0]] * len(numbers) + shape[bodies[:, 1]]
    first, group = _groups((shaped, WAYS * rule + way))
    known = Meetings({str(i): one for i, one in enumerate(shapes)})
    met = [merging.met(known, shapes, bodies[at].tolist(), int(way[at])) for at in first]
    found = [
        [
            sort
            for one in own
            for sort in _sorts(rules[rule[at]], one, shapes[bodies[at, 0]], world.planar)
        ]
        for at, own in zip(first, met, strict=True)
    ]
    sorts = [sort for own in found for sort in own]
    counts = np.array([len(own) for own in found], dtype=np.intp)
    begins = np.cumsum(counts) - counts  # which sort is the first of each group
    many = counts[group]
    place = np.repeat(np.arange(len(bodies)), many)
    within = np.arange(len(place)) - np.repeat(np.cumsum(many) - many, many)
    sort = (begins[group[place]] + within).astype(np.int32)
    return ContactList(world.bodies, bodies[place], sort, tuple(sorts), TouchingPair.of)


def resistances(law: Law) -> dict[Resistance, Term]:
    """The coefficients of what resists turning, of those that there are."""
    found = {Resistance.ROLLING: law.rolling, Resistance.SPINNING: law.spinning}
    return {kind: term for kind, term in found.items() if term != ZERO}


def _sorts(
    rule: ContactRule, met: Meeting, first: Shape[Any], planar: int | None
) -> Iterator[Sort]:
    """A contact, and behind it what resists turning there, named at the one that is no plane."""
    law = rule.law or Law()
    met = met if planar is None else met._replace(pair=in_plane(met.pair, planar))
    yield Sort(law, rule.offers, met, rule.when)
    for kind, term in resistances(law).items():
        if planar is not None and kind is Resistance.SPINNING:
            continue  # in a plane nothing does
        own = replace(law, friction=term, rolling=ZERO, spinning=ZERO)
        at = "b" if first.never_moves else "a"
        feature = getattr(met, at)
        named = replace(feature, name="_".join(filter(None, (feature.name, kind.value))))
        resisting_met = met._replace(pair=resisting(met.pair, kind), **{at: named})
        yield Sort(own, (), resisting_met, rule.when)


def leaders(contacts: ContactList[Any, Any, Any]) -> NDArray[np.intp]:
    """Which contact each one follows by number: those that resist turning one before them, (n,)."""
    follows = contacts.column(
        sort.met.pair.resistance is not None for sort in contacts.sorts
    ).astype(bool)
    own = np.arange(len(contacts))
    return np.maximum.accumulate(np.where(follows, 0, own)) if len(own) else own


def _groups(columns: tuple[NDArray[Any], NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Where rows that are alike occur first, in this order, and to which of them each belongs."""
    one, other = columns
    key = one * (int(other.max(initial=0)) + 1) + other
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[group]


def ends(contacts: ContactList[Any, Any, Any]) -> Numbers:
    """The two bodies of each contact by number, in the order of its pair, (n, 2)."""
    swapped = contacts.column(sort.met.swapped for sort in contacts.sorts).astype(bool)
    return np.where(swapped[:, None], contacts.bodies[:, ::-1], contacts.bodies)
