"""Crews: the same results in the same order, whoever does the work; a worker that dies is made up.

The Dask cluster is a real scheduler with two worker processes on loopback.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from multiprocessing import active_children
from pathlib import Path

import pytest

from dyverse.campaign.crew import AHEAD, LostWorkerError, NoClusterError, crew
from dyverse.falsification.falsify import falsify
from dyverse.falsification.verdict import NotFound
from tests.campaign.slow import deaf, fatal, is_sheltered, slow_square, square
from tests.falsification.models import asked

TASKS = list(range(12))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": str(tmp_path)}
    place = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONWARNINGS": "ignore"}
    options = [
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    started = [subprocess.Popen([*dask, *options], env=place, **quiet)]  # type: ignore[call-overload]
    try:
        address = _address(file)
        single = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        started += [subprocess.Popen([*worker, *single], env=place, **quiet) for _ in range(2)]  # type: ignore[call-overload]
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _address(file: Path) -> str:
    import json

    for _ in range(300):
        if file.exists() and file.read_text().strip():
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.1)
    raise TimeoutError("the scheduler did not start")


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    with crew(workers) as team:
        assert list(team.results(slow_square, TASKS)) == [i * i for i in TASKS]


@pytest.mark.parametrize("workers", [1, 2])
def test_tasks_are_taken_when_they_are_needed(workers: int) -> None:
    """A list of all of them would never end."""
    taken = count()
    with crew(workers) as team:
        found = list(islice(team.results(square, taken), 300))
    assert found == [i * i for i in range(300)]
    assert next(taken) <= 300 + AHEAD * workers


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(LostWorkerError, match="a worker process died"), crew(2) as team:
        list(team.results(fatal, [1]))


def test_an_interrupt_that_gets_lost_in_a_task_is_noticed() -> None:
    """Python ignores an exception in a function that C calls."""
    before = signal.getsignal(signal.SIGINT)
    done: list[int] = []
    with pytest.raises(KeyboardInterrupt), crew(1) as team:
        done.extend(team.results(deaf, [0, 1, 0]))
    assert done == [0]
    assert signal.getsignal(signal.SIGINT) is before


def test_processes_never_see_an_interrupt() -> None:
    """It is blocked from their first instruction on, and here no longer than they take to start."""
    with crew(2) as team:
        assert all(team.results(is_sheltered, range(4)))
    assert not is_sheltered(0)


def test_an_interrupt_ends_the_workers_without_a_word_of_theirs(tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of a terminal at once: here to all of a session."""
    code = "from tests.campaign.slow import interrupted; interrupted()"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (out, err, process.returncode) == (b"interrupted\n", b"", 0)
    assert time.monotonic() - began < 30  # the tasks would sleep for an hour


def test_an_interrupt_of_a_worker_does_not_become_a_result() -> None:
    """Ctrl-C in a terminal reaches the workers as well as whoever hands out the work."""
    others = set(active_children())
    with crew(2) as team:
        found = team.results(slow_square, TASKS)
        first = next(found)
        workers = set(active_children()) - others
        assert len(workers) == 2
        for worker in workers:
            os.kill(worker.pid or 0, signal.SIGINT)
        assert [first, *found] == [i * i for i in TASKS]


@pytest.mark.filterwarnings("ignore")  # of the library, about a worker that is gone
def test_a_worker_of_the_cluster_dies_and_nothing_is_lost(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    with crew(scheduler=address) as team:
        found = team.results(slow_square, TASKS)
        first = next(found)
        workers[0].send_signal(signal.SIGKILL)
        assert [first, *found] == [i * i for i in TASKS]


@pytest.mark.filterwarnings("ignore")
def test_the_cluster_searches_like_one_process(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    question = asked("example:interception-game", ranges={"K": (1.75, 1.85)})
    alone = falsify(question, seed=3)
    with crew(scheduler=cluster[0]) as team:
        together = falsify(question, seed=3, crew=team)
    assert isinstance(alone, NotFound)
    assert isinstance(together, NotFound)
    assert together.covered == alone.covered


def test_a_scheduler_that_does_not_answer() -> None:
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    with (
        pytest.raises(NoClusterError, match="no Dask scheduler answers"),
        crew(scheduler="tcp://127.0.0.1:9"),
    ):
        pass
