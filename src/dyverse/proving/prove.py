"""From a question to an answer: boxes are halved until they are decided, or too small.

Boxes are looked at round by round, the largest first, so that the same boxes come in the same order
whoever does the work. What is left open says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from dyverse.campaign.campaign import GIVEN_UP, Campaign
from dyverse.campaign.crew import Alone, Crew
from dyverse.campaign.journal import Journal
from dyverse.certificate.file import Box, Question
from dyverse.interrupts import Insistent
from dyverse.proving.task import Task
from dyverse.proving.writing import plain

Json = Any  # whatever the json module takes
Word = Literal["safe", "unsafe", "open"]

FORMAT = 2  # of the results in a journal
FINEST = 16  # times that a box is halved
HOPELESS = 256  # boxes in a round, none of them decided, nor any in some rounds before
UNKNOWN = 16  # the same where none of them can be enclosed yet, however small


@dataclass(frozen=True, slots=True)
class Decided:
    """A box and what is known of it; ``why`` it is open, if it is."""

    halves: tuple[int, ...]
    verdict: Word
    why: str = ""

    @property
    def share(self) -> Fraction:
        """Of the ranges."""
        return Fraction(1, 2 ** len(self.halves))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a proof has got."""

    boxes: int  # looked at
    waiting: int
    safe: float  # shares of the ranges
    unsafe: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The ranges divided."""

    question: Question
    boxes: tuple[Decided, ...]
    looked_at: int
    seconds: float

    def share(self, verdict: Word) -> Fraction:
        """How much of the ranges has a verdict."""
        return sum((box.share for box in self.boxes if box.verdict == verdict), Fraction())

    @property
    def verdict(self) -> Word:
        """Unsafe if any box is, else open if any is, else safe."""
        found = {box.verdict for box in self.boxes}
        return "unsafe" if "unsafe" in found else "open" if "open" in found else "safe"


Tell = Callable[[Progress, Decided], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When to give up: seconds, and how often a box is halved."""

    seconds: float = float("inf")
    finest: int = FINEST


NO_LIMITS = Limits()


def prove(
    question: Question,
    *,
    limits: Limits = NO_LIMITS,
    crew: Crew | None = None,
    journal: Path | None = None,
    keep: Callable[[Json], None] | None = None,
    tell: Tell = lambda progress, decided: None,
) -> Answer:
    """Divide the ranges of a question into what is safe, unsafe and open.

    ``keep`` is handed every decided box with its proof, as a certificate has it.
    """
    work = f"prove {FORMAT} {digest(question)} {'with' if keep else 'without'} proofs"
    with Insistent(), Journal(journal, work) as kept:
        task = Task(question, keep is not None, time.time() + limits.seconds)
        campaign = Campaign(task, crew or Alone(), kept)
        return _Division(question, campaign, limits, keep, tell).answer()


def undecided(question: Question, why: str) -> Answer:
    """The answer where nothing can be said."""
    return Answer(question, (Decided((), "open", why),), 0, 0.0)


def digest(question: Question) -> str:
    """A name for the question: the same for the same question, in every process."""
    return sha256(repr(question).encode()).hexdigest()[:16]


class _Division:
    """The tree of boxes."""

    def __init__(
        self,
        question: Question,
        campaign: Campaign,
        limits: Limits,
        keep: Callable[[Json], None] | None,
        tell: Tell,
    ) -> None:
        self._question, self._campaign, self._limits = question, campaign, limits
        self._keep, self._tell = keep, tell
        self._start = time.monotonic()
        self._boxes: list[Decided] = []
        self._looked_at = 0
        self._reasons: dict[tuple[int, ...], str] = {}  # why the box before was halved
        self._unsupported = False  # whether that is said of every box of the last round
        self._shares: dict[Word, float] = {"safe": 0.0, "unsafe": 0.0, "open": 0.0}

    def answer(self) -> Answer:
        """Look at all boxes."""
        level: list[tuple[int, ...]] = [()]
        fruitless = 0
        while level:
            before = len(self._boxes)
            further = list(self._halved(level, last=self._is_enough(fruitless, len(level))))
            fruitless = 0 if len(self._boxes) > before else fruitless + 1
            level = further
        boxes = tuple(sorted(self._boxes, key=lambda box: box.halves))
        return Answer(self._question, boxes, self._looked_at, self._seconds)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._start

    def _is_enough(self, fruitless: int, boxes: int) -> bool:
        """Whether so many rounds in which nothing was decided are enough."""
        most = UNKNOWN if self._unsupported else HOPELESS
        return boxes >= most and fruitless >= 2 + 2 * len(self._question.unknowns)

    def _halved(self, level: list[tuple[int, ...]], *, last: bool) -> Iterator[tuple[int, ...]]:
        """Decide a round of boxes; what comes of those that cannot be."""
        results = self._campaign.stream(self._in_time(level))
        count, self._unsupported = 0, True
        for count, (halves, result) in enumerate(zip(level, results, strict=False), start=1):
            self._looked_at += 1
            left = len(level) - count
            if result == GIVEN_UP:
                self._out_of_time(halves, left)
                continue
            self._unsupported &= result.get("why", "").startswith("unsupported")
            if "verdict" in result:
                self._decided(Decided(halves, result["verdict"]), result["box"], left)
            elif last or len(halves) >= self._limits.finest or result["split"] is None:
                self._decided(Decided(halves, "open", result["why"]), None, left)
            else:
                half = 2 * result["split"]
                parts = (*halves, half), (*halves, half + 1)
                self._reasons |= dict.fromkeys(parts, f"; {result['why']}")
                yield from parts
        for halves in level[count:]:
            self._out_of_time(halves, 0)

    def _out_of_time(self, halves: tuple[int, ...], left: int) -> None:
        why = f"time: there was none left{self._reasons.get(halves, '')}"
        self._decided(Decided(halves, "open", why), None, left)

    def _in_time(self, level: list[tuple[int, ...]]) -> Iterator[list[int]]:
        """Boxes to look at, as long as there is time."""
        for halves in level:
            if self._seconds > self._limits.seconds:
                return
            yield list(halves)

    def _decided(self, box: Decided, proof: Json, left: int) -> None:
        self._boxes.append(box)
        if self._keep is not None:
            self._keep(proof or plain(Box(box.halves, why=box.why)))
        self._shares[box.verdict] += float(box.share)
        safe, unsafe = self._shares["safe"], self._shares["unsafe"]
        self._tell(Progress(self._looked_at, left, safe, unsafe, self._seconds), box)
