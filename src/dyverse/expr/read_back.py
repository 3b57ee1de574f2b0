"""CasADi expressions read back as terms, so that whatever takes terms can use them.

What an expression shares, its term repeats; so a term has a length that it may not exceed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import casadi as ca

from dyverse.expr.symbolic import SX
from dyverse.expr.term import Binary, Call, Number, Term, negate

ONE, TWO = Number(1.0), Number(2.0)


def _call(function: str) -> Callable[..., Term]:
    return lambda *arguments: Call(function, arguments)


def _above(a: Term, b: Term) -> Term:
    """1 where a > b, else 0."""
    return Call("max", (Call("sign", (a - b,)), Number(0.0)))


def _differs(a: Term, b: Term) -> Term:
    return Call("abs", (Call("sign", (a - b,)),))


_OPERATIONS: dict[int, Callable[..., Term]] = {
    ca.OP_ADD: lambda a, b: a + b,
    ca.OP_SUB: lambda a, b: a - b,
    ca.OP_MUL: lambda a, b: a * b,
    ca.OP_DIV: lambda a, b: a / b,
    ca.OP_NEG: negate,
    ca.OP_INV: lambda a: ONE / a,
    ca.OP_SQ: lambda a: Binary("^", a, TWO),
    ca.OP_TWICE: lambda a: TWO * a,
    ca.OP_POW: lambda a, b: Binary("^", a, b),
    ca.OP_CONSTPOW: lambda a, b: Binary("^", a, b),
    ca.OP_LT: lambda a, b: _above(b, a),
    ca.OP_LE: lambda a, b: ONE - _above(a, b),
    ca.OP_EQ: lambda a, b: ONE - _differs(a, b),
    ca.OP_NE: _differs,
    ca.OP_NOT: lambda a: ONE - a,
    ca.OP_AND: lambda a, b: a * b,
    ca.OP_OR: _call("max"),
    ca.OP_IF_ELSE_ZERO: lambda a, b: a * b,  # of a truth, 0 or 1
    ca.OP_FABS: _call("abs"),
    ca.OP_FMAX: _call("max"),
    ca.OP_FMIN: _call("min"),
    ca.OP_SIGN: _call("sign"),
    ca.OP_SQRT: _call("sqrt"),
    ca.OP_SIN: _call("sin"),
    ca.OP_COS: _call("cos"),
    ca.OP_TAN: _call("tan"),
    ca.OP_ASIN: _call("asin"),
    ca.OP_ACOS: _call("acos"),
    ca.OP_ATAN: _call("atan"),
    ca.OP_ATAN2: _call("atan2"),
    ca.OP_SINH: _call("sinh"),
    ca.OP_COSH: _call("cosh"),
    ca.OP_TANH: _call("tanh"),
    ca.OP_EXP: _call("exp"),
    ca.OP_LOG: _call("log"),
    ca.OP_FLOOR: _call("floor"),
    ca.OP_CEIL: _call("ceil"),
}


class Unreadable(ValueError):  # noqa: N818 - an answer for callers, who say what is too long
    """An expression for which there is no term of a reasonable length."""


def read_back(expression: SX, symbols: Iterable[tuple[SX, Term]], *, longest: int) -> Term:
    """A scalar ``expression`` of ``symbols`` as a term of what they stand for.

    ``longest`` is how many operations it may have.
    """
    inputs, meanings = zip(*symbols, strict=True)
    program = ca.Function("read_back", [ca.vertcat(*inputs)], [ca.SX(expression)])
    work: dict[int, tuple[Term, int]] = {}
    for k in range(program.n_instructions()):
        operation, places = program.instruction_id(k), program.instruction_input(k)
        if operation == ca.OP_OUTPUT:
            return work[places[0]][0]
        if operation == ca.OP_INPUT:
            found = meanings[places[1]], 1
        elif operation == ca.OP_CONST:
            found = Number(program.instruction_constant(k)), 1
        else:
            found = _operation(operation, [work[place] for place in places])
        if found[1] > longest:
            raise Unreadable
        work[program.instruction_output(k)[0]] = found
    return Number(0.0)  # of an expression that is structurally zero


def _operation(operation: int, parts: list[tuple[Term, int]]) -> tuple[Term, int]:
    if operation not in _OPERATIONS:
        raise Unreadable
    made = _OPERATIONS[operation](*(term for term, _ in parts))
    return made, 1 + sum(length for _, length in parts)
