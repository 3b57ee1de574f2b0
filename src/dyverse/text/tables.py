"""Where the tables of a parser are kept from one run to the next.

To make them takes a quarter of a second, to read them a fortieth. Lark itself looks whether what is
there is whole and of this grammar.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import lark

from dyverse.cache.folder import own_folder


def tables_of(grammar: Path) -> Path | None:
    """The file for the tables of a grammar; none where others could have written to it."""
    folder = own_folder(silent=True)
    version = f"{lark.__version__} {sys.version_info[:2]}".encode()
    name = f"grammar-{hashlib.sha256(grammar.read_bytes() + version).hexdigest()[:16]}"
    return None if folder is None else folder / name
