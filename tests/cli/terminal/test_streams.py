"""Streams that are full, closed, read no more or of another encoding; Ctrl-C at the very start."""

import csv
import json
import os
import signal
import subprocess
import sys
from io import TextIOWrapper
from pathlib import Path

import pytest

from dyverse.cli import main
from dyverse.cli.terminal.reported import BROKEN_PIPE, INTERRUPTED
from tests.cli.conftest import BOUNCE
from tests.cli.test_map import LATCH

DYVERSE = [sys.executable, "-m", "dyverse"]
WRONG = ("check broken.drbt --json", "check --nonsense --json")
PRINTING = [
    "--help",
    "--version",
    "examples",
    "examples --json",
    "check bounce.drbt",
    *WRONG,
    "build bounce.drbt",
    "build bounce.drbt --json",
    "build bounce.drbt --display -",
    "simulate bounce.drbt --until 1",
    "simulate bounce.drbt --until 1 --json",
    "falsify latch.drbt --runs 10",
    "falsify latch.drbt --runs 10 --json",
    "abstract latch.drbt",
    "map latch.drbt --over x=0.1,0.9",
    "map latch.drbt --over x=0.1,0.9 --json",
    "export latch.drbt --to dot -o -",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bounce.drbt").write_text(BOUNCE, encoding="utf-8")
    (tmp_path / "latch.drbt").write_text(f"{LATCH}property p: always x < 9\n", encoding="utf-8")
    (tmp_path / "broken.drbt").write_text("body\x1b[31m ball { spere }", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(
    arguments: str, stdout: TextIOWrapper, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str]:
    """The exit code and standard error, with that as standard output."""
    with Path("told").open("w", encoding="utf-8") as told, monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["dyverse", *arguments.split()])
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", told)
        code = main.exit_code()
    return code, Path("told").read_text("utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", PRINTING)
def test_a_full_disk_behind_standard_output_is_exit_code_2(
    folder: Path, arguments: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        code, told = command(arguments, full, monkeypatch)
    assert code == 2
    assert "standard output: No space left on device\n" in told
    assert "Traceback" not in told


@pytest.mark.parametrize("arguments", PRINTING)
def test_a_reader_that_is_gone_is_exit_code_141(
    folder: Path, arguments: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not 1, which means falsified: the code with which Rich would end."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        code, told = command(arguments, pipe, monkeypatch)
    assert code == (2 if arguments in WRONG else BROKEN_PIPE)
    assert "Traceback" not in told
    assert "roken pipe" not in told


@pytest.mark.parametrize("arguments", PRINTING)
def test_any_encoding_of_standard_output_will_do(
    folder: Path, arguments: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, codes = [], []
    for encoding in ("utf-8", "ascii", "latin-1"):
        with open("out", "w", encoding=encoding) as out:
            code, told = command(arguments, out, monkeypatch)
        assert "Traceback" not in told
        codes.append(code)
        texts.append(Path("out").read_text("utf-8"))
    assert len(set(codes)) == 1
    assert all(c.isprintable() or c == "\n" for c in texts[0])
    assert texts[1].isascii()
    if "--json" in arguments:
        assert json.loads(texts[0]) == json.loads(texts[1]) == json.loads(texts[2])


def test_the_command_itself_meets_a_full_disk_a_pipe_and_ascii(folder: Path) -> None:
    """The same three, as processes."""
    json_of = f"{' '.join(DYVERSE)} build bounce.drbt --json"
    script = f"{json_of} > /dev/full; echo $?; {json_of} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["2", str(BROKEN_PIPE)]
    assert done.stderr == "standard output: No space left on device\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_no_failure_and_no_file_takes_its_place(
    folder: Path, closed: str
) -> None:
    script = f"{' '.join(DYVERSE)} simulate bounce.drbt --until 1 --csv a.csv {closed}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=False)
    assert done.returncode == 0
    with (folder / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:3] == ["t", "location", "ball.x"]
    assert {len(row) for row in rows} == {len(rows[0])}


@pytest.mark.parametrize(
    "name", ["esc\x1b[31m", "bidi\u202e", "c1\x9b31m", "b\udcff\udcfe", "日$^"]
)
def test_names_of_files_are_shown_and_not_obeyed(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{name}.drbt"
    Path(path).write_text(BOUNCE, encoding="utf-8")
    files = f"--csv {name}.csv --plot {name}.png --until 1"
    for arguments, expected in (
        (f"check {path}", 0),
        (f"simulate {path} {files}", 0),
        (f"simulate {path} {files} --json", 0),
        (f"simulate {path} --nonsense", 2),
        (f"simulate {path} --{name}", 2),
        (f"simulate {path} --set {name}", 2),
        (f"check {path}.{path}", 2),
        (f"check {path}.{path} --json", 2),
    ):
        with open("out", "w", encoding="utf-8") as out:
            code, told = command(arguments, out, monkeypatch)
        assert code == expected, told
        for stream in (Path("out").read_text("utf-8"), told):
            assert all(c.isprintable() or c == "\n" for c in stream), stream
            assert "Warning" not in stream
    assert Path(f"{name}.png").exists()


SLOW = """
import importlib, os, sys, time
print('importing', flush=True)
time.sleep(float(os.environ['SLOWLY']))
sys.path.remove(os.path.dirname(__file__))
del sys.modules[__name__]
sys.modules[__name__] = importlib.import_module(__name__)
"""


@pytest.mark.parametrize("module", ["typer", "lark", "casadi"])
def test_ctrl_c_during_start_up_is_quiet(folder: Path, module: str) -> None:
    """A package that takes a minute to import stands for a slow disk."""
    process = slowly(folder, module, 60)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert (told, process.returncode) == (b"interrupted\n", INTERRUPTED)


def test_nothing_is_imported_before_ctrl_c_is_heard() -> None:
    """What the interpreter itself has imported is there; more of it would be a longer wait."""
    code = "import sys; before = set(sys.modules); import dyverse.cli.start; "
    code += "print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["dyverse", "dyverse.cli", "dyverse.cli.start"]


CLASS = """
import os, signal
class Slow:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)
class Owner:
    field = Slow()
"""
FINALISER = """
import gc, os, signal
class Slow:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
gc.collect()
Slow()
while True:
    pass
"""


@pytest.mark.parametrize("code", [CLASS, FINALISER])
def test_an_interrupt_that_python_turns_into_something_else(folder: Path, code: str) -> None:
    """A RuntimeError where a class is made, nothing at all where an object is tidied up."""
    (folder / "lark.py").write_text(code)
    done = subprocess.run(
        [*DYVERSE, "check", "bounce.drbt"], capture_output=True, check=False, timeout=60
    )
    assert (done.stderr, done.returncode) == (b"interrupted\n", INTERRUPTED)


def test_interrupts_that_someone_switched_off_stay_off(folder: Path) -> None:
    """As in ``nohup``, or behind ``&`` in a script."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = slowly(folder, "typer", 0.5)
    finally:
        signal.signal(signal.SIGINT, before)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.startswith(b"bounce.drbt: no problems found")


def slowly(folder: Path, module: str, seconds: float) -> subprocess.Popen[bytes]:
    """The command while it imports a module that takes its time."""
    (folder / "slow").mkdir()
    (folder / "slow" / f"{module}.py").write_text(SLOW)
    process = subprocess.Popen(
        [*DYVERSE, "check", "bounce.drbt"],
        env={**os.environ, "PYTHONPATH": str(folder / "slow"), "SLOWLY": str(seconds)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"importing\n"
    return process
