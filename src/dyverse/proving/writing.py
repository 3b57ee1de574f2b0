"""Certificates written: lines of JSON, compressed; see ``docs/reference/certificate.md``.

What is written here is read by `dyverse.certificate.file`, which believes none of it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import numpy as np

from dyverse.certificate.file import VERSION, Json, Question, checksum


class Writer:
    """A certificate that is being written; boxes come as `plain` gives them."""

    def __init__(self, path: str | Path, question: Question) -> None:
        self._path, self._question = path, question
        self._sum, self.count = hashlib.sha256(), 0

    def __enter__(self) -> Self:
        self._file = gzip.open(self._path, "wb")
        first = {"dyverse certificate": VERSION, "sha256": checksum(self._question.text)}
        self._put(first | plain(self._question))
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._put({"boxes": self.count, "sha256": self._sum.hexdigest()})
        self._file.close()

    def add(self, box: Json) -> None:
        """One more box."""
        self._put(box)
        self.count += 1

    def _put(self, content: Json) -> None:
        line = json.dumps(content, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        self._sum.update(line)
        self._file.write(line)


def write_certificate(path: str | Path, question: Question, boxes: Iterable[Json]) -> int:
    """Write a certificate of boxes as `plain` gives them; how many there were is returned."""
    with Writer(path, question) as writer:
        for box in boxes:
            writer.add(box)
    return writer.count


def plain(value: Any) -> Json:  # any part of a certificate
    """Values as JSON: classes by their fields, polynomials as base64 of their numbers."""
    if isinstance(value, tuple):
        if value and all(isinstance(item, float) for item in value):
            return base64.b64encode(np.array(value, dtype="<f8").tobytes()).decode("ascii")
        return [plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        found = {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
        return {"kind": type(value).__name__.lower()} | found
    return value
