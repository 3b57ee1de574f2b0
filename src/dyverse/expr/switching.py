"""Functions that jump or have a kink, taken out of the terms of a vector field.

``sign``, ``floor`` and ``ceil`` jump, ``atan2`` jumps where its angle goes from pi to -pi, a choice
``if … then … else …`` where its condition changes, and ``abs``, ``min`` and ``max`` have kinks. A
step of an integrator must not reach across one of these: its error estimate assumes that the field
is smooth, and where a field points to a jump from both sides, steps become shorter without end. So
each such function becomes a `Switch` with a *switching function*, whose zeros an event search can
find, and a *side*: a name for what it is until the switching function has changed signs. With it
``sign(x)`` is s and ``abs(x)`` is s*x, smooth also a little beyond the zero, as a step that ends
there needs it.

Only what moves is taken out: a sign of parameters alone never switches. A kink stays as it is where
it may guard a function that is not defined everywhere, as in ``sqrt(max(h, 0))``; so does a choice
that guards one, ``if h > 0 then sqrt(h) else 0``, and is taken for a kink. Equality is no side of
anything: ``if n == 2`` is as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import reduce
from operator import mul

from dyverse.expr.printing import term_text
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term, children, negate, symbols

PI = Symbol("pi")
PARTIAL = ("acos", "asin", "log", "sqrt")  # not defined everywhere


class Kind(IntEnum):
    """How a function switches; the numbers are those of the C runtimes."""

    SIGN = 0  # jumps from -1 to 1 where its switching function is zero
    FLOOR = 1  # jumps from n - 1 to n where it is an integer n
    BRANCH = 2  # -1 or, also where it is zero, 1: another branch is taken there
    KINK = 3  # a side, -1 or 1: the function bends where it is zero


@dataclass(frozen=True, slots=True)
class Switch:
    """A function that switches: ``name`` stands for its side in the terms it was taken out of."""

    kind: Kind
    name: str
    function: Term
    text: str  # as it was written

    @property
    def jumps(self) -> bool:
        """Whether there is a jump, not just a kink."""
        return self.kind is not Kind.KINK


class Separator:
    """Takes switches out of terms; equal ones are one switch. ``is_still`` tells what never moves.

    The switches are in an order in which the functions of later ones use values of earlier ones.
    """

    def __init__(self, is_still: Callable[[str], bool], prefix: str = "side") -> None:
        self._is_still, self._prefix = is_still, prefix
        self._found: dict[tuple[Kind, Term], Switch] = {}
        self.met: set[str] = set()  # names of those in terms since this was last emptied

    @property
    def switches(self) -> tuple[Switch, ...]:
        """Those found so far."""
        return tuple(self._found.values())

    def __call__(self, term: Term) -> Term:
        """``term`` with all functions that switch on their sides."""
        return self._smooth(term, guards=False)

    def _smooth(self, term: Term, *, guards: bool) -> Term:
        """The same; a term that ``guards`` keeps a function defined."""
        match term:
            case Negate(operand=operand):
                return negate(self._smooth(operand, guards=guards), term.span)
            case Binary(operator=operator, left=left, right=right):
                power = operator == "^" and not _is_whole(right)
                a = self._smooth(left, guards=guards or power)
                b = self._smooth(right, guards=guards or operator in ("/", "^"))
                return replace(term, left=a, right=b)
            case Call(function="if"):
                return self._choice(term, guards=guards)
            case Call(function=function, arguments=arguments):
                inside = guards or function in PARTIAL
                given = tuple(self._smooth(x, guards=inside) for x in arguments)
                return self._replaced(
                    replace(term, arguments=given), term_text(term), guards=guards
                )
            case _:
                return term

    def _choice(self, term: Call, *, guards: bool) -> Term:
        test, *sides = term.arguments
        then, otherwise = (self._smooth(side, guards=guards) for side in sides)
        if self._stays(test):
            return replace(term, arguments=(test, then, otherwise))
        guards = guards or any(map(_is_partial, sides))
        share = self._share(test, Kind.KINK if guards else Kind.BRANCH, term_text(term))
        if guards or share is test:
            return replace(term, arguments=(test, then, otherwise))
        return otherwise + share * (then - otherwise)

    def _share(self, test: Term, kind: Kind, text: str) -> Term:
        """A condition as a number that is 1 or 0, and between them on the jump."""
        if self._stays(test):
            return test
        match test:
            case Call(function="and", arguments=parts):
                return reduce(mul, (self._share(part, kind, text) for part in parts))
            case Call(function="or", arguments=parts):
                return 1 - reduce(mul, (1 - self._share(part, kind, text) for part in parts))
            case Call(function="not", arguments=(part,)):
                return 1 - self._share(part, kind, text)
            case Call(function="<" | "<=" | ">" | ">=" as relation, arguments=sides):
                left, right = (self._smooth(side, guards=False) for side in sides)
                weak = relation in ("<=", ">=")
                above = left - right if relation in (">=", "<") else right - left
                side = self._value(kind, above, text)  # 1 where the weak relation holds
                return (1 + side) / 2 if weak else (1 - side) / 2
            case _:
                return test

    def _replaced(self, term: Call, text: str, *, guards: bool) -> Term:
        if self._stays(term):
            return term
        match term:
            case Call(function="sign", arguments=(x,)):
                return self._value(Kind.SIGN, x, text)
            case Call(function="floor", arguments=(x,)):
                return self._value(Kind.FLOOR, x, text)
            case Call(function="ceil", arguments=(x,)):
                return negate(self._value(Kind.FLOOR, negate(x), text))
            case Call(function="atan2", arguments=(y, x)):
                return _angle(y, x, self._value(Kind.BRANCH, y, text))
            case Call(function="abs", arguments=(x,)):
                side = self._value(Kind.KINK, x, text)
                return term if guards else side * x
            case Call(function="min" | "max" as function, arguments=(a, b)):
                side = self._value(Kind.KINK, a - b, text)
                apart = side * (a - b) if function == "max" else side * (b - a)
                return term if guards else (a + b + apart) / 2
        return term

    def _stays(self, term: Term) -> bool:
        own = {switch.name for switch in self._found.values()}
        return all(s.name not in own and self._is_still(s.name) for s in symbols(term))

    def _value(self, kind: Kind, function: Term, text: str) -> Symbol:
        """The name of its side."""
        if (kind, function) not in self._found:
            name = f"{self._prefix}[{len(self._found)}]"
            self._found[kind, function] = Switch(kind, name, function, text)
        found = self._found[kind, function].name
        self.met.add(found)
        return Symbol(found)


def _is_partial(term: Term) -> bool:
    """Whether some function in it is not defined everywhere; quotients blow up by themselves."""
    match term:
        case Call(function=function) if function in PARTIAL:
            return True
        case Binary(operator="^", right=exponent) if not _is_whole(exponent):
            return True
        case _:
            return any(map(_is_partial, children(term)))


def _is_whole(term: Term) -> bool:
    return isinstance(term, Number) and term.value.is_integer()


def _angle(y: Term, x: Term, branch: Term) -> Term:
    """atan2(y, x) that goes on beyond pi or -pi, whichever its branch is on."""
    behind = (1 - Call("sign", (x,))) / 2
    turned = Call("atan2", (negate(y), negate(x))) + PI * branch
    return behind * turned + (1 - behind) * Call("atan2", (y, x))
