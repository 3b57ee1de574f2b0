"""Processes for stages: they begin to import at once, while whoever wants them still does the same.

Little is imported here itself: two processes that get ready side by side are ready twice as soon.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from dyverse.animation.serving.limiting import deaf

STAGE = "dyverse.animation.acting"  # where a stage is run


@dataclass(frozen=True, slots=True)
class Begun:
    """A process that waits for its setup, and the pipe to it."""

    process: BaseProcess
    pipe: Connection

    def end(self) -> None:
        """Nobody wants it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def begun(*modules: str) -> Begun:
    """Another process, which imports what a stage needs, and these modules."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_wait, args=(theirs, (STAGE, *modules)), daemon=True)
    process.start()
    theirs.close()
    return Begun(process, ours)


def _wait(pipe: Connection, modules: Sequence[str]) -> None:
    """What the process does: get ready, hear what to do, do it."""
    deaf()
    stage, *_ = [import_module(name) for name in modules]
    with contextlib.suppress(EOFError):  # whoever wanted it has gone
        setup = pipe.recv()
        stage.run(pipe, setup)
