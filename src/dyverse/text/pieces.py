"""A text cut into pieces with one statement each, at the words that begin a statement.

What is in the braces of a ``repeat`` is cut in the same way, once; how often it is read, and with
which numbers, is the business of `dyverse.text.parse`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dyverse.errors import Problem, Span
from dyverse.text.comments import COMMENT, SKIPPED
from dyverse.text.mistakes.explain import unknown_statement
from dyverse.text.syntax.statements import INCLUDE, REPEAT, ROPE, STATEMENTS

MAX_NESTED = 8  # repeats inside each other
_SPACE = rf"(?:\s|{COMMENT})"
_ON_IMPACT = rf"(?<![\w.])on{_SPACE}+impact(?!\w)"  # what a contact offers a channel on
_FORMAL = rf"[(,]{_SPACE}*channel(?!\w)"  # a parameter of an automaton
_NO_START = rf"{SKIPPED}|{_ON_IMPACT}|{_FORMAL}|(?<![\w.])impact\s*\["  # the last is an event
# 'rope' begins a statement where a name and a brace follow; else it is a name, or a kind of joint.
_NAME = r"[A-Za-z_]\w*(?:\[[\w+* -]+\])*"
_ROPE = rf"{ROPE}(?={_SPACE}+{_NAME}{_SPACE}*\{{)"
_OF_ROPE = rf"(?:contact|spring|damper){_SPACE}+{ROPE}"  # a body that is called so
STARTS = re.compile(rf"{_NO_START}|(?<![\w.])({_OF_ROPE}|{_ROPE}|{'|'.join(STATEMENTS)})(?!\w)")
_VISIBLE = re.compile(rf"(?:{COMMENT}|\s)*+(\S[^\s{{}}()\[\],:=#]*)")
_BRACES = re.compile(rf"{SKIPPED}|([{{}}])")
_RANGE = r"([^{}.\n]+?)\s*\.\.\s*([^{}.\n]+?)"
_HEADER = re.compile(rf"{REPEAT}\s+([A-Za-z_]\w*)\s+in\s+{_RANGE}\s*\{{")
NOT_INCLUDED = (
    "'include' stands on a line of its own, include \"parts.drbt\", in a model that is a file; "
    "text from elsewhere includes none"
)
FORM = "write 'repeat i in 1..20 { body ball[i] { … } }'"


class Piece(NamedTuple):
    """A stretch of text that holds one statement."""

    start: int
    end: int


class Block(NamedTuple):
    """``repeat name in low..high { … }`` and the pieces inside."""

    name: str
    low: str
    high: str
    span: Span
    inside: tuple[Piece | Block | Problem, ...]


Item = Piece | Block | Problem


def items(source: str) -> tuple[Item, ...]:
    """The whole text, piece by piece, with a problem where something is no statement."""
    return _items(source, Piece(0, len(source)), 0)


def _items(source: str, region: Piece, depth: int) -> tuple[Item, ...]:
    starts = [found.start() for found in STARTS.finditer(source, *region) if found[1]]
    found: list[Item] = list(_between(source, region.start, next(iter(starts), region.end)))
    free = region.start  # where the last repeat ended
    for start, end in zip(starts, [*starts[1:], region.end], strict=False):
        if start < free:
            continue
        if source.startswith(INCLUDE, start):
            found.append(Problem(NOT_INCLUDED, place(source, start, len(INCLUDE))))
            continue
        if not source.startswith(REPEAT, start):
            found.append(Piece(start, end))
            continue
        block, free = _block(source, Piece(start, region.end), depth)
        found.append(block)
        following = next((other for other in starts if other >= free), region.end)
        found += _between(source, free, following)
    return tuple(found)


def _between(source: str, start: int, end: int) -> list[Problem]:
    """A problem if something that is no statement stands there."""
    found = _VISIBLE.match(source, start, end)
    if found is None:
        return []
    rest = source[found.start(1) :].partition("\n")[0]
    return [unknown_statement(found[1], place(source, found.start(1), len(found[1])), rest)]


def _block(source: str, region: Piece, depth: int) -> tuple[Block | Problem, int]:
    """The repeat that begins here, and where the text goes on behind it."""
    span = place(source, region.start, len(REPEAT))
    header = _HEADER.match(source, *region)
    if header is None:
        return Problem(f"a repeat has a name, a range and a block; {FORM}", span), region.end
    if depth >= MAX_NESTED:
        return Problem(f"more than {MAX_NESTED} repeats inside each other", span), region.end
    close = _closing(source, Piece(header.end(), region.end))
    if close < 0:
        return Problem("'}' is missing: this repeat has no end", span), region.end
    inside = _items(source, Piece(header.end(), close), depth + 1)
    return Block(header[1], header[2], header[3], span, inside), close + 1


def _closing(source: str, region: Piece) -> int:
    """The brace that closes what is open at the start of a region; -1 if there is none."""
    depth = 0
    for found in _BRACES.finditer(source, *region):
        depth += (found[1] == "{") - (found[1] == "}")
        if depth < 0:
            return found.start()
    return -1


def place(source: str, offset: int, length: int) -> Span:
    """The span of ``length`` characters from ``offset`` on."""
    start = source.rfind("\n", 0, offset) + 1
    column = offset - start + 1
    return Span(source.count("\n", 0, offset) + 1, column, column + length)
