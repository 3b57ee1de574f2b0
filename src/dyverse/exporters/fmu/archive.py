"""The files of an FMU: description, sources, a library for this platform, and what it came from."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Literal

from dyverse.exporters.c.model import Exported
from dyverse.exporters.fmu import fmi2, fmi3
from dyverse.exporters.fmu.binary import library
from dyverse.exporters.fmu.terminals import PATH as TERMINALS
from dyverse.exporters.fmu.terminals import terminals
from dyverse.native.compile import FLAGS
from dyverse.native.errors import NoCompilerError
from dyverse.native.header import SOURCES

Format = Literal["fmu2", "fmu3"]
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Papers:
    """What travels with a model: by path, what it was made from and what is said about it."""

    says: str = ""
    resources: Mapping[str, str] = field(default_factory=dict)
    documentation: Mapping[str, str] = field(default_factory=dict)
    picture: bytes | None = None


NO_PAPERS = Papers()


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """An FMU: its files, and whether it has a library for this platform."""

    files: Mapping[str, str | bytes]
    compiled: bool


def archive(
    model: Exported, to: Format, papers: Papers = NO_PAPERS, flags: tuple[str, ...] = FLAGS
) -> Archive:
    """The FMU of ``model``; where there is no compiler, with sources alone."""
    sources = {**model.sources, **interface_files()}
    described = fmi2.description if to == "fmu2" else fmi3.description
    text = described(model, tool=f"dyverse {version('dyverse')}", says=papers.says)
    files: dict[str, str | bytes] = {"modelDescription.xml": text}
    if to == "fmu3":
        files["sources/buildDescription.xml"] = fmi3.build_description(model)
        if named := terminals(model):
            files[TERMINALS] = named
    files |= {f"sources/{name}": text for name, text in sources.items()}
    files |= {f"resources/{name}": text for name, text in papers.resources.items()}
    files |= {f"documentation/{name}": text for name, text in papers.documentation.items()}
    licence = (SOURCES / "LICENSE").read_text(encoding="utf-8")
    files["documentation/licenses/license.txt"] = licence
    if papers.picture is not None:
        files["model.png"] = papers.picture
    try:
        made = library(sources, fmi2.UNITS if to == "fmu2" else fmi3.UNITS, flags)
    except NoCompilerError:
        return Archive(files, compiled=False)
    files[f"binaries/{_platform(to)}/{model.name}{_suffix()}"] = made
    return Archive(files, compiled=True)


def interface_files() -> dict[str, str]:
    """The sources that lie between FMI and a model."""
    folder = SOURCES / "fmi"
    names = sorted(path.name for path in folder.iterdir() if path.suffix in (".c", ".h"))
    return {f"runtime/fmi/{name}": (folder / name).read_text(encoding="utf-8") for name in names}


def _platform(to: Format) -> str:
    """What this platform is called there."""
    if to == "fmu2":
        return fmi2.PLATFORMS.get(sys.platform, sys.platform)
    name = platform.machine().lower()
    return f"{MACHINES.get(name, name)}-{fmi3.SYSTEMS.get(sys.platform, sys.platform)}"


def _suffix() -> str:
    return {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
