"""A wind turbine in steady wind, against SciPy: see README.md."""

import argparse
import re
from math import pi

import numpy as np
from scipy.integrate import solve_ivp

from dyverse import Options, example_text, parse_model, simulate
from dyverse.exporters.signals_plot import plot_signals

TEXT, NATIVE = example_text("wind-turbine"), Options(solver="native")
POWERS = np.array([(3, 0), (2, 1), (2, 0), (1, 2), (1, 1), (1, 0), (0, 3), (0, 2), (0, 1), (0, 0)])
RATED, GAIN, TIMES = 12.1 * 2 * pi / 60 * 97, 0.01882681, (0, 5, 20, 100)
INERTIA, TOWER, SWAYS = 35444067 + 534.116 / 97**2, 480654.25, 2 * pi * 0.31994


def numbers(name: str) -> np.ndarray:
    """The coefficients of a polynomial in the text."""
    body = TEXT.split(f"function {name}(l, b) =")[1].split("\n\n")[0].split("function")[0]
    found = re.findall(r"([+-]?) ?(\d+\.\d+)", body)
    return np.array([float(sign + number) for sign, number in found])


POWER, THRUST = numbers("power"), numbers("thrust")


def rates(_: float, y: np.ndarray, wind: float) -> list[float]:
    """With no limit of rates in the way, at rated power."""
    w, g, x, v, pitch, rate, total = y
    blows, tip = 0.5 * 1.225 * pi * 63**2 * (wind - v) ** 2, w * 63 / (wind - v)
    terms = tip ** POWERS[:, 0] * pitch ** POWERS[:, 1]
    asked = (GAIN * (g - RATED) + total) / (1 + pitch / 0.1099965)
    spins = (blows * 63 * (POWER @ terms) / tip - 97 * 5296610 / g) / INERTIA
    bends = blows * (THRUST @ terms) / TOWER - 0.02 * SWAYS * v - SWAYS**2 * x
    turns = (2 * pi) ** 2 * (asked - pitch) - 2.8 * pi * rate
    return [spins, 0.5 * pi * (97 * w - g), v, bends, rate, turns, 0.008068634 * (g - RATED)]


if __name__ == "__main__":
    (parser := argparse.ArgumentParser(description=__doc__)).add_argument("--plot", metavar="FILE")
    file, model, runs = parser.parse_args().plot, parse_model(TEXT), {}
    for wind in (13.0, 15.0):
        run = simulate(model.automaton({"wind": wind}), until=100, options=NATIVE)
        start = [1.2671, 97 * 1.2671, 0, 0, 0.0529, 0, 0.0529 * (1 + 0.0529 / 0.1099965)]
        found = solve_ivp(
            rates, (0, 100), start, "DOP853", TIMES, args=(wind,), rtol=1e-10, atol=1e-12
        )
        for time, state in zip(TIMES[1:], found.y.T[1:], strict=True):
            for name, value in (("w", state[0]), ("x", state[2]), ("pitch", state[4])):
                ours = run.seen(run.at(time))[f"turbine.{name}"]
                print(f"{f'{wind:g} m/s, {name} at {time} s':30}{ours:16.9f}{value:16.9f}")
        runs[f"{wind:g} m/s"] = run
    if file:
        plot_signals(runs, ["turbine.w", "turbine.pitch"], file, label="rad/s, rad")
