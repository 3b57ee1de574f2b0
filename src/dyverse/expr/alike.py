"""Expressions that differ in nothing but symbols and numbers: one function serves all of them.

In come columns of CasADi expressions, the loads of two thousand balls, say; out go groups of them
with a function each, and tables of what every member puts in. Code that is made from them grows
with what is different, not with how often it was said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX

TWICE = 2.5  # times as many operations as all columns need together are too many

Step = tuple[int, tuple[int, ...], tuple[int, ...]]  # operation, operands, results


@dataclass(frozen=True, slots=True)
class Alike:
    """Columns that ``function`` gives, each from entries and numbers of its own."""

    function: Any  # CasADi: (entries, numbers) -> column
    members: tuple[int, ...]  # which of the columns these are
    sources: tuple[int, ...]  # which vector of symbols each entry is from
    entries: tuple[tuple[int, ...], ...]  # of each member, places in these vectors
    numbers: tuple[tuple[float, ...], ...]  # of each member, as far as they differ


@dataclass(frozen=True, slots=True)
class _Column:
    """The steps that work out one column, without what they put in."""

    steps: tuple[Step, ...]
    sources: tuple[int, ...]
    entries: tuple[int, ...]
    numbers: tuple[float, ...]


def alike(columns: Sequence[SX], symbols: Sequence[SX], *, least: int) -> tuple[Alike, ...]:
    """Groups of ``least`` or more columns that are alike; none where that saves nothing.

    What several columns have in common is worked out again for each, which must not be much.
    """
    if len(columns) < least:
        return ()
    where = {
        entry.element_hash(): (source, place)
        for source, vector in enumerate(symbols)
        for place, entry in enumerate(ca.vertsplit(vector))
    }
    found = [_read(one, where) for one in columns]
    together = ca.Function("all", list(symbols), list(columns)).n_instructions()
    if sum(len(one.steps) for one in found) > TWICE * together:
        return ()
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, one in enumerate(found):
        groups.setdefault((one.steps, one.sources), []).append(i)
    large = (members for members in groups.values() if len(members) >= least)
    return tuple(_group(members, found) for members in large)


def _read(one: SX, where: dict[int, tuple[int, int]]) -> _Column:
    used = ca.symvar(one)
    function = ca.Function("one", [column(used)], [ca.densify(one)])
    places = [where[symbol.element_hash()] for symbol in used]
    count = range(function.n_instructions())
    steps = [
        (
            function.instruction_id(k),
            tuple(function.instruction_input(k)),
            tuple(function.instruction_output(k)),
        )
        for k in count
    ]
    return _Column(
        tuple(steps),
        tuple(source for source, _ in places),
        tuple(place for _, place in places),
        tuple(function.instruction_constant(k) for k in count if steps[k][0] == ca.OP_CONST),
    )


def _group(members: list[int], found: list[_Column]) -> Alike:
    first, rows = found[members[0]], [found[i].numbers for i in members]
    every = enumerate(zip(*rows, strict=True))
    varying = [k for k, own in every if len(set(own)) > 1]
    return Alike(
        _rebuilt(first, varying),
        tuple(members),
        first.sources,
        tuple(found[i].entries for i in members),
        tuple(tuple(row[k] for k in varying) for row in rows),
    )


def _rebuilt(one: _Column, varying: list[int]) -> Any:
    """The function of a column, where the ``varying`` ones of its numbers are arguments."""
    entries, numbers = ca.SX.sym("e", len(one.entries)), ca.SX.sym("n", len(varying))
    named = {k: numbers[i] for i, k in enumerate(varying)}
    constants = iter([named.get(k, ca.SX(number)) for k, number in enumerate(one.numbers)])
    results = list(_followed(one.steps, ca.vertsplit(entries), constants))
    return ca.Function("alike", [entries, numbers], [ca.densify(column(results))])


def _followed(steps: tuple[Step, ...], entries: list[SX], constants: Iterator[SX]) -> Iterator[SX]:
    """The results of these steps in their order."""
    work: dict[int, SX] = {}
    results: dict[int, SX] = {}
    for operation, operands, targets in steps:
        match operation:
            case ca.OP_CONST:
                work[targets[0]] = next(constants)
            case ca.OP_INPUT:
                work[targets[0]] = entries[operands[1]]
            case ca.OP_OUTPUT:
                results[targets[1]] = work[operands[0]]
            case _ if len(operands) == 2:
                work[targets[0]] = ca.SX.binary(operation, *(work[k] for k in operands))
            case _:
                work[targets[0]] = ca.SX.unary(operation, work[operands[0]])
    return (results[k] for k in sorted(results))
