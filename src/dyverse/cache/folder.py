"""The folder where things are kept from run to run: engines, parsers, journals.

It is used if it can be written, and by nobody else.
"""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache
from pathlib import Path

from dyverse.cache.trust import distrusted


def cache_folder() -> Path | None:
    """``DYVERSE_CACHE``, or the user's cache folder on this platform; nothing without a home."""
    if chosen := os.environ.get("DYVERSE_CACHE"):
        return Path(chosen).absolute()
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base).absolute() / "dyverse"
    if sys.platform == "win32" and (base := os.environ.get("LOCALAPPDATA")):
        return Path(base) / "dyverse" / "cache"
    home = os.path.expanduser("~")
    if os.environ.get("HOME") == "" or not os.path.isabs(home):
        return None  # a user whom the system does not know
    return Path(home, "Library/Caches" if sys.platform == "darwin" else ".cache", "dyverse")


def own_folder(*, silent: bool = False) -> Path | None:
    """The cache folder, made if need be, if it can be written, and by nobody else; else why not."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = distrusted(folder)
    except OSError:
        return None
    if reason and not silent:
        warn_once(f"{reason}: the cache is not used, and what is compiled is not kept")
    return None if reason else folder


class CacheWarning(UserWarning):
    """The cache cannot be used."""


@cache
def warn_once(message: str) -> None:
    """Say why the cache is not used."""
    warnings.warn(CacheWarning(message), stacklevel=3)
