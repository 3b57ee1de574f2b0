"""The ring of plain forms: what expressions are the same, whatever numbers they stand for.

A form is a sign and a number under which an operation on forms is remembered. Sums and products do
not depend on the order of their operands, a sign is taken out of products, quotients and squares,
and what is taken from itself is nothing. So two expressions with one form are one function; that
they have two forms says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import casadi as ca

from dyverse.enclosure.program import OPERATIONS, Ring, program
from dyverse.expr.symbolic import SX

Form = tuple[int, int]  # a sign, and a number; nothing is (0, 0)
NOTHING: Form = (0, 0)
SUMS, PRODUCTS, EVEN = ("add", "sub"), ("mul", "div"), ("sq", "fabs", "cos", "cosh")


class _Forms:
    """All forms so far."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def named(self, what: object) -> Form:
        return 1, self._known.setdefault(what, len(self._known) + 1)

    def constant(self, number: float) -> Form:
        sign, form = self.named(abs(number))
        return NOTHING if number == 0 else (sign if number > 0 else -sign, form)

    def ring(self) -> Ring[Form]:
        return Ring(self.constant, {name: self._operation(name) for name in OPERATIONS})

    def _operation(self, name: str) -> Callable[[Form, Form], Form]:
        if name in SUMS:
            return lambda a, b: self._sum(a, b if name == "add" else (-b[0], b[1]))
        if name in PRODUCTS:
            return lambda a, b: self._product(name, a, b)
        if name in EVEN:
            return lambda a, _: self.named((name, (abs(a[0]), a[1])))
        if name == "neg":
            return lambda a, _: (-a[0], a[1])
        return lambda a, b: self.named((name, a, b))

    def _sum(self, a: Form, b: Form) -> Form:
        if NOTHING in (a, b):
            return b if a == NOTHING else a
        if a == (-b[0], b[1]):
            return NOTHING
        first, second = sorted((a, b), key=lambda form: form[1])
        sign, form = self.named(("add", first[1], first[0] * second[0], second[1]))
        return sign * first[0], form

    def _product(self, name: str, a: Form, b: Form) -> Form:
        if a == NOTHING or (b == NOTHING and name == "mul"):
            return NOTHING if b != NOTHING or name == "mul" else self.named((name, a, b))
        order = sorted((a[1], b[1])) if name == "mul" else [a[1], b[1]]
        sign, form = self.named((name, *order))
        return sign * a[0] * b[0], form


def forms(expressions: Sequence[SX]) -> list[Form]:
    """The forms of some expressions; equal ones are the same function of the same symbols."""
    whole, known = ca.vertcat(ca.SX(0, 1), *expressions), _Forms()
    symbols = ca.symvar(whole)
    arguments = [known.named(str(index)) for index in range(len(symbols))]
    made = program([ca.vertcat(ca.SX(0, 1), *symbols)], [whole])
    return made.run(known.ring(), arguments)[0]


def are_same(one: SX, other: SX) -> bool:
    """Whether two expressions are plainly the same."""
    first, second = forms([one, other])
    return first == second
