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
from typing import Literal, cast

from lark import Lark, TextSlice, Token, UnexpectedInput

from dyverse.errors import ParseError, Problem, Span
from dyverse.expr.formula import Formula
from dyverse.expr.requirement import Requirement
from dyverse.expr.term import CONSTANTS, FUNCTIONS, Term
from dyverse.given import check_kind
from dyverse.text.comments import SKIPPED
from dyverse.text.dimensions import defined_numbers, unit_problems
from dyverse.text.every import with_every
from dyverse.text.file import MAX_LENGTH
from dyverse.text.indices import INDICES, NoIndex, whole_number
from dyverse.text.mistakes.explain import Around, explain
from dyverse.text.pieces import FORM, STARTS, Block, Item, Piece, items, place
from dyverse.text.syntax.drawings import SCENE, SCENE_WORDS
from dyverse.text.syntax.statements import ENTRIES, RESERVED, Model, Row, Statement
from dyverse.text.tables import tables_of
from dyverse.text.tree.builder import TreeBuilder
from dyverse.text.tree.part import Mistake

GRAMMAR = "grammar.lark"
MAX_ERRORS = 20
MAX_STATEMENTS = 10_000  # of a model, with all that is repeated
_IN_PROPERTY = ContextVar("in_property", default=True)  # where words of past time are no names

_ENTRY_WORDS = re.compile(rf"{SKIPPED}|(?<![\w.])({'|'.join(ENTRIES)})(?!\w)")
_SCENE_WORDS = re.compile(rf"{SKIPPED}|(?<![\w.])({'|'.join(SCENE_WORDS)})(?!\w)")
_WORD_BEHIND_VALUE = re.compile(r"[\w)]\s+([A-Za-z_]\w*)")


def parse(text: str, *, file: str = "<model>") -> Model:
    """The syntax tree of a whole model, or a `ParseError` with up to `MAX_ERRORS` problems."""
    source = _lines(text, file)
    reading = _Reading(source)
    reading.read(items(source), {})
    statements, missing = with_every(reading.statements)
    problems = reading.problems or missing or reading.taken()
    problems = problems or unit_problems(statements, source, reading.loops)
    if problems:
        found = _told_once(_without_echoes(problems))
        raise ParseError(found[:MAX_ERRORS], source=source, file=file)
    return Model(tuple(statements))


class _Reading:
    """The statements read so far, and what is wrong with them."""

    def __init__(self, source: str) -> None:
        self.statements: list[Statement] = []
        self.problems: list[Problem] = []
        self._source, self.loops = source, dict[str, Span]()
        self._passes = 0  # through blocks that are repeated

    def read(self, found: tuple[Item, ...], indices: dict[str, int]) -> None:
        """Read pieces, with the numbers of the repeats around them."""
        for item in found:
            if len(self.problems) >= MAX_ERRORS:
                return
            if isinstance(item, Problem):
                self.problems.append(item)
            elif isinstance(item, Block):
                self._repeat(item, indices)
            else:
                self._one(item, indices)

    def _one(self, piece: Piece, indices: dict[str, int]) -> None:
        INDICES.set(indices)
        outcome = _statement(self._source, piece)
        if isinstance(outcome, list):
            self.problems += outcome
        else:
            self.statements.append(outcome)

    def _repeat(self, block: Block, indices: dict[str, int]) -> None:
        """Read a block again and again; what is wrong with it is told once."""
        self.loops[block.name] = block.span
        INDICES.set(indices)
        try:
            low, high = whole_number(block.low), whole_number(block.high)
        except NoIndex as reason:
            self.problems.append(Problem(f"in the range, {reason}; {FORM}", block.span))
            return
        if wrong := _unfit_name(block.name, indices):
            self.problems.append(Problem(wrong, block.span))
            return
        before, self._passes = len(self.problems), self._passes + max(0, high - low + 1)
        for number in range(low, high + 1):
            if len(self.problems) > before:
                return
            if self._is_long():
                message = f"a model may have {MAX_STATEMENTS:,} statements, with all repeats"
                self.problems.append(Problem(f"{message}; this makes more", block.span))
                return
            self.read(block.inside, {**indices, block.name: number})

    def _is_long(self) -> bool:
        return max(self._passes, len(self.statements)) > MAX_STATEMENTS

    def taken(self) -> list[Problem]:
        """Names of repeats that other numbers have, too."""
        defined = {name for statement in self.statements for name in defined_numbers(statement)}
        both = [(name, span) for name, span in self.loops.items() if name in defined]
        return [Problem(f"the name {name!r} is taken by a number", span) for name, span in both]


def _unfit_name(name: str, indices: dict[str, int]) -> str:
    if name in indices:
        return f"the repeat around this one is over {name!r}, too"
    if name in RESERVED or name in (*FUNCTIONS, *CONSTANTS, "t"):
        return f"{name!r} is a word of the language and cannot be a name"
    return ""


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
    check_kind(text, str, "text")
    if len(text) > MAX_LENGTH:
        message = f"the text has {len(text):,} characters; a model may have {MAX_LENGTH:,}"
        raise ParseError([Problem(message)], file=file)
    return "\n".join(text.removeprefix("\ufeff").splitlines())  # without a mark of the encoding


def _expression(
    text: str, start: Literal["value", "condition", "requirement"], file: str
) -> object:
    source = _lines(text, file)
    INDICES.set({})
    _IN_PROPERTY.set(start == "requirement")
    try:
        return parser().parse(source, start=start)
    except (UnexpectedInput, Mistake) as error:
        problem = explain(error, Around(source, 0, len(source), Span(1, 1, 2)))
        raise ParseError([problem], source=source, file=file) from None


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
    start = STARTS.match(source, piece.end)
    word = (start[1] if start else None) or source[piece.end : piece.end + 1]
    return place(source, piece.end, max(1, len(word))), word


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
    for i in range(at - 1, start - 1, -1):
        depth += (source[i] == "}") - (source[i] == "{")
        if depth < 0:
            return i
    return -1


def _closed(source: str, at: int, end: int) -> int:
    """The brace that closes what is open at ``at``; -1 if there is none."""
    depth = 0
    for i in range(at, end):
        depth += (source[i] == "{") - (source[i] == "}")
        if depth < 0:
            return i
    return -1


def _other_words(source: str, start: int, rest: Piece) -> Iterator[int]:
    """Words behind a value, outside the brackets opened since ``start``: misspelt entries, say."""
    for found in _WORD_BEHIND_VALUE.finditer(source, *rest):
        if source.count("(", start, found.start(1)) <= source.count(")", start, found.start(1)):
            yield found.start(1)
            return


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


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
