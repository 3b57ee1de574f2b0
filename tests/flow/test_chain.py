"""Chains of steps along a known curve, and events on them."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.automaton.interface import Array, Samples
from dyverse.flow.chain import LINKS, Chain, chained
from dyverse.flow.events import first_crossing
from dyverse.flow.step import IntegrationError, Segment, Step


def line(start: float, end: float, proposal: float | None = None) -> Segment:
    """A step whose only state is the time."""
    return Segment(start, end, np.array([start]), np.array([end]), proposal)


def lines(*ends: float, proposal: float | None = None) -> tuple[Segment, ...]:
    return tuple(line(a, b, proposal) for a, b in pairwise(ends))


@given(st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=12), st.data())
def test_a_chain_is_its_steps(lengths: list[float], data: st.DataObject) -> None:
    chain = Chain(lines(0.0, *np.cumsum(lengths).tolist()))
    times = np.sort(data.draw(st.lists(st.floats(0.0, chain.end), min_size=1, max_size=9)))
    assert chain.at(times)[:, 0] == pytest.approx(times, abs=1e-12)
    assert chain.knots.tolist() == [0.0, *np.cumsum(lengths).tolist()]
    assert (chain.first.tolist(), chain.last.tolist()) == ([chain.start], [chain.end])


def test_steps_of_a_multistep_method_are_joined() -> None:
    steps = lines(*range(2 * LINKS + 4))
    first, second, rest = chained(iter(steps))
    assert isinstance(first, Chain)
    assert isinstance(second, Chain)
    assert isinstance(rest, Chain)
    assert (*first.links, *second.links, *rest.links) == steps


def test_steps_that_propose_a_length_stay_alone() -> None:
    steps = lines(*range(5), proposal=1.0)
    assert tuple(chained(iter(steps))) == steps


FAILURES = [
    ZeroDivisionError("1/0"),
    ValueError("math domain error"),
    IntegrationError("no step possible", time=2.0),
]


def failing(error: Exception) -> Iterator[Step]:
    yield from lines(0.0, 1.0, 2.0)
    raise error


@pytest.mark.parametrize("error", FAILURES, ids=repr)
def test_a_failure_is_heard_of_after_what_was_before_it(error: Exception) -> None:
    steps = chained(failing(error))
    assert next(steps).end == 2.0
    with pytest.raises(type(error)):
        next(steps)


def test_a_bug_is_heard_of_at_once() -> None:
    with pytest.raises(AttributeError):
        next(chained(failing(AttributeError("no such name"))))


@pytest.mark.parametrize("bottom", [3e-7, 2.5e-5, 0.4])
@pytest.mark.parametrize("width", [1e-7, 1e-8])
def test_a_short_dip_on_a_short_step_is_found(bottom: float, width: float) -> None:
    """A signal that is below zero for 2 ``width`` near ``bottom``, where the steps are as short."""
    ends = bottom + np.array([-1.2, -0.5, 0.1, 0.7, 1.3]) * width * 2
    chain = Chain(lines(0.0, *ends.tolist(), 1.0))

    def sample(times: Array, states: Array) -> Samples:
        away = (states - bottom) / width
        return Samples(away**2 - 1, 2 * away / width)

    crossing = first_crossing(chain, sample, resting=np.array([False])).crossing
    assert crossing is not None
    assert crossing.time == pytest.approx(bottom - width, abs=1e-6 * width)


def test_noise_is_not_looked_at_closer_and_closer() -> None:
    """A signal that has hardly opened, moving by 1e-14 on a step with rates of any sign."""
    looks = 0

    def sample(times: Array, states: Array) -> Samples:
        nonlocal looks
        looks += 1
        wave = np.sin(1e12 * states)
        return Samples(1e-13 + 1e-14 * wave, 1e-8 * (1 + 0.1 * wave))

    chain = Chain(lines(*(1e-7 * np.arange(9)).tolist()))
    assert first_crossing(chain, sample, resting=np.array([True])).crossing is None
    assert looks < 30
