"""Which files are UPPAAL's, by their names; nothing else is imported to know that."""

from __future__ import annotations

from pathlib import Path

SUFFIXES = (".xml", ".xta", ".ta")


def is_uppaal(path: str | Path) -> bool:
    """Whether a file is one of UPPAAL, by its name."""
    return Path(path).suffix.lower() in SUFFIXES
