"""Random numbers of UPPAAL's statistical models, drawn from a variable of the network.

The variable ``random`` holds the state of the generator, and every draw changes it: so a run is the
same for the same start, a state of a run says all that will follow, and ``--set random=7`` gives
another run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from random import Random

from dyverse.automaton.network.component import Fault
from dyverse.errors import Span
from dyverse.uppaal.language.expression import Application, Reference
from dyverse.uppaal.meaning.arithmetic import Number

STATES = 2**48 - 1  # the last state; all are whole numbers without error


def _poisson(source: Random, mean: float) -> float:
    """Events of a unit of time, whose intervals are exponential."""
    count, time = 0, source.expovariate(1.0)
    while time < mean:
        count, time = count + 1, time + source.expovariate(1.0)
    return float(count)


def _arcsine(source: Random, low: float, high: float) -> float:
    return low + (high - low) * math.sin(math.pi / 2 * source.random()) ** 2


DRAWS: dict[str, Callable[..., float]] = {
    "random": lambda source, most: source.random() * most,
    "random_arcsine": _arcsine,
    "random_beta": lambda source, a, b: source.betavariate(a, b),
    "random_gamma": lambda source, shape, scale: source.gammavariate(shape, scale),
    "random_normal": lambda source, mean, spread: source.gauss(mean, spread),
    "random_poisson": _poisson,
    "random_tri": lambda source, low, mode, high: source.triangular(low, high, mode),
    "random_weibull": lambda source, shape, scale: source.weibullvariate(scale, shape),
}


def draws_numbers(node: object) -> bool:
    """Whether a piece of syntax draws a random number."""
    match node:
        case Application(function=Reference(name=name)) if name in DRAWS:
            return True
        case tuple():
            return any(map(draws_numbers, node))
        case Span():
            return False
    if not is_dataclass(node):
        return False
    return any(draws_numbers(getattr(node, part.name)) for part in fields(node))


def drawn(name: str, state: Number, arguments: list[Number]) -> tuple[float, int]:
    """A number by the law ``name``, and the state after it."""
    source = Random(int(state))
    try:
        number = DRAWS[name](source, *map(float, arguments))
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        shown = ", ".join(map(str, arguments))
        raise Fault(f"{name}({shown}): {error}") from None
    return number, source.getrandbits(48)
