"""Margins of random requirements, ours and those of RTAMT, an independent monitor.

In discrete time every sample is a state, and nothing lies in between. In dense time RTAMT takes
signals to be constant from one sample to the next. Its windows and ours end at other times than
those of samples, for at a jump we see the state before it too. Its *until* in dense time wants the
left side at the last instant as well, and it does not look at times whose window is longer than the
signals: so these are compared in discrete time only.
"""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.expr.formula import And, Compare, Formula, Not, Or, compare
from dyverse.expr.requirement import Interval, Joined, Ordered, Quantified, Requirement
from dyverse.expr.term import Number, Symbol
from dyverse.simulation.requirement.curves import Cells, Curve
from dyverse.simulation.requirement.temporal import margins, planned
from tests.simulation.requirements import INFINITE, random_requirement

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    rtamt = pytest.importorskip("rtamt")

NAMES = ("x", "y", "z")
ATOMS: list[Formula] = [compare(name, ">=", 0) for name in NAMES]
COUNT = 12  # samples
WHOLE = [(low, low + more) for low in (0, 0, 1, 2) for more in (0, 1, 3)]
BROKEN = [
    (0.0, 0.437),
    (0.0, 1.613),
    (0.313, 0.729),
    (0.313, 1.921),
    (1.717, 2.131),
    (1.717, 3.319),
]
SYMBOLS = {"and": "and", "or": "or", "implies": "implies"}

Samples = dict[str, list[float]]


def spoken(requirement: Requirement) -> str:
    """The requirement in RTAMT's words."""
    match requirement:
        case Compare(left=Symbol(name=name)):
            return f"({name} >= 0)"
        case And(parts=parts) | Or(parts=parts):
            word = "and" if isinstance(requirement, And) else "or"
            return f"({f' {word} '.join(map(spoken, parts))})"
        case Joined(word="not", parts=(part,)) | Not(part=part):
            return f"(not {spoken(part)})"
        case Joined(word=word, parts=(first, second)):
            return f"({spoken(first)} {SYMBOLS[word]} {spoken(second)})"
        case Quantified(word=word, part=part, during=during):
            return f"({word}{_window(during)} {spoken(part)})"
        case Ordered(word="before", left=left, right=right, during=during):
            return f"({spoken(left)} until{_window(during)} {spoken(right)})"
        case Ordered(word=word, left=left, right=right, during=during):
            return f"({spoken(left)} {word}{_window(during)} {spoken(right)})"
        case _:
            raise ValueError(requirement)


def _window(during: Interval | None) -> str:
    if during is None:
        return ""
    assert isinstance(during.low, Number)
    assert isinstance(during.high, Number)
    return f"[{during.low.value:g}:{during.high.value:g}]"


def theirs(specification: Any, requirement: Requirement, signals: Any) -> Any:  # RTAMT has no types
    for name in NAMES:
        specification.declare_var(name, "float")
    specification.spec = spoken(requirement)
    specification.parse()
    return specification.evaluate(*signals)


def ours(requirement: Requirement, cells: Cells, samples: Samples, last: float) -> float:
    """The margin at the first state; each cell has the value of one sample."""
    plan = planned(requirement, {})
    return float(
        margins(
            plan.plan, [_curve(one, cells, samples) for one in plan.comparisons], last, cells
        ).value[0, 0]
    )


def _curve(comparison: Compare, cells: Cells, samples: Samples) -> Curve:
    assert isinstance(comparison.left, Symbol)
    values = np.array(samples[comparison.left.name])
    count = len(cells.start)
    curve = Curve(
        np.arange(count),
        cells.start,
        cells.end,
        np.repeat(values[:, None], 4, axis=1),
        np.zeros(count, dtype=np.intp),
        np.stack([cells.start, cells.end], axis=1),
    )
    return curve if comparison.relation == ">=" else -curve


def random_samples(draw: Random) -> Samples:
    return {name: [float(draw.randint(-9, 9)) for _ in range(COUNT)] for name in NAMES}


def same(found: float, wanted: float) -> bool:
    if np.isinf(wanted):
        return bool(abs(found) >= INFINITE / 10 and np.sign(found) == np.sign(wanted))
    return found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("seed", range(100))
def test_samples_are_judged_as_by_rtamt(seed: int) -> None:
    check_samples(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(100, 2000, 100))
def test_very_many_requirements_on_samples_are_too(start: int) -> None:
    for seed in range(start, start + 100):
        check_samples(seed)


def check_samples(seed: int) -> None:
    draw = Random(seed)
    requirement, samples = random_requirement(draw, 3, ATOMS, WHOLE), random_samples(draw)
    times = np.arange(COUNT, dtype=float)
    signals = [{"time": list(range(COUNT)), **samples}]
    wanted = theirs(rtamt.StlDiscreteTimeSpecification(), requirement, signals)[0][1]
    assert same(ours(requirement, Cells(times, times), samples, COUNT - 1.0), wanted)


@pytest.mark.parametrize("seed", range(100))
def test_steps_are_judged_as_by_rtamt(seed: int) -> None:
    check_steps(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(100, 2000, 100))
def test_very_many_requirements_on_steps_are_too(start: int) -> None:
    for seed in range(start, start + 100):
        check_steps(seed)


def check_steps(seed: int) -> None:
    draw = Random(seed)
    kinds = ("joined", "quantified")
    requirement = random_requirement(draw, 3, ATOMS, BROKEN, kinds, open_ended=0.0)
    samples = random_samples(draw)
    times = np.arange(COUNT, dtype=float)
    pairs = {n: zip(times.tolist(), samples[n], strict=True) for n in NAMES}
    signals = [[n, [list(pair) for pair in pairs[n]]] for n in NAMES]
    wanted = theirs(rtamt.StlDenseTimeSpecification(), requirement, signals)[0][1]
    start, end = _stretches(times)
    values = {n: [v for v in samples[n] for _ in range(3)] for n in NAMES}
    cells = Cells(start, end)
    assert same(ours(requirement, cells, values, float(end[-1])), wanted)


def _stretches(times: Array) -> tuple[Array, Array]:
    """Each sample as a point, a stretch to the next one, and the point before that."""
    ends = np.append(times[1:], times[-1] + 0.001)
    return np.stack([times, times, ends], axis=1).ravel(), np.stack([times, ends, ends], 1).ravel()
