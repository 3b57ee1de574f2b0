"""Model text to syntax tree; every syntax error is reported with its place, all of them together.

The text is cut at the words that begin a statement, which are reserved, and each piece is parsed on
its own. Inside a block that has a mistake, the entry in question is blanked out and the statement
parsed again, so that a second misspelt entry is found as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast

from lark import Lark, TextSlice, Token, UnexpectedInput

from dyverse.errors import ParseError, Problem, Span
from dyverse.expr.formula import Formula
from dyverse.expr.requirement import Requirement
from dyverse.expr.term import Term
from dyverse.text.dimensions import unit_problems
from dyverse.text.drawings import SCENE, SCENE_WORDS
from dyverse.text.explain import Around, explain, unknown_statement
from dyverse.text.file import MAX_LENGTH
from dyverse.text.part import Mistake
from dyverse.text.syntax import ENTRIES, STATEMENTS, Model, Row, Statement
from dyverse.text.tables import tables_of
from dyverse.text.tree import TreeBuilder

GRAMMAR = "grammar.lark"
MAX_ERRORS = 20
_IN_PROPERTY = ContextVar("in_property", default=True)  # where words of past time are no names

_COMMENT = r"(?:#|//)[^\n]*"
_SKIPPED = rf"{_COMMENT}|\"[^\"\n]*\""  # what is said to people
_ON_IMPACT = rf"(?<![\w.])on(?:\s|{_COMMENT})+impact(?!\w)"  # what a contact offers a channel on
_NO_START = rf"{_SKIPPED}|{_ON_IMPACT}|(?<![\w.])impact\s*\["  # the last is an event
_STARTS = re.compile(rf"{_NO_START}|(?<![\w.])({'|'.join(STATEMENTS)})(?!\w)")
_ENTRY_WORDS = re.compile(rf"{_SKIPPED}|(?<![\w.])({'|'.join(ENTRIES)})(?!\w)")
_SCENE_WORDS = re.compile(rf"{_SKIPPED}|(?<![\w.])({'|'.join(SCENE_WORDS)})(?!\w)")
_WORD_BEHIND_VALUE = re.compile(r"[\w)]\s+([A-Za-z_]\w*)")
_VISIBLE = re.compile(rf"(?:{_COMMENT}|\s)*+(\S[^\s{{}}()\[\],:=#]*)")


class Piece(NamedTuple):
    """A stretch of text that holds one statement."""

    start: int
    end: int


def parse(text: str, *, file: str = "<model>") -> Model:
    """The syntax tree of a whole model, or a `ParseError` with up to `MAX_ERRORS` problems."""
    source = _lines(text, file)
    statements: list[Statement] = []
    problems = list(_heading(source))
    for piece in _pieces(source):
        outcome = _statement(source, piece)
        if isinstance(outcome, list):
            problems += outcome
        else:
            statements.append(outcome)
        if len(problems) >= MAX_ERRORS:
            break
    problems = problems or unit_problems(statements, source)
    if problems:
        found = _told_once(_without_echoes(problems))
        raise ParseError(found[:MAX_ERRORS], source=source, file=file)
    return Model(tuple(statements))


def parse_term(text: str, *, file: str = "<term>") -> Term:
    """The term that ``text`` is."""
    value = _expression(text, "value", file)
    if isinstance(value, Row):
        problem = Problem("expected a number, found a vector", value.span)
        raise ParseError([problem], source=text, file=file)
    return cast(Term, value)


def parse_requirement(text: str, *, file: str = "<requirement>") -> Requirement:
    """The requirement that ``text`` is."""
    return cast(Requirement, _expression(text, "requirement", file))


def parse_formula(text: str, *, file: str = "<formula>") -> Formula:
    """The formula that ``text`` is."""
    return cast(Formula, _expression(text, "condition", file))


@cache
def parser() -> Lark:
    """The parser, made when first needed."""
    return made_parser()


def made_parser() -> Lark:
    """A parser, with tables that were made before if there are some."""
    tables = tables_of(Path(__file__).with_name(GRAMMAR))
    return Lark.open(
        GRAMMAR,
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        start=["statement", "value", "condition", "requirement"],
        transformer=TreeBuilder(),
        lexer_callbacks=dict.fromkeys(("ONCE", "HISTORICALLY"), _perhaps_name),
        maybe_placeholders=True,
        cache=False if tables is None else str(tables),
    )


def _perhaps_name(token: Token) -> Token:
    """``once`` and its like are names outside of properties, whatever follows."""
    return token if _IN_PROPERTY.get() else Token.new_borrow_pos("REFERENCE", str(token), token)


def _lines(text: str, file: str) -> str:
    """``text`` with every kind of line break as a line feed, as positions count lines."""
    if len(text) > MAX_LENGTH:
        message = f"the text has {len(text):,} characters; a model may have {MAX_LENGTH:,}"
        raise ParseError([Problem(message)], file=file)
    return "\n".join(text.removeprefix("\ufeff").splitlines())  # without a mark of the encoding


def _expression(
    text: str, start: Literal["value", "condition", "requirement"], file: str
) -> object:
    source = _lines(text, file)
    _IN_PROPERTY.set(start == "requirement")
    try:
        return parser().parse(source, start=start)
    except (UnexpectedInput, Mistake) as error:
        problem = explain(error, Around(source, 0, len(source), Span(1, 1, 2)))
        raise ParseError([problem], source=source, file=file) from None


def _heading(source: str) -> Iterator[Problem]:
    """A problem if something that is no statement stands before the first statement."""
    first = next(_pieces(source), Piece(len(source), len(source)))
    if found := _VISIBLE.match(source, 0, first.start):
        rest = source[found.start(1) :].partition("\n")[0]
        yield unknown_statement(found[1], _place(source, found.start(1), len(found[1])), rest)


def _pieces(source: str) -> Iterator[Piece]:
    starts = [found.start() for found in _STARTS.finditer(source) if found[1]]
    yield from map(Piece, starts, [*starts[1:], len(source)])


def _statement(source: str, piece: Piece) -> Statement | list[Problem]:
    problems: list[Problem] = []
    _IN_PROPERTY.set(source.startswith("property", piece.start))
    while len(problems) < MAX_ERRORS:
        try:
            tree = parser().parse(TextSlice(source, *piece), start="statement")
            return problems or cast(Statement, tree)
        except (UnexpectedInput, Mistake) as error:
            problem = explain(error, Around(source, *piece, *_following(source, piece)))
        problems.append(problem)
        bad = _entry_at(source, piece, cast(Span, problem.span))
        if bad is None:
            break
        source = source[: bad.start] + _blank(source[bad.start : bad.end]) + source[bad.end :]
    return problems


def _following(source: str, piece: Piece) -> tuple[Span, str]:
    """Where the next statement begins, and its first word; at the end of the text, no word."""
    word = _STARTS.match(source, piece.end)
    return _place(source, piece.end, len(word[1]) if word else 1), word[1] if word else ""


def _entry_at(source: str, piece: Piece, span: Span) -> Piece | None:
    """The entry of a block that ``span`` lies in, where there is a block with an end."""
    at = _offset(source, span)
    opening = _opened(source, piece.start, at)
    closing = _closed(source, at, piece.end)
    if opening < 0 or closing < 0:
        return None
    known = _SCENE_WORDS if source.startswith(SCENE, piece.start) else _ENTRY_WORDS
    words = [m.start() for m in known.finditer(source, opening, closing) if m[1]]
    start = max((word for word in words if word < at), default=opening + 1)
    later = [word for word in words if word > at]
    later += _other_words(source, start, Piece(at + span.end - span.column, closing))
    end = min(later, default=closing)
    blocks = source.count("{", start, end) == source.count("}", start, end)
    return Piece(start, end) if source[start:end].strip() and blocks else None


def _opened(source: str, start: int, at: int) -> int:
    """The brace that is open at ``at``, the innermost of several; -1 if there is none."""
    depth = 0
    for place in range(at - 1, start - 1, -1):
        depth += (source[place] == "}") - (source[place] == "{")
        if depth < 0:
            return place
    return -1


def _closed(source: str, at: int, end: int) -> int:
    """The brace that closes what is open at ``at``; -1 if there is none."""
    depth = 0
    for place in range(at, end):
        depth += (source[place] == "{") - (source[place] == "}")
        if depth < 0:
            return place
    return -1


def _other_words(source: str, start: int, rest: Piece) -> Iterator[int]:
    """Words behind a value, outside the brackets opened since ``start``: misspelt entries, say."""
    for found in _WORD_BEHIND_VALUE.finditer(source, *rest):
        if source.count("(", start, found.start(1)) <= source.count(")", start, found.start(1)):
            yield found.start(1)
            return


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _place(source: str, offset: int, length: int) -> Span:
    """The span of ``length`` characters from ``offset`` on."""
    start = source.rfind("\n", 0, offset) + 1
    column = offset - start + 1
    return Span(source.count("\n", 0, offset) + 1, column, column + length)


def _offset(source: str, span: Span) -> int:
    """The offset of the first character of ``span``."""
    start = 0
    for _ in range(span.line - 1):
        start = source.find("\n", start) + 1
    return start + span.column - 1


def _told_once(problems: list[Problem]) -> list[Problem]:
    """The same habit everywhere, such as a semicolon, is one problem, at its first place."""
    counts = Counter(problem.message for problem in problems)
    told: dict[str, Problem] = {}
    for number, problem in enumerate(problems):
        message, more = problem.message, counts[problem.message] - 1
        if "; leave out " in message and more:
            once = Problem(f"{message}, here and {more} times more", problem.span)
            told.setdefault(message, once)
        else:
            told[f"{number}"] = problem
    return list(told.values())


def _without_echoes(problems: list[Problem]) -> list[Problem]:
    """Leave out an error right behind another on a line: a reserved word as a name gives two."""
    kept: list[Problem] = []
    for problem in problems:
        last = kept[-1].span if kept else None
        same = last and problem.span and last.line == problem.span.line
        if not (same and "is a word of the language" in kept[-1].message):
            kept.append(problem)
    return kept
