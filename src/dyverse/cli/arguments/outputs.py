"""The files that a command is to write, checked before any work is done.

None may be the model, however the path is spelt, nor another model, and no two the same.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from dyverse.errors import ExportError
from dyverse.exporters.atomic import check_writable

STDOUT = "-"
MODEL_SUFFIX = ".drbt"


def check_outputs(
    model: str,
    files: Mapping[str, str | None],
    *,
    journal: str | None = None,
    stdout: bool = False,
) -> None:
    """Refuse what could not be written in the end, or must not be; ``files`` are named by option.

    A journal is read and checked by itself; here it only must not be one of the others. Where the
    command knows ``stdout``, ``-`` is standard output; elsewhere it would be a file of that name.
    """
    given = {option: path for option, path in files.items() if path is not None}
    for option, path in given.items():
        if path != STDOUT:
            _check(option, path, model)
        elif not stdout:
            raise ExportError(f"{option}: '-' is no file, and this is not for standard output")
    if journal is not None:
        given["--journal"] = journal
        if _is_same(journal, model):
            raise ExportError(f"--journal: {journal} is the model itself; name another file")
    for (one, path), (other, second) in combinations(given.items(), 2):
        if _is_same(path, second):
            raise ExportError(f"{one} and {other} both name {path}; name two files")


def _check(option: str, path: str, model: str) -> None:
    check_writable(path)
    if _is_same(path, model):
        raise ExportError(f"{option}: {path} is the model itself; name another file")
    if Path(path).suffix.lower() == MODEL_SUFFIX and Path(path).is_file():
        raise ExportError(f"{option}: {path} has the suffix of models; name another file")


def _is_same(path: str, other: str) -> bool:
    """Whether two paths are one file, be it by a link or another spelling; devices take anything.

    ``-`` is standard output.
    """
    if STDOUT in (path, other):
        return path == other
    try:
        if os.path.samefile(path, other):
            return Path(path).is_file()
    except OSError:  # one of them is not there yet
        pass
    return os.path.realpath(path) == os.path.realpath(other) and not Path(path).exists()
