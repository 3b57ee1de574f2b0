"""Where terms may jump: derivatives say nothing there."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dyverse.enclosure.interval import Interval, enclosure
from dyverse.expr.term import Call, Term, children

BROKEN = ("ceil", "floor", "sign", "atan2", "if")  # functions that are not continuous


def may_jump(term: Term, known: Mapping[str, Interval]) -> bool:
    """Whether ``term`` may have a jump somewhere between the bounds."""
    if isinstance(term, Call) and term.function in BROKEN:
        inner = [enclosure(argument, known) for argument in term.arguments]
        if _breaks(term.function, inner):
            return True
    return any(may_jump(child, known) for child in children(term))


def _breaks(function: str, inner: list[Interval]) -> bool:
    low, high = inner[0]
    if low == high and function != "atan2":
        return False
    match function:
        case "if":
            return True  # its condition can be both
        case "sign":
            return low <= 0 <= high
        case "atan2":
            return inner[1][0] <= 0 and low <= 0 <= high
        case _:
            if not (math.isfinite(low) and math.isfinite(high)):
                return True
            step = math.floor if function == "floor" else math.ceil
            return step(low) != step(high)
