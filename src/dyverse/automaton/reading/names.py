"""Names, terms and conditions of automata in a text, checked in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from dyverse.errors import Problem, did_you_mean
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import CONSTANTS, Call, Symbol, Term, children
from dyverse.text.instances import TIME
from dyverse.text.mistakes.calls import call_message, missing_value
from dyverse.text.syntax.automata import Kind
from dyverse.text.syntax.elements import Name, Row, Value
from dyverse.text.tree.part import is_bare

Problems = Iterator[Problem]
Signal = Callable[[str], str]
"""What is wrong with a signal of contacts, ``gap[ball,floor]``, or nothing."""


def no_signal(name: str) -> str:
    """Without bodies there is none."""
    return f"{name!r} is a signal of bodies, and there are none"


@dataclass(frozen=True, slots=True)
class Names:
    """Every name that a term of an automaton may use."""

    constants: frozenset[str]  # parameters of the model and of the automaton
    own: Mapping[str, Kind]
    others: Mapping[str, Kind]  # variables of other components and of bodies
    inputs: frozenset[str] = frozenset()  # which may be read, not assigned
    signal: Signal = no_signal

    def symbol(self, name: str, *, constant: bool) -> str:
        """What is wrong with using ``name``, or nothing."""
        if name in self.constants or name in CONSTANTS:
            return ""
        if name in self.own or name in self.others or name in self.inputs or name == TIME:
            return f"this must be constant, and {name!r} changes in time" if constant else ""
        if "[" in name:
            return f"this must be constant, and {name!r} changes" if constant else self.signal(name)
        known = [*self.constants, *self.own, *self.others, *self.inputs]
        return f"unknown name {name!r}{missing_value(name) or did_you_mean(name, sorted(known))}"

    def is_truth(self, name: str) -> bool:
        """Whether ``name`` can stand alone as a condition."""
        return name in self.constants or "bool" in (self.own.get(name), self.others.get(name))


def value_problems(value: Value, names: Names, *, constant: bool = False) -> Problems:
    """What is wrong with a value that must be a number."""
    if isinstance(value, Row):
        yield Problem("expected a number, found a vector", value.span)
    else:
        yield from term_problems(value, names, constant=constant)


def term_problems(term: Term, names: Names, *, constant: bool = False) -> Problems:
    """Every name and function in ``term`` that is unknown, or changes where it must not."""
    message = ""
    if isinstance(term, Symbol):
        message = names.symbol(term.name, constant=constant)
    elif isinstance(term, Call):
        message = call_message(term)
    if message:
        yield Problem(message, term.span)
    for child in children(term):
        yield from term_problems(child, names, constant=constant)


def condition_problems(formula: Formula, names: Names) -> Problems:
    """The same for a condition; a name alone must be a Boolean."""
    match formula:
        case Compare(left=left, right=right):
            found = [*term_problems(left, names), *term_problems(right, names)]
            yield from found
            if not found and is_bare(formula) and isinstance(left, Symbol):
                yield from _truth(left, names)
        case Not(part=part):
            yield from condition_problems(part, names)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from condition_problems(part, names)


def _truth(name: Symbol, names: Names) -> Problems:
    if not names.is_truth(name.name):
        message = f"expected a condition such as '{name.name} > 0', found a number"
        yield Problem(message, name.span)


def twice(what: str, names: Iterable[Name]) -> Problems:
    """Names that are given more than once."""
    seen: set[str] = set()
    for name in names:
        if name.text in seen:
            yield Problem(f"the {what} {name.text!r} is given twice", name.span)
        seen.add(name.text)
