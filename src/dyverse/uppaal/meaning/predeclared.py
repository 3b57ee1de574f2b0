"""What every UPPAAL file may use without declaring it: types of fixed width, and constants."""

from __future__ import annotations

import math
import sys
from functools import cache

from dyverse.uppaal.meaning.kinds import DOUBLE, INT32, Kind, Scalar
from dyverse.uppaal.meaning.scope import Scope, Stored, TypeMeant

WIDTHS = {"int8_t": (-128, 127), "uint8_t": (0, 255), "int16_t": (-32768, 32767)} | {
    "uint16_t": (0, 65535),
    "int32_t": (-(2**31), 2**31 - 1),
}
INTEGERS = {
    "INT8_MIN": -128,
    "INT8_MAX": 127,
    "UINT8_MAX": 255,
    "INT16_MIN": -32768,
    "INT16_MAX": 32767,
    "UINT16_MAX": 65535,
    "INT32_MIN": -(2**31),
    "INT32_MAX": 2**31 - 1,
}
REALS = {
    "FLT_MIN": 2.0**-126,
    "FLT_MAX": (2 - 2.0**-23) * 2.0**127,
    "DBL_MIN": sys.float_info.min,
    "DBL_MAX": sys.float_info.max,
    "M_PI": math.pi,
    "M_PI_2": math.pi / 2,
    "M_PI_4": math.pi / 4,
    "M_E": math.e,
    "M_LOG2E": 1 / math.log(2),
    "M_LOG10E": 1 / math.log(10),
    "M_LN2": math.log(2),
    "M_LN10": math.log(10),
    "M_1_PI": 1 / math.pi,
    "M_2_PI": 2 / math.pi,
    "M_2_SQRTPI": 2 / math.sqrt(math.pi),
    "M_SQRT2": math.sqrt(2),
    "M_SQRT1_2": math.sqrt(0.5),
}


@cache
def predeclared() -> Scope:
    """The scope around every file; what a file declares itself hides it."""
    scope = Scope()
    for name, (low, high) in WIDTHS.items():
        scope.add(name, TypeMeant(Scalar("int", low, high)), None)
    kinds: tuple[tuple[dict[str, int] | dict[str, float], Kind], ...] = (
        (INTEGERS, INT32),
        (REALS, DOUBLE),
    )
    for numbers, kind in kinds:
        for name, number in numbers.items():
            scope.add(name, Stored(name, kind, ((name, number),)), None)
    return scope
