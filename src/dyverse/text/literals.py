"""Literals kept as they were written: each becomes a parameter of its own.

A proof is about the model as it stands in the text, where 0.1 is a tenth, not the float next to it,
and 1/3 a third. So every literal besides 0 and 1, and π, is replaced by a parameter that has its
value: to whoever computes in floats nothing changes, nothing is worked out in floats beforehand,
and whoever encloses numbers puts in the decimal. Literal exponents stay, as do the limits of
parameters and inputs, which are a matter of what is asked, priorities, which are no quantities, and
vertices, whose hull is worked out when a model is read: proofs refuse numbers that are not known
exactly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import assert_never, cast

from dyverse.errors import Span
from dyverse.expr.term import CONSTANTS, Binary, Call, Negate, Number, Symbol, Term, negate
from dyverse.text.functions import mapped
from dyverse.text.syntax.automata import DiscontinuousStatement
from dyverse.text.syntax.drawings import SceneStatement
from dyverse.text.syntax.elements import Definition, Entry
from dyverse.text.syntax.statements import (
    InputStatement,
    Model,
    Name,
    ParameterStatement,
    Statement,
)
from dyverse.text.units import written_decimal

_LITERAL = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
KEPT = ("priority", "polyhedron")  # the entries whose numbers stay
WIDTH = "0.000001"  # of a surface that is written without one
_WORDS = {".": "_", "-": "m", "+": ""}


def with_literals(model: Model, text: str) -> tuple[Model, Mapping[str, str]]:
    """The syntax tree of ``text`` with its literals as parameters, and the decimal of each.

    The decimal of π is its name.
    """
    literals = _Literals(text)
    statements = tuple(map(literals.taken_out, model.statements))
    own = (ParameterStatement(Name(n), Number(_float(d))) for n, d in literals.names.items())
    return Model((*own, *statements)), literals.names


def _float(decimal: str) -> float:
    return CONSTANTS[decimal] if decimal in CONSTANTS else float(decimal)


class _Literals:
    """The literals found so far, by the names of their parameters."""

    def __init__(self, text: str) -> None:
        self.names: dict[str, str] = {}
        self._lines, self._prefix = text.splitlines(), "literal"
        while self._prefix in text:
            self._prefix += "_"

    def taken_out(self, statement: Statement) -> Statement:
        """A statement without literals."""
        if isinstance(statement, ParameterStatement):
            return replace(statement, value=mapped(statement.value, self._of_term))
        if isinstance(statement, InputStatement):
            return replace(statement, definitions=tuple(map(self._of_input, statement.definitions)))
        if isinstance(statement, SceneStatement):
            return statement  # nothing is proved about drawings
        if isinstance(statement, DiscontinuousStatement):
            statement = self._with_width(statement)
        return cast(Statement, mapped(statement, self._of_term, kept=KEPT))

    def _with_width(self, statement: DiscontinuousStatement) -> DiscontinuousStatement:
        """The usual width is a literal, too, although nobody wrote it."""
        if any(
            isinstance(entry, Entry) and entry.keyword == "width" for entry in statement.entries
        ):
            return statement
        width = Entry("width", self._named(WIDTH, None))
        return replace(statement, entries=(*statement.entries, width))

    def _of_input(self, definition: Definition) -> Definition:
        """Limits of an input stay, as does the number of its pieces."""
        return replace(definition, formula=mapped(definition.formula, self._of_term))

    def _of_term(self, term: Term) -> Term:
        match term:
            case Binary(operator="^", right=Number()):
                return replace(term, left=self._of_term(term.left))
            case Binary():
                return replace(term, left=self._of_term(term.left), right=self._of_term(term.right))
            case Negate():
                return replace(term, operand=self._of_term(term.operand))
            case Call():
                return replace(term, arguments=tuple(map(self._of_term, term.arguments)))
            case Symbol():
                return self._named(term.name, term.span) if term.name in CONSTANTS else term
            case Number():
                return self._of_number(term)
            case _:
                assert_never(term)

    def _of_number(self, number: Number) -> Term:
        if abs(number.value) in (0, 1):
            return number
        symbol = self._named(str(self._written(number).normalize()), number.span)
        return negate(symbol, number.span) if number.value < 0 else symbol

    def _named(self, decimal: str, span: Span | None) -> Term:
        name = f"{self._prefix}_{re.sub(r'[.+-]', lambda sign: _WORDS[sign[0]], decimal)}"
        self.names[name] = decimal
        return Symbol(name, span)

    def _written(self, number: Number) -> Decimal:
        """What stands in the text, without sign."""
        found = _LITERAL.findall(self._at(number.span))
        if len(found) == 1 or (found and number.unit):  # a unit may have exponents
            exact = written_decimal(found[0], number.unit)
            if float(exact) == abs(number.value):
                return exact
        return Decimal(repr(abs(number.value)))

    def _at(self, span: Span | None) -> str:
        if span is None or span.line > len(self._lines):
            return ""
        return self._lines[span.line - 1][span.column - 1 : span.end - 1]
