"""What can be wrong with the gap of a stop: whose it is, and whether it has a slope everywhere."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.bodies.check.names import Names
from dyverse.errors import Problem
from dyverse.expr.term import Call, Symbol, Term, children
from dyverse.text.syntax.statements import Entry, Joining, Name, Row

BENT = ("abs", "ceil", "floor", "if", "max", "min", "sign")  # functions with jumps or kinks


def stop_problems(joins: Joining, entries: tuple[Entry, ...], names: Names) -> Iterator[Problem]:
    """Bodies in a gap that move and are not those of its stop, and functions without a slope."""
    ends = [joins.a.text, *([joins.b.text] if isinstance(joins.b, Name) else [])]
    for entry in entries:
        if entry.keyword == "gap" and entry.value is not None and not isinstance(entry.value, Row):
            yield from _parts(entry.value, ends, names)


def _parts(term: Term, ends: list[str], names: Names) -> Iterator[Problem]:
    owned = False
    stack = [term]
    while stack:
        part = stack.pop()
        stack += reversed(children(part))
        if isinstance(part, Call) and part.function in BENT:
            message = f"the gap of a stop needs a slope everywhere, and {part.function!r} has none"
            yield Problem(f"{message} where it switches; write several stops", part.span)
        if isinstance(part, Symbol):
            bodies = _bodies(part.name, names)
            owned = owned or not names.moved.isdisjoint(bodies)
            yield from _strangers(part, bodies, ends, names)
    if not owned:
        message = "the gap of a stop is a function of where its bodies are, and this never changes"
        yield Problem(f"{message}; name a position, such as '{ends[0]}.y'", term.span)


def _strangers(
    part: Symbol, bodies: tuple[str, ...], ends: list[str], names: Names
) -> Iterator[Problem]:
    for body in bodies:
        if body not in ends and body in names.moved:
            message = f"{part.name!r} depends on {body!r}, which moves and is not part of this stop"
            both = f"it is between {' and '.join(map(repr, ends))}"
            yield Problem(f"{message}; {both}, and others in it are fixed", part.span)


def _bodies(name: str, names: Names) -> tuple[str, ...]:
    owner = name.partition(".")[0]
    return names.holds.get(owner, (owner,) if owner in names.bodies else ())
