"""UPPAAL's expressions as terms and formulas, where they can be said that way.

An expression becomes *cases*: formulas that exclude each other, and a term where each holds. So
``a[i]`` with a variable index has one case per element, and ``b ? x : y`` has two. What has no
such form (integer division, bit operations, functions with loops) is `NotSymbolic`; if it is over
discrete variables it can still be a variable of its own (`dyverse.uppaal.loading.derived`), or run
as a procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from dyverse.errors import Span
from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Not, Or, Relation, both, either
from dyverse.expr.term import Binary, Call, Number, Symbol, Term, negate
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language.syntax import Remark, Return
from dyverse.uppaal.loading.derived import Derivations
from dyverse.uppaal.meaning.declare import span_of_range
from dyverse.uppaal.meaning.interpret import Machine, bound
from dyverse.uppaal.meaning.kinds import ArrayOf, Scalar, leaves
from dyverse.uppaal.meaning.scope import Alias, FunctionMeant, Scope, Stored, mistake
from dyverse.uppaal.meaning.touching import known_number, places
from dyverse.uppaal.meaning.variables import Memory

MAX_CASES = 256
MAX_ELEMENTS = 12  # of an array with a variable index, or of two that are compared
RELATIONS: dict[str, Relation] = {r: r for r in ("<", "<=", "==", ">=", ">", "!=")}
_TERMS = {
    "abs": "abs",
    "fabs": "abs",
    "exp": "exp",
    "ln": "log",
    "sqrt": "sqrt",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "atan2": "atan2",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "ceil": "ceil",
    "floor": "floor",
    "fmax": "max",
    "fmin": "min",
}


class NotSymbolic(Exception):  # noqa: N818 - a fact about an expression, not an error
    """An expression that is neither term nor formula."""

    def __init__(self, why: str, span: Span | None) -> None:
        super().__init__(why)
        self.why, self.span = why, span


@dataclass(frozen=True, slots=True)
class Case:
    """Where ``where`` holds, the value is ``term``; ``whole`` says that it is an integer."""

    where: Formula
    term: Term
    whole: bool


Cases = list[Case]


@dataclass(slots=True)
class Symbolic:
    """Translates in one scope; ``now`` has the terms of variables that were assigned before.

    With ``derived``, what is over discrete variables and no term becomes a variable.
    """

    scope: Scope
    now: Mapping[str, Term] = field(default_factory=dict)
    derived: Derivations | None = None

    def formula(self, expression: ex.Expression) -> Formula:
        """A condition as a formula."""
        number = known_number(expression, self.scope)
        if number is not None:
            return TRUE if number else FALSE
        try:
            return self._formula(expression)
        except NotSymbolic as reason:
            return Compare("!=", self._variable_for(expression, reason), Number(0.0))

    def _variable_for(self, expression: ex.Expression, reason: NotSymbolic) -> Term:
        """A variable that holds the expression, or the reason why there is no term for it."""
        path = None if self.derived is None else self.derived.path(expression, self.scope)
        if path is None:
            raise reason
        return Symbol(path)

    def _inner(self, scope: Scope) -> Symbolic:
        return Symbolic(scope, self.now, self.derived)

    def _formula(self, expression: ex.Expression) -> Formula:
        match expression:
            case ex.Infix(operator="&&", left=left, right=right):
                return both(self.formula(left), self.formula(right))
            case ex.Infix(operator="||", left=left, right=right):
                return either(self.formula(left), self.formula(right))
            case ex.Infix(operator="imply", left=left, right=right):
                return either(Not(self.formula(left)), self.formula(right))
            case ex.Infix(operator="xor", left=left, right=right):
                a, b = self.formula(left), self.formula(right)
                return Or((And((a, Not(b))), And((Not(a), b))))
            case ex.Infix(operator=sign, left=left, right=right) if sign in RELATIONS:
                return self._comparison(RELATIONS[sign], left, right)
            case ex.Prefix(operator="!", operand=operand):
                return Not(self.formula(operand))
            case ex.Quantifier(kind="forall" | "exists" as kind):
                parts = [inner.formula(expression.body) for inner in self._each(expression)]
                return both(*parts) if kind == "forall" else either(*parts)
            case ex.Choice(test=test, yes=yes, no=no):
                f = self.formula(test)
                return either(both(f, self.formula(yes)), both(Not(f), self.formula(no)))
            case ex.Application() if (inlined := self._inlined(expression)) is not None:
                return inlined[0].formula(inlined[1])
            case ex.Reference(name=name) if isinstance(alias := self.scope.find(name), Alias):
                return self._inner(alias.scope).formula(alias.expression)
        return _any(self.cases(expression), lambda term: Compare("!=", term, Number(0.0)))

    def term(self, expression: ex.Expression) -> Case:
        """A number as one term that holds everywhere."""
        found = self.cases(expression)
        if len(found) != 1:
            reason = NotSymbolic("its value depends on a case", expression.span)
            return Case(TRUE, self._variable_for(expression, reason), whole=True)
        return found[0]

    def blended(self, expression: ex.Expression) -> Term:
        """A number as one term, with variables for which case it is: ``on ? -x : 1`` as a sum."""
        try:
            return self.term(expression).term
        except NotSymbolic as reason:
            match expression:
                case ex.Choice(test=test, yes=yes, no=no):
                    truth = ex.Infix("!=", test, ex.Constant("0"), test.span)
                    share = self._variable_for(truth, reason)
                    return share * self.blended(yes) + (Number(1.0) - share) * self.blended(no)
                case ex.Infix(operator="+" | "-" | "*" as sign, left=left, right=right):
                    return Binary(sign, self.blended(left), self.blended(right))
                case ex.Prefix(operator="-", operand=operand):
                    return negate(self.blended(operand))
                case ex.Application() if (inlined := self._inlined(expression)) is not None:
                    return inlined[0].blended(inlined[1])
                case ex.Reference(name=name) if isinstance(alias := self.scope.find(name), Alias):
                    return self._inner(alias.scope).blended(alias.expression)
            raise

    def cases(self, expression: ex.Expression) -> Cases:
        """A number as terms, each with where it holds."""
        number = known_number(expression, self.scope)
        if number is not None:
            return [Case(TRUE, Number(float(number)), isinstance(number, int))]
        try:
            found = self._cases(expression)
            if len(found) > MAX_CASES:
                raise NotSymbolic(f"it has more than {MAX_CASES} cases", expression.span)
        except NotSymbolic as reason:
            return [Case(TRUE, self._variable_for(expression, reason), whole=True)]
        return found

    def _cases(self, expression: ex.Expression) -> Cases:
        match expression:
            case ex.Reference(name=name) if isinstance(alias := self.scope.find(name), Alias):
                return self._inner(alias.scope).cases(alias.expression)
            case ex.Reference() | ex.Element() | ex.Member():
                return self._variable(expression)
            case ex.Prefix(operator="-", operand=operand):
                return [Case(c.where, negate(c.term), c.whole) for c in self.cases(operand)]
            case ex.Prefix(operator="+", operand=operand):
                return self.cases(operand)
            case ex.Choice(test=test, yes=yes, no=no):
                holds = self.formula(test)
                parts = ((holds, self.cases(yes)), (Not(holds), self.cases(no)))
                return [
                    Case(both(f, c.where), c.term, c.whole) for f, found in parts for c in found
                ]
            case ex.Quantifier(kind="sum", body=body):
                zero = [Case(TRUE, Number(0.0), True)]
                sums = (inner.cases(body) for inner in self._each(expression))
                return reduce(lambda a, b: _joined("+", a, b), sums, zero)
            case ex.Infix(operator=sign, left=left, right=right) if sign in _ARITHMETIC:
                return _joined(sign, self.cases(left), self.cases(right), expression.span)
            case ex.Application():
                return self._application(expression)
            case ex.Constant() | ex.Infix() | ex.Prefix() | ex.Quantifier():
                return self._truth(expression)
            case ex.Suffix(operator="'"):
                raise mistake("a rate stands only in an invariant, as x' == …", expression.span)
        raise NotSymbolic("it has side effects", expression.span)

    def _truth(self, expression: ex.Expression) -> Cases:
        """A condition as the number 1 or 0."""
        if isinstance(expression, ex.Infix) and expression.operator not in _CONDITIONS:
            raise NotSymbolic(f"'{expression.operator}' is no term", expression.span)
        if isinstance(expression, ex.Prefix) and expression.operator != "!":
            raise NotSymbolic("it has side effects", expression.span)
        f = self.formula(expression)
        return [Case(f, Number(1.0), True), Case(Not(f), Number(0.0), True)]

    def _variable(self, expression: ex.Expression) -> Cases:
        """One case for each element that may be meant."""
        match expression:
            case ex.Element(base=base, index=index) if known_number(index, self.scope) is None:
                arrays = places(base, self.scope)
                if len(arrays) > 1 or not isinstance(arrays[0][1], ArrayOf):
                    raise NotSymbolic("it has several variable indices", expression.span)
                path, kind, _ = arrays[0]
                assert isinstance(kind, ArrayOf)
                if kind.size > MAX_ELEMENTS and not _has_clocks(kind):
                    raise NotSymbolic(f"it has {kind.size} cases", expression.span)
                found: Cases = []
                for i in range(kind.low, kind.low + kind.size):
                    where = self._comparison("==", index, ex.Constant(str(i)))
                    found.append(self._leaf(f"{path}[{i}]", kind.item, where, base))
                return found
        options = places(expression, self.scope)
        if len(options) != 1:
            raise NotSymbolic("it has several variable indices", expression.span)
        return [self._leaf(options[0][0], options[0][1], TRUE, expression)]

    def _leaf(self, path: str, kind: object, where: Formula, at: ex.Expression) -> Case:
        if not isinstance(kind, Scalar) or kind.kind in ("chan", "void"):
            raise NotSymbolic("it is no number", at.span)
        held = _constants(at, self.scope).get(path)
        term = Number(float(held)) if held is not None else self.now.get(path, Symbol(path))
        return Case(where, term, kind.is_whole)

    def _comparison(self, sign: Relation, left: ex.Expression, right: ex.Expression) -> Formula:
        if sign in ("==", "!=") and (parts := self._parts(left)) is not None:
            others = self._parts(right)
            if others is None or len(parts) != len(others) or len(parts) > MAX_ELEMENTS:
                raise NotSymbolic("it compares whole arrays or records", left.span)
            same = both(*(Compare("==", a, b) for a, b in zip(parts, others, strict=True)))
            return same if sign == "==" else Not(same)
        pairs = [(a, b) for a in self.cases(left) for b in self.cases(right)]
        if len(pairs) > MAX_CASES:
            raise NotSymbolic(f"it has more than {MAX_CASES} cases", left.span)
        return either(*(both(a.where, b.where, Compare(sign, a.term, b.term)) for a, b in pairs))

    def _parts(self, expression: ex.Expression) -> list[Term] | None:
        """The numbers of a whole array or record; none if it is a number itself."""
        if not isinstance(expression, ex.Reference | ex.Element | ex.Member):
            return None
        if isinstance(expression, ex.Reference):
            alias = self.scope.find(expression.name)
            if isinstance(alias, Alias):
                return self._inner(alias.scope)._parts(alias.expression)
        found = places(expression, self.scope)
        if isinstance(found[0][1], Scalar):
            return None
        if len(found) != 1:
            raise NotSymbolic("it has a variable index", expression.span)
        path, kind, _ = found[0]
        return [self._leaf(leaf, s, TRUE, expression).term for leaf, s in leaves(kind, path)]

    def _application(self, call: ex.Application) -> Cases:
        if (inlined := self._inlined(call)) is not None:
            return inlined[0].cases(inlined[1])
        name = call.function.name if isinstance(call.function, ex.Reference) else ""
        if name == "pow" and len(call.arguments) == 2:
            base, exponent = map(self.cases, call.arguments)
            return _joined("**", base, exponent, call.span)
        if name not in _TERMS or isinstance(self.scope.find(name), FunctionMeant):
            raise NotSymbolic(f"{name or 'this'} is no function of terms", call.span)
        arguments = [self.term(argument) for argument in call.arguments]
        whole = name in ("abs", "fmax", "fmin") and all(a.whole for a in arguments)
        return [Case(TRUE, Call(_TERMS[name], tuple(a.term for a in arguments)), whole)]

    def _inlined(self, call: ex.Application) -> tuple[Symbolic, ex.Expression] | None:
        """A function that only returns an expression, as that expression."""
        name = call.function.name if isinstance(call.function, ex.Reference) else ""
        meaning = self.scope.find(name)
        if not isinstance(meaning, FunctionMeant):
            return None
        body = [item for item in meaning.function.body.items if not isinstance(item, Remark)]
        only = body[0] if len(body) == 1 else None
        if not isinstance(only, Return) or only.value is None:
            return None
        inner = meaning.scope.inner()
        for parameter, argument in zip(meaning.function.parameters, call.arguments, strict=True):
            inner.names[parameter.name] = Alias(argument, self.scope)
        return Symbolic(inner, self.now), only.value  # if it is no term, the call is a variable

    def _each(self, quantifier: ex.Quantifier) -> list[Symbolic]:
        machine = Machine(Memory({}))
        values = span_of_range(quantifier.type, self.scope, machine)
        if len(values) > MAX_CASES:
            raise NotSymbolic(f"it has more than {MAX_CASES} cases", quantifier.span)
        name = quantifier.variable
        return [self._inner(bound(self.scope, name, i)) for i in values]


_ARITHMETIC = ("+", "-", "*", "/", "**", "<?", ">?")
_CONDITIONS = ("&&", "||", "imply", "xor", *RELATIONS)


def _joined(sign: str, left: Cases, right: Cases, span: Span | None = None) -> Cases:
    found = [
        Case(both(a.where, b.where), _combined(sign, a, b, span), a.whole and b.whole)
        for a in left
        for b in right
    ]
    if len(found) > MAX_CASES:
        raise NotSymbolic(f"it has more than {MAX_CASES} cases", span)
    return found


def _combined(sign: str, a: Case, b: Case, span: Span | None) -> Term:
    match sign:
        case "+" | "-" | "*":
            return Binary(sign, a.term, b.term)
        case "/" if not (a.whole and b.whole):
            return Binary("/", a.term, b.term)
        case "**" if not (a.whole and b.whole):
            return Binary("^", a.term, b.term)
        case "<?" | ">?":
            return Call("min" if sign == "<?" else "max", (a.term, b.term))
    raise NotSymbolic("it divides integers", span)


def _has_clocks(kind: ArrayOf) -> bool:
    """Whether there are clocks in it, for which no other variable can stand."""
    return any(scalar.kind == "clock" for _, scalar in leaves(kind, ""))


def equal_to(cases: Cases, number: int) -> Formula:
    """Where the number that ``cases`` stand for is this one."""
    return _any(cases, lambda term: Compare("==", term, Number(float(number))))


def _any(cases: Cases, claim: Callable[[Term], Formula]) -> Formula:
    return either(*(both(case.where, claim(case.term)) for case in cases))


def _constants(expression: ex.Expression, scope: Scope) -> dict[str, float]:
    """The numbers of the constant that ``expression`` is a part of."""
    while isinstance(expression, ex.Element | ex.Member):
        expression = expression.base
    meaning = scope.find(expression.name) if isinstance(expression, ex.Reference) else None
    if isinstance(meaning, Alias):
        return _constants(meaning.expression, meaning.scope)
    return dict(meaning.values or ()) if isinstance(meaning, Stored) else {}
