"""Which shoves of the ground overturn a block, against Housner's equation: see README.md."""

import argparse
from math import atan, atan2, cos, exp, hypot, sin

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("rocking-block"))
G, ALPHA, LONG = 9.81, atan(0.25), hypot(0.1, 0.4)
UNTIL, NATIVE = 2.2, Options(solver="native")
SHOVES = ((0.08, 0.2), (0.1, 0.2), (0.12, 0.25), (0.15, 0.3))


def housner(A: float, T: float) -> float:
    """The tilt at the end (rad), if the block rocks about one edge or the other and never slips."""

    def shove(time: float) -> float:
        return A / T**2 * (4 * (time / T - 6) ** 2 - 2) * exp(-((time / T - 6) ** 2))

    def rates(time: float, x: np.ndarray) -> list[float]:
        lean = side * ALPHA - x[0]
        return [x[1], -0.75 / LONG * (G * sin(lean) + shove(time) * cos(lean))]

    def lands(_: float, x: np.ndarray) -> float:
        return float(side * x[0])

    lands.terminal, lands.direction = True, -1  # type: ignore[attr-defined]
    peak, spin = (6 - 1.5**0.5) * T, 0.0
    side, ends = (-1.0, (0, peak)) if shove(peak) > G / 4 else (1.0, (peak, 6 * T))
    now = brentq(lambda t: shove(t) + side * G / 4, *ends)  # about the edge that lags
    while now < UNTIL:
        start = [side * 1e-13, spin]  # off the edge that it has left
        found = solve_ivp(
            rates, (now, UNTIL), start, "DOP853", events=lands, rtol=1e-11, atol=1e-13
        )
        now, side, spin = float(found.t[-1]), -side, found.y[1, -1] * (1 - 1.5 * sin(ALPHA) ** 2)
    return float(found.y[0, -1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--plot", metavar="FILE", help="draw a shove that it survives and one that it does not"
    )
    print(f"{'tilt after 2.2 s (rad)':40}{'dyverse':>18}{'Housner':>18}")
    for A, T in SHOVES:
        end = simulate(generate(WORLD, {"A": A, "T": T}), until=UNTIL, options=NATIVE).final
        tilt = -2 * atan2(end["block.qz"], end["block.qw"])
        print(f"{f'A = {A:g} m, T = {T:g} s':40}{tilt:18.10f}{housner(A, T):18.10f}")
    if file := parser.parse_args().plot:
        worlds = {f"shoved by {A:g} m": generate(WORLD, {"A": A}) for A in (0.1, 0.15)}
        runs = {name: simulate(made, until=4, options=NATIVE) for name, made in worlds.items()}
        plot_signals(runs, ["block.qz", "ground.x"], file, label="sin(tilt/2), m")
