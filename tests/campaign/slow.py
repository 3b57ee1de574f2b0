"""Work that other processes can find."""

import os
import signal
import time
from contextlib import suppress

from dyverse.campaign.crew import crew


def square(task: int) -> int:
    """The square, at once."""
    return task * task


def slow_square(task: int) -> int:
    """The square, after a while."""
    time.sleep(0.3)
    return task * task


def fatal(task: int) -> int:
    """The end of the process that does it."""
    os._exit(task)


def deaf(task: int) -> int:
    """Be interrupted, if the task says so, where the exception is lost."""
    with suppress(KeyboardInterrupt):
        if task:
            signal.raise_signal(signal.SIGINT)
    return task


def is_sheltered(_: int) -> bool:
    """Whether Ctrl-C does nothing to this process."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def patient(task: float) -> float:
    """Sleep for so long (s)."""
    time.sleep(task)
    return task


def interrupted() -> None:
    """Two processes at work until someone presses Ctrl-C."""
    try:
        with crew(2) as team:
            found = team.results(patient, [0.0, 0.0] + 1000 * [3600.0])
            next(found)
            print("begun", flush=True)
            next(found)
            next(found)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
