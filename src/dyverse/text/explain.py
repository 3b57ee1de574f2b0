"""What the parser could not read, in words: what was found, what was expected, what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dyverse.errors import Problem, Span, did_you_mean
from dyverse.text.part import Mistake, token_span
from dyverse.text.syntax import SHAPES, STATEMENTS

_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "CARET"}
_OPERAND = {"NUMBER", "REFERENCE", "ARGUMENT", "LPAR", "MINUS", "NOT", "TRUE", "FALSE"}
_WORDS = {
    "NAME": "a name",
    "REFERENCE": "a name",
    "ARGUMENT": "a name",
    "NUMBER": "a number",
    "COMPARISON": "a comparison",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
    "COLON": "':'",
    "EQUAL": "'='",
    "ARROW": "'->'",
    "ASSIGN": "':='",
    "PRIME": "a rate such as x' = 1",
    "BANG": "'!'",
    "QUERY": "'?'",
    "PARALLEL": "'||'",
    "$END": "a new statement",
}


def explain(error: UnexpectedInput | Mistake, following: Span, word: str = "") -> Problem:
    """One problem for one error; ``word`` at ``following`` begins the next statement, if any."""
    if isinstance(error, Mistake):
        return error.problem
    assert isinstance(error, UnexpectedToken | UnexpectedCharacters)
    expected = _expected(error)
    if isinstance(error, UnexpectedCharacters):
        return _unexpected(error.char, Span(error.line, error.column, error.column + 1), expected)
    token = error.token
    if token.type != "$END":
        return _unexpected(str(token), token_span(token), expected)
    if word:
        return _cut_short(token, expected, following, word)
    return Problem(f"expected {_listed(expected)}, found the end of the text", _behind(token))


def unknown_statement(found: str, span: Span) -> Problem:
    """A word that begins no statement."""
    if not re.fullmatch(r"\w+", found):
        return Problem(f"expected a statement, found {found!r}", span)
    meant = did_you_mean(found, STATEMENTS) or f"; there are {', '.join(STATEMENTS)}"
    return Problem(f"unknown statement {found!r}{meant}", span)


def _expected(error: UnexpectedToken | UnexpectedCharacters) -> set[str]:
    """The terminals that could have followed, not only those that the parser looked at."""
    state = error.interactive_parser
    return set(state.accepts()) if state else set()  # type: ignore[no-untyped-call]


def _unexpected(found: str, span: Span, expected: set[str]) -> Problem:
    if "$END" in expected and re.fullmatch(r"[A-Za-z_]\w*", found) and not _close(found, expected):
        return unknown_statement(found, span)
    meant = did_you_mean(found, _keywords(expected))
    if found == "=" and "COMPARISON" in expected:
        meant = "; compare with '=='"
    for shape, measure in SHAPES.items():
        if found == measure and shape.upper() in expected:
            meant = f"; write '{shape} {measure}'"
    return Problem(f"expected {_listed(expected)}, found {found!r}{meant}", span)


def _cut_short(token: Token, expected: set[str], following: Span, word: str) -> Problem:
    """The next statement begins too early, or its word was meant as a name."""
    named = expected & {"NAME", "REFERENCE"} and (token.end_line or 1) == following.line
    hint = f"; {word!r} is a word of the language and cannot be a name" if named else ""
    return Problem(f"expected {_listed(expected)}, found {word!r}{hint}", following)


def _behind(token: Token) -> Span:
    line, column = token.end_line or 1, token.end_column or 1
    return Span(line, column, column + 1)


def _close(found: str, expected: set[str]) -> bool:
    return bool(did_you_mean(found, _keywords(expected)))


def _keywords(expected: Iterable[str]) -> list[str]:
    return [_word(name) for name in expected if name not in _WORDS | dict.fromkeys(_OPERATORS)]


def _word(terminal: str) -> str:
    return terminal.strip("_").lower()


def _listed(expected: set[str]) -> str:
    """``an operator, 'and' or '}'``."""
    words, rest = [], set(expected)
    if {"NUMBER", "REFERENCE"} <= rest:
        words.append("a number, a name or '('")
        rest -= _OPERAND
    if rest >= _OPERATORS:
        words.append("an operator")
        rest -= _OPERATORS | {"LPAR", "LSQB"}
    words += sorted(_WORDS.get(name, f"'{_word(name)}'") for name in rest)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
