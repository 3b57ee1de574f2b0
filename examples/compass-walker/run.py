"""A compass walker against two angles and a map of impacts: see README.md."""

import argparse
from math import cos, radians, sin

import numpy as np
from scipy.integrate import solve_ivp

from dyverse import Options, example_text, parse_model, simulate
from dyverse.exporters.signals_plot import plot_signals

TEXT = example_text("compass-walker")
STEPS, NATIVE = 5, Options(solver="native")


def rates(_: float, y: np.ndarray) -> list[float]:
    """Lagrange's equations of the leg that stands, p, and the one that swings, q."""
    (p, q, dp, dq), c, s = y, cos(y[0] - y[1]), sin(y[0] - y[1])
    mass = np.array([[16.25, -2.5 * c], [-2.5 * c, 1.25]])
    load = [2.5 * s * dq**2 + 171.675 * sin(p), -2.5 * s * dp**2 - 24.525 * sin(q)]
    return [dp, dq, *np.linalg.solve(mass, load)]


def stepped(y: np.ndarray) -> np.ndarray:
    """After a step: momentum about the foot that lands, and that of the other leg about the hip."""
    (p, q, dp, dq), c = y, cos(y[0] - y[1])
    onward = (12.5 * c * dp - 1.25 * dq) / (16.25 - 5 * c**2)
    return np.array([q, p, onward, 2 * c * onward - dp])


def lagrange(slope: float) -> list[float]:
    """When the steps end (s)."""

    def lands(t: float, y: np.ndarray) -> float:
        return cos(y[0] - slope) - cos(y[1] - slope) if y[0] > y[1] + 0.05 else 1.0

    lands.terminal, lands.direction = True, -1  # type: ignore[attr-defined]
    now, times = np.array([slope - 0.2710288, slope + 0.2710288, 1.09238359, 0.37737395]), [0.0]
    for _ in range(STEPS):
        found = solve_ivp(rates, (0, 3), now, "DOP853", events=lands, rtol=1e-12, atol=1e-13)
        now, times = stepped(found.y[:, -1]), [*times, times[-1] + found.t[-1]]
    return times[1:]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the height of the hip")
    slopes = {f"{degrees} deg": {"slope": radians(degrees)} for degrees in (3, 4)}
    runs = {
        name: simulate(parse_model(TEXT).automaton(numbers), until=4, options=NATIVE)
        for name, numbers in slopes.items()
    }
    print(f"{'step ends at (s)':20}{'dyverse':>14}{'Lagrange':>14}")
    for ours, theirs in zip(runs["3 deg"].times("impact"), lagrange(radians(3)), strict=False):
        print(f"{'':20}{ours:14.7f}{theirs:14.7f}")
    if file := parser.parse_args().plot:
        plot_signals(runs, ["hip.y"], file, label="height (m)")
