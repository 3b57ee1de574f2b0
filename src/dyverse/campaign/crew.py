"""Who does the work: this process, some processes of this machine, or a Dask cluster.

A crew is handed one function and a list of tasks and gives the results in the order of the tasks,
so that nothing depends on who finished first. Functions and tasks travel between processes, hence
must pickle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context
from typing import Any, Protocol

from dyverse.errors import DyverseError

Work = Callable[[Any], Any]  # from a task to its result, both of the caller's choosing


class Crew(Protocol):
    """Does tasks, each by itself."""

    def results(self, work: Work, tasks: Sequence[Any]) -> Iterator[Any]:
        """The result of each task, in their order, as they become known."""


class Alone:
    """One task after the other, in this process."""

    def results(self, work: Work, tasks: Sequence[Any]) -> Iterator[Any]:
        """The result of each task."""
        return map(work, tasks)


class Processes:
    """Some processes of this machine; they start afresh and share nothing with this one."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def results(self, work: Work, tasks: Sequence[Any]) -> Iterator[Any]:
        """The result of each task."""
        return self._pool.map(work, tasks)


class Cluster:
    """The workers behind a Dask scheduler; a task whose worker dies is done by another."""

    def __init__(self, client: Any) -> None:  # distributed.Client, which has no types
        self._client = client

    def results(self, work: Work, tasks: Sequence[Any]) -> Iterator[Any]:
        """The result of each task."""
        futures = self._client.map(work, list(tasks), pure=False)
        return (future.result() for future in futures)


class NoClusterError(DyverseError):
    """The cluster cannot be used."""


def crew(workers: int = 1, scheduler: str | None = None) -> AbstractContextManager[Crew]:
    """A crew of so many processes, or that of the Dask scheduler at an address."""
    if scheduler is not None:
        return _cluster(scheduler)
    return _processes(workers)


@contextmanager
def _processes(workers: int) -> Iterator[Crew]:
    if workers <= 1:
        yield Alone()
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            yield Processes(pool)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


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
