"""Who does the work: this process, some processes of this machine, or a Dask cluster.

A crew is handed one function and tasks and gives the results in the order of the tasks, so that
nothing depends on who finished first. Tasks are taken when there is someone to do them, so there
may be any number of them. Functions and tasks travel between processes, hence must pickle.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from multiprocessing import active_children, get_context
from typing import Any, Protocol, TypeVar

from dyverse.errors import DyverseError
from dyverse.interrupts import Insistent

AHEAD = 64  # tasks per process that are handed out before the first is back
BATCH = 1000  # tasks that are sent to a cluster at once

T = TypeVar("T")
Work = Callable[[Any], Any]  # from a task to its result, both of the caller's choosing


class Crew(Protocol):
    """Does tasks, each by itself."""

    def results(self, work: Work, tasks: Iterable[Any]) -> Iterator[Any]:
        """The result of each task, in their order, as they become known."""


class Alone:
    """One task after the other, in this process.

    An interrupt can get lost inside a task, in code that another language calls. What such a task
    gives is not believed.
    """

    def __init__(self, insistent: Insistent | None = None) -> None:
        self._insistent = insistent

    def results(self, work: Work, tasks: Iterable[Any]) -> Iterator[Any]:
        """The result of each task."""
        for task in tasks:
            result = work(task)
            if self._insistent is not None and self._insistent.heard:
                raise KeyboardInterrupt
            yield result


class Processes:
    """Some processes of this machine; they start afresh and share nothing with this one.

    An interrupt is not theirs to hear: it ends the work, it never becomes a result.
    """

    def __init__(self, pool: ProcessPoolExecutor, workers: int) -> None:
        self._pool, self._ahead = pool, AHEAD * workers

    def results(self, work: Work, tasks: Iterable[Any]) -> Iterator[Any]:
        """The result of each task."""
        try:
            for future in _ahead(self._started(work, tasks), self._ahead):
                yield future.result()
        except BrokenProcessPool:
            message = "a worker process died; perhaps memory is short: try fewer --workers"
            raise LostWorkerError(message) from None

    def _started(self, work: Work, tasks: Iterable[Any]) -> Iterator[Future[Any]]:
        for task in tasks:
            with _sheltered():  # a process may be started for it
                future = self._pool.submit(work, task)
            yield future


class Cluster:
    """The workers behind a Dask scheduler; a task whose worker dies is done by another."""

    def __init__(self, client: Any) -> None:  # distributed.Client, which has no types
        self._client = client

    def results(self, work: Work, tasks: Iterable[Any]) -> Iterator[Any]:
        """The result of each task."""
        waiting = iter(tasks)
        rounds = iter(lambda: list(islice(waiting, BATCH)), [])
        started = (self._client.map(work, some, pure=False) for some in rounds)
        return (future.result() for futures in _ahead(started, 2) for future in futures)


def _ahead(started: Iterator[T], number: int) -> Iterator[T]:
    """The same items, of which so many have been made before the first is handed on."""
    waiting: deque[T] = deque()
    for item in started:
        waiting.append(item)
        if len(waiting) >= number:
            yield waiting.popleft()
    yield from _emptied(waiting)


def _emptied(waiting: deque[T]) -> Iterator[T]:
    """What is left, let go of one by one."""
    while waiting:
        yield waiting.popleft()


class NoClusterError(DyverseError):
    """The cluster cannot be used."""


class LostWorkerError(DyverseError):
    """A process of this machine that did some of the work is gone."""


def crew(workers: int = 1, scheduler: str | None = None) -> AbstractContextManager[Crew]:
    """A crew of so many processes, or that of the Dask scheduler at an address."""
    if scheduler is not None:
        return _cluster(scheduler)
    return _processes(workers)


@contextmanager
def _processes(workers: int) -> Iterator[Crew]:
    if workers <= 1:
        with Insistent() as insistent:
            yield Alone(insistent)
        return
    before = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield Processes(pool, workers)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - before:
            process.terminate()
        raise
    pool.shutdown(cancel_futures=True)


@contextmanager
def _sheltered() -> Iterator[None]:
    """Processes that are started here never see a Ctrl-C: it is for the one that started them.

    A blocked signal stays blocked in a new process, from its first instruction on; here it waits.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _cluster(address: str) -> Iterator[Crew]:
    try:
        from distributed import Client  # an extra, and slow to import
    except ImportError:
        message = "a cluster needs the extra 'cluster': pip install 'dyverse[cluster]'"
        raise NoClusterError(message) from None
    try:
        connect: Any = Client  # it has no types
        client = connect(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoClusterError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        yield Cluster(client)
