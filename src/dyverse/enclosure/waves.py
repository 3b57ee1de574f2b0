"""Programs that come back with time: all they read of it are waves, sin and cos of a pace times it.

In comes a program whose first argument are states, the last of them the time, and whose second are
numbers that are fixed; out go the paces of its waves. They are expressions of these numbers. A
program that reads time otherwise is refused (`Undecided`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

from dyverse.enclosure.program import OPERATIONS, Program, Ring, Undecided
from dyverse.expr.symbolic import SX

WAVES = ("sin", "cos")
ARITHMETIC: dict[str, Callable[[SX, SX], SX]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a, _: -a,
    "twice": lambda a, _: 2 * a,
}
ALONE = ("neg", "twice")
TOLD = "unsupported: what depends on time, and not as waves of it"


@dataclass(frozen=True, slots=True, eq=False)
class _Timed:
    """A number in a program: ``pace`` times the time and something fixed, or a wave if it turns.

    Its value is known if it is made of fixed numbers alone.
    """

    value: SX | None = None
    pace: SX | None = None  # nothing where time is not read
    turns: bool = False


def paces(made: Program, numbers: Sequence[SX], *, time_out: bool = False) -> list[SX]:
    """The paces of all waves in a program; with ``time_out`` its last result is the time itself."""
    states, found = made.arguments[0], list[SX]()
    given = [[_Timed()] * (states - 1) + [_Timed(pace=ca.SX(1))], [_Timed(n) for n in numbers]]
    given += [[_Timed()] * size for size in made.arguments[2:]]
    results = [number for row in made.run(_ring(found), *given) for number in row]
    if any(number.pace is not None for number in results[: len(results) - time_out]):
        raise Undecided(TOLD)
    return found


def _ring(found: list[SX]) -> Ring[_Timed]:
    return Ring(
        lambda number: _Timed(ca.SX(number)),
        {name: _operation(name, found) for name in OPERATIONS},
    )


def _operation(name: str, found: list[SX]) -> Callable[[_Timed, _Timed], _Timed]:
    def over(a: _Timed, b: _Timed) -> _Timed:
        if a.pace is None and b.pace is None:
            known = name in ARITHMETIC and not (a.value is None or b.value is None)
            value = ARITHMETIC[name](a.value, b.value) if known else None
            return _Timed(value, turns=a.turns or b.turns)
        if name in WAVES and a.pace is not None:
            found.append(a.pace)
            return _Timed(turns=True)
        if name not in ARITHMETIC or a.turns or b.turns:
            raise Undecided(TOLD)
        return _Timed(pace=_pace(name, a, b))

    return over


def _pace(name: str, a: _Timed, b: _Timed) -> SX:
    """The pace of a sum, or of a product with a fixed number."""
    if name in ALONE and a.pace is not None:
        return ARITHMETIC[name](a.pace, a.pace)
    if name in ("add", "sub"):
        return ARITHMETIC[name](*(ca.SX(0) if x.pace is None else x.pace for x in (a, b)))
    if a.pace is not None and b.pace is None and b.value is not None:
        return ARITHMETIC[name](a.pace, b.value)
    if name == "mul" and b.pace is not None and a.pace is None and a.value is not None:
        return a.value * b.pace
    raise Undecided(TOLD)
