"""A small interpreter for UPPAAL's expressions and functions, on numbers.

Assignments happen one after the other. Code that divides by zero, leaves a range or an array, or
loops without end raises a `Fault`, which ends the run with a sentence; a name or a use that makes
no sense is a `Mistake` at its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from dyverse.automaton.network.component import Fault
from dyverse.errors import Span
from dyverse.uppaal.language.expression import (
    Application,
    Choice,
    Constant,
    Element,
    Expression,
    Infix,
    Member,
    Prefix,
    Quantifier,
    Reference,
    Suffix,
    Type,
    Update,
)
from dyverse.uppaal.language.printing import expression_text
from dyverse.uppaal.language.syntax import (
    Assert,
    Block,
    Empty,
    Evaluate,
    For,
    If,
    Iterate,
    Parameter,
    Remark,
    Return,
    Statement,
    TypeDefinition,
    Variables,
    While,
)
from dyverse.uppaal.language.words import BUILT_IN
from dyverse.uppaal.meaning.arithmetic import Number, applied, combined
from dyverse.uppaal.meaning.chance import DRAWS, STATES, drawn
from dyverse.uppaal.meaning.declare import declare_locals, kind_of_type, span_of_range
from dyverse.uppaal.meaning.kinds import INT32, ArrayOf, RecordOf, Scalar, leaves, same_shape
from dyverse.uppaal.meaning.scope import Alias, FunctionMeant, Scope, Stored, mistake
from dyverse.uppaal.meaning.variables import MAX_CALLS, RANDOM, Located, Memory, shown

Value = Number | Located


class _Returned(Exception):  # noqa: N818 - how a function is left, not an error
    """By ``return``."""

    def __init__(self, value: Value = 0) -> None:
        super().__init__()
        self.value = value


class Machine:
    """Evaluates expressions and runs statements on one memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def number(self, expression: Expression, scope: Scope) -> Number:
        """The number that ``expression`` stands for."""
        return self._loaded(self.value(expression, scope), expression.span)

    def _loaded(self, value: Value, span: Span | None) -> Number:
        if not isinstance(value, Located):
            return value
        if isinstance(value.kind, Scalar) and value.kind.kind not in ("chan", "void"):
            return self.memory.read(value.path, value.kind)
        raise mistake("this is no number", span)

    def value(self, expression: Expression, scope: Scope) -> Value:
        """A number, or a place in memory."""
        self.memory.step()
        match expression:
            case Constant(text=text):
                return literal(text)
            case Reference(name=name) if isinstance(alias := scope.find(name), Alias):
                return self.value(alias.expression, alias.scope)
            case Reference() | Element() | Member():
                return self.place(expression, scope)
            case Prefix():
                return self._prefix(expression, scope)
            case Suffix():
                return self._suffix(expression, scope)
            case Infix():
                return self._infix(expression, scope)
            case Choice(test=test, yes=yes, no=no):
                return self.value(yes if self.number(test, scope) else no, scope)
            case Application():
                return self._call(expression, scope)
            case Update():
                return self._update(expression, scope)
            case Quantifier():
                return self._quantifier(expression, scope)
            case _:
                assert_never(expression)

    def place(self, expression: Expression, scope: Scope) -> Located:
        """The place in memory that ``expression`` names."""
        match expression:
            case Reference(name=name, span=span):
                meaning = scope.find(name)
                if isinstance(meaning, Alias):
                    return self.place(meaning.expression, meaning.scope)
                return self._stored(scope.stored(name, span))
            case Element(base=base, index=index):
                found, number = self.place(base, scope), self.number(index, scope)
                if not isinstance(found.kind, ArrayOf):
                    raise mistake("only an array has elements", expression.span)
                low, high = found.kind.low, found.kind.low + found.kind.size - 1
                if not low <= number <= high:
                    array = shown(found.path)
                    raise Fault(f"{array}[{number}] is outside of its indices {low} … {high}")
                return Located(f"{found.path}[{number}]", found.kind.item, found.constant)
            case Member(base=base, name=name):
                found = self.place(base, scope)
                inner = found.kind.field(name) if isinstance(found.kind, RecordOf) else None
                if inner is None:
                    raise mistake(f"there is no field {name!r} here", expression.span)
                return Located(f"{found.path}.{name}", inner, found.constant)
            case Update() | Prefix() | Application() | Choice():
                value = self.value(expression, scope)
                if isinstance(value, Located):
                    return value
        raise mistake("this is no variable", expression.span)

    def _stored(self, stored: Stored) -> Located:
        if stored.values and stored.values[0][0] not in self.memory.held:
            self.memory.held.update(stored.values)
        return Located(stored.path, stored.kind, stored.is_constant)

    def _prefix(self, expression: Prefix, scope: Scope) -> Value:
        if expression.operator in ("++", "--"):
            place = self.place(expression.operand, scope)
            self._write(place, self._stepped(place, expression.operator), expression.span)
            return place
        number = self.number(expression.operand, scope)
        return {"-": -number, "+": number, "!": int(not number)}[expression.operator]

    def _suffix(self, expression: Suffix, scope: Scope) -> Number:
        if expression.operator == "'":
            raise mistake("a rate stands only in an invariant, as x' == …", expression.span)
        place = self.place(expression.operand, scope)
        before = self._loaded(place, expression.span)
        self._write(place, self._stepped(place, expression.operator), expression.span)
        return before

    def _stepped(self, place: Located, sign: str) -> Number:
        assert isinstance(place.kind, Scalar)
        return self.memory.read(place.path, place.kind) + (1 if sign == "++" else -1)

    def _infix(self, expression: Infix, scope: Scope) -> Number:
        sign = expression.operator
        if sign in ("&&", "||", "imply"):
            left = bool(self.number(expression.left, scope))
            left = not left if sign == "imply" else left
            decided = left == (sign != "&&")
            return int(left if decided else bool(self.number(expression.right, scope)))
        left_side, right_side = (
            self.value(expression.left, scope),
            self.value(expression.right, scope),
        )
        if sign in ("==", "!=") and _is_whole_thing(left_side):
            same = self._equal(left_side, right_side, expression.span)
            return int(same == (sign == "=="))
        a = self._loaded(left_side, expression.left.span)
        return combined(sign, a, self._loaded(right_side, expression.right.span))

    def _equal(self, left: Value, right: Value, span: Span | None) -> bool:
        """Whether two arrays or records are the same in all their parts."""
        if not (isinstance(left, Located) and isinstance(right, Located)) or not same_shape(
            left.kind, right.kind
        ):
            raise mistake("these cannot be compared", span)
        pairs = zip(leaves(left.kind, left.path), leaves(right.kind, right.path), strict=True)
        return all(self.memory.read(*one) == self.memory.read(*other) for one, other in pairs)

    def _update(self, expression: Update, scope: Scope) -> Value:
        place, sign = self.place(expression.target, scope), expression.operator
        if not isinstance(place.kind, Scalar):
            value = self.value(expression.value, scope)
            fits = isinstance(value, Located) and same_shape(value.kind, place.kind)
            if sign != "=" or not isinstance(value, Located) or not fits:
                raise mistake("this does not fit the type of the left side", expression.span)
            self._check_variable(place, expression.span)
            self.memory.copy(value, place)
            return place
        number = self.number(expression.value, scope)
        if sign != "=":
            number = combined(sign[:-1], self.memory.read(place.path, place.kind), number)
        self._write(place, number, expression.span)
        return place

    def _write(self, place: Located, number: Number, span: Span | None) -> None:
        self._check_variable(place, span)
        assert isinstance(place.kind, Scalar)
        self.memory.write(place.path, place.kind, number)

    def _check_variable(self, place: Located, span: Span | None) -> None:
        if place.constant:
            raise mistake(f"{shown(place.path)!r} is a constant", span)

    def _quantifier(self, expression: Quantifier, scope: Scope) -> Number:
        bodies = self._each(expression.variable, expression.type, expression.body, scope)
        match expression.kind:
            case "forall":
                return int(all(bodies))
            case "exists":
                return int(any(bodies))
            case _:
                return sum(bodies)

    def _each(self, variable: str, type_: Type, body: Expression, scope: Scope) -> Iterable[Number]:
        for number in span_of_range(type_, scope, self):
            inner = bound(scope, variable, number)
            yield self.number(body, inner)

    def _call(self, call: Application, scope: Scope) -> Value:
        if not isinstance(call.function, Reference):
            raise mistake("only a function can be called", call.span)
        name = call.function.name
        meaning = scope.find(name)
        if isinstance(meaning, FunctionMeant):
            return self._function(call, meaning, scope)
        if name not in BUILT_IN:
            raise mistake(f"unknown function {name!r}", call.span)
        if BUILT_IN[name] != len(call.arguments):
            message = f"{name} takes {BUILT_IN[name]} arguments, not {len(call.arguments)}"
            raise mistake(message, call.span)
        numbers = [self.number(argument, scope) for argument in call.arguments]
        if name not in DRAWS:
            return applied(name, numbers)
        scalar = Scalar("int", 0, STATES)
        number, state = drawn(name, self.memory.read(RANDOM, scalar), numbers)
        self.memory.write(RANDOM, scalar, state)
        return number

    def _function(self, call: Application, meaning: FunctionMeant, scope: Scope) -> Value:
        function = meaning.function
        if len(function.parameters) != len(call.arguments):
            wanted = len(function.parameters)
            message = f"{function.name} takes {wanted} arguments, not {len(call.arguments)}"
            raise mistake(message, call.span)
        inner = meaning.scope.inner()
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            self._pass(parameter, argument, inner, scope)
        self.memory.calls += 1
        if self.memory.calls > MAX_CALLS:
            raise Fault(f"{function.name} calls itself more than {MAX_CALLS} times")
        try:
            self.run(function.body, inner)
        except _Returned as left:
            return left.value
        finally:
            self.memory.calls -= 1
        return 0

    def _pass(self, parameter: Parameter, argument: Expression, inner: Scope, scope: Scope) -> None:
        if parameter.by_reference:
            found = self.place(argument, scope)
            stored = Stored(found.path, found.kind)
        else:
            kind = kind_of_type(parameter.type, parameter.dimensions, inner, self)
            stored = Stored(self.memory.fresh(parameter.name), kind)
            target = Located(stored.path, kind)
            if isinstance(kind, Scalar):
                self._write(target, self.number(argument, scope), argument.span)
            else:
                self.memory.copy(self.place(argument, scope), target)
        inner.names[parameter.name] = stored

    def run(self, statement: Statement, scope: Scope) -> None:
        """Run one statement."""
        self.memory.step()
        match statement:
            case Block(items=items):
                inner = scope.inner()
                for item in items:
                    self.run(item, inner)
            case Evaluate(expression=expression):
                self.value(expression, scope)
            case If(tests=tests, yes=yes, no=no):
                branch = yes if self._last(tests, scope) else no
                if branch is not None:
                    self.run(branch, scope)
            case For() | While() | Iterate():
                self._loop(statement, scope)
            case Return(value=value):
                raise _Returned(0 if value is None else self._returned(value, scope))
            case Assert(condition=condition):
                if not self.number(condition, scope):
                    raise Fault(f"assert {expression_text(condition)} does not hold")
            case Variables() | TypeDefinition():
                declare_locals(statement, scope, self)
            case Empty() | Remark():
                pass
            case _:
                assert_never(statement)

    def _returned(self, value: Expression, scope: Scope) -> Value:
        found = self.value(value, scope)
        return found if _is_whole_thing(found) else self._loaded(found, value.span)

    def _last(self, tests: tuple[Expression, ...], scope: Scope) -> Number:
        """Evaluate all; the last one counts, and no test at all is true."""
        results = [self.number(test, scope) for test in tests]
        return results[-1] if results else 1

    def _loop(self, loop: For | While | Iterate, scope: Scope) -> None:
        match loop:
            case For(first=first, tests=tests, then=then, body=body):
                self._last(first, scope)
                while self._last(tests, scope):
                    self.run(body, scope)
                    self._last(then, scope)
            case Iterate(variable=variable, type=type_, body=body):
                for number in span_of_range(type_, scope, self):
                    self.run(body, bound(scope, variable, number))
            case While(tests=tests, body=body, kind=kind):
                while kind == "do" or self._last(tests, scope):
                    self.run(body, scope)
                    if kind == "do" and not self._last(tests, scope):
                        break


def _is_whole_thing(value: Value) -> bool:
    return isinstance(value, Located) and not isinstance(value.kind, Scalar)


def bound(scope: Scope, variable: str, number: Number) -> Scope:
    """``scope`` with one more constant."""
    inner = Scope(scope, scope.prefix, is_value=True)
    path = f"{variable}={number}"  # no variable is called so
    inner.names[variable] = Stored(path, INT32, ((path, number),))
    return inner


def literal(text: str) -> Number:
    """The number that a literal stands for."""
    if text in ("true", "false"):
        return int(text == "true")
    return int(text) if text.isdigit() else float(text)
