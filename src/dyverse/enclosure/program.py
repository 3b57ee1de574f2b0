"""Programs: CasADi functions as lists of operations that run over any ring.

In come CasADi expressions, out go straight-line programs. What a number is, is up to the `Ring`
that a program is run over: balls (`dyverse.enclosure.balls`) or Taylor models
(`dyverse.enclosure.taylor`). So the mechanics is stated once, and enclosed as it stands.

A number in the expressions must be known exactly. Whole numbers, binary fractions of few digits and
those in `DECIMALS` and `CIRCLES` are; any other has been rounded before it came here, and nothing
can be said of it: whoever makes the expressions keeps literals apart as symbols
(`dyverse.text.literals`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import casadi as ca

from dyverse.enclosure.deadline import keep_to_time
from dyverse.expr.symbolic import SX

T = TypeVar("T")

OPERATIONS = (
    *("add", "sub", "mul", "div", "neg", "inv", "twice", "sq", "pow", "constpow", "sqrt"),
    *("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
    *("fabs", "sign", "floor", "ceil", "fmin", "fmax"),
    *("lt", "le", "eq", "ne", "not", "and", "or", "if_else_zero"),
)
NAMES: dict[int, str] = {getattr(ca, f"OP_{name.upper()}"): name for name in OPERATIONS}
BROKEN = ("sign", "floor", "ceil", "lt", "le", "eq", "ne", "atan2")  # those that can jump
DECIMALS = {0.4: "2/5", 0.9: "9/10", 4 / 3: "4/3"}  # written in the mechanics itself
CIRCLES = {math.pi: "1/1", 4 / 3 * math.pi: "4/3"}  # so many times π, in volumes
WAVES = {  # of the literal 1, and of half of it, as joints turn by
    function(x): (name, str(x))
    for name, function in (("sin", math.sin), ("cos", math.cos))
    for x in (0.5, 1.0)
}
NEARLY_NOTHING = 1e-40  # what is added under roots for the sake of derivatives; meant is nothing
ITS_ROOT = 1e-20


class Undecided(ArithmeticError):  # noqa: N818 - an outcome, not a mistake
    """A question that the numbers of a ring leave open, such as the sign of a ball around zero."""


@dataclass(frozen=True, slots=True)
class Ring(Generic[T]):
    """A kind of number: what a constant is, and each of the `OPERATIONS`.

    Operations take two numbers; those with one argument ignore the second.
    """

    constant: Callable[[float], T]
    operations: Mapping[str, Callable[[T, T], T]]


@dataclass(frozen=True, slots=True)
class Program:
    """Arguments and constants have the first places; each step puts its result in the next."""

    arguments: tuple[int, ...]  # how many numbers each argument has
    constants: tuple[float, ...]
    steps: tuple[tuple[str, int, int], ...]  # operation, and the places of its operands
    results: tuple[tuple[int, ...], ...]  # the places of each result's numbers

    @property
    def may_jump(self) -> bool:
        """Whether some of its operations do; derivatives say nothing of that."""
        return any(name in BROKEN for name, _, _ in self.steps)

    def kinks(self) -> Program:
        """What sizes are taken of: where one of these is zero there is a kink."""
        places = dict.fromkeys(a for name, a, _ in self.steps if name == "fabs")
        return Program(self.arguments, self.constants, self.steps, (tuple(places),))

    def run(self, ring: Ring[T], *arguments: Sequence[T]) -> list[list[T]]:
        """All results over ``ring``."""
        keep_to_time()
        if tuple(map(len, arguments)) != self.arguments:
            raise ValueError(f"a program for {self.arguments} numbers was given other numbers")
        work = [number for argument in arguments for number in argument]
        work += [ring.constant(number) for number in self.constants]
        operations, keep = ring.operations, work.append
        for name, a, b in self.steps:
            keep(operations[name](work[a], work[b]))
        return [[work[place] for place in places] for places in self.results]


def program(arguments: Sequence[SX], results: Sequence[SX]) -> Program:
    """Dense CasADi expressions of ``arguments`` as a program."""
    keep_to_time()
    dense = [ca.densify(ca.SX(result)) for result in results]
    function = ca.Function("program", list(arguments), dense, {"allow_free": True})
    if function.has_free():
        raise Undecided(f"unsupported: an expression has unknown parts, {function.free_sx()}")
    sizes = tuple(int(function.nnz_in(i)) for i in range(function.n_in()))
    first = [sum(sizes[:i]) for i in range(len(sizes))]
    return _Reader(function, sizes, first).read()


class _Reader:
    """From CasADi's registers, which are used again, to places that are written once."""

    def __init__(self, function: Any, sizes: tuple[int, ...], first: list[int]) -> None:
        self._function, self._sizes, self._first = function, sizes, first
        self._constants: dict[float, int] = {}
        self._register: dict[int, int] = {}
        self._steps: list[tuple[str, int, int]] = []

    def read(self) -> Program:
        """The whole program."""
        function = self._function
        numbers = (
            float(function.instruction_constant(k))
            for k in range(function.n_instructions())
            if function.instruction_id(k) == ca.OP_CONST
        )
        total = sum(self._sizes)
        self._constants = {c: total + i for i, c in enumerate(_in_order(numbers))}
        if rounded := [number for number in self._constants if not _is_exact(number)]:
            raise Undecided(ROUNDED.format(rounded[0]))
        results = [[-1] * int(function.nnz_out(i)) for i in range(function.n_out())]
        for k in range(function.n_instructions()):
            self._take(k, results)
        return Program(
            self._sizes, tuple(self._constants), tuple(self._steps), tuple(map(tuple, results))
        )

    def _take(self, k: int, results: list[list[int]]) -> None:
        function = self._function
        operation = function.instruction_id(k)
        given, made = function.instruction_input(k), function.instruction_output(k)
        if operation == ca.OP_CONST:
            self._register[made[0]] = self._constants[float(function.instruction_constant(k))]
        elif operation == ca.OP_INPUT:
            self._register[made[0]] = self._first[given[0]] + given[1]
        elif operation == ca.OP_OUTPUT:
            results[made[0]][made[1]] = self._register[given[0]]
        elif operation in NAMES:
            places = [self._register[register] for register in given]
            self._steps.append((NAMES[operation], places[0], places[-1]))
            self._register[made[0]] = sum(self._sizes) + len(self._constants) + len(self._steps) - 1
        else:
            raise Undecided(f"unsupported: CasADi's operation number {operation}")


ROUNDED = "unsupported: the number {!r} has been rounded; make a parameter of what it is made from"


def _is_exact(number: float) -> bool:
    number = abs(number)
    if (
        number in DECIMALS
        or number in CIRCLES
        or number in WAVES
        or number in (NEARLY_NOTHING, ITS_ROOT)
    ):
        return True
    return number < 2.0**40 and (number * 1024).is_integer()


def _in_order(numbers: Iterable[float]) -> list[float]:
    return list(dict.fromkeys(numbers))
