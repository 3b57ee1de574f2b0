"""Build what no model changes, before the first model: ``python -m dyverse.native.set_up``.

The runtimes take seconds to compile, and their interface a tenth of one to read; a model alone
takes a quarter of a second. ``make setup`` does that once. Where it was not done, as in a package
from elsewhere, or was done with another compiler or other sources, the first run does it.
"""

from __future__ import annotations

import os
import shutil
import sys

from dyverse.errors import DyverseError
from dyverse.native import cache
from dyverse.native.automata.library import RUNTIME as AUTOMATA
from dyverse.native.compile import RIGID, Runtime, compile_units
from dyverse.native.coupled.library import RUNTIME as COUPLED
from dyverse.native.header import headers


def set_up(only: tuple[Runtime, ...] = (RIGID, AUTOMATA, COUPLED)) -> int:
    """Build everything anew in `cache.BUILT`; how many units that are."""
    shutil.rmtree(cache.BUILT, ignore_errors=True)
    os.environ["DYVERSE_CACHE"] = str(cache.BUILT)
    headers()
    made = compile_units(*only)
    for lock in cache.BUILT.glob("*.lock"):
        lock.unlink()
    return len(made)


if __name__ == "__main__":
    try:
        print(f"{set_up()} units of the native engine are built")
    except (DyverseError, OSError) as error:
        sys.exit(f"the native engine will be compiled when it is first used: {error}")
