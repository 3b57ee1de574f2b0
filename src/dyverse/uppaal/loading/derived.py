"""Variables that hold what code says: where a guard over clocks needs more than terms can say.

A guard, an invariant or a rate over clocks is a formula or a term, which time is put into. What
stands beside the clocks may be anything over discrete variables: ``x <= timeout()``,
``x >= n / 2``, ``x' == power[mode]``. Time does not change it, so it becomes a variable of its own,
which every edge computes anew that writes to what it reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.automaton.network.component import Fault, Variable
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language.printing import expression_text
from dyverse.uppaal.meaning.declare import kind_of_type
from dyverse.uppaal.meaning.interpret import Machine, bound
from dyverse.uppaal.meaning.kinds import Scalar
from dyverse.uppaal.meaning.scope import Alias, FunctionMeant, Scope
from dyverse.uppaal.meaning.touching import mentions, places, touched
from dyverse.uppaal.meaning.variables import Memory

TRUTHS = ("&&", "||", "imply", "xor", "<", "<=", "==", "!=", ">=", ">")
UNDEFINED = -(2.0**40)  # such as an element behind the end of an array


@dataclass(frozen=True, slots=True)
class Derived:
    """The variable ``path`` is always ``expression``."""

    path: str
    expression: ex.Expression
    scope: Scope = field(compare=False, repr=False)
    reads: tuple[str, ...]
    is_whole: bool  # whether it is an integer

    def value(self, machine: Machine) -> float:
        """Its number now; `UNDEFINED` where it has none, as long as nobody asks for it."""
        try:
            return float(machine.number(self.expression, self.scope))
        except Fault:
            return UNDEFINED


@dataclass(slots=True)
class Derivations:
    """All derived variables of a system, found on the way; each is made once."""

    found: dict[tuple[int, ex.Expression], Derived] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=list)  # kept, so that their numbers stay theirs
    paths: set[str] = field(default_factory=set)

    def path(self, expression: ex.Expression, scope: Scope) -> str | None:
        """The variable that holds ``expression``; none if it changes with time or has effects."""
        scope = _home(expression, scope)
        known = self.found.get((id(scope), expression))
        if known is not None:
            return known.path
        parts = touched([expression], scope)
        if parts.reads_clocks or parts.writes:
            return None
        whole, path = is_whole(expression, scope), self._named(expression, scope)
        made = Derived(path, expression, scope, tuple(parts.reads), whole)
        self.found[id(scope), expression] = made
        self.scopes.append(scope)
        return made.path

    def _named(self, expression: ex.Expression, scope: Scope) -> str:
        path = f"{scope.prefix}({expression_text(expression)})"
        while path in self.paths:
            path += "'"
        self.paths.add(path)
        return path

    def by_variable(self) -> dict[str, tuple[Derived, ...]]:
        """The derived variables that read each variable."""
        found: dict[str, tuple[Derived, ...]] = {}
        for item in self.found.values():
            for name in item.reads:
                found[name] = (*found.get(name, ()), item)
        return found

    def variables(self, starts: dict[str, float]) -> list[Variable]:
        """The variables, with what they are at the start."""
        return [_variable(item, starts) for item in self.found.values()]


def _home(expression: ex.Expression, scope: Scope) -> Scope:
    """The scope without values of a select or a quantifier that the expression does not use."""
    while scope.around is not None and scope.is_value and not mentions(expression, scope.names):
        scope = scope.around
    return scope


def _variable(item: Derived, starts: dict[str, float]) -> Variable:
    start = item.value(Machine(Memory(starts)))
    return Variable(item.path, "int" if item.is_whole else "real", start)


def is_whole(expression: ex.Expression, scope: Scope) -> bool:
    """Whether its values are integers, by its types."""
    match expression:
        case ex.Constant(text=text):
            return text.isdigit() or text in ("true", "false")
        case ex.Reference(name=name) if isinstance(alias := scope.find(name), Alias):
            return is_whole(alias.expression, alias.scope)
        case ex.Reference() | ex.Element() | ex.Member():
            return all(
                isinstance(k, Scalar) and k.is_whole for _, k, _ in places(expression, scope)
            )
        case ex.Infix(operator=sign, left=left, right=right):
            return sign in TRUTHS or (is_whole(left, scope) and is_whole(right, scope))
        case ex.Prefix(operator=sign, operand=operand):
            return sign == "!" or is_whole(operand, scope)
        case ex.Choice(yes=yes, no=no):
            return is_whole(yes, scope) and is_whole(no, scope)
        case ex.Quantifier(kind=kind, variable=variable, body=body):
            return kind != "sum" or is_whole(body, bound(scope, variable, 0))
        case ex.Application(function=ex.Reference(name=name), arguments=arguments):
            meaning = scope.find(name)
            if isinstance(meaning, FunctionMeant):
                machine, result = Machine(Memory({})), meaning.function.result
                given = kind_of_type(result, (), meaning.scope, machine)
                return isinstance(given, Scalar) and given.is_whole
            return name == "abs" and is_whole(arguments[0], scope)
    return False
