"""FMUs on disk, made from model text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyverse.exporters.c.folder import write_archive
from dyverse.exporters.c.model import Exported
from dyverse.exporters.fmu.archive import Format, archive
from dyverse.generation.model import Model
from tests.exporters.c.building import in_c

QUICK = ("-std=c99", "-O0", "-fPIC")


def fmu(
    text: str, folder: Path, to: Format = "fmu2", outputs: tuple[str, ...] = ()
) -> tuple[Model, Exported, Path]:
    """The model of a text, in C, and its archive."""
    model, found = in_c(text, outputs)
    made = archive(found, to, flags=QUICK)
    if not made.compiled:
        pytest.skip("there is no compiler here")
    place = folder / "model.fmu"
    write_archive(place, made.files)
    return model, found, place
