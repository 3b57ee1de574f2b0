"""From C text to a shared object, with the system's compiler, once for each content.

The runtime is the same for all models: its units are compiled to object files of their own, side by
side, so that the next model only pays for its own code, and the first one for what takes longest.
What runtimes have in common is compiled once for all of them. Units that `set_up` has built are
used before any other: it has the time for all of ``-O2``, which a first run has not.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from dyverse.native.cache import built, kept
from dyverse.native.errors import CompileError, NoCompilerError
from dyverse.native.header import SOURCES as SOURCES

FLAGS = ("-std=c99", "-O2", "-fPIC", "-fno-math-errno")
SWIFT = ("-O1", "-fstrict-aliasing", "-finline-small-functions", "-finline-functions")
PATIENCE = 300  # s


@dataclass(frozen=True, slots=True)
class Runtime:
    """What a model's code is compiled with: a folder of C, and the unit that includes all of it."""

    folder: Path
    unit: str
    others: tuple[Path, ...] = ()  # folders of what the unit includes from elsewhere
    apart: tuple[Path, ...] = ()  # what of it is compiled beside the rest (DV_APART)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where all its files are."""
        return (self.folder, *self.others)

    @property
    def units(self) -> dict[Path, tuple[Path, ...]]:
        """The files to compile, and the folders of what each includes."""
        own = {self.folder / f"{self.unit}.c": self.folders}
        return own | {path: (path.parent,) for path in self.apart}


COURSE = SOURCES / "course.c"
BESIDE = (SOURCES / "law.c", COURSE, SOURCES / "flying.c")  # engines of bodies
JOINT = SOURCES / "joint"
RIGID = Runtime(SOURCES, "runtime", (JOINT,), BESIDE)


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command, the flags to call it with, and what tells it from other compilers."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    identity: str
    thorough: tuple[str, ...]  # the flags where time does not matter; the results are the same


def compiler(flags: tuple[str, ...] = FLAGS) -> Compiler:
    """The compiler of ``$CC``, else ``cc``; `NoCompilerError` if it is not there."""
    chosen = os.environ.get("CC", "")
    try:
        command = shlex.split(chosen) or ["cc"]
    except ValueError:  # a quote without its partner
        command = [chosen]
    path = shutil.which(command[0])
    if path is None:
        raise NoCompilerError(command[0])
    identity = _identity(path)
    return Compiler((path, *command[1:]), _swift(flags, identity), identity, flags)


def _swift(flags: tuple[str, ...], identity: str) -> tuple[str, ...]:
    """For GCC, what of ``-O2`` makes this code fast; the rest takes two fifths of its time."""
    if "Free Software Foundation" not in identity:
        return flags
    return tuple(part for flag in flags for part in (SWIFT if flag == "-O2" else (flag,)))


@cache
def _identity(path: str) -> str:
    """The compiler's version, from what it says of itself; asking takes some milliseconds."""
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompileError(f"{path} does not run ({error})") from error
    return f"{path}\n{answer.stdout}"


@cache
def _sources(folders: tuple[Path, ...]) -> tuple[str, ...]:
    """Names and texts of the C files there, and in folders within."""
    found = {path for folder in folders for path in folder.rglob("*")}
    files = sorted(path for path in found if path.suffix in (".c", ".h"))
    return tuple(part for path in files for part in (path.name, path.read_text(encoding="utf-8")))


def compiled(model: str, flags: tuple[str, ...] = FLAGS, runtime: Runtime = RIGID) -> Path:
    """The shared object of a model's C text together with the runtime."""
    chosen = compiler(flags)
    key = _key(chosen, *_sources(runtime.folders))
    name = f"model-{_key(chosen, key, model)}{'.dll' if sys.platform == 'win32' else '.so'}"

    def build(target: Path) -> None:
        with ThreadPoolExecutor(len(runtime.units)) as pool:  # the first time, all at once
            parts = [pool.submit(_unit, chosen, *unit) for unit in runtime.units.items()]
            _compile_model(chosen, model, runtime, parts, target)

    return kept(name, build)


def compile_units(*runtimes: Runtime) -> tuple[Path, ...]:
    """The object files of all units of some runtimes: what no model changes."""
    chosen, units = compiler(), {k: v for runtime in runtimes for k, v in runtime.units.items()}
    thorough = replace(chosen, flags=chosen.thorough)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return tuple(pool.map(lambda unit: _compile_unit(thorough, *unit), units.items()))


def _unit(chosen: Compiler, path: Path, folders: tuple[Path, ...]) -> Path:
    """The object file of one of a runtime's units."""
    thorough = replace(chosen, flags=chosen.thorough)
    return built(_unit_name(thorough, path, folders)) or _compile_unit(chosen, path, folders)


def _unit_name(chosen: Compiler, path: Path, folders: tuple[Path, ...]) -> str:
    return f"{path.stem}-{_key(chosen, *_sources(folders))}.o"


def _compile_unit(chosen: Compiler, path: Path, folders: tuple[Path, ...]) -> Path:
    arguments = ["-DDV_APART", "-c", str(path), "-o"]
    name = _unit_name(chosen, path, folders)
    return kept(name, lambda target: _call(chosen, [*arguments, str(target)]))


def _key(chosen: Compiler, *texts: str) -> str:
    parts = (*chosen.command, *chosen.flags, chosen.identity, platform.machine(), *texts)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _compile_model(
    chosen: Compiler, model: str, runtime: Runtime, base: list[Future[Path]], target: Path
) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="model-") as folder:
        source, own = Path(folder) / "model.c", Path(folder) / "model.o"
        source.write_text(model, encoding="utf-8")
        headers = [f"-I{folder}" for folder in runtime.folders]
        _call(chosen, ["-c", *headers, str(source), "-o", str(own)])
        parts = [str(own), *(str(part.result()) for part in base)]
        _call(chosen, ["-shared", *parts, "-o", str(target), "-lm"])


def _call(chosen: Compiler, arguments: list[str]) -> None:
    command = [*chosen.command, *chosen.flags, *arguments]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompileError(f"{chosen.command[0]} does not run ({error})") from error
    if answer.returncode != 0:
        raise CompileError(_first_complaint(answer.stderr, chosen.command[0]))


def _first_complaint(stderr: str, command: str) -> str:
    """The first line that names an error; a full disk is one, and is tried elsewhere."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    if any("No space left" in line for line in lines):
        raise OSError(28, "No space left on device")
    wrong = [line for line in lines if "error" in line.lower()]
    return (wrong or lines or [f"{command} failed without a word"])[0]
