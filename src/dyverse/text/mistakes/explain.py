"""What the parser could not read, in words: what was found, what was expected, what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dyverse.errors import Problem, Span, did_you_mean
from dyverse.text.mistakes.hints import INTERVAL, Place, hint, taken_for_name
from dyverse.text.mistakes.statements import meant_statement
from dyverse.text.tree.part import Mistake, token_span

FEW = 3  # so many words are told even if one of them was meant
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "CARET", "IN_UNIT"}  # a unit is no news
_OPERAND = {
    "NUMBER",
    "REFERENCE",
    "ARGUMENT",
    "LPAR",
    "MINUS",
    "NOT",
    "TRUE",
    "FALSE",
    "IMPACT",
    "IF",
}
_OVER_TIME = {"ALWAYS", "EVENTUALLY", "HISTORICALLY", "ONCE"}  # begin a requirement
_IN_TIME = {"IMPLIES", "SINCE", "UNTIL_IN", "_BEFORE"}  # join two
SIGNS = {
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
    "COLON": "':'",
    "ARROW": "'->'",
    "BANG": "'!'",
    "QUERY": "'?'",
}
_WORDS = SIGNS | {
    "NAME": "a name",
    "REFERENCE": "a name",
    "ARGUMENT": "a name",
    "FEATURE": "a name",
    "NUMBER": "a number",
    "COMPARISON": "a comparison",
    "EQUAL": "'='",
    "ASSIGN": "':='",
    "PRIME": "a rate such as x' = 1",
    "PARALLEL": "'||'",
    "QUOTED": "words in quotes",
    "UNTIL_IN": "'until'",
    "$END": "a new statement",
}


@dataclass(frozen=True, slots=True)
class Around:
    """The text about an error: its statement up to the error, and the word that follows on it.

    The ``word`` at ``following`` begins the next statement; at the end of the text there is none.
    """

    source: str
    start: int  # of the statement
    end: int
    following: Span
    word: str = ""

    @property
    def statement(self) -> str:
        """The whole statement."""
        return self.source[self.start : self.end]

    def place(self, found: str, span: Span, expected: set[str]) -> Place:
        """What a hint can be made of."""
        lines = self.source.split("\n")
        at = sum(len(line) + 1 for line in lines[: span.line - 1]) + span.column - 1
        rest = self.source[at:].partition("\n")[0]
        return Place(found, frozenset(expected), self.source[self.start : at], rest)


def explain(error: UnexpectedInput | Mistake, around: Around) -> Problem:
    """One problem for one error."""
    if isinstance(error, Mistake):
        return _mistaken(error, around)
    assert isinstance(error, UnexpectedToken | UnexpectedCharacters)
    expected = _expected(error) - _unfit(around)
    if isinstance(error, UnexpectedCharacters):
        span = Span(error.line, error.column, error.column + 1)
        return _unexpected(error.char, span, expected, around)
    token = error.token
    if token.type != "$END":
        return _unexpected(str(token), token_span(token), expected, around)
    return _cut_short(token, expected, around)


def _mistaken(error: Mistake, around: Around) -> Problem:
    """What the tree says, or what was perhaps meant by a condition behind 'until'."""
    place = around.place("", error.span, set())
    if place.statement == "property" and re.search(r"\buntil\s*$", place.said):
        message = "behind 'until' is when the property ends, a time"
        return Problem(f"{message}; {INTERVAL}", error.span)
    ordered = re.search(r"\buntil\b(?!\s*\[)[^\n]*[<>=]", place.rest)
    if place.statement == "property" and ordered:
        first = error.span.column + ordered.start()
        span = Span(error.span.line, first, first + len("until"))
        return Problem(f"unexpected 'until'; {INTERVAL}", span)
    return error.problem


def _unfit(around: Around) -> set[str]:
    """Words that the grammar would take, but not the tree: only properties look at other times."""
    is_property = around.statement.lstrip().startswith("property")
    return set() if is_property else _OVER_TIME | _IN_TIME | {"IMPACT"}


def unknown_statement(found: str, span: Span, rest: str) -> Problem:
    """A word that begins no statement; ``rest`` is the line from it on."""
    if re.fullmatch(r"[A-Za-z_]\w*", found):
        return Problem(f"unknown statement {found!r}{meant_statement(found, rest)}", span)
    if found.startswith("<"):
        hint_ = "this looks like XML; files of UPPAAL are called .xml or .xta"
    else:
        hint_ = hint(Place(found, frozenset({"$END"}), "", rest))
    return Problem(f"expected a statement, found {found!r}{f'; {hint_}' if hint_ else ''}", span)


def _expected(error: UnexpectedToken | UnexpectedCharacters) -> set[str]:
    """The terminals that could have followed, not only those that the parser looked at."""
    state = error.interactive_parser
    return set(state.accepts()) if state else set()  # type: ignore[no-untyped-call]


def _unexpected(found: str, span: Span, expected: set[str], around: Around) -> Problem:
    place = around.place(found, span, expected)
    if earlier := taken_for_name(place):
        said, what = earlier
        column = span.column - len(said)
        word = re.split(r"\W", said)[0]
        return Problem(f"unexpected {word!r}; {what}", Span(span.line, column, column + len(word)))
    if what := hint(place):
        return Problem(f"unexpected {found!r}; {what}", span)
    if "$END" in expected and re.fullmatch(r"[A-Za-z_]\w*", found) and not _close(found, expected):
        return unknown_statement(found, span, place.rest)
    meant = did_you_mean(found, _keywords(expected))
    if meant and len(expected) > FEW:
        return Problem(f"unexpected {found!r}{meant}", span)
    return Problem(f"expected {_listed(expected)}, found {found!r}{meant}", span)


def _cut_short(token: Token, expected: set[str], around: Around) -> Problem:
    """The text ends or the next statement begins too early, or its word was meant as a name."""
    word, following = around.word, around.following
    if (
        word.isalpha()
        and expected & {"NAME", "REFERENCE"}
        and (token.end_line or 1) == following.line
    ):
        why = f"{word!r} is a word of the language and cannot be a name"
        return Problem(f"expected {_listed(expected)}, found {word!r}; {why}", following)
    found = repr(word) if word else "the end of the text"
    span = following if word else _behind(token)
    for closing, opening in (("RPAR", "("), ("RSQB", "["), ("RBRACE", "{")):
        if closing in expected and (line := _open_line(opening, around)):
            sign = {"(": "')'", "[": "']'", "{": "'}'"}[opening]
            return Problem(f"{sign} is missing before {found}: line {line} opens it", span)
    return Problem(f"expected {_listed(expected)}, found {found}", span)


def _open_line(opening: str, around: Around) -> int:
    """The line of the last bracket of that kind that is open at the end of the statement, or 0."""
    closing = {"(": ")", "[": "]", "{": "}"}[opening]
    depth, text = 0, around.statement
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == closing) - (text[place] == opening)
        if depth < 0:
            return around.source.count("\n", 0, around.start + place) + 1
    return 0


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
    words, rest = [], set(expected) or {"$END"}
    if {"NUMBER", "REFERENCE"} <= rest:
        words.append("a number, a name or '('")
        rest -= _OPERAND | _OVER_TIME
    if rest & _OPERATORS:
        words.append("an operator")
        rest -= _OPERATORS | {"LPAR", "LSQB"}
    words += sorted({_WORDS.get(name, f"'{_word(name)}'") for name in rest})
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
