"""The variables of an FMU in the order of their value references.

Settings come first, then states, their derivatives, and the outputs that are no states; the same
order is in ``native/c/fmi/references.c``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from dyverse.exporters.c.model import Exported
from dyverse.exporters.c.quantities import Kind, Quantity, Role
from dyverse.exporters.fmu.units import RATES

Causality = Literal["parameter", "input", "output", "local"]
Variability = Literal["fixed", "tunable", "discrete", "continuous"]
Initial = Literal["exact", "calculated"]
Type = Literal["real", "integer", "enumeration"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One variable as both versions of FMI describe it."""

    reference: int
    name: str
    type: Type = "real"
    causality: Causality
    variability: Variability
    initial: Initial | None = None
    start: float | None = None
    low: float = -math.inf
    high: float = math.inf
    nominal: float | None = None
    unit: str = ""
    says: str = ""
    labels: tuple[str, ...] = ()
    derivative_of: int | None = None  # a value reference
    depends: tuple[int, ...] | None = None  # what its first value depends on; None: on everything


CAUSALITY: dict[int, tuple[Causality, Variability, Initial | None]] = {
    Role.FIXED: ("parameter", "fixed", "exact"),
    Role.TUNABLE: ("parameter", "tunable", "exact"),
    Role.PORT: ("input", "continuous", None),
    Role.SEED: ("parameter", "fixed", "exact"),
}
WHOLE = (Kind.EVENTS, Kind.IMPACTS)


def variables_of(model: Exported) -> tuple[Variable, ...]:
    """All variables of ``model``."""
    settings = [_setting(i, item) for i, item in enumerate(model.settings)]
    first, count = len(settings), len(model.states)
    states = [_state(first + i, model, i) for i in range(count)]
    rates = [_rate(first + count + i, state) for i, state in enumerate(states)]
    others = enumerate(model.outputs[count:], first + 2 * count)
    return (*settings, *states, *rates, *(_output(i, item) for i, item in others))


def _setting(reference: int, item: Quantity) -> Variable:
    causality, variability, initial = CAUSALITY[item.kind]
    return Variable(
        reference=reference,
        name=item.name,
        type="integer" if item.kind == Role.SEED else "real",
        causality=causality,
        variability=variability,
        initial=initial,
        start=item.value,
        low=min(item.low, item.value),
        high=max(item.high, item.value),
        unit=item.unit,
        says=item.says,
    )


def _state(reference: int, model: Exported, number: int) -> Variable:
    """A state; its start is given, or follows from settings."""
    item, follows = model.states[number], model.starts[number]
    return Variable(
        reference=reference,
        name=item.name,
        causality="output",
        variability="continuous",
        initial="calculated" if follows else "exact",
        start=None if follows else item.value,
        nominal=item.nominal,
        unit=item.unit,
        says=item.says,
        depends=follows,
    )


def _rate(reference: int, state: Variable) -> Variable:
    return Variable(
        reference=reference,
        name=f"der({state.name})",
        causality="local",
        variability="continuous",
        initial="calculated",
        unit=RATES.get(state.unit, ""),
        derivative_of=state.reference,
    )


def _output(reference: int, item: Quantity) -> Variable:
    whole = item.kind in WHOLE or bool(item.labels)
    return Variable(
        reference=reference,
        name=item.name,
        type="enumeration" if item.labels else "integer" if whole else "real",
        causality="output",
        variability="discrete" if whole else "continuous",
        initial="calculated",
        unit=item.unit,
        says=item.says,
        labels=item.labels,
    )
