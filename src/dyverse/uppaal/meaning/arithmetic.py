"""The operators and built-in functions of UPPAAL on numbers; whole numbers stay whole."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable

from dyverse.automaton.network.component import Fault

Number = int | float


def _quotient(a: Number, b: Number) -> Number:
    """``a / b``, towards zero for whole numbers as in C."""
    if b == 0:
        raise Fault(f"{a} is divided by 0")
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


def _rest(a: Number, b: Number) -> Number:
    """``a % b`` with the sign of ``a``."""
    if b == 0:
        raise Fault(f"{a} is divided by 0")
    return a - b * _quotient(a, b) if isinstance(a, int) and isinstance(b, int) else math.fmod(a, b)


def _power(a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int) and 0 <= b <= 64:
        return int(a**b)
    return math.pow(a, b)


def _shift(a: Number, b: Number, left: bool) -> Number:
    if not (isinstance(a, int) and isinstance(b, int) and 0 <= b < 32):
        raise Fault(f"{a} cannot be shifted by {b}")
    return a << b if left else a >> b


def _class(x: Number) -> Number:
    """What kind of a number it is, as glibc counts: nan 0, infinite 1, zero 2, subnormal 3, 4."""
    if math.isnan(x) or math.isinf(x):
        return int(math.isinf(x))
    return 2 if x == 0 else 3 if abs(x) < sys.float_info.min else 4


OPERATORS: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "%": _rest,
    "**": _power,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<?": min,
    ">?": max,
    "&": lambda a, b: int(a) & int(b),
    "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b),
    "<<": lambda a, b: _shift(a, b, True),
    ">>": lambda a, b: _shift(a, b, False),
    "xor": lambda a, b: int(bool(a) != bool(b)),
}

FUNCTIONS: dict[str, Callable[..., Number]] = {
    "abs": abs,
    "fabs": math.fabs,
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "expm1": math.expm1,
    "ln": math.log,
    "log": math.log10,  # so in UPPAAL: the natural logarithm is ln
    "log10": math.log10,
    "log2": math.log2,
    "log1p": math.log1p,
    "sqrt": math.sqrt,
    "cbrt": math.cbrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "erf": math.erf,
    "erfc": math.erfc,
    "tgamma": math.gamma,
    "lgamma": math.lgamma,
    "ceil": lambda x: float(math.ceil(x)),
    "floor": lambda x: float(math.floor(x)),
    "trunc": lambda x: float(math.trunc(x)),
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "fint": lambda x: math.trunc(x),
    "fmod": math.fmod,
    "fmax": max,
    "fmin": min,
    "fdim": lambda a, b: max(a - b, 0.0),
    "pow": math.pow,
    "hypot": math.hypot,
    "atan2": math.atan2,
    "copysign": math.copysign,
    "fma": lambda a, b, c: a * b + c,
    "isfinite": lambda x: int(math.isfinite(x)),
    "isinf": lambda x: int(math.isinf(x)),
    "isnan": lambda x: int(math.isnan(x)),
    "isnormal": lambda x: int(math.isfinite(x) and abs(x) >= sys.float_info.min),
    "isunordered": lambda x: int(math.isnan(x)),
    "fpclassify": lambda x: _class(x),
    "ldexp": lambda x, n: math.ldexp(x, int(n)),
    "nextafter": math.nextafter,
    "ilogb": lambda x: math.frexp(x)[1] - 1,
    "logb": lambda x: float(math.frexp(x)[1] - 1),
    "signbit": lambda x: int(math.copysign(1.0, x) < 0),
}


def combined(sign: str, a: Number, b: Number) -> Number:
    """``a sign b``."""
    try:
        return OPERATORS[sign](a, b)
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        raise Fault(f"{a} {sign} {b}: {error}") from None


def applied(name: str, arguments: list[Number]) -> Number:
    """A built-in function."""
    try:
        return FUNCTIONS[name](*arguments)
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        shown = ", ".join(map(str, arguments))
        raise Fault(f"{name}({shown}): {error}") from None
