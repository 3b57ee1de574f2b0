"""The pieces that a syntax tree is put together from: values with their places and depth."""

from __future__ import annotations

from typing import NamedTuple

from lark import Token

from dyverse.errors import Problem, Span
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import Joined, Ordered, Quantified, Requirement
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term
from dyverse.text.indices import NoIndex, indices, plain_name
from dyverse.text.syntax.elements import Name, Row
from dyverse.text.tree.depth import MAX_DEPTH, TOO_DEEP, own_depth

MAX_BRACKETS = 200
SIGNALS = "; a signal has two bodies, gap[ball, floor], or is an action of automata: action[hit]"


class Mistake(Exception):  # noqa: N818 - not for users: it becomes a Problem of a ParseError
    """A statement that the grammar allows and the tree does not."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.problem = Problem(message, span)
        self.span = span


class Part(NamedTuple):
    """A piece of an expression while it is being put together."""

    value: Term | Requirement | Row
    span: Span
    depth: int = 1
    brackets: int = 0  # how many pairs are nested inside


def token_span(token: Token) -> Span:
    """The place of one token; tokens never run over the end of a line."""
    line, column = token.line or 1, token.column or 1
    return Span(line, column, column + len(token))


def name_at(token: Token) -> Name:
    """A name with its place."""
    return Name(plain(token), token_span(token))


def plain(token: Token) -> str:
    """A name as it is once its indices are put in."""
    try:
        return plain_name(str(token))
    except NoIndex as reason:
        hint = SIGNALS if token.type == "REFERENCE" and not indices() else ""
        raise Mistake(f"{reason}{hint}", token_span(token)) from None


def through(first: Span, last: Span) -> Span:
    """The place from the beginning of ``first`` to the end of ``last``."""
    end = last.end if last.line == first.line else first.end
    return Span(first.line, first.column, end)


def joined_part(
    value: Term | Requirement | Row, span: Span, parts: tuple[Part, ...], at: Span
) -> Part:
    """``value``, made of ``parts``; if that goes too deep, the place to blame is ``at``."""
    depth = max((part.depth for part in parts), default=0)
    if not isinstance(value, Row):
        depth += own_depth(value)
    if depth > MAX_DEPTH:
        raise Mistake(TOO_DEEP, at)
    return Part(value, span, depth, max((part.brackets for part in parts), default=0))


def bracketed(part: Part, at: Span) -> Part:
    """``part`` in one more pair of brackets."""
    if part.brackets >= MAX_BRACKETS:
        raise Mistake(f"more than {MAX_BRACKETS} brackets inside each other", at)
    return part._replace(brackets=part.brackets + 1)


def term_of(part: Part) -> Term:
    """A part that must be a term."""
    if isinstance(part.value, Number | Symbol | Negate | Binary | Call):
        return part.value
    if isinstance(part.value, Row):
        raise Mistake("expected a number, found a vector", part.span)
    hint = "write 'if … then 1 else 0'"
    raise Mistake(f"expected a number, found a condition; {hint}", part.span)


def formula_of(part: Part) -> Formula:
    """A part that must be a condition of one instant."""
    found = requirement_of(part)
    if isinstance(found, Compare | And | Or | Not):
        return found
    if isinstance(found, Joined) and found.word == "implies":
        raise Mistake("'implies' is for properties; write 'not a or b'", part.span)
    message = "a condition is about one instant; what looks at others is for properties"
    raise Mistake(message, part.span)


def requirement_of(part: Part) -> Requirement:
    """A part that must be a requirement; a name alone is one if it names a Boolean."""
    if isinstance(part.value, Symbol):
        return Compare("!=", part.value, Number(0.0, part.span), part.span)
    if isinstance(part.value, Compare | And | Or | Not | Joined | Quantified | Ordered):
        return part.value
    found = "a vector" if isinstance(part.value, Row) else "a number"
    raise Mistake(f"expected a condition such as 'ball.y > 0', found {found}", part.span)


def amount_of(part: Part) -> Term:
    """A part that must be a term or a simple truth: ``true``, ``false``, ``not on``."""
    match part.value:
        case And(parts=()) | Or(parts=()):
            return Number(float(isinstance(part.value, And)), part.span)
        case Not(part=Compare(left=Symbol() as named)) if is_bare(part.value.part):
            return Binary("-", Number(1.0, part.span), named, part.span)
        case _:
            return term_of(part)


def is_bare(formula: Formula) -> bool:
    """Whether a condition was written as a name alone."""
    match formula:
        case Compare(relation="!=", left=Symbol(span=span), right=Number(value=0.0, span=zero)):
            return zero is not None and zero == span
        case _:
            return False
