"""User-defined functions: every call is replaced by what the function says.

In comes a model with ``function`` statements, out goes one without, and what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from dyverse.errors import Problem, Span
from dyverse.expr.rewrite import Rewrite, rewritten, substitution
from dyverse.expr.term import FUNCTIONS, Binary, Call, Negate, Number, Symbol, Term, children
from dyverse.text.syntax.automata import FunctionStatement
from dyverse.text.syntax.elements import Entry, Row
from dyverse.text.syntax.statements import Model
from dyverse.text.tree.depth import TOO_DEEP, is_too_deep

TERMS = (Number, Symbol, Negate, Binary, Call)
LARGEST = 10_000  # parts of a term, once all calls are replaced
TOO_LARGE = f"with its functions written out, this has over {LARGEST} parts; make it smaller"


def without_functions(model: Model) -> tuple[Model, list[Problem]]:
    """The model with all calls of its own functions replaced, and what is wrong with them."""
    defined = [s for s in model.statements if isinstance(s, FunctionStatement)]
    if not defined:
        return model, []
    calls = _Calls()
    for statement in defined:
        calls.define(statement)
    others = (s for s in model.statements if not isinstance(s, FunctionStatement))
    statements = tuple(mapped(statement, calls.replaced) for statement in others)
    return Model(statements), calls.problems


class _Calls:
    """The functions defined so far, each without calls of others; a function calls earlier ones."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._bodies: dict[str, tuple[tuple[str, ...], Term]] = {}

    def define(self, statement: FunctionStatement) -> None:
        """Add one function, if it makes sense."""
        wrong = list(_wrong(statement, self._bodies))
        self.problems += wrong
        if not wrong and not isinstance(statement.value, Row):
            names = tuple(name.text for name in statement.arguments)
            self._bodies[statement.name.text] = names, self.replaced(statement.value)

    def replaced(self, term: Term) -> Term:
        """``term`` with all calls replaced."""
        made = rewritten(term, self._one)
        if made is not term and (is_too_deep(made) or _is_large(made)):
            self.problems.append(Problem(TOO_DEEP if is_too_deep(made) else TOO_LARGE, term.span))
            return Number(1.0, term.span)
        return made

    def _one(self, term: Term) -> Term:
        if not isinstance(term, Call) or term.function not in self._bodies:
            return term
        names, body = self._bodies[term.function]
        if len(names) != len(term.arguments):
            wanted = "1 argument" if len(names) == 1 else f"{len(names)} arguments"
            message = f"{term.function!r} takes {wanted}, not {len(term.arguments)}"
            self.problems.append(Problem(message, term.span))
            return Number(1.0, term.span)
        meanings = dict(zip(names, term.arguments, strict=True))
        return replace(rewritten(body, substitution(meanings)), span=term.span)


def _wrong(statement: FunctionStatement, bodies: Mapping[str, object]) -> Iterator[Problem]:
    name, seen = statement.name, set[str]()
    if name.text in FUNCTIONS or name.text in bodies:
        yield Problem(f"the function {name.text!r} is there already", name.span)
    for argument in statement.arguments:
        if argument.text in seen:
            yield Problem(f"the argument {argument.text!r} is given twice", argument.span)
        seen.add(argument.text)
    if isinstance(statement.value, Row):
        yield Problem("a function needs a single number, found a vector", statement.value.span)
    elif name.text in _called(statement.value):
        yield Problem(f"{name.text!r} is defined by itself", name.span)


def _called(term: Term) -> set[str]:
    found = {term.function} if isinstance(term, Call) else set()
    return found.union(*map(_called, children(term)))


def _is_large(term: Term) -> bool:
    count, stack = 0, [term]
    while stack and count <= LARGEST:
        count += 1
        stack += children(stack.pop())
    return count > LARGEST


def mapped(node: Any, rewrite: Rewrite, kept: tuple[str, ...] = ()) -> Any:  # any part of a tree
    """A part of a syntax tree with ``rewrite`` applied to each whole term in it.

    Entries whose keyword is in ``kept`` stay as they are.
    """
    if isinstance(node, TERMS):
        return rewrite(node)
    if isinstance(node, tuple):
        return tuple(mapped(item, rewrite, kept) for item in node)
    if not (names := _parts(node.__class__)) or (isinstance(node, Entry) and node.keyword in kept):
        return node
    return replace(node, **{name: mapped(getattr(node, name), rewrite, kept) for name in names})


def terms(node: Any) -> Iterator[Term]:  # any part of a tree
    """Each whole term in a part of a syntax tree."""
    if isinstance(node, TERMS):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from terms(item)
    else:
        for name in _parts(node.__class__):
            yield from terms(getattr(node, name))


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a class of syntax that can hold terms: not its place in the text."""
    found = fields(kind) if is_dataclass(kind) and kind is not Span else ()
    return tuple(item.name for item in found if item.name != "span")
