"""Two contacts that close at once, against an independent calculation: see README.md."""

import argparse
from math import cos, hypot, sin, sqrt

from scipy.optimize import brentq

from dyverse import Run, example_text, generate, parse_world, simulate
from dyverse.exporters.plots import plot_run

RADIUS, E = 0.6, 0.8


def hand_calculation(k: float) -> tuple[float, float]:
    """When ball 1 hits the other two, and its vertical velocity after (s, m/s).

    Ball 2 is at (-1.5 cos(√k t), 0) and ball 1 at (0, 2.66 - 3 t). By symmetry both contacts take
    the same impulse P along their normals; Newton's law makes the normal speed change its sign:
    P = -(1 + e) ġ/(1 + 2 ny²) for unit masses, with ny the height of the normal.
    """

    def place(t: float) -> tuple[float, float]:
        return -1.5 * cos(sqrt(k) * t), 2.66 - 3 * t

    t = brentq(lambda t: hypot(*place(t)) - 2 * RADIUS, 0, 0.8, xtol=1e-14)
    x, y = place(t)
    nx, ny = x / hypot(x, y), -y / hypot(x, y)  # from ball 1 to ball 2
    closing = nx * 1.5 * sqrt(k) * sin(sqrt(k) * t) + 3 * ny
    impulse = -(1 + E) * closing / (1 + 2 * ny**2)
    return t, -3 - 2 * impulse * ny


def play(k: float) -> Run:
    automaton = generate(parse_world(example_text("three-balls")), {"k": k})
    return simulate(automaton, until=0.75)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the run of k = 1")
    file = parser.parse_args().plot
    print(f"{'':28}{'measured':>14}{'by hand':>14}")
    for k in (1.0, 1.25, 1.5):
        run, (time, speed) = play(k), hand_calculation(k)
        (event,) = run.events
        print(f"{f'k = {k}: impact (s)':28}{event.time:14.9f}{time:14.9f}")
        print(f"{'  ball1.vy after (m/s)':28}{run.final['ball1.vy']:14.9f}{speed:14.9f}")
        print(f"  contacts in this one impact: {', '.join(event.contacts)}")
    if file:
        plot_run(play(1.0), file, title="three-balls")
