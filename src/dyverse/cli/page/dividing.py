"""What the animator's page proves: the ranges divided into boxes, told as they are decided."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from dyverse.animation.asked import Request, number_in
from dyverse.animation.playable import Playable
from dyverse.animation.serving.searching import Say
from dyverse.certificate.file import Question, Unproved
from dyverse.cli.page.searching import EVERY, SECONDS, asked_by_page, progress, text_model
from dyverse.cli.work.certifying import provable
from dyverse.cli.work.proving import percent
from dyverse.enclosure.program import Undecided
from dyverse.falsification.question import Question as Asked
from dyverse.falsification.verdict import Witness
from dyverse.falsification.witness import replay
from dyverse.proving.prove import Answer, Decided, Limits, Progress, Word, prove, undecided
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends

Plain = dict[str, Any]  # JSON
WORDS: dict[Word, str] = {
    "safe": "proved for all numbers in the ranges",
    "unsafe": "proved for some of the ranges: the property fails there",
    "open": "not all of the ranges could be decided",
}


def prove_played(play: Playable, request: Request, say: Say) -> None:
    """Divide the ranges that the page has into what is safe, unsafe and open."""
    asked = asked_by_page(play, request)
    seconds = number_in(request, "seconds") if "seconds" in request else SECONDS
    question = provable(play.text, text_model(play), asked, None)
    telling = _Telling(question, say)
    try:
        limits = Limits(seconds=min(max(seconds, 0.0), SECONDS))
        answer = prove(reduced(question), limits=limits, tell=telling.take)
    except (Unproved, Undecided) as error:
        answer = undecided(question, str(error))
        telling.fresh += answer.boxes
    telling.tell()
    say(_verdict(asked, answer))


@dataclass
class _Telling:
    """Hands on boxes as they are decided, now and then."""

    question: Question
    say: Say
    fresh: list[Decided] = field(default_factory=list)
    told: float = 0.0

    def __post_init__(self) -> None:
        self.say(progress(0, 1.0, "proving"))

    def take(self, now: Progress, box: Decided) -> None:
        self.fresh.append(box)
        if time.monotonic() > self.told + EVERY:
            self.told = time.monotonic()
            text = f"safe {percent(now.safe)}, unsafe {percent(now.unsafe)}; {now.boxes} boxes"
            self.say(progress(now.safe + now.unsafe, 1.0, text))
            self.tell()

    def tell(self) -> None:
        unknowns, self.fresh, fresh = self.question.unknowns, [], self.fresh
        over = [{"name": name, "lo": float(low), "hi": float(high)} for name, low, high in unknowns]
        boxes = [_box(self.question, box) for box in fresh]
        self.say({"say": "boxes", "over": over, "boxes": boxes})


def _box(question: Question, box: Decided) -> Plain:
    found = {"verdict": box.verdict, "ranges": ends(question, box.halves).tolist()}
    return found | ({"why": box.why} if box.why else {})


def _verdict(asked: Asked, answer: Answer) -> Plain:
    shares = ", ".join(f"{word} {percent(float(answer.share(word)))}" for word in WORDS)
    whys = [box.why for box in answer.boxes if box.verdict == "open"]
    why = f"; open because of {whys[0]}" if whys else ""
    text = f"{WORDS[answer.verdict]}: {shares}, in {len(answer.boxes)} boxes{why}"
    found = {"say": "verdict", "verdict": answer.verdict, "text": text}
    return found | {"witness": _witness(asked, answer)}


def _witness(asked: Asked, answer: Answer) -> Plain | None:
    """A run in the middle of the largest box that breaks the property."""
    broken = [box for box in answer.boxes if box.verdict == "unsafe"]
    for box in sorted(broken, key=lambda box: len(box.halves))[:1]:
        found = replay(asked, ends(answer.question, box.halves).mean(axis=1))
        if isinstance(found, Witness):
            numbers = {unknown.name: found.settings[unknown.name] for unknown in asked.unknowns}
            settings = dict(found.settings)
            return {"settings": settings, "parameters": numbers, "time": found.time}
    return None
