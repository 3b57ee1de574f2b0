"""A car at full throttle, against SciPy with the tables of the text: see README.md."""

import argparse
import re
from collections.abc import Iterator
from typing import Any  # of what SciPy asks for

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp
from scipy.interpolate import BSpline, make_interp_spline

from dyverse import Options, example_text, parse_model, simulate

TEXT = example_text("automatic-transmission")
SLIP = [*np.arange(8) / 10, *np.arange(80, 91) / 100, 0.92, 0.94]
MPH, WAYS = 2 * np.pi * 60 / 5280, ((2.393, 40), (1.45, 70), (1.0, 100), (0.677, np.inf))


def table(name: str) -> BSpline:
    numbers = re.findall(r"([\d.]+)\*", TEXT.split(f"function {name}(s) =")[1])
    return make_interp_spline(SLIP, [*map(float, numbers[: len(SLIP)])], k=1)


CAPACITY, GAIN = table("capacity"), table("gain")
ROWS = [[*map(float, row.split(","))] for row in re.findall(r"row\(n, (-?\d.*)\)", TEXT)]
IDLE, FULL = (make_interp_spline(range(800, 4801, 400), ROWS[i], k=1) for i in (0, -1))


def rates(_t: float, state: np.ndarray, ratio: float, pull: BSpline) -> list[float]:
    impeller = (state[0] / CAPACITY(slip := 3.23 * ratio * state[1] / state[0])) ** 2
    pushed = 3.23 * ratio * GAIN(slip) * impeller - 40 - 0.02 * (MPH * state[1]) ** 2
    return [(pull(state[0]) - impeller) / 0.0219914882835559, pushed / 12.09414785731247]


def driven(until: float) -> Iterator[tuple[float, np.ndarray]]:
    way = solve_ivp(rates, (0, 1e-3), [1000.0, 0.0], args=(WAYS[0][0], IDLE), rtol=1e-10)
    for ratio, up in WAYS:
        reached: Any = lambda _t, y, *_, up=up: min(MPH * y[1] - up, 1.0)  # noqa: E731
        reached.terminal, more = True, dict[str, Any](args=(ratio, FULL), rtol=1e-10, max_step=0.02)
        way = solve_ivp(rates, (way.t[-1], until), way.y[:, -1], events=reached, **more)
        if up < np.inf:
            way = solve_ivp(rates, (way.t[-1], way.t[-1] + 0.08), way.y[:, -1], **more)
        yield way.t[-1], way.y[:, -1]


if __name__ == "__main__":
    (parser := argparse.ArgumentParser(description=__doc__)).add_argument("--plot", metavar="FILE")
    file, automaton = parser.parse_args().plot, parse_model(TEXT).automaton({"throttle": 100.0})
    run, exact = simulate(automaton, until=20, options=Options(solver="native")), [*driven(20.0)]
    for i, event in enumerate(event for event in run.events if event.kind == "higher"):
        print(f"{f'gear {i + 2} from (s)':30}{event.time:16.8f}{exact[i][0]:16.8f}")
    for i, name in enumerate(("engine.n", "car.wheel")):
        print(f"{f'{name} at 20 s (1/min)':30}{run.final[name]:16.6f}{exact[-1][1][i]:16.6f}")
    if file:
        axes = (figure := Figure(figsize=(7, 3.5), layout="constrained")).subplots()
        axes.plot(*run.signal("engine.n"), *run.signal("car.wheel"))
        axes.set(xlabel="t (s)", ylabel="engine (blue), wheels (1/min)")
        figure.savefig(file, dpi=110)
