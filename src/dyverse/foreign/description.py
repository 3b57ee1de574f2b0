"""What an FMU says of itself: its variables, its step, and for which machines it has code.

Only ``modelDescription.xml`` and the list of files are read; no code of the FMU runs.
"""

from __future__ import annotations

import math
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from xml.etree import ElementTree as Tree

from dyverse.errors import ModelError, Problem

LARGEST = 50_000_000  # bytes of a description
PLAIN = ("Real", "Integer", "Boolean", "Enumeration")  # of FMI 2.0
NUMBERS = (
    *("Float64", "Float32", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32"),
    *("Int64", "UInt64", "Boolean", "Enumeration"),
)  # of FMI 3.0
GIVEN = ("input", "parameter")  # what can be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A variable of an FMU; ``kind`` is the name of its type in FMI."""

    name: str
    reference: int
    kind: str
    causality: str
    start: float = 0.0
    unit: str = ""
    says: str = ""
    why_not: str = ""  # why it cannot take part in a model of ours


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """One FMU for Co-Simulation."""

    version: str  # 2 or 3
    token: str
    model: str
    identifier: str
    tool: str
    step: float | None
    until: float | None
    signals: tuple[Signal, ...]
    libraries: tuple[str, ...]  # the code in it, by path

    def signal(self, name: str) -> Signal | None:
        """The variable of that name."""
        return next((item for item in self.signals if item.name == name), None)


def description(path: str) -> Description:
    """What the FMU in a file says of itself, or a `ModelError`."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from None
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=32)
def _read(path: str, time: int, size: int) -> Description:
    """The same, once for each state of a file."""
    try:
        with zipfile.ZipFile(path) as archive:
            entry = archive.getinfo("modelDescription.xml")
            if entry.file_size > LARGEST:
                raise _wrong(path, f"its description has more than {LARGEST:,} bytes")
            text, names = archive.read(entry), archive.namelist()
    except (OSError, KeyError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise _wrong(path, f"is not an FMU: {error}") from None
    if b"<!DOCTYPE" in text:
        raise _wrong(path, "its description declares a document type, which FMUs have not")
    try:
        return _described(path, Tree.fromstring(text), names)
    except ModelError:
        raise
    except (Tree.ParseError, ValueError) as error:
        raise _wrong(path, f"its description cannot be read: {error}") from None


def _described(path: str, root: Tree.Element, names: list[str]) -> Description:
    version = root.get("fmiVersion", "")[:1]
    if version not in ("2", "3"):
        raise _wrong(path, f"is of FMI {root.get('fmiVersion')}; FMI 2.0 and 3.0 are known")
    steps = root.find("CoSimulation")
    if steps is None:
        raise _wrong(path, "is not for Co-Simulation: it brings no solver of its own")
    wanted = root.find("DefaultExperiment")
    wishes = {} if wanted is None else wanted.attrib
    return Description(
        version=version,
        token=root.get("guid" if version == "2" else "instantiationToken", ""),
        model=root.get("modelName", ""),
        identifier=steps.get("modelIdentifier", ""),
        tool=root.get("generationTool", ""),
        step=_positive(wishes.get("stepSize") or steps.get("fixedInternalStepSize")),
        until=_positive(wishes.get("stopTime")),
        signals=tuple((_plain if version == "2" else _numbers)(root)),
        libraries=tuple(sorted(name for name in names if _is_library(name))),
    )


def _is_library(name: str) -> bool:
    path = PurePosixPath(name)
    return path.parts[:1] == ("binaries",) and path.suffix in (".so", ".dll", ".dylib")


def _positive(text: str | None) -> float | None:
    number = float(text) if text else 0.0
    return number if 0 < number < math.inf else None


def _plain(root: Tree.Element) -> Iterator[Signal]:
    """The variables of FMI 2.0: each an element with its type inside."""
    units = {t.get("name"): _unit(t.find("Real")) for t in root.iter("SimpleType")}
    for item in root.iterfind("ModelVariables/ScalarVariable"):
        kind = next((child for child in item if child.tag in (*PLAIN, "String")), None)
        if kind is None:
            raise ValueError(f"the variable {item.get('name')!r} has no type")
        unit = kind.get("unit") or units.get(kind.get("declaredType"), "")
        yield _signal(item, kind.tag, kind.get("start"), unit, PLAIN)


def _unit(kind: Tree.Element | None) -> str:
    return "" if kind is None else kind.get("unit", "")


def _numbers(root: Tree.Element) -> Iterator[Signal]:
    """The variables of FMI 3.0: elements named after their types."""
    units = {t.get("name"): _unit(t) for t in root.iterfind("TypeDefinitions/*")}
    for item in root.iterfind("ModelVariables/*"):
        unit = item.get("unit") or units.get(item.get("declaredType"), "")
        yield _signal(item, item.tag, item.get("start"), unit, NUMBERS)


def _signal(
    item: Tree.Element, kind: str, start: str | None, unit: str, known: tuple[str, ...]
) -> Signal:
    array = item.find("Dimension") is not None
    fine = kind in known and not array
    return Signal(
        name=item.get("name", ""),
        reference=int(item.get("valueReference", "")),
        kind=kind,
        causality=item.get("causality", "local"),
        start=_number(start) if fine else 0.0,
        unit=unit,
        says=item.get("description", ""),
        why_not="" if fine else "is an array" if array else f"is a {kind}",
    )


def _number(text: str | None) -> float:
    truths = {"true": 1.0, "false": 0.0}
    return 0.0 if text is None else truths[text] if text in truths else float(text)


def _wrong(path: str, message: str) -> ModelError:
    return ModelError([Problem(message)], file=path)
