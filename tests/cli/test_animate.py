"""``dyverse animate``: where it serves, what it refuses, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from dyverse.animation.replays.replay import SLOT
from dyverse.animation.serving import built
from dyverse.cli.arguments.source import source_of
from dyverse.cli.page.ordering import Order
from dyverse.cli.page.playing import playable
from tests.animation.serving import get
from tests.cli.conftest import Invoke

COMMAND = """
import sys
from pathlib import Path
from dyverse.animation.serving import built
built.STATIC = Path(sys.argv.pop())
from dyverse.cli.start import run
run()
"""


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a page that has been built."""
    (tmp_path / "index.html").write_text("<!doctype html>")
    monkeypatch.setattr(built, "STATIC", tmp_path)
    return tmp_path


@contextmanager
def animating(page: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command, as long as someone needs it."""
    options = ("--no-browser", "--port", "0", str(page))
    command = [sys.executable, "-c", COMMAND, "animate", *arguments, *options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def address_of(stream: IO[str]) -> str:
    """What the one object of ``--json`` says; the command goes on, and leaves the stream open."""
    lines = iter(stream.readline, "}\n")
    return str(json.loads("".join(lines) + "}")["address"])


@pytest.mark.parametrize("arguments", [(), ("example:bouncing-ball",)], ids=str)
def test_the_address_is_printed_and_ctrl_c_ends_it(page: Path, arguments: tuple[str, ...]) -> None:
    with animating(page, *arguments, "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = address_of(process.stdout)
        assert address.startswith("http://127.0.0.1:")
        port = int(address.rstrip("/").rpartition(":")[2])
        assert get(port).status == 200
        assert json.loads(get(port, "/gallery.json").body)
        assert get(port, "/picture/bouncing-ball").headers["content-type"] == "image/png"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert "Traceback" not in process.stderr.read()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_what_the_server_has_started_ends_with_it_even_if_it_is_killed(page: Path) -> None:
    with animating(page, "example:bouncing-ball", "--json") as process:
        assert process.stdout is not None
        address_of(process.stdout)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children  # the stage, and what watches over what processes share
        process.send_signal(signal.SIGKILL)
        process.wait()
        end = time.monotonic() + 60
        while any(is_running(child) for child in children) and time.monotonic() < end:
            time.sleep(0.1)
        assert not any(is_running(child) for child in children)


def is_running(number: str) -> bool:
    """Whether a process is there, and is not only waiting to be counted."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_is_wrong_with_a_model_ends_the_server_with_its_place(page: Path) -> None:
    wrong = page / "wrong.drbt"
    wrong.write_text("body ball { sphere radius 0.1  mass 1 }\ncontact ball flor { friction 0 }\n")
    with animating(page, str(wrong)) as process:
        _, told = process.communicate(timeout=60)
        assert process.returncode == 2
        assert "animating at" in told
        assert "wrong.drbt:2:14: unknown body 'flor'" in told
    with animating(page, str(wrong), "--json") as process:
        printed, _ = process.communicate(timeout=60)
        assert process.returncode == 2
        assert json.loads(printed)["problems"][0]["line"] == 2


def test_the_server_begins_without_all_that_makes_models() -> None:
    """Else nobody would see a page before everything is imported twice."""
    script = "import sys, dyverse.cli.page.animating; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = told.stdout.split()
    assert "uvicorn" in loaded
    assert not {"numpy", "casadi", "dyverse.generation.model"} & {*loaded}


def test_another_host_warns_and_prints_a_token(page: Path) -> None:
    with animating(page, "--host", "0.0.0.0", "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = address_of(process.stdout)
        _, _, token = address.partition("?token=")
        assert len(token) >= 32
        assert "warning" in process.stderr.readline()
        port = int(address.partition("/?")[0].rpartition(":")[2])
        assert get(port).status == 403
        assert get(port, f"/?token={token}").status == 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--port", "99999"), "--port: must be a port"),
        (("--tick", "0"), "--tick: must be a finite time over 0"),
        (("--speed", "1000"), "--speed: must lie between 0.01 and 100"),
        (("--solver", "magic"), "unknown solver 'magic'"),
        (("nowhere.drbt",), "nowhere.drbt: no such file"),
        (("example:bouncing-bal",), "did you mean 'bouncing-ball'?"),
    ],
)
def test_what_cannot_be_served_is_refused(
    invoke: Invoke, arguments: tuple[str, ...], message: str
) -> None:
    result = invoke("animate", *arguments, "--no-browser")
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_replay_is_written_and_the_command_ends(invoke: Invoke, page: Path) -> None:
    (page / "replay.html").write_text(SLOT)
    result = invoke("animate", "bounce.drbt", "--html", "run.html", "--until", "2", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"html": "run.html", "time": 2.0, "stop": "horizon"}
    for arguments in (("--html", "run.html"), ("bounce.drbt", "--html", "bounce.drbt")):
        assert invoke("animate", *arguments).exit_code == 2


def test_a_page_that_is_not_built_is_told(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built, "STATIC", tmp_path / "nowhere")
    result = invoke("animate", "--no-browser")
    assert result.exit_code == 2
    assert "make page" in result.stderr


def test_pages_are_not_told_where_files_lie() -> None:
    file = Path(__file__).parents[1] / "uppaal" / "models" / "train_gate.xml"
    play, _ = playable(source_of(str(file)), Order())
    assert play.notes == ("train_gate.xml: 2 queries are kept but not answered",)
