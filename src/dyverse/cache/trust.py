"""Whether a folder or file is nobody's but ours: what is in it will be run.

A folder counts if it belongs to the user who runs this and nobody else can write there; then no one
but the system's administrator can have put anything into it. The folders above it must be such
that nobody can put another in its place: theirs are the user's or the system's, and written by
nobody else, or sticky as ``/tmp``. Elsewhere than on POSIX systems everything counts.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def distrusted(folder: Path) -> str:
    """Why what lies in ``folder`` cannot be trusted, or nothing."""
    if not hasattr(os, "geteuid"):
        return ""
    real = Path(os.path.realpath(folder))
    found = real.stat()
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to {_owner(found)}"
    if _is_writable(found):
        return f"others can write to {folder}"
    return next(filter(None, map(_replaceable, real.parents)), "")


def is_ours(path: Path) -> bool:
    """Whether a file of a trusted folder is a plain file of ours that nobody else can write."""
    found = path.lstat()
    if not hasattr(os, "geteuid"):
        return stat.S_ISREG(found.st_mode)
    mine = found.st_uid == os.geteuid() and not _is_writable(found)
    return mine and stat.S_ISREG(found.st_mode)


def _replaceable(folder: Path) -> str:
    """Why someone could exchange what is in ``folder``, or nothing."""
    found = folder.stat()
    if found.st_uid not in (0, os.geteuid()):
        return f"{folder} belongs to {_owner(found)}"
    if _is_writable(found) and not found.st_mode & stat.S_ISVTX:
        return f"others can write to {folder}"
    return ""


def _is_writable(found: os.stat_result) -> bool:
    """Whether others can write; a group that has no other members is no others."""
    writers = found.st_mode & OTHERS_WRITE
    return bool(writers) and not (writers == stat.S_IWGRP and _is_own_group(found.st_gid))


def _is_own_group(number: int) -> bool:
    """Whether it is the group of one, named after the user, that many systems make for each."""
    with suppress(ImportError, KeyError):
        import grp
        import pwd

        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
        alone = set(group.gr_mem) <= {user.pw_name}
        return user.pw_gid == number and group.gr_name == user.pw_name and alone
    return False


def _owner(found: os.stat_result) -> str:
    with suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(found.st_uid).pw_name
    return f"user {found.st_uid}"
