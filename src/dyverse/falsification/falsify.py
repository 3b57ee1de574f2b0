"""The search from question to verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol

from dyverse.automaton.interface import Array
from dyverse.campaign.campaign import Campaign
from dyverse.campaign.crew import Alone, Crew
from dyverse.campaign.journal import Journal
from dyverse.falsification.published import Published
from dyverse.falsification.question import Question
from dyverse.falsification.shooting import LimitReached, Limits, Shooting, Tell
from dyverse.falsification.task import Worker
from dyverse.falsification.untouched import remark, untouched
from dyverse.falsification.verdict import Coverage, NotFound, Unknown, Unsafe, Verdict
from dyverse.falsification.witness import deepest, nearest, replay
from dyverse.interrupts import Insistent

NO_LIMITS = Limits()
REMARKS = 5


Method = Literal["shooting", "paper"]


class Search(Protocol):
    """Looks for candidates, and knows how far it has looked."""

    def candidates(self) -> Iterator[Array]:
        """Points that look unsafe, to be replayed."""

    def covered(self) -> Coverage:
        """How far the search has looked."""

    def doubt(self) -> str | None:
        """Why *not found* would claim too much, if it would."""


def falsify(
    question: Question,
    *,
    method: Method = "shooting",
    seed: int = 0,
    limits: Limits = NO_LIMITS,
    crew: Crew | None = None,
    journal: Path | None = None,
    tell: Tell = lambda progress: None,
) -> Verdict:
    """Search for a run that breaks the property; the verdict says what was found or covered.

    ``paper`` searches by the published algorithms, in this process and without a journal.
    """
    with Insistent():
        return _searched(question, method, seed, limits, crew, journal, tell)


def _searched(
    question: Question,
    method: Method,
    seed: int,
    limits: Limits,
    crew: Crew | None,
    journal: Path | None,
    tell: Tell,
) -> Verdict:
    if method == "paper":
        return _verdict(question, Published(question, limits, tell, seed))
    with Journal(journal, f"falsify {question.digest} seed {seed}") as kept:
        campaign = Campaign(Worker(question), crew or Alone(), kept)
        search = Shooting(question, campaign, limits, tell, seed)
        return _verdict(question, search)


def _verdict(question: Question, search: Search) -> Verdict:
    doubts: list[str] = []
    try:
        for point in search.candidates():
            found = replay(question, point)
            if found is not None:
                return Unsafe(
                    witness=found,
                    nearest=nearest(question, point),
                    deepest=deepest(question, point),
                    covered=search.covered(),
                )
            doubts.append(_doubt(question, point))
    except LimitReached as limit:
        return Unknown(why=str(limit), covered=_remarked(question, search.covered(), doubts))
    covered = _remarked(question, search.covered(), doubts)
    if why := search.doubt():
        return Unknown(why=why, covered=covered)
    return NotFound(covered=covered)


def _doubt(question: Question, point: Array) -> str:
    where = ", ".join(f"{name} = {number:.9g}" for name, number in question.at(point).items())
    return f"a candidate at {where} kept the property at tighter tolerance"


def _remarked(question: Question, covered: Coverage, doubts: list[str]) -> Coverage:
    open_ones = remark(untouched(question, covered))
    return replace(covered, remarks=(*covered.remarks, *doubts[:REMARKS], *open_ones))
