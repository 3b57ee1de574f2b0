"""A slider-crank with play against its equations of Lagrange: see README.md."""

import argparse
from math import cos, hypot, sin

import numpy as np
from scipy.integrate import solve_ivp

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD = parse_world(example_text("slider-crank"))
C, E, W, R, L = 0.002, 0.3, 12.0, 0.1, 0.3
CRANK = 0.5 * (R**2 + 0.02**2) / 12 + 0.5 * R**2 / 4 + 0.4 * R**2  # with the rod's mass, kg m²
ROD = 0.4 * (L**2 + 0.02**2) / 12 + 0.4 * L**2 / 4
NATIVE = Options(solver="native")


def mass(y: np.ndarray) -> np.ndarray:
    """In the angles of crank and rod and the place of the piston."""
    c = 0.4 * R * L / 2 * cos(y[0] - y[1])
    return np.array([[CRANK, c, 0], [c, ROD, 0], [0, 0, 0.6]])


def rates(_: float, y: np.ndarray) -> np.ndarray:
    s = 0.4 * R * L / 2 * sin(y[0] - y[1])
    load = [-s * y[4] ** 2 + 20 * (W - y[3]), s * y[3] ** 2, 0]
    return np.concatenate([y[3:], np.linalg.solve(mass(y), load)])


def gap(_: float, y: np.ndarray) -> float:
    return C - hypot(R * cos(y[0]) + L * cos(y[1]) - y[2], R * sin(y[0]) + L * sin(y[1]))


def bounced(y: np.ndarray) -> np.ndarray:
    """After an impact of the pin: Newton's law."""
    a, b = R * cos(y[0]) + L * cos(y[1]) - y[2], R * sin(y[0]) + L * sin(y[1])
    ways = [[-R * sin(y[0]), R * cos(y[0])], [-L * sin(y[1]), L * cos(y[1])], [-1, 0]]
    way = -np.array(ways) @ [a, b] / hypot(a, b)
    push = np.linalg.solve(mass(y), way)
    return np.concatenate([y[:3], y[3:] - (1 + E) * (way @ y[3:]) / (way @ push) * push])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the play that is left")
    run = simulate(generate(WORLD), until=1, options=NATIVE)
    now, y = 0.0, np.array([0, 0, R + L - C, W, -W * R / L, 0])
    gap.terminal, gap.direction = True, -1  # type: ignore[attr-defined]
    print(f"{'knock at (s)':20}{'dyverse':>16}{'Lagrange':>16}")
    for i, time in enumerate(run.times("impact")[:4], 1):
        found = solve_ivp(rates, (now, 1), y, "DOP853", events=gap, rtol=1e-12, atol=1e-14)
        now, y = float(found.t[-1]), bounced(found.y[:, -1])
        print(f"{i:<20}{time:16.9f}{now:16.9f}")
    if file := parser.parse_args().plot:
        made = ((f"{w} rad/s", generate(WORLD, {"w": w})) for w in (8, 16))
        runs = {name: simulate(one, until=0.4, options=NATIVE) for name, one in made}
        plot_signals(runs, ["gap[rod.pin,piston]"], file, label="play left (m)")
