"""A run to mail to a colleague: one HTML file that opens from disk, without server or network.

It is the page itself with everything inlined, and the messages that a server would have sent, as
gzipped JSON inside a script that no browser runs.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dyverse.animation.describing import telling
from dyverse.animation.describing.described import model_message
from dyverse.animation.describing.names import signal_names
from dyverse.animation.describing.scenery import Scenery
from dyverse.animation.parts import parts_of
from dyverse.animation.playable import Playable, Settings
from dyverse.animation.recording.judging import Judge
from dyverse.animation.recording.record import Piece, lane_changes, shades_of
from dyverse.animation.recording.seeing import seen
from dyverse.animation.replays.tape import Tape, spacing
from dyverse.animation.said import Json, finite
from dyverse.animation.serving.built import replay_page
from dyverse.animation.show import Show
from dyverse.automaton.endings import WORDS
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.run import Run
from dyverse.bodies.world import Parameter, Property, World
from dyverse.generation.drawing import Drawing
from dyverse.generation.parts import parts_of as made_of

SLOT = '<script type="application/dyverse+gzip+base64" id="run"></script>'
SIGNALS = 40  # that a replay has values of
Message = Mapping[str, Json]


def replay_html(messages: Iterable[Message]) -> str:
    """The file: the page with these messages in it."""
    text = json.dumps([finite({"v": 1, **message}) for message in messages])
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")
    page = replay_page()
    assert page.count(SLOT) == 1, "the page for replays has one place for a run"
    return page.replace(SLOT, SLOT.replace("></", f">{packed}</"))


def run_html(run: Run, play: Playable | None = None) -> str:
    """A run that is over, as a replay."""
    return replay_html(run_messages(run, play))


def run_messages(run: Run, play: Playable | None = None) -> Iterator[Message]:
    """What a server would have said of it."""
    shown = play or Playable(name="run", model=OfRun(run))
    automaton, parts = run.automaton, parts_of(run.automaton)
    names = signal_names(automaton, parts)
    told = model_message(shown, automaton, parts, names, shown.settings)
    more: dict[str, Json] = {"id": 1, "horizon": run.end.time, "solver": run.solver}
    yield {"say": "model"} | more | told
    changes, _ = lane_changes(parts, run, {})
    judge = Judge(shown.model.properties, shown.model.values(shown.settings))
    judged = filter(None, judge.judged(run, {}))
    events = (*run.events, *judge.broken(run, seen(run, judge.names({})), {}), *judged)
    events = tuple(sorted(events, key=lambda event: event.time))
    piece = Piece(events, changes, tuple(shades_of(run.events, ())))
    yield from telling.news(piece, parts)
    bodies = () if parts.rigid is None else parts.rigid.scene.bodies
    moving = [body.name for body in bodies if not body.fixed]
    scenery = Scenery(shown.model.scene)
    wanted = (*names[:SIGNALS], *scenery.names)
    tape = Tape(parts, moving, wanted, spacing(run.end.time), scenery)
    tape.add(run)
    yield tape.message()
    yield ended(run.end.time, run.message or WORDS[run.stop])


def show_messages(show: Show, model: Message) -> Iterator[Message]:
    """What has been shown so far, with what was done by hand."""
    yield model
    yield from telling.news(show.record.whole(), show.parts)
    wanted = (*show.names[:SIGNALS], *show.scenery.names)
    tape = Tape(show.parts, show.moving, wanted, spacing(show.record.end), show.scenery)
    for run in show.pieces():
        tape.add(run)
    yield tape.message()
    yield ended(show.record.end, show.session.message or "what was recorded ends here")


def ended(time: float, why: str) -> Message:
    """The status at the end of a replay."""
    speed: Json = {"target": 1.0, "achieved": None, "overruns": 0}
    return {
        "say": "status",
        "state": "ended",
        "time": 0.0,
        "live": time,
        "playing": False,
        "speed": speed,
        "why": why,
    }


@dataclass(frozen=True, slots=True)
class OfRun:
    """What a run tells of its model, if nobody else does."""

    run: Run

    @property
    def world(self) -> World:
        """The bodies, if there are some."""
        rigid = made_of(self.run.automaton).bodies
        return World() if rigid is None else rigid.world

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Nothing can be set any more."""
        return ()

    @property
    def properties(self) -> tuple[Property, ...]:
        """What was asked of the bodies."""
        return self.world.properties

    @property
    def scene(self) -> tuple[Drawing, ...]:
        """A run does not know what its model draws."""
        return ()

    def settable(self) -> tuple[str, ...]:
        """Nothing can be set any more."""
        return ()

    def values(self, settings: Settings) -> dict[str, float]:
        """The numbers that it was run with."""
        rigid = made_of(self.run.automaton).bodies
        return {} if rigid is None else dict(rigid.scene.values)

    def until(self, settings: Settings, otherwise: float) -> float:
        """When it ended (s)."""
        return self.run.end.time

    def automaton(self, settings: Settings | None = None) -> HybridAutomaton:
        """The automaton that it was run of."""
        return self.run.automaton
