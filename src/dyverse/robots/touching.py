"""Which bodies of a robot can touch, and how rough they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from dyverse.bodies import build
from dyverse.bodies.shapes import Meetings
from dyverse.bodies.world import Body, ContactRule
from dyverse.robots.links import Links
from dyverse.robots.pose import Pose, plain
from dyverse.robots.source import Source

Pair = tuple[str, str]


class Rough(NamedTuple):
    """Coefficients of a contact: of friction, and of resistance to spinning and rolling (m)."""

    friction: float
    spinning: float = 0.0
    rolling: float = 0.0


URDF = Rough(0.5)  # which does not say
COUNTS = {1: 0, 3: 1, 4: 2, 6: 3}  # how many of them count, by MuJoCo's dimension of a contact


def contacts(source: Source, pose: Pose, links: Links) -> list[ContactRule]:
    """A rule for all, and rules of their own for those that it does not fit."""
    rough = dict(_rough(source, pose, links))
    moving = {body.name for body in links.bodies if not body.fixed}
    every = [p for p in combinations((b.name for b in links.bodies), 2) if moving & {*p}]
    if not rough:
        return [build.no_contacts()]
    usual, count = Counter(rough.values()).most_common(1)[0]
    if 2 * count < len(every):
        return [build.no_contacts(), *(_rule(pair, how) for pair, how in rough.items())]
    own = (_rule(pair, rough.get(pair)) for pair in every if rough.get(pair) != usual)
    return [build.contact_all(restitution=0.0, **usual._asdict()), *own]


def _rule(pair: Pair, rough: Rough | None) -> ContactRule:
    if rough is None:
        return build.no_contact(*pair)
    return build.contact(*pair, restitution=0.0, **rough._asdict())


def _rough(source: Source, pose: Pose, links: Links) -> Iterator[tuple[Pair, Rough]]:
    """Every two bodies that can touch, and the largest coefficients between them."""
    known = Meetings({body.name: body.shape for body in links.bodies})
    begins = _overlaps(pose, links)
    for a, b in combinations(links.bodies, 2):
        two_by_two = product(links.geoms[a.name], links.geoms[b.name])
        met = (_between(source, pose, g, h) for g, h in two_by_two)
        found = [rough for rough in met if rough is not None]
        if (a.fixed and b.fixed) or not found or _joined(pose, links, a, b):
            continue
        two = f"{a.name} and {b.name}"
        if not known.of(a.name, b.name):
            source.drop("body", two, "is between shapes that cannot touch yet", part="contact")
        elif frozenset((a.name, b.name)) in begins:
            source.drop("body", two, "begins with both in one place", part="contact")
        else:
            yield (a.name, b.name), Rough(*map(max, zip(*found, strict=True)))


def _between(source: Source, pose: Pose, g: int, h: int) -> Rough | None:
    """Of two geoms, by MuJoCo's rules; none if they pass."""
    model = pose.model
    kinds, others = model.geom_contype, model.geom_conaffinity
    if not (int(kinds[g]) & int(others[h]) or int(kinds[h]) & int(others[g])):
        return None
    if source.is_urdf:
        return URDF
    ranks = model.geom_priority
    first = [geom for geom in (g, h) if ranks[geom] == max(ranks[g], ranks[h])]
    count = COUNTS[max(int(model.geom_condim[geom]) for geom in first)]
    largest = model.geom_friction[first].max(axis=0)
    return Rough(*(plain(float(one)) for one in largest[:count]), *[0.0] * (3 - count))


def _joined(pose: Pose, links: Links, a: Body, b: Body) -> bool:
    """Whether a joint is between them, or the file excludes them."""
    numbers = {name: number for number, name in links.names.items()}
    if a.name not in numbers or b.name not in numbers:
        return False
    i, j = sorted((numbers[a.name], numbers[b.name]))
    excluded = {*map(int, pose.model.exclude_signature)}  # two numbers of bodies in one
    return (pose.parent(j) == i and not pose.is_free(j)) or (i << 16) + j in excluded


def _overlaps(pose: Pose, links: Links) -> set[frozenset[str]]:
    """Every two bodies that overlap where the joints begin, as MuJoCo sees it."""
    owner = {geom: name for name, geoms in links.geoms.items() for geom in geoms}
    touching = (pose.data.contact[n] for n in range(pose.data.ncon))
    return {
        frozenset(owner[int(g)] for g in met.geom)
        for met in touching
        if met.dist < 0 and all(int(g) in owner for g in met.geom)
    }
