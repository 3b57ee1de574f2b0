"""Ctrl-C: held back where it would be lost, and insisted on where it has been lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress

import pytest

from dyverse.interrupts import Held, Insistent, insist


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def lost() -> None:
    """Ctrl-C in a destructor, or in a library that catches all."""
    with suppress(BaseException):
        ctrl_c()


def within(block: AbstractContextManager[object], *steps: Callable[[], object]) -> None:
    with block:
        for step in steps:
            step()


@pytest.fixture(autouse=True)
def _the_same_handler_afterwards() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_held_comes_in_the_end() -> None:
    held, done = Held(), list[bool]()
    with pytest.raises(KeyboardInterrupt):
        within(held, ctrl_c, lambda: done.append(held.heard))
    assert done == [True]
    within(held, lambda: done.append(held.heard))
    assert done == [True, False]


def test_it_can_be_released_for_a_while() -> None:
    with Held() as held:
        held.release()
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()
        held.hold()
    held.hold()  # too late: nothing is held any more


def test_one_that_was_noted_is_heard_on_release() -> None:
    held, done = Held(), list[str]()
    with pytest.raises(KeyboardInterrupt):
        within(held, ctrl_c, held.release, lambda: done.append("went on"))
    assert not done


def test_one_that_was_lost_is_raised_again() -> None:
    done = list[str]()
    with pytest.raises(KeyboardInterrupt):
        within(Insistent(), lost, insist, lambda: done.append("went on"))
    assert not done


def test_nothing_is_returned_after_one_that_was_lost() -> None:
    def fails() -> None:
        raise ValueError("because of it, perhaps")

    with pytest.raises(KeyboardInterrupt):
        within(Insistent(), lost)
    with pytest.raises(KeyboardInterrupt):
        within(Insistent(), lost, fails)


def test_it_is_raised_again_once() -> None:
    def twice() -> None:
        with suppress(KeyboardInterrupt):
            insist()
        insist()

    done = list[str]()
    with pytest.raises(KeyboardInterrupt):
        within(Insistent(), lost, twice, lambda: done.append("went on"))
    assert done == ["went on"]


def test_nobody_insists_without_one() -> None:
    insist()
    insistent = Insistent()
    within(insistent, insist)
    insist()
    assert not insistent.heard


def test_other_threads_are_left_alone() -> None:
    """A handler can be set in the main thread only: elsewhere nothing is held or insisted on."""
    seen: list[object] = []

    def look() -> None:
        seen.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    for block in (Insistent(), Held()):
        steps = (look, insist, Held().release, look)
        thread = threading.Thread(target=within, args=(block, *steps))
        thread.start()
        thread.join()
    assert seen == [before] * 4


def test_signals_that_are_ignored_stay_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Insistent() as insistent, Held() as held:
        ctrl_c()
    signal.signal(signal.SIGINT, before)
    assert not insistent.heard
    assert not held.heard
