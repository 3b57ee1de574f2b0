"""Files of an export: into a folder that is new or empty, or into one archive."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

from dyverse.errors import ExportError
from dyverse.exporters.atomic import replacing

Files = Mapping[str, str | bytes]
DATE = (1980, 1, 1, 0, 0, 0)  # the same files are the same archive


def is_archive(output: str) -> bool:
    """Whether files go into one archive of that name."""
    return output.lower().endswith(".zip")


def write_files(output: str, files: Files) -> None:
    """Write ``files`` by path: into an archive if ``output`` ends in .zip, else into a folder."""
    if is_archive(output):
        write_archive(output, files)
        return
    folder = Path(output)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ExportError(f"{output}: is there already; name a new or an empty folder")
        for name, content in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(_bytes(content))
    except OSError as error:
        raise ExportError(f"{output}: cannot be written: {error.strerror or error}") from None


def write_archive(output: str | os.PathLike[str], files: Files) -> None:
    """Write ``files`` into a zip archive, which is there in full or not at all."""
    with replacing(Path(output)) as place, zipfile.ZipFile(place, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, _bytes(content))


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
