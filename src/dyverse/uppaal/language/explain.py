"""What the parser of UPPAAL's language could not read, in words."""

from __future__ import annotations

import re

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dyverse.errors import Problem, Span, did_you_mean
from dyverse.text.mistakes.explain import SIGNS
from dyverse.text.tree.builder import Mistake, token_span
from dyverse.uppaal.language.source import Source
from dyverse.uppaal.language.words import KEYWORDS, NOT_SUPPORTED, RESERVED

_WORDS = SIGNS | {
    "SEMICOLON": "';'",
    "DOT": "'.'",
    "ASSIGN": "'='",
    "NAME": "a name",
    "INTEGER": "a number",
    "DECIMAL": "a number",
    "$END": "the end",
}
_OPERATOR_WORDS = """
AND_SIGN AND_WORD OR_SIGN OR_WORD XOR IMPLY EQUAL LESS RELATION EXTREME SHIFT PLUS MINUS STAR SLASH
PERCENT POWER AMPERSAND BAR CARET STEP PRIME ASSIGN_WITH ASSIGN QUERY LSQB LPAR DOT
"""
_OPERAND_WORDS = """
NAME INTEGER DECIMAL TRUE FALSE LPAR MINUS PLUS BANG NOT_WORD STEP FORALL EXISTS SUM
"""
_TYPE_WORDS = """
CONST URGENT BROADCAST META HYBRID BOOL DOUBLE CLOCK CHAN VOID INT SCALAR STRUCT
"""
_STATEMENT_WORDS = "IF FOR WHILE DO RETURN ASSERT LBRACE SEMICOLON"
_OPERATORS, _OPERAND, _TYPES, _STATEMENTS = (
    frozenset(words.split())
    for words in (_OPERATOR_WORDS, _OPERAND_WORDS, _TYPE_WORDS, _STATEMENT_WORDS)
)


def explain(error: UnexpectedInput, expected: set[str], source: Source) -> Problem:
    """One problem for one error; ``expected`` are the terminals that could have followed."""
    if isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream or 0
        return Problem(f"the character {error.char!r} has no meaning here", source.span(at, at + 1))
    assert isinstance(error, UnexpectedToken)
    return _unexpected(error.token, expected, source)


def not_supported(token: Token) -> None:
    """Refuse a word that begins something which is not read."""
    if token.type == "NAME" and str(token) in NOT_SUPPORTED:
        what = NOT_SUPPORTED[str(token)]
        raise Mistake(f"{str(token)!r}: {what} is not supported", token_span(token))


def _unexpected(token: Token, expected: set[str], source: Source) -> Problem:
    if token.type == "$END":
        end = len(source.text.rstrip())
        span = source.span(max(0, end - 1), max(1, end))
        behind = Span(span.line, span.end, span.end + 1) if end else span
        return Problem(f"expected {_listed(expected)}, found the end of the text", behind)
    at, found = token.start_pos or 0, str(token)
    if source.text.startswith("/*", at):
        return Problem("this comment has no end '*/'", source.span(at, at + 2))
    message = f"expected {_listed(expected)}, found {found!r}{_hint(token, expected)}"
    return Problem(message, token_span(token))


def _hint(token: Token, expected: set[str]) -> str:
    found = str(token)
    if "NAME" in expected and found in RESERVED:
        return f"; {found!r} is a word of UPPAAL and cannot be a name"
    if token.type == "NAME" and not expected & {"NAME"}:
        words = {name.lower() for name in expected} & KEYWORDS
        return did_you_mean(found, words)
    return ""


def _listed(expected: set[str]) -> str:
    """``an operator or ';'``."""
    rest = expected - {"REMARK", "BESIDE"}
    words: list[str] = []
    for name, group, needs in (
        ("a statement", _STATEMENTS | _TYPES | _OPERAND, {"RETURN"}),
        ("a declaration", _TYPES | {"TYPEDEF", "SEMICOLON"}, {"TYPEDEF", "CHAN"}),
        ("an expression", _OPERAND, {"INTEGER", "NAME"}),
        ("a type", _TYPES | {"NAME"}, {"CHAN", "INT"}),
        ("an operator", _OPERATORS, {"STAR", "EQUAL"}),
    ):
        if needs <= rest:
            words.append(name)
            rest = rest - group
    if not rest and not words:
        return "nothing more"
    words += sorted({_WORDS.get(name, f"'{_word(name)}'") for name in rest})
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _word(terminal: str) -> str:
    return re.sub(r"_WORD$", "", terminal).lower()
