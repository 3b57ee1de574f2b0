"""The checker: a certificate is valid if every box follows from the text of the model.

It imports neither the prover nor the engines: what it believes in are the text reader, the symbolic
system and Arb.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from dyverse.certificate.file import Box, Certificate, Question, Unproved
from dyverse.certificate.system import System
from dyverse.certificate.walk import Fork, Walk, Way
from dyverse.enclosure.program import Undecided


@dataclass(frozen=True, slots=True)
class Checked:
    """What a valid certificate shows: the share of the ranges that is safe, unsafe and open."""

    question: Question
    safe: Fraction
    unsafe: Fraction
    open: Fraction
    boxes: int


def check(path: str | Path, *, tell: Callable[[int], None] = lambda _: None) -> Checked:
    """Check a certificate; one that is not valid is a `ModelError`."""
    certificate = Certificate(path)
    try:
        system = System(certificate.question)
    except (Unproved, Undecided) as error:
        raise certificate.refused(str(error)) from None
    shares = {"safe": Fraction(), "unsafe": Fraction(), "open": Fraction()}
    seen: list[tuple[int, ...]] = []
    for count, box in enumerate(certificate.boxes(), start=1):
        try:
            shares[verdict(system, box)] += Fraction(1, 2 ** len(box.halves))
        except (Unproved, Undecided) as error:
            raise certificate.refused(f"box {count} is not proved: {error}") from None
        seen.append(box.halves)
        tell(count)
    if not is_cover(seen):
        raise certificate.refused("its boxes do not make up the ranges")
    safe, unsafe, left = shares.values()
    return Checked(certificate.question, safe, unsafe, left, len(seen))


def verdict(system: System, box: Box) -> str:
    """``safe``, ``unsafe`` or ``open``; what is claimed and does not follow is `Unproved`."""
    if not box.legs:
        return "open"
    walks = [Walk(system, box, way) for way in (box.legs, *box.others)]
    found = {walk.verdict() for walk in walks} - {"never"}
    if len(found) != 1 or not are_all([walk.forks for walk in walks]):
        raise Unproved("border: runs may go on in other ways than those that are followed")
    (word,) = found
    return {"safe": "unsafe", "unsafe": "safe"}[word] if system.claim.dual else word


def are_all(ways: Sequence[Sequence[Fork]]) -> bool:
    """Whether wherever runs can go on in several ways each of these is there, and once."""
    if not all(ways):
        return len(ways) == 1
    taken: dict[Way, list[Sequence[Fork]]] = {}
    for first, *further in ways:
        taken.setdefault(first.taken, []).append(further)
    same = {first.possible for first, *_ in ways} == {frozenset(taken)}
    return same and all(map(are_all, taken.values()))


def is_cover(boxes: Iterable[tuple[int, ...]]) -> bool:
    """Whether boxes make up the ranges without overlap: the leaves of a tree of halvings."""
    left: dict[int, set[tuple[int, ...]]] = {}
    for box in boxes:
        if box in left.setdefault(len(box), set()):
            return False
        left[len(box)].add(box)
    for length in range(max(left, default=0), 0, -1):
        here, above = left.get(length, set()), left.setdefault(length - 1, set())
        halved = {box[:-1] for box in here}
        if halved & above or any((*box[:-1], box[-1] ^ 1) not in here for box in here):
            return False
        above |= halved
    return left.get(0) == {()}
