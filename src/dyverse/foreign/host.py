"""The process in which the code of one FMU runs: ``python -m dyverse.foreign.host FILE FOLDER``.

The archive is opened in the folder. The process is asked on standard input and answers on standard
output, a line of JSON each; see `dyverse.foreign.process`. What the FMU itself prints goes to
standard error. The process ends when nobody asks any more, and when an answer takes too long.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import byref
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from dyverse.foreign.description import Description, description

PATIENCE = "DYVERSE_FMU_PATIENCE"  # s, that one answer may take, in the environment
LONGEST = 60.0  # s, if nothing is said
Json = Any  # what came out of JSON
METHODS = {"2": {"Enumeration": "Integer"}, "3": {"Enumeration": "Int64"}}  # else as the type


class Unit:
    """The one instance of an FMU, through FMPy; begun again, it is a new one."""

    def __init__(self, path: str, folder: str) -> None:
        self._about: Description = description(path)
        self._folder = folder
        self._fmu: Any = None  # FMPy has no types
        self.messages: list[str] = []
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)

    def begin(self, told: Sequence[Json], read: Sequence[Json]) -> list[float]:
        """Begin at time 0 with some values."""
        self.end()
        fmu = self._fmu = self._made()
        first, then = _parted(told)
        if self._about.version == "2":
            fmu.setupExperiment(startTime=0.0)
            self._tell(first)
            fmu.enterInitializationMode()
        else:
            self._tell(first)
            fmu.enterInitializationMode(startTime=0.0)
        self._tell(then)
        fmu.exitInitializationMode()
        return self._read(read)

    def step(
        self, time: float, length: float, told: Sequence[Json], read: Sequence[Json]
    ) -> list[float]:
        """Go on from ``time`` with some values that are held meanwhile."""
        self._tell(told)
        found = self._fmu.doStep(
            currentCommunicationPoint=time,
            communicationStepSize=length,
        )
        if found is not None and found[1]:
            raise RuntimeError("it asks to end the simulation")
        return self._read(read)

    def end(self) -> None:
        """Let go of the instance."""
        if self._fmu is not None:
            self._fmu.freeInstance()
            self._fmu = None

    def _made(self) -> Any:
        from fmpy import fmi2, fmi3

        kind = fmi2.FMU2Slave if self._about.version == "2" else fmi3.FMU3Slave
        fmu = kind(
            guid=self._about.token,
            unzipDirectory=self._folder,
            modelIdentifier=self._about.identifier,
            instanceName=self._about.identifier,
        )
        if self._about.version == "3":
            fmu.instantiate(logMessage=lambda _, status, category, text: self._hear(text))
            return fmu
        calls = fmi2.fmi2CallbackFunctions()
        calls.logger = fmi2.fmi2CallbackLoggerTYPE(lambda *said: self._hear(said[4]))
        calls.allocateMemory = fmi2.fmi2CallbackAllocateMemoryTYPE(fmi2.calloc)
        calls.freeMemory = fmi2.fmi2CallbackFreeMemoryTYPE(fmi2.free)
        with suppress(ImportError):  # FMPy's own library, which puts numbers into messages
            from fmpy.logging import addLoggerProxy

            addLoggerProxy(byref(calls))
        fmu.instantiate(callbacks=calls)
        return fmu

    def _hear(self, text: bytes | None) -> None:
        if text:
            self.messages.append(text.decode("utf-8", "replace").strip())

    def _tell(self, told: Sequence[Json]) -> None:
        for kind, rows in groupby(told, key=lambda row: str(row["kind"])):
            known = list(rows)
            values = [row["value"] if _is_real(kind) else round(row["value"]) for row in known]
            self._call("set", kind)([row["reference"] for row in known], values)

    def _read(self, read: Sequence[Json]) -> list[float]:
        found: list[float] = []
        for kind, rows in groupby(read, key=lambda row: str(row["kind"])):
            found += map(float, self._call("get", kind)([row["reference"] for row in rows]))
        return found

    def _call(self, verb: str, kind: str) -> Callable[..., Any]:
        method = METHODS[self._about.version].get(kind, kind)
        found: Callable[..., Any] = getattr(self._fmu, f"{verb}{method}")
        return found


def _is_real(kind: str) -> bool:
    return kind.startswith(("Real", "Float"))


def _parted(told: Sequence[Json]) -> tuple[list[Json], list[Json]]:
    """Parameters before initialisation, inputs in it."""
    inputs = [row for row in told if row["causality"] == "input"]
    return [row for row in told if row["causality"] != "input"], inputs


def answer(unit: Unit, request: Json) -> Json:
    """The values that were asked for, or why there are none."""
    unit.messages.clear()
    verb = unit.begin if request.pop("do") == "begin" else unit.step
    try:
        return {"values": verb(**request)}
    except Exception as error:  # whatever FMPy or the code behind it says
        return {"failed": "; ".join([str(error).rstrip("."), *unit.messages[-3:]])}


def patience() -> float:
    """How long one answer may take (s)."""
    return float(os.environ.get(PATIENCE) or LONGEST)


def main(path: str, folder: str) -> None:
    """Answer until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked decides what Ctrl-C means
    asked, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    import_module("fmpy.fmi3")  # not while someone waits
    unit, longest = Unit(path, folder), patience()
    with Path(os.devnull).open("w") as nowhere:
        for line in asked:
            faulthandler.dump_traceback_later(longest, exit=True, file=nowhere)
            print(json.dumps(answer(unit, json.loads(line))), file=answers, flush=True)
            faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(*sys.argv[1:])
