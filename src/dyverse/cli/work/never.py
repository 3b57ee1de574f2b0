"""``dyverse falsify --never BEHAVIOUR``: a behaviour of the long run as what must not happen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dyverse.abstraction.behaviours.initial import initial_abstraction, lettered
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import Undecided, Verdict, verdict_name
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.world import Property
from dyverse.cli.arguments.behaviours import behaviour_name
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import TRUE
from dyverse.falsification.system import Bounds, Descent, Judged, Probes
from dyverse.flow.step import Accuracy
from dyverse.generation.model import Model
from dyverse.generation.parts import parts_of
from dyverse.simulation.requirement.properties import Broken, Kept, Open, Outcome, Worst
from dyverse.simulation.simulate import Options


@dataclass(frozen=True)
class Never:
    """A system whose property is that no run behaves so; margins are 1 or -1.

    The behaviour of a run is decided by evidence; a run without is one that did not end.
    """

    model: Model
    behaviour: str

    @property
    def claim(self) -> Property:
        """The property, in name only."""
        return Property(name=f"never {self.behaviour}", requirement=TRUE)

    @property
    def descent(self) -> Descent:
        """There is no slope between yes and no."""
        return "none"

    @property
    def is_stepped(self) -> bool:
        """A behaviour has no distance."""
        return False

    @property
    def is_quick(self) -> bool:
        """Each run is looked at by itself."""
        return False

    def problems(self, settings: Mapping[str, float]) -> tuple[Problem, ...]:
        """Whatever keeps the model from being put together at these settings."""
        try:
            self.automaton(settings)
        except ModelError as error:
            return error.problems
        return ()

    def values(self, settings: Mapping[str, float]) -> dict[str, float]:
        """Every parameter and port by name, at these settings."""
        return self.model.values(settings)

    def automaton(self, settings: Mapping[str, float]) -> WrittenAutomaton:
        """The automaton at these settings, every edge with a letter."""
        found = parts_of(self.model.unasked().automaton(settings)).written
        if found is None or found.nodes or not found.variables:
            problem = "behaviours are known of one automaton with real variables only"
            raise ModelError([Problem(problem)])
        return lettered(found)

    def probe(self, columns: Mapping[str, Array], bounds: Bounds) -> Probes:
        """One run after the other, each until there is evidence."""
        rows = np.stack(list(columns.values()), axis=1).tolist()
        settings = [dict(zip(columns, row, strict=True)) for row in rows]
        options = bounds.options("reference", Accuracy())
        found = [self._behaves(one, bounds, options) for one in settings]
        return Probes(
            margins=np.array([self._margin(verdict) for verdict, _ in found]),
            times=np.array([verdict.time for verdict, _ in found]),
            paths=tuple(verdict_name(verdict) for verdict, _ in found),
            stops=tuple(str(run.stop) for _, run in found),
            decided=np.array([not isinstance(v, Undecided) for v, _ in found], dtype=bool),
            events=np.array([len(run.events) for _, run in found], dtype=np.int64),
        )

    def judge(
        self, settings: Mapping[str, float], bounds: Bounds, accuracy: Accuracy, solver: str
    ) -> Judged:
        """The behaviour of one run, and the time at which it was sure."""
        verdict, run = self._behaves(settings, bounds, bounds.options(solver, accuracy))
        return Judged(run, self._outcome(verdict))

    def _behaves(
        self, settings: Mapping[str, float], bounds: Bounds, options: Options
    ) -> tuple[Verdict, Run]:
        return classify(self.automaton(settings), until=bounds.until, options=options)

    def _outcome(self, verdict: Verdict) -> Outcome:
        claim, time = self.claim, verdict.time
        worst = Worst(self._margin(verdict), time)
        if worst.margin < 0:
            return Broken(
                claim=claim,
                until=time,
                time=time,
                worst=worst,
                leeway=-math.inf,  # evidence is not a matter of margins
                marginal=False,
            )
        if isinstance(verdict, Undecided):
            why = verdict.reason
            return Open(claim=claim, until=time, worst=worst, leeway=math.inf, why=why)
        return Kept(claim=claim, until=time, worst=worst, leeway=math.inf)

    def _margin(self, verdict: Verdict) -> float:
        return -1.0 if verdict_name(verdict) == self.behaviour else 1.0


def never(model: Model, behaviour: str, settings: Mapping[str, float]) -> Never:
    """The system, if runs of the model can behave so; else a `ModelError` that says why not."""
    automaton = Never(model, behaviour).automaton(settings)
    lts = initial_abstraction(automaton, letters="actions").lts
    return Never(model, behaviour_name(behaviour, lts, option="--never"))
