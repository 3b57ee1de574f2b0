"""Derivatives of terms, as terms: for models that are built from other models.

Numbers are computed with CasADi (`dyverse.expr.symbolic`); here a derivative is wanted that prints
and parses. What is constant is folded, so the derivative of ``2*x - y`` by ``x`` is ``2``.
"""

from __future__ import annotations

from typing import assert_never

from dyverse.errors import ModelError, Problem
from dyverse.expr.term import CHOICE, Binary, Call, Negate, Number, Symbol, Term, as_term, symbols

_OUTER: dict[str, str] = {  # the derivative of each function at x
    "abs": "sign",
    "cos": "sin",
    "cosh": "sinh",
    "exp": "exp",
    "sin": "cos",
    "sinh": "cosh",
}
_STEPS = ("ceil", "floor", "sign")  # constant wherever they have a derivative


def derivative(term: Term, name: str) -> Term:
    """∂ ``term`` / ∂ ``name``, where it exists."""
    if all(symbol.name != name for symbol in symbols(term)):
        return Number(0.0)
    match term:
        case Number() | Symbol():
            return Number(1.0)
        case Negate(operand=operand):
            return product(-1.0, derivative(operand, name))
        case Binary(operator=operator, left=left, right=right):
            return _of_binary(operator, left, right, name)
        case Call(function=function, arguments=arguments):
            return _of_call(function, arguments, name)
        case _:
            assert_never(term)


def total(*parts: Term | float) -> Term:
    """The sum, without zeros."""
    terms = [part for part in map(as_term, parts) if part != Number(0.0)]
    if not terms:
        return Number(0.0)
    found = terms[0]
    for part in terms[1:]:
        found = found - part.operand if isinstance(part, Negate) else found + part
    return found


def product(*factors: Term | float) -> Term:
    """The product, with its numbers in front; zero if one of them is."""
    terms = [as_term(factor) for factor in factors]
    number, rest = 1.0, [term for term in terms if not isinstance(term, Number)]
    for term in terms:
        number *= term.value if isinstance(term, Number) else 1.0
    if number == 0 or not rest:
        return Number(number)
    found = rest[0] if abs(number) == 1 else Number(abs(number)) * rest[0]
    for term in rest[1:]:
        found = found * term
    return -found if number < 0 else found


def quotient(above: Term, below: Term) -> Term:
    """The fraction; a number below goes in front of what is above."""
    if isinstance(below, Number) and below.value != 0:
        return product(1 / below.value, above)
    return Number(0.0) if above == Number(0.0) else above / below


def _of_binary(operator: str, left: Term, right: Term, name: str) -> Term:
    first, second = derivative(left, name), derivative(right, name)
    match operator:
        case "+":
            return total(first, second)
        case "-":
            return total(first, product(-1.0, second))
        case "*":
            return total(product(first, right), product(left, second))
        case "/":
            change = total(first, product(-1.0, quotient(left, right), second))
            return quotient(change, right)
        case _:
            return _of_power(left, right, first, second)


def _of_power(base: Term, exponent: Term, first: Term, second: Term) -> Term:
    if second == Number(0.0):
        less = total(exponent, -1.0)
        if isinstance(exponent, Number):
            less = Number(exponent.value - 1)
        power = base if less == Number(1.0) else base**less
        return product(exponent, power, first)
    change = total(product(second, Call("log", (base,))), quotient(product(exponent, first), base))
    return product(base**exponent, change)


def _of_call(function: str, arguments: tuple[Term, ...], name: str) -> Term:
    if function == CHOICE:
        test, *sides = arguments
        then, otherwise = (derivative(side, name) for side in sides)
        return then if then == otherwise else Call(CHOICE, (test, then, otherwise))
    inner = [derivative(argument, name) for argument in arguments]
    if function in _STEPS:
        return Number(0.0)
    if function in ("min", "max"):
        return _of_choice(function, arguments, inner)
    if function == "atan2":
        y, x = arguments
        change = total(product(x, inner[0]), product(-1.0, y, inner[1]))
        return quotient(change, x**2 + y**2)
    return product(_outer(function, arguments[0]), inner[0])


def _of_choice(function: str, arguments: tuple[Term, ...], inner: list[Term]) -> Term:
    """Half of each, weighed by which one is chosen."""
    a, b = arguments
    side = Call("sign", (a - b if function == "max" else b - a,))
    return product(0.5, total(product(1 + side, inner[0]), product(1 - side, inner[1])))


def _outer(function: str, x: Term) -> Term:
    if function in _OUTER:
        sign = -1.0 if function == "cos" else 1.0
        return product(sign, Call(_OUTER[function], (x,)))
    match function:
        case "log":
            return 1 / x
        case "sqrt":
            return 0.5 / Call("sqrt", (x,))
        case "tan":
            return 1 + Call("tan", (x,)) ** 2
        case "tanh":
            return 1 - Call("tanh", (x,)) ** 2
        case "atan":
            return 1 / (1 + x**2)
        case "asin":
            return 1 / Call("sqrt", (1 - x**2,))
        case "acos":
            return -1 / Call("sqrt", (1 - x**2,))
        case _:
            raise ModelError([Problem(f"{function} has no derivative here")], file="<term>")
