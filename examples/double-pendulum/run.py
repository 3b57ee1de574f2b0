"""A double pendulum at a wall against its equations of Lagrange: see README.md."""

import argparse
from math import cos, sin

import numpy as np
from scipy.integrate import solve_ivp

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD = parse_world(example_text("double-pendulum"))
G, E, TURN, UNTIL = 9.81, 0.8, -1.2, 2.5
NATIVE = Options(solver="native")


def mass(y: np.ndarray) -> np.ndarray:
    """Of two uniform rods of 1 kg and 1 m, in their angles from the vertical (kg m²)."""
    c = cos(y[0] - y[1]) / 2
    return np.array([[4 / 3, c], [c, 1 / 3]])


def rates(_: float, y: np.ndarray) -> np.ndarray:
    s = sin(y[0] - y[1]) / 2
    load = [-s * y[3] ** 2 - 1.5 * G * sin(y[0]), s * y[2] ** 2 - G / 2 * sin(y[1])]
    return np.concatenate([y[2:], np.linalg.solve(mass(y), load)])


def gap(_: float, y: np.ndarray) -> float:
    """From the lower end to the wall (m)."""
    return 0.25 - sin(y[0]) - sin(y[1])


def bounced(y: np.ndarray) -> np.ndarray:
    """After an impact: Newton's law along the way of the lower end."""
    way = -np.cos(y[:2])
    push = np.linalg.solve(mass(y), way)
    return np.concatenate([y[:2], y[2:] - (1 + E) * (way @ y[2:]) / (way @ push) * push])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the angles for two walls")
    run = simulate(generate(WORLD), until=UNTIL, options=NATIVE)
    gap.terminal, gap.direction = True, -1  # type: ignore[attr-defined]
    now, y = 0.0, np.array([TURN, TURN, 0.0, 0.0])
    print(f"{'impact at (s)':24}{'dyverse':>16}{'Lagrange':>16}")
    for i, time in enumerate(run.times("impact"), 1):
        found = solve_ivp(rates, (now, UNTIL), y, "DOP853", events=gap, rtol=1e-12, atol=1e-13)
        now, y = float(found.t[-1]), bounced(found.y[:, -1])
        print(f"{i:<24}{time:16.9f}{now:16.9f}")
    y = solve_ivp(rates, (now, UNTIL), y, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    print(f"{'shoulder at 2.5 s (rad)':24}{run.final['shoulder.angle']:16.9f}{y[0]:16.9f}")
    print(f"{'elbow at 2.5 s (rad)':24}{run.final['elbow.angle']:16.9f}{y[1] - y[0]:16.9f}")
    if file := parser.parse_args().plot:
        made = {f"e = {e}": generate(WORLD, {"e": e}) for e in (0.3, 0.8)}
        runs = {name: simulate(one, until=3, options=NATIVE) for name, one in made.items()}
        plot_signals(runs, ["shoulder.angle", "elbow.angle"], file, label="angle (rad)")
