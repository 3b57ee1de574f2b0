"""A model as a level-2 C MEX S-function: the sources, and one file that names the block."""

from __future__ import annotations

from dyverse.exporters.c.model import Exported
from dyverse.native.header import SOURCES

FILE = """\
/* The block {name}, for MATLAB: mex {name}.c unit.c */
#define S_FUNCTION_NAME {name}
#include "runtime/sfunction/sfunction.c"
"""


def sfunction(model: Exported) -> dict[str, str]:
    """The files of the S-function of ``model``, by path."""
    between = (SOURCES / "sfunction" / "sfunction.c").read_text(encoding="utf-8")
    files = {**model.sources, "runtime/sfunction/sfunction.c": between}
    del files["CMakeLists.txt"]
    name = block_name(model)
    return {**files, f"{name}.c": FILE.format(name=name)}


def block_name(model: Exported) -> str:
    """What the block is called, so that its file is no other file."""
    return f"sf_{model.name}"
