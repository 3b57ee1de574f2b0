"""Edges of a process as edges of a network component.

A select becomes one edge per value, a channel with a variable index one per channel, and a
branchpoint one per branch. What does not depend on the value of a select is worked out once.
Conditions over clocks are formulas; others too if they can be, else they run as code, like updates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import cast

from dyverse.automaton.network.component import Action
from dyverse.errors import did_you_mean
from dyverse.expr.formula import FALSE, TRUE, Formula, both
from dyverse.uppaal.language.document import Arrow
from dyverse.uppaal.language.expression import Element, Expression
from dyverse.uppaal.language.syntax import Selection, Synchronisation
from dyverse.uppaal.loading.derived import Derivations
from dyverse.uppaal.loading.drafts import Chosen, Draft, Expressions
from dyverse.uppaal.loading.instances import Process
from dyverse.uppaal.loading.places import all_of, conjuncts, formula_of
from dyverse.uppaal.loading.to_terms import Cases, NotSymbolic, Symbolic, equal_to
from dyverse.uppaal.loading.updates import terms_of
from dyverse.uppaal.meaning.declare import span_of_range
from dyverse.uppaal.meaning.interpret import Machine, bound
from dyverse.uppaal.meaning.kinds import ArrayOf, Scalar
from dyverse.uppaal.meaning.scope import Scope, mistake
from dyverse.uppaal.meaning.touching import (
    Touched,
    known_number,
    mentions,
    places,
    touched,
    with_local,
)
from dyverse.uppaal.meaning.variables import Memory

MAX_EDGES = 20_000


class ArrowReader:
    """An arrow of a template, in one process."""

    def __init__(
        self, arrow: Arrow, process: Process, names: dict[str, str], derived: Derivations
    ) -> None:
        self._arrow, self._process, self._names, self._derived = arrow, process, names, derived
        label = arrow.label("select")
        self._selections = cast(tuple[Selection, ...], label.value) if label else ()
        self._selected = {selection.name for selection in self._selections}
        label = arrow.label("guard")
        guard = list(conjuncts(cast(Expression, label.value))) if label else []
        self._own = [part for part in guard if self._selected and mentions(part, self._selected)]
        self._common = [part for part in guard if part not in self._own]

    def drafts(self) -> Iterator[Draft]:
        """The edges that the arrow stands for."""
        count = 0
        for chosen in self._chosen():
            for action, formula in self._actions(chosen.scope):
                for target, updates, weight in self._branches:
                    draft = self._draft(chosen, action, formula, target, updates, weight)
                    count += 1
                    if count > MAX_EDGES:
                        message = f"this edge stands for more than {MAX_EDGES:,}"
                        raise mistake(message, self._arrow.span)
                    if draft.guard != FALSE:
                        yield draft

    def _chosen(self) -> Iterator[Chosen]:
        scope, machine = self._process.scope, Machine(Memory({}))
        ranges = [span_of_range(item.type, scope, machine) for item in self._selections]
        for values in product(*ranges):
            inner = scope
            for selection, value in zip(self._selections, values, strict=True):
                inner = bound(inner, selection.name, value)
            pairs = zip((selection.name for selection in self._selections), values, strict=True)
            yield Chosen(inner, tuple(pairs))

    @cached_property
    def _branches(self) -> list[tuple[str, Expressions, float]]:
        """Where the arrow leads, with all updates on the way and the share of that branch."""
        updates = _updates(self._arrow)
        points = {point.id for point in self._process.template.branchpoints}
        if self._arrow.target not in points:
            return [(self._place(self._arrow.target), updates, 1.0)]
        arrows = [a for a in self._process.template.arrows if a.source == self._arrow.target]
        weights = [_weight(arrow, self._process.scope) for arrow in arrows]
        total = sum(weights) or 1.0
        return [
            (self._place(arrow.target), (*updates, *_updates(arrow)), weight / total)
            for arrow, weight in zip(arrows, weights, strict=True)
        ]

    def _place(self, identity: str) -> str:
        if identity not in self._names:
            hint = did_you_mean(identity, self._names)
            raise mistake(f"{identity!r} is no location{hint}", self._arrow.span)
        return self._names[identity]

    @cached_property
    def _loose(self) -> Scope:
        """The scope of the process, with the names of the select as anything."""
        scope = self._process.scope
        for name in self._selected:
            scope = with_local(scope, name)
        return scope

    @cached_property
    def _shared(self) -> tuple[Formula, Expressions]:
        return self._guard(self._common, self._process.scope)

    def _guard(self, conditions: list[Expression], scope: Scope) -> tuple[Formula, Expressions]:
        """The formula, and the conditions that are none but can run as code."""
        parts: list[Formula] = []
        left: list[Expression] = []
        for condition in conditions:
            found = touched([condition], scope)
            if found.writes:
                raise mistake("a guard must not change anything", condition.span)
            if found.reads_clocks:
                symbolic = Symbolic(scope, derived=self._derived)
                parts.append(formula_of(condition, symbolic, "a guard over clocks"))
                continue
            try:
                parts.append(Symbolic(scope).formula(condition))
            except NotSymbolic:
                left.append(condition)
        return all_of(parts), tuple(left)

    def _actions(self, scope: Scope) -> Iterator[tuple[Action | None, Formula]]:
        """The channel, and where it is this one."""
        label = self._arrow.label("synchronisation")
        if label is None:
            yield None, TRUE
            return
        sync = cast(Synchronisation, label.value)
        for path, kind, where in self._channels(sync.channel, scope):
            if not isinstance(kind, Scalar) or kind.kind != "chan":
                raise mistake("this is no channel", sync.channel.span)
            yield Action(path, sync.direction == "!"), where

    def _channels(self, channel: Expression, scope: Scope) -> Iterator[tuple[str, object, Formula]]:
        if not isinstance(channel, Element):
            yield from ((path, kind, TRUE) for path, kind, _ in places(channel, scope))
            return
        number = known_number(channel.index, scope)
        cases = None if number is not None else self._index(channel.index, scope)
        for path, kind, where in self._channels(channel.base, scope):
            if not isinstance(kind, ArrayOf):
                raise mistake("only an array has elements", channel.span)
            indices = range(kind.low, kind.low + kind.size)
            if cases is not None:
                for i in indices:
                    yield f"{path}[{i}]", kind.item, both(where, equal_to(cases, i))
            elif number in indices:
                yield f"{path}[{number}]", kind.item, where

    def _index(self, index: Expression, scope: Scope) -> Cases:
        touched([index], scope)
        try:
            return Symbolic(scope, derived=self._derived).cases(index)
        except NotSymbolic as reason:
            message = f"this cannot be the index of a channel in a run: {reason.why}"
            raise mistake(message, reason.span or index.span) from None

    def _draft(
        self,
        chosen: Chosen,
        action: Action | None,
        where: Formula,
        target: str,
        updates: Expressions,
        weight: float,
    ) -> Draft:
        shared, code = self._shared
        own, more = self._guard(self._own, chosen.scope) if self._own else (TRUE, ())
        conditions = (*code, *more)
        found = self._touched((*conditions, *updates))
        return Draft(
            source=self._place(self._arrow.source),
            target=target,
            guard=all_of([where, shared, own]),
            action=action,
            conditions=conditions,
            updates=updates,
            terms=terms_of(updates, chosen.scope),
            touched=found,
            process=self._process.name,
            chosen=chosen,
            weight=weight,
        )

    def _touched(self, codes: Expressions) -> Touched:
        """What code may touch, whatever is selected; this also finds names without a meaning."""
        if codes not in self._known:
            self._known[codes] = touched(codes, self._loose)
        return self._known[codes]

    @cached_property
    def _known(self) -> dict[Expressions, Touched]:
        return {}


def drafts_of(process: Process, names: dict[str, str], derived: Derivations) -> Iterator[Draft]:
    """The edges of a process; arrows behind branchpoints belong to those before them."""
    points = {point.id for point in process.template.branchpoints}
    for arrow in process.template.arrows:
        if arrow.source not in points:
            yield from ArrowReader(arrow, process, names, derived).drafts()


def _weight(arrow: Arrow, scope: Scope) -> float:
    """The weight of a branch; one that is not known before the run counts as 1."""
    label = arrow.label("probability")
    number = None if label is None else known_number(cast(Expression, label.value), scope)
    return 1.0 if number is None else max(0.0, float(number))


def _updates(arrow: Arrow) -> Expressions:
    label = arrow.label("assignment")
    return cast(Expressions, label.value) if label else ()
