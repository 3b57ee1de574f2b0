"""``falsify --prove``: what can be proved of an answer, and how a question is asked of the prover.

A witness becomes a box of numbers, each of which breaks the property; that nothing was found
becomes *safe* if it can be proved for all numbers in the ranges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dyverse.campaign.crew import Crew
from dyverse.certificate.file import Question as Provable
from dyverse.certificate.file import Unproved
from dyverse.enclosure.program import Undecided
from dyverse.falsification.question import Question
from dyverse.falsification.verdict import NotFound, Safe, Unknown, Unsafe, Verdict, Witness
from dyverse.falsification.witness import replay
from dyverse.generation.model import Model
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import Task, ends

WIDTHS = (1e-2, 1e-4, 1e-6, 1e-9)  # of a box around a witness, as shares of the ranges
SECONDS = 60.0  # for the proof, if nobody says how many
Ranges = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Certified:
    """The verdict as it is now; a ``box`` all of which breaks the property, or why not."""

    verdict: Verdict
    box: Ranges | None = None
    why: str | None = None

    def json(self) -> dict[str, Any]:
        """What ``--json`` says about it."""
        box = None if self.box is None else {name: list(ends) for name, ends in self.box.items()}
        proved = box is not None or isinstance(self.verdict, Safe)
        return {"proved": proved, "ranges": box, "why": self.why}

    def line(self) -> str:
        """The same in words."""
        if self.box is not None:
            where = ", ".join(f"{n} in [{a!r}, {b!r}]" for n, (a, b) in self.box.items())
            return f"certified: broken for every {where}" if where else "certified"
        return "certified" if self.why is None else f"not certified: {self.why}"


def provable(
    source: str, model: Model, asked: Question, until: float | None, ranges: Ranges | None = None
) -> Provable:
    """The question of a search as one to be proved, perhaps in other ranges."""
    claim = asked.system.claim
    ends_by_itself = claim.until is not None or model.horizon is not None
    return ask(
        source,
        claim.name,
        ranges={u.name: (u.low, u.high) for u in asked.unknowns} if ranges is None else ranges,
        settings=dict(asked.settings),
        until=until if ends_by_itself else asked.until,
    )


@dataclass(frozen=True, slots=True)
class Certifier:
    """Tries to prove the answers to one question."""

    source: str
    model: Model
    question: Question
    until: float | None
    seconds: float | None = None

    def certified(self, verdict: Verdict, crew: Crew) -> Certified:
        """The verdict, with what can be proved of it."""
        if self.question.pieces or self.question.system.claim not in self.model.properties:
            why = "only properties can be proved, and no inputs in pieces"
            return Certified(verdict, why=why)
        try:
            match verdict:
                case Unsafe():
                    return self._unsafe(verdict)
                case NotFound() | Unknown():
                    return self._not_found(verdict, crew)
                case Safe():
                    return Certified(verdict)
        except (Unproved, Undecided) as error:
            return Certified(verdict, why=str(error))

    def _unsafe(self, verdict: Unsafe) -> Certified:
        """A box around a witness: the worst is the least doubtful."""
        why = ""
        for witness in (verdict.deepest, verdict.witness):
            for box in () if witness is None else self._boxes(witness):
                found = Task(reduced(self._asked(box)), keep=False)([])
                if found.get("verdict") == "unsafe":
                    return Certified(verdict, box)
                why = found.get("why", "")
        return Certified(verdict, why=why)

    def _boxes(self, witness: Witness) -> Iterator[Ranges]:
        """Ever smaller boxes around a witness."""
        for share in WIDTHS if self.question.unknowns else (0.0,):
            box = {}
            for unknown in self.question.unknowns:
                half = share / 2 * (unknown.high - unknown.low)
                middle = witness.settings[unknown.name]
                box[unknown.name] = (
                    max(unknown.low, middle - half),
                    min(unknown.high, middle + half),
                )
            yield box

    def _not_found(self, verdict: NotFound | Unknown, crew: Crew) -> Certified:
        limits = Limits(seconds=self.seconds or SECONDS)
        answer = prove(reduced(self._asked()), limits=limits, crew=crew)
        if answer.verdict == "safe":
            told = f"proved for all numbers in the ranges, in {len(answer.boxes)} boxes"
            return Certified(Safe(certificate=told, covered=verdict.covered))
        return self._broken(verdict, answer)

    def _broken(self, verdict: NotFound | Unknown, answer: Answer) -> Certified:
        """What the search passed over, if the prover did not."""
        names = [name for name, _, _ in answer.question.unknowns]
        for box in answer.boxes:
            if box.verdict == "unsafe":
                limits = ends(answer.question, box.halves)
                witness = replay(self.question, limits.mean(axis=1))
                pairs = ((low, high) for low, high in limits.tolist())
                if isinstance(witness, Witness):
                    found = Unsafe(
                        witness=witness, nearest=None, deepest=None, covered=verdict.covered
                    )
                    return Certified(found, dict(zip(names, pairs, strict=True)))
        share = float(answer.share("open"))
        reason = next(box.why for box in answer.boxes if box.verdict != "safe")
        return Certified(verdict, why=f"{100 * share:.3g} % of the ranges are open: {reason}")

    def _asked(self, ranges: Ranges | None = None) -> Provable:
        return provable(self.source, self.model, self.question, self.until, ranges)
