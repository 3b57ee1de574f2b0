"""What the process of a stage does: reads the first model, plays, hears, and tells.

It is the other end of `dyverse.animation.serving.process`.
"""

from __future__ import annotations

import contextlib
import os
import time
from importlib import import_module
from multiprocessing.connection import Connection
from threading import Thread

from dyverse.animation.mistakes import explained
from dyverse.animation.playable import Playable
from dyverse.animation.serving.limiting import limit_memory
from dyverse.animation.serving.packing import Packed, packed
from dyverse.animation.serving.process import Failed, Message, Setup
from dyverse.animation.serving.searching import Witness
from dyverse.animation.stage import Stage
from dyverse.simulation.options import Options

AHEAD = "scipy.integrate"  # what it takes to look ahead, and a third of a second to import
ALIVE = 1.0  # s between two signs of life
HEARING = 0.1  # s: how long to do what pages ask before time goes on


def run(pipe: Connection, setup: Setup) -> None:
    """What the process does until its pipe is closed."""
    options = Options(solver=setup.solver, tick=setup.tick)
    searches = frozenset(setup.searches)
    stage = Stage(setup.opened, options, setup.speed, searches=searches, foresees=False)
    limit_memory(setup.memory)
    ahead, told = Thread(target=import_module, args=(AHEAD,), daemon=True), 0.0
    with contextlib.suppress(EOFError, OSError, BrokenPipeError):
        while True:
            leisure = stage.beat()
            if time.monotonic() > told + ALIVE / 2 or stage.said:
                told = _tell(stage, pipe)
            if stage.show is not None and stage.guests and not stage.foresees:
                stage.foresees = _is_done(ahead)
            begun = time.monotonic()
            while pipe.poll(leisure) and time.monotonic() < begun + leisure + HEARING:
                _heed(stage, pipe, setup, pipe.recv())
                leisure = 0.0
            if stage.said or stage.wanted:
                told = _tell(stage, pipe)  # before time goes on, which may take a while
    os._exit(0)  # nothing here is worth waiting for


def _tell(stage: Stage, pipe: Connection) -> float:
    """Send what there is; when that was (s)."""
    pipe.send(stage.said)
    stage.said = []
    if stage.fresh is not None:
        pipe.send(packed(stage.fresh))
        stage.fresh = None
    for item in stage.wanted:
        pipe.send(item)
    stage.wanted.clear()
    return time.monotonic()


def _is_done(work: Thread) -> bool:
    """Whether it has ended; if it has not begun, begin it."""
    if work.ident is None:
        work.start()
    return not work.is_alive()


def _first(stage: Stage, setup: Setup) -> Packed | Failed:
    """Read what is played at first, and play it."""
    assert setup.first is not None
    try:
        play: Playable = setup.first()
    except Exception as error:
        return Failed(explained(error))
    stage.begin(play)
    return packed(play)


def _heed(stage: Stage, pipe: Connection, setup: Setup, message: Message) -> None:
    match message:
        case "first", _, _:
            pipe.send(_first(stage, setup))
        case "open", _, Packed() as play:
            stage.begin(play.unpacked())
        case "keep", number, Witness() as found:
            stage.keep(number, found)
        case "join", guest, _:
            stage.join(guest)
        case "leave", guest, _:
            stage.leave(guest)
        case "note", _, str() as text:
            stage.note(text)
        case "ask", guest, dict() as request:
            stage.hear(guest, request)
        case _:
            raise AssertionError(message)
