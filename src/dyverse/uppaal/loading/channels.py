"""The channels of a system, with the priorities that ``chan priority a < default;`` gives them."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.automaton.component import Channel
from dyverse.uppaal.language.document import Document
from dyverse.uppaal.language.expression import Expression, Reference
from dyverse.uppaal.language.syntax import ChannelPriority
from dyverse.uppaal.meaning.kinds import leaves
from dyverse.uppaal.meaning.scope import Scope, Stored
from dyverse.uppaal.meaning.touching import places

DEFAULT = Reference("default")


def channels(document: Document, stored: list[Stored], scope: Scope) -> Iterator[Channel]:
    """All channels; those in no group have the priority of ``default``, else the lowest."""
    ranks = _ranks(document, scope)
    seen: set[str] = set()  # a parameter is another name for a channel
    for item in stored:
        for path, scalar in leaves(item.kind, item.path):
            if scalar.kind == "chan" and path not in seen:
                seen.add(path)
                yield Channel(path, scalar.broadcast, scalar.urgent, ranks.get(path, 0))


def _ranks(document: Document, scope: Scope) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in (*document.declarations, *document.system):
        if isinstance(item, ChannelPriority):
            level = next((n for n, group in enumerate(item.groups) if DEFAULT in group), -1)
            for number, group in enumerate(item.groups):
                for path in _paths(group, scope):
                    found[path] = number - level
    return found


def _paths(group: tuple[Expression, ...], scope: Scope) -> Iterator[str]:
    for expression in group:
        if expression != DEFAULT:
            for path, kind, _ in places(expression, scope):
                yield from (leaf for leaf, _ in leaves(kind, path))
