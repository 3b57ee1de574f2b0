"""Strongly connected components of a directed graph, and short ways through it.

Nodes are any hashable values, and a graph is a function that lists where a node leads. Each node
and each edge is looked at once [tarjan1972]; nothing is recursive, so that graphs may be deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node")
Label = TypeVar("Label")


def components(
    starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """The components that ``starts`` lead to, each after those that it leads to."""
    number: dict[Node, int] = {}  # in the order of discovery; none once its component is known
    low: dict[Node, int] = {}
    open_: list[Node] = []
    closed: set[Node] = set()
    for start in starts:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        open_.append(start)
        work = [(start, iter(following(start)))]
        while work:
            here, ahead = work[-1]
            for there in ahead:
                if there not in number:
                    number[there] = low[there] = len(number)
                    open_.append(there)
                    work.append((there, iter(following(there))))
                    break
                if there not in closed and number[there] < low[here]:
                    low[here] = number[there]
            else:
                work.pop()
                if work and low[here] < low[work[-1][0]]:
                    low[work[-1][0]] = low[here]
                if low[here] == number[here]:
                    found = _taken(open_, here)
                    closed.update(found)
                    yield found


def _taken(open_: list[Node], root: Node) -> list[Node]:
    """The nodes opened since ``root``, which are its component, taken off."""
    found = [open_.pop()]
    while found[-1] != root:
        found.append(open_.pop())
    return found


def way(
    starts: Iterable[Node],
    goal: Callable[[Node], bool],
    following: Callable[[Node], Iterable[tuple[Label, Node]]],
) -> tuple[Node, list[Label]] | None:
    """The nearest node that is a ``goal``, with the labels of a shortest way there; or nothing."""
    before: dict[Node, tuple[Label, Node] | None] = dict.fromkeys(starts)
    queue = list(before)
    for here in queue:  # grows while it is read
        if goal(here):
            return here, _labels(before, here)
        for label, there in following(here):
            if there not in before:
                before[there] = (label, here)
                queue.append(there)
    return None


def _labels(before: dict[Node, tuple[Label, Node] | None], end: Node) -> list[Label]:
    labels = []
    while (step := before[end]) is not None:
        label, end = step
        labels.append(label)
    return labels[::-1]
