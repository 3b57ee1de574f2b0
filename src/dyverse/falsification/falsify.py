"""The search from question to verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

import numpy as np

from dyverse.automaton.guard.robustness import shown
from dyverse.automaton.interface import Array
from dyverse.campaign.campaign import Campaign
from dyverse.campaign.crew import Alone, Crew
from dyverse.campaign.journal import Journal
from dyverse.falsification.caveats import remark, untouched
from dyverse.falsification.diversity import diverse
from dyverse.falsification.published import Published
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import Candidate, LimitReached, Limits, Shooting, Tell
from dyverse.falsification.search.task import Worker
from dyverse.falsification.verdict import Coverage, NotFound, Unknown, Unsafe, Verdict, Witness
from dyverse.falsification.witness import Marginal, deepest, nearest, replay, simplest, where
from dyverse.given import check_kind
from dyverse.interrupts import Insistent

NO_LIMITS = Limits()
REMARKS = 5
MORE = 8  # candidates to look at for each further witness
FORMAT = 3  # of the results in a journal

Method = Literal["shooting", "paper"]


class Search(Protocol):
    """Looks for candidates, and knows how far it has looked."""

    def candidates(self) -> Iterator[Candidate]:
        """What looks unsafe, to be replayed."""

    def covered(self) -> Coverage:
        """How far the search has looked."""

    def nearest(self) -> Array | None:
        """Where a run came nearest to a violation, if runs were looked at."""

    def doubts(self) -> Iterator[str]:
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
    witnesses: int = 1,
) -> Verdict:
    """Search for a run that breaks the property; the verdict says what was found or covered.

    For several ``witnesses`` the search goes on behind the first, to its end or its limits.
    ``paper`` searches by the published algorithms, in this process and without a journal.
    """
    check_kind(question, Question, "a question", "ask(model) makes one")
    with Insistent():
        return _searched(question, method, seed, limits, crew, journal, tell, witnesses)


def _searched(
    question: Question,
    method: Method,
    seed: int,
    limits: Limits,
    crew: Crew | None,
    journal: Path | None,
    tell: Tell,
    witnesses: int,
) -> Verdict:
    if method == "paper":
        return _verdict(question, Published(question, limits, tell, seed), 1)
    with Journal(journal, f"falsify {FORMAT} {question.digest} seed {seed}") as kept:
        campaign = Campaign(Worker(question), crew or Alone(), kept)
        search = Shooting(question, campaign, limits, tell, seed)
        return _verdict(question, search, witnesses)


def _verdict(question: Question, search: Search, witnesses: int) -> Verdict:
    trial = _Trial(question, search)
    found, limit = trial.found(), trial.limit
    if isinstance(found, Witness):
        trial.go_on(MORE * (witnesses - 1))
        return _unsafe(question, found, search.covered(), witnesses - 1)
    covered = search.covered()
    remarks = (*covered.remarks, *trial.refuted[:REMARKS], *remark(untouched(question, covered)))
    covered = replace(covered, remarks=remarks)
    reasons = [*filter(None, (limit, found and found.why)), *(() if limit else search.doubts())]
    if not reasons:
        return NotFound(covered=covered)
    marginal = None if found is None else found.witness
    return Unknown(why="; ".join(reasons), covered=covered, marginal=marginal)


class _Trial:
    """Replays what a search offers, until something is confirmed."""

    def __init__(self, question: Question, search: Search) -> None:
        self._question, self._search = question, search
        self._offers = search.candidates()
        self._margin = math.inf  # of the deepest candidate that is within the error
        self._marginal: Marginal | None = None
        self.limit: str | None = None  # that was reached
        self.refuted: list[str] = []

    def found(self) -> Witness | Marginal | None:
        """The first candidate that is confirmed, or the deepest that is not refuted either.

        Before nothing is said to be found, simulations say what they see where the search came
        nearest to a violation: that is more than the search itself looks at.
        """
        try:
            for candidate in self._offers:
                found = self._replayed(candidate)
                if isinstance(found, Witness):
                    return found
        except LimitReached as limit:
            self.limit = str(limit)
            return self._marginal
        point = self._search.nearest()
        if self._marginal is None and point is not None:
            return replay(self._question, point)
        return self._marginal

    def go_on(self, count: int) -> None:
        """See so many candidates more, if there are."""
        with suppress(LimitReached):
            for _ in islice(self._offers, count):
                pass

    def _replayed(self, candidate: Candidate) -> Witness | None:
        """The witness at a candidate; one no deeper than another within the error has none."""
        if candidate.margin >= self._margin:
            return None
        found = replay(self._question, candidate.point)
        if isinstance(found, Witness):
            return found
        if found is None and candidate.margin >= 0:
            at = where(self._question, candidate.point)
            self.refuted += [f"a candidate was refuted by simulations{at}"]
            return None
        self._margin = candidate.margin
        self._marginal = found or _unseen(self._question, candidate)
        return None


def _unseen(question: Question, candidate: Candidate) -> Marginal:
    """What only the search has seen."""
    missed, at = abs(shown(candidate.margin)), where(question, candidate.point)
    return Marginal(f"the search saw the property missed by {missed:.3g}, no simulation did{at}")


def _unsafe(question: Question, witness: Witness, covered: Coverage, others: int) -> Unsafe:
    point = np.array([witness.settings[unknown.name] for unknown in question.unknowns])
    more = covered.sampled and diverse(question, witness, covered.sampled, others)
    return Unsafe(
        witness=witness,
        nearest=nearest(question, point, error=witness.error),
        deepest=deepest(question, point, runs=covered.runs),
        simplest=simplest(question, point, error=witness.error),
        others=tuple(more or ()),
        covered=covered,
    )
