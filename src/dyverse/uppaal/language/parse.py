"""Pieces of UPPAAL's language to syntax trees, each with its place in the file.

In comes a source and the name of the rule it should follow; out goes the tree, or a problem. The
parser is fed token by token: here each token gets its place, and comments, which may stand
anywhere, are handed on at the next point where a declaration or statement may.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from lark import Lark, Token, UnexpectedInput

from dyverse.errors import Problem, Span
from dyverse.text.tables import tables_of
from dyverse.text.tree.builder import Mistake, token_span
from dyverse.uppaal.language.explain import explain, not_supported
from dyverse.uppaal.language.source import Source
from dyverse.uppaal.language.syntax import Remark
from dyverse.uppaal.language.tree import TreeBuilder

Rule = Literal[
    "global_part",
    "system_part",
    "local_part",
    "parameter_part",
    "select_part",
    "guard_part",
    "update_part",
    "sync_part",
    "rate_part",
    "xta",
]
GRAMMAR = "grammar.lark"
RULES: tuple[Rule, ...] = Rule.__args__  # type: ignore[attr-defined]
MAX_BRACKETS = 200
MAX_LEVELS = 200  # of nodes and tuples: each costs recursive functions a frame or two


class Parsed(NamedTuple):
    """A tree, and the comments for which it has no place; or else the problem."""

    tree: Any  # what the rule says
    remarks: tuple[Remark, ...] = ()
    problem: Problem | None = None


def parsed(source: Source, rule: Rule) -> Parsed:
    """The tree of ``source``, read by ``rule``."""
    try:
        tree, left = _fed(source, rule)
        _check_depth(tree, source.span(0, 1))
    except Mistake as mistake:
        return Parsed(None, (), mistake.problem)
    return Parsed(tree, left)


@cache
def parser() -> Lark:
    """The parser, made when first needed, with tables that were made before if there are some."""
    tables = tables_of(Path(__file__).with_name(GRAMMAR))
    return Lark.open(
        GRAMMAR,
        rel_to=__file__,
        parser="lalr",
        lexer="basic",
        start=list(RULES),
        transformer=TreeBuilder(),
        maybe_placeholders=True,
        cache=False if tables is None else str(tables),
    )


def _fed(source: Source, rule: Rule) -> tuple[Any, tuple[Remark, ...]]:
    feeder = _Feeder(source, rule)
    try:
        for token in feeder.tokens():
            feeder.take(token)
        return feeder.end()
    except UnexpectedInput as error:
        problem = explain(error, feeder.accepted(), source)
        raise Mistake(problem.message, problem.span or source.span(0, 1)) from None


class _Feeder:
    """The parser, what was fed last, and the comments that wait."""

    def __init__(self, source: Source, rule: Rule) -> None:
        self.source = source
        self.state = parser().parse_interactive(source.text, start=rule)
        self.waiting: list[Token] = []
        self.last: Token | None = None
        self.brackets = 0

    def tokens(self) -> Iterator[Token]:
        """The tokens, made when asked for."""
        thread = self.state.lexer_thread
        yield from thread.lex(self.state.parser_state)  # type: ignore[no-untyped-call]

    def accepted(self) -> set[str]:
        """The terminals that may follow."""
        return set(self.state.accepts())  # type: ignore[no-untyped-call]

    def _may_follow(self, terminal: str) -> bool:
        """Whether the parser's state knows it at all, which is sooner told than `accepted`."""
        return terminal in self.state.choices()  # type: ignore[no-untyped-call]

    def take(self, token: Token) -> None:
        """Feed one token, or let a comment wait."""
        _place(token, self.source)
        if token.type == "REMARK":
            self.waiting.append(token if self.waiting else self._beside(token))
            return
        if token.type != "ELSE":
            self._flush()
        not_supported(token)
        self.brackets = _counted(token, self.brackets)
        self.state.feed_token(token)
        self.last = token

    def end(self) -> tuple[Any, tuple[Remark, ...]]:
        """The tree, and the comments that still wait."""
        self._flush()
        tree = self.state.feed_eof(self.last)  # type: ignore[no-untyped-call]
        left = (Remark(str(token).rstrip(), False, token_span(token)) for token in self.waiting)
        return tree, tuple(left)

    def _flush(self) -> None:
        if self.waiting and self._may_follow("REMARK") and "REMARK" in self.accepted():
            for remark in self.waiting:
                self.state.feed_token(remark)
            self.waiting = []

    def _beside(self, token: Token) -> Token:
        """A comment behind a declaration, on its line, is told apart."""
        if self.last is None or str(self.last) not in (";", "}"):
            return token
        gap = self.source.text[self.last.end_pos : token.start_pos]
        return token if "\n" in gap else token.update(type="BESIDE")


def _place(token: Token, source: Source) -> None:
    """Give ``token`` its place in the file."""
    span = source.span(token.start_pos or 0, token.end_pos or 1)
    token.line, token.column, token.end_column = span.line, span.column, span.end


def _counted(token: Token, brackets: int) -> int:
    brackets += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
    if brackets > MAX_BRACKETS:
        raise Mistake(f"more than {MAX_BRACKETS} brackets inside each other", token_span(token))
    return brackets


def _check_depth(tree: object, start: Span) -> None:
    """Refuse what recursive functions could not follow; level by level, not recursive."""
    level, place = [tree], start
    for _ in range(MAX_LEVELS):
        level = [below for node in level for below in _below(node)]
        if not level:
            return
        place = next((s for n in level if (s := getattr(n, "span", None))), place)
    raise Mistake("this is nested too deeply; give parts of it a name", place)


def _below(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node) and not isinstance(node, Span | type):
        yield from (getattr(node, item.name) for item in fields(node))
