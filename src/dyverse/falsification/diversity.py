"""Several witnesses that have little in common: through other events first, then far apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question
from dyverse.falsification.verdict import Sampled, Witness
from dyverse.falsification.witness import replay

TRIES = 4  # candidates to replay for each witness that is wanted
APART = 1e-6  # of the ranges: nearer than that it is the same


def diverse(question: Question, first: Witness, seen: Sampled, count: int) -> Iterator[Witness]:
    """Up to ``count`` confirmed witnesses among the points of a search, besides the ``first``.

    Each goes through events that none before it did, if there is such a one, and is as far from
    all before it as can be, in shares of the ranges.
    """
    rows = [row for row in range(len(seen.points)) if seen.margins[row] < 0]
    own = np.array(question.near(first.settings))
    chosen, paths = [own], {_path_at(seen, own)}
    tries = TRIES * count
    while rows and count and tries:
        row = max(rows, key=lambda one: _novelty(question, seen, one, chosen, paths))
        rows.remove(row)
        if _distance(question, seen.points[row], chosen) < APART:
            continue
        tries -= 1
        found = replay(question, seen.points[row])
        if isinstance(found, Witness):
            chosen.append(seen.points[row])
            paths.add(seen.paths[row])
            count -= 1
            yield found


def _path_at(seen: Sampled, point: Array) -> str | None:
    same = np.flatnonzero((seen.points == point).all(axis=1))
    return seen.paths[same[0]] if len(same) else None


def _novelty(
    question: Question, seen: Sampled, row: int, chosen: list[Array], paths: set[str | None]
) -> tuple[bool, float]:
    return seen.paths[row] not in paths, _distance(question, seen.points[row], chosen)


def _distance(question: Question, point: Array, others: list[Array]) -> float:
    """To the nearest of some points, in shares of the ranges."""
    room = np.where(question.width > 0, question.width, 1.0)
    return float(min(np.linalg.norm((point - other) / room) for other in others))
