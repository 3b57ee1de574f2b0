"""Where compiled engines are kept: by content, complete or not at all, and not for ever.

A result is written beside its place and renamed, so that a killed process leaves no half of it, and
its checksum is kept in a second file, so that a file broken later is found out before it is loaded.
A lock lets one process compile what several want at once. Where nothing can be written, or others
could have written, an engine lives in a temporary folder as long as the process.

What all models share may have been built before anyone ran one, in `BUILT` (see `set_up`). It has
the same names, so that with another compiler or other sources it is not found.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dyverse.cache.folder import own_folder
from dyverse.cache.trust import distrusted, is_ours
from dyverse.native.errors import CompileError

MOST_FILES = 200
MOST_BYTES = 256 * 2**20
BUILT = Path(__file__).parent / "_built"
STALE = 3600.0  # s: what a killed process left behind may go after that

Build = Callable[[Path], None]  # writes a file at the path given


def kept(name: str, build: Build) -> Path:
    """The file ``name`` of the cache, built if it is not there or broken.

    Without a cache to write to it is built in a folder of this process.
    """
    if ready := built(name):
        return ready
    folder = own_folder()
    if folder is None:
        return _private(name, build)
    if _is_whole(folder / name):
        _touch(folder / name)
        return folder / name
    try:
        with _locked(folder / f"{name}.lock"):
            if not _is_whole(folder / name):  # or another process was faster
                _install(folder / name, build)
        _prune(folder, keep=name)
    except OSError:  # read-only, or full
        return _private(name, build)
    return folder / name


def built(name: str) -> Path | None:
    """The file ``name`` of what was built before anyone ran a model, if it is there."""
    return BUILT / name if _is_whole(BUILT / name) else None


def forget(path: Path) -> None:
    """Remove a file that turned out to be useless."""
    for victim in (path, _sum_of(path)):
        with suppress(OSError):
            victim.unlink()


def _install(path: Path, build: Build) -> None:
    """Build beside ``path``, then rename; the checksum comes first."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".building-") as folder:
        fresh = Path(folder) / path.name
        build(fresh)
        checksum = Path(folder) / "sum"
        checksum.write_text(_checksum(fresh))
        for file in (checksum, fresh):
            file.chmod(0o700)  # whatever the user lets others do elsewhere
        os.replace(checksum, _sum_of(path))
        os.replace(fresh, path)


def _private(name: str, build: Build) -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="dyverse-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        if reason := distrusted(folder):
            raise CompileError(f"{reason}; set TMPDIR to a folder of your own")
        build(folder / name)
    except OSError as error:
        raise CompileError(f"nowhere to write it ({error.strerror or error})") from error
    return folder / name


def _sum_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.sum")


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_whole(path: Path) -> bool:
    """Whether the file is there, ours, and what it was when it was built."""
    try:
        ours = is_ours(path) and is_ours(_sum_of(path))
        return ours and _sum_of(path).read_text() == _checksum(path)
    except (OSError, ValueError):  # not there, or no text
        return False


def _touch(path: Path) -> None:
    with suppress(OSError):
        os.utime(path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file; the system lets go of it when a process ends, however it ends.

    Where there are no such locks two processes may compile the same thing, and one rename wins.
    """
    with path.open("w") as file:
        with suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _prune(folder: Path, *, keep: str) -> None:
    """Remove the files used longest ago while there are too many, and what was left half done."""
    with suppress(OSError):
        for left in folder.glob(".building-*"):
            if left.stat().st_mtime < time.time() - STALE:
                shutil.rmtree(left, ignore_errors=True)
        files = [f for f in folder.iterdir() if f.is_file() and f.suffix not in (".sum", ".lock")]
        files.sort(key=lambda f: f.stat().st_mtime, reverse=True)
        used = 0
        for count, file in enumerate(files):
            used += file.stat().st_size
            if file.name != keep and (count >= MOST_FILES or used > MOST_BYTES):
                forget(file)
                with suppress(OSError):
                    file.with_name(f"{file.name}.lock").unlink()
