"""A system that watches what is asked of another."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dyverse.automaton.interface import Array, HybridAutomaton
from dyverse.bodies.world import Property
from dyverse.errors import Problem
from dyverse.falsification.system import Bounds, Descent, Judged, Probes
from dyverse.flow.step import Accuracy


@dataclass(frozen=True)
class Recorded:
    """A system that counts its runs, and tells how they were judged."""

    own: Any  # a System
    seen: list[tuple[Accuracy, str]] = field(default_factory=list, compare=False)
    runs: list[int] = field(default_factory=list, compare=False)  # made at a time

    @property
    def claim(self) -> Property:
        return self.own.claim  # type: ignore[no-any-return]

    @property
    def descent(self) -> Descent:
        return self.own.descent  # type: ignore[no-any-return]

    @property
    def is_stepped(self) -> bool:
        return self.own.is_stepped  # type: ignore[no-any-return]

    @property
    def is_quick(self) -> bool:
        return self.own.is_quick  # type: ignore[no-any-return]

    def problems(self, settings: Mapping[str, float]) -> tuple[Problem, ...]:
        return self.own.problems(settings)  # type: ignore[no-any-return]

    def values(self, settings: Mapping[str, float]) -> Mapping[str, float]:
        return self.own.values(settings)  # type: ignore[no-any-return]

    def automaton(self, settings: Mapping[str, float]) -> HybridAutomaton:
        self.runs.append(1)  # a search makes an automaton only to run it
        return self.own.automaton(settings)  # type: ignore[no-any-return]

    def probe(self, columns: Mapping[str, Array], bounds: Bounds) -> Probes:
        self.runs.append(max(len(column) for column in columns.values()))
        return self.own.probe(columns, bounds)  # type: ignore[no-any-return]

    def judge(
        self, settings: Mapping[str, float], bounds: Bounds, accuracy: Accuracy, solver: str
    ) -> Judged:
        self.seen.append((accuracy, solver))
        return self.own.judge(settings, bounds, accuracy, solver)  # type: ignore[no-any-return]
