"""The code of one FMU at work in a process of its own, so that its end is not ours."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dyverse.foreign.host import patience

PACKAGES = str(Path(__file__).parents[2])  # where this package was imported from
NO_FMPY = "FMUs run through FMPy, which is not there: pip install 'dyverse[fmu]'"


class ForeignError(Exception):
    """The code of an FMU did not do what it was asked for; it says why."""


class Host:
    """A process with one FMU. Whatever goes wrong, it is over: start another."""

    def __init__(self, path: str) -> None:
        if find_spec("fmpy") is None:
            raise ForeignError(NO_FMPY)
        self._folder = tempfile.TemporaryDirectory(prefix="dyverse-", ignore_cleanup_errors=True)
        known = os.pathsep.join(filter(None, [PACKAGES, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dyverse.foreign.host", path, self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": known},
            text=True,
        )

    def ask(self, request: dict[str, Any]) -> list[float]:
        """The values that it answers with; else a `ForeignError`, and the end of the process."""
        try:
            answer = self._answer(request)
        except BaseException:
            self.close()
            raise
        if "failed" in answer:
            self.close()
            raise ForeignError(str(answer["failed"]))
        return [float(number) for number in answer["values"]]

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        if not line.endswith("\n"):
            raise ForeignError(self._why_ended())
        found: dict[str, Any] = json.loads(line)
        return found

    def _why_ended(self) -> str:
        code = self._process.wait()
        if code < 0:
            return f"its code crashed ({signal.Signals(-code).name})"
        silent = f", or gave no answer for {patience():g} s" if code == 1 else ""
        return f"its process ended with code {code}{silent}"

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # its other end is gone
                if stream is not None:
                    stream.close()
        self._process.wait()
        self._folder.cleanup()
