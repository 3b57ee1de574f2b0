"""How high a paddle juggles a ball, against a bounce map of its own: see README.md."""

import argparse
from math import cos, pi, sin

import numpy as np
from matplotlib.figure import Figure
from scipy.interpolate import CubicSpline

from dyverse import Run, example_text, parse_world
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.falsification.verdict import Unsafe

G, E, RADIUS, LIMIT = 9.81, 0.8, 0.05, 0.45
WORLD = parse_world(example_text("juggling-paddle"))
STEPS = np.linspace(1e-6, 2, 4000)  # s, longer than any flight
GRID = [(A, f) for A in np.linspace(0.035, 0.05, 9) for f in np.linspace(2.5, 2.8, 13)]


def highest(A: float, f: float, until: float) -> float:
    """How high the ball gets, flight by flight: parabolas that end on the paddle's sine (m)."""
    now, y, v, top, omega = 0.0, 0.3, 0.0, 0.3, 2 * pi * f
    while now < until:
        gaps = y + v * STEPS - G * STEPS**2 / 2 - RADIUS - A * np.sin(omega * (now + STEPS))
        i = int(np.argmax(gaps < 0))
        fine = CubicSpline(STEPS[i - 4 : i + 4], gaps[i - 4 : i + 4]).solve(extrapolate=False)
        flight = min(float(fine[0]), until - now)
        up = min(max(v / G, 0.0), flight)
        top, now = max(top, y + v * up - G * up**2 / 2), now + flight
        y = RADIUS + A * sin(omega * now)
        v = (1 + E) * A * omega * cos(omega * now) - E * (v - G * flight)
    return top


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots(subplot_kw={"xlabel": "time (s)", "ylabel": "touching surfaces (m)"})
    axes.plot(run.signal("ball.y")[0], run.signal("ball.y")[1] - RADIUS)
    axes.plot(run.signal("paddle.y")[0], run.signal("paddle.y")[1] + 0.5)
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the highest run")
    file = parser.parse_args().plot
    print(f"{'':36}{'found':>14}{'known':>14}")
    for until in (1.2, 0.5):
        verdict, top = falsify(ask(WORLD, until=until)), max(highest(*x, until) for x in GRID)
        words = WORDS[type(verdict)], "unsafe" if top >= LIMIT else "not_found"
        print(f"{f'until {until} s':36}{words[0]:>14}{words[1]:>14}")
        if isinstance(verdict, Unsafe) and (deep := verdict.deepest):
            tops = LIMIT - deep.margin, highest(**deep.settings, until=until)
            print(f"{'  highest (m)':36}{tops[0]:14.5f}{tops[1]:14.5f}")
            if file:
                draw(deep.run, file)
