"""The headers of the runtime as Python reads them: structures, constants and functions.

cffi reads C's own declarations, so no table in Python can differ from them. Parsing takes a tenth
of a second: what comes of it is kept in the cache by content, and read from there in a millisecond.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dyverse.native.cache import kept

C = Any  # a value of C, or a library, as cffi hands it over: it ships no type information
SOURCES = Path(__file__).parent / "c"
HEADERS = ("dyverse.h", "automata/automata.h", "coupled/coupled.h")
NOT_FOR_CFFI = re.compile(
    r"#ifdef __cplusplus.*?#endif"  # whole passages
    r"|^#(?:include|ifndef|endif)[^\n]*$|^#define \w+$",
    re.DOTALL | re.MULTILINE,
)
_READ: dict[str, C] = {}  # the one that was there first


def headers() -> C:
    """What cffi knows of the runtime: the `FFI` that makes and reads its structures.

    A structure of one `FFI` is of no use to another, so threads that read it at once share one.
    """
    return _READ.get("ffi") or _READ.setdefault("ffi", _read())


def _read() -> C:
    from _cffi_backend import __version__

    declarations = NOT_FOR_CFFI.sub("", "\n".join(map(_text, HEADERS)))
    key = hashlib.sha256(f"{__version__}\0{declarations}".encode()).hexdigest()[:32]
    path = kept(f"header-{key}.py", lambda target: _parse(declarations, target))
    found: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), found)  # our own, checked
    return found["ffi"]


def _text(name: str) -> str:
    return (SOURCES / name).read_text(encoding="utf-8")


def _parse(declarations: str, target: Path) -> None:
    """Write what cffi makes of ``declarations`` as a module to ``target``."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(declarations)
    ffi.set_source(target.stem, None)
    Path(ffi.compile(tmpdir=str(target.parent))).rename(target)


def doubles(array: NDArray[np.float64]) -> C:
    """Where the numbers of an array are; the array must outlive its use."""
    return headers().from_buffer("double[]", array)


def ints(array: NDArray[np.int32]) -> C:
    """The same of whole numbers."""
    assert array.dtype == np.int32
    return headers().from_buffer("int[]", array)


def c_struct(kind: str, arrays: Mapping[str, NDArray[np.generic]], **numbers: float) -> C:
    """A structure with these arrays, which must outlive it, and numbers."""
    ffi = headers()
    fields = dict(ffi.typeof(kind).fields)
    places = {name: ffi.cast(fields[name].type, ffi.from_buffer(a)) for name, a in arrays.items()}
    return ffi.new(f"{kind} *", {**places, **numbers})
