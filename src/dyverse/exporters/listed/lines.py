"""Lines of the listing that belong together, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyverse.bodies.world import ORIENTED, World
from dyverse.expr.printing import term_text
from dyverse.expr.term import Binary, Term


def by_motion(
    world: World, title: str, plain: Iterable[str], turned: Iterable[str], remark: str = ""
) -> Iterator[str]:
    """Lines for all bodies, or one kind of lines for each kind of bodies."""
    lie = [body.motion == ORIENTED for body in world.bodies]
    if not any(lie):
        yield from under(f"{title}{remark}", plain)
        return
    if not all(lie):
        yield from under(f"{title} without an orientation{remark}", plain)
    yield from under(f"{title} with an orientation{remark}", turned)


def titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines under a title of their own, if there are any."""
    shown = [f"  {line}" for line in lines]
    if shown:
        yield from ("", title, *shown)


def under(title: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines under what they are for."""
    yield f"  {title}"
    yield from (f"    {line}" for line in lines)


def factor(term: Term) -> str:
    """A term that something is multiplied with."""
    text = term_text(term)
    return f"({text})" if isinstance(term, Binary) else text
