"""Sources as a shared library of this platform, by the system's compiler."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from dyverse.errors import ExportError
from dyverse.exporters.c.folder import write_files
from dyverse.native.compile import FLAGS, PATIENCE, compiler

HIDDEN = ("-fvisibility=hidden", "-shared")  # of two models in one process, each has its own


def library(
    sources: Mapping[str, str], units: Sequence[str], flags: tuple[str, ...] = FLAGS
) -> bytes:
    """The library; `NoCompilerError` where there is no compiler."""
    chosen = compiler(flags)
    with tempfile.TemporaryDirectory(prefix="dyverse-") as folder:
        place, target = Path(folder) / "sources", Path(folder) / "library"
        write_files(str(place), dict(sources))
        command = [*chosen.command, *chosen.flags, *HIDDEN, *units, "-o", str(target), "-lm"]
        answer = subprocess.run(
            command, cwd=place, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        if answer.returncode != 0:
            raise ExportError(
                f"{chosen.command[0]} cannot compile the model: {answer.stderr[:500]}"
            )
        return target.read_bytes()
