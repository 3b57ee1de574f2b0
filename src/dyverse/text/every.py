"""Statements about every one of several: ``contact ball[*] floor { … }``, ``system tank[*]``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from dyverse.errors import Problem
from dyverse.text.indices import EVERY, every
from dyverse.text.syntax.automata import AutomatonStatement, Instance, SystemStatement
from dyverse.text.syntax.elements import Name
from dyverse.text.syntax.statements import BodyStatement, ContactStatement, LoadStatement, Statement


def with_every(statements: Sequence[Statement]) -> tuple[list[Statement], list[Problem]]:
    """The statements with one for each in the place of one for every, and what is wrong."""
    found = _Every(statements)
    made = [one for statement in statements for one in found.each(statement)]
    return made, found.problems


class _Every:
    def __init__(self, statements: Iterable[Statement]) -> None:
        self.problems: list[Problem] = []
        statements = tuple(statements)
        self._bodies = [s.name.text for s in statements if isinstance(s, BodyStatement)]
        self._automata = [s.name.text for s in statements if isinstance(s, AutomatonStatement)]

    def each(self, statement: Statement) -> list[Statement]:
        """What a statement stands for."""
        match statement:
            case ContactStatement(pair=(a, b)) if EVERY in a.text + b.text:
                pairs = product(self._names(a, self._bodies), self._names(b, self._bodies))
                once: dict[frozenset[str], tuple[Name, Name]] = {}
                for x, y in pairs:
                    once.setdefault(frozenset((x.text, y.text)), (x, y))
                return [replace(statement, pair=p) for key, p in once.items() if len(key) == 2]
            case LoadStatement(body=body) if EVERY in body.text:
                return [replace(statement, body=one) for one in self._names(body, self._bodies)]
            case SystemStatement(instances=instances):
                made = tuple(one for item in instances for one in self._instances(item))
                return [replace(statement, instances=made)]
            case _:
                return [statement]

    def _instances(self, item: Instance) -> list[Instance]:
        if EVERY not in item.automaton.text or item.alias is not None:
            return [item]
        return [replace(item, automaton=one) for one in self._names(item.automaton, self._automata)]

    def _names(self, name: Name, known: list[str]) -> list[Name]:
        if EVERY not in name.text:
            return [name]
        found = [Name(other, name.span) for other in known if every(name.text).fullmatch(other)]
        if not found:
            self.problems.append(
                Problem(f"there is nothing that {name.text} stands for", name.span)
            )
        return found
