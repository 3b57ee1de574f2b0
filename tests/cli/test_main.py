"""The command as a real process: streams, exit codes, pipes, Ctrl-C; and how little it imports."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from dyverse.cli import main
from dyverse.cli.terminal.reported import BROKEN_PIPE, BUG, INTERRUPTED, reported
from dyverse.errors import ModelError, Problem
from tests.cli.conftest import BOUNCE, SPRING, Invoke

DYVERSE = [sys.executable, "-m", "dyverse"]
HEAVY = ("casadi", "lark", "matplotlib", "numpy", "scipy")


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, dyverse.cli.main; print([n for n in sys.modules if n in sys.argv[1:]])"
    command = [sys.executable, "-c", code, *HEAVY]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_simulation_without_plot_does_not_import_matplotlib() -> None:
    done = python(
        "import sys\n"
        "from dyverse.cli.main import app\n"
        "sys.argv = ['dyverse', 'simulate', 'example:balls-1', '--json']\n"
        "try:\n    app()\n"
        "except SystemExit:\n    print('matplotlib' in sys.modules, file=sys.stderr)"
    )
    assert done.stderr.strip() == "False"


def test_help_and_version(invoke: Invoke) -> None:
    shown = invoke("--help")
    assert shown.exit_code == 0
    for command in ("examples", "check", "build", "simulate"):
        assert command in shown.stdout
    assert invoke("--version").stdout.startswith("dyverse 0.")
    assert invoke("simulat").exit_code == 2
    assert invoke("simulate", "--nonsense").exit_code == 2


def test_json_is_all_there_is_on_standard_output(tmp_path: Path) -> None:
    command = [*DYVERSE, "simulate", "example:balls-2", "--csv", str(tmp_path / "a.csv"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["stop"] == "horizon"
    assert done.stderr.startswith("wrote ")


def test_bad_input_ends_with_2_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "m.drbt").write_text("body ball { spere radius 1 }", encoding="utf-8")
    command = [*DYVERSE, "simulate", "m.drbt"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "m.drbt:1:13:" in done.stderr
    assert "^^^^^" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_is_no_failure_to_talk_about() -> None:
    command = [*DYVERSE, "build", "example:balls-3", "--display", "-"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == BROKEN_PIPE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--until", "1,5"], "Invalid value '1,5' for '--until'"),
        (["--until=1,5"], "write a decimal point"),
        (["--until", "soon"], "'soon'"),
        (["--until"], "requires an argument"),
        (["--nonsense"], "No such option: --nonsense"),
        (["another"], "another"),
    ],
)
def test_a_wrong_command_is_told_with_its_value(arguments: list[str], message: str) -> None:
    command = [*DYVERSE, "simulate", "example:balls-1", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    command.insert(4, "--json")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in json.loads(done.stdout)["problems"][0]["message"]


def test_a_file_without_permission(tmp_path: Path) -> None:
    if os.name != "posix" or os.geteuid() == 0:
        pytest.skip("everyone may read everything here")
    path = tmp_path / "secret.drbt"
    path.write_text(BOUNCE, encoding="utf-8")
    path.chmod(0)
    done = subprocess.run([*DYVERSE, "check", str(path)], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Permission denied" in done.stderr


def test_a_problem_without_a_name_is_one_of_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    @reported
    def command(model: str) -> None:
        raise ModelError([Problem("it is wrong")])

    with pytest.raises(typer.Exit):
        command(model="mine.drbt")
    assert capsys.readouterr().err == "mine.drbt: it is wrong\n"


def test_a_bug_does_not_look_like_a_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr(main, "app", broken)
    assert main.exit_code() == BUG
    assert "please report it" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_ctrl_c_keeps_what_was_computed(tmp_path: Path) -> None:
    """Waits until the progress bar tells of time that has passed: there is something to keep."""
    (tmp_path / "m.drbt").write_text(SPRING, encoding="utf-8")
    command = [*DYVERSE, "simulate", "m.drbt", "--until", "1e9", "--csv", "m.csv"]
    terminal, inside = os.openpty()
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=inside)
    os.close(inside)
    _wait_for(rb"t = [\d.e+]*[1-9]", terminal)
    process.send_signal(signal.SIGINT)
    told = _drained(terminal, process)
    assert process.returncode == INTERRUPTED
    assert "interrupted; what was computed is kept" in told
    lines = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 100
    assert lines[0].startswith("t,location,m.x")


def _wait_for(pattern: bytes, terminal: int) -> None:
    seen, end = b"", time.monotonic() + 60
    while not re.search(pattern, seen):
        assert time.monotonic() < end
        seen += os.read(terminal, 1024)


def _drained(terminal: int, process: subprocess.Popen[bytes]) -> str:
    """What was told on standard output; standard error is short enough to wait in the terminal."""
    out, _ = process.communicate(timeout=120)
    os.close(terminal)
    return out.decode()
